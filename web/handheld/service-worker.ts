/**
 * The service worker of the handheld: its page and files open without network. A new version of the service brings
 * a new list of files, and the browser a new worker with it. Data of the API are never stored here.
 */

declare const FILES: readonly string[]
declare const VERSION: string

interface WorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
}
interface Extendable {
  waitUntil(promise: Promise<unknown>): void
}
interface FetchEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

export type {}

/** The types of pages know no service worker. */
declare const self: WorkerScope

const page = '/staff/scan'
const cacheName = `sklad-handheld-${VERSION}`

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll([page, ...FILES]))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOlder().then(() => self.clients.claim()))
})

async function forgetOlder(): Promise<void> {
  const names = await caches.keys()
  const older = names.filter((name) => name.startsWith('sklad-handheld-') && name !== cacheName)
  // Pages that are still open load the files of the version before.
  await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const { pathname } = new URL(request.url)
  if (FILES.includes(pathname)) event.respondWith(fromCache(request, pathname))
  else if (request.mode === 'navigate') event.respondWith(fromNetwork(request))
})

async function fromCache(request: Request, path: string): Promise<Response> {
  return (await caches.match(path)) ?? fetch(request)
}

/** A dead Wi-Fi does not refuse: it never answers. */
const patienceMs = 3_000

/** The newest page where the network answers in time; else, or where a proxy fails, the stored one. */
async function fromNetwork(request: Request): Promise<Response> {
  const network = fetch(request).catch(() => undefined)
  const answer = await Promise.race([network, later(patienceMs)])
  if (answer?.ok) return answer
  return (await caches.match(page)) ?? (await network) ?? Response.error()
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms))
}
