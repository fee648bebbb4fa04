import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fakePhoto } from '../tests/support/fake-photo.ts'

/** The neighbours, a process of their own. It runs one flood at a time over IPC, until its time is over. */

export type FloodJob = { readonly url: string; readonly seconds: number } & (
  | { readonly kind: 'sandboxes'; readonly keys: readonly string[] }
  | { readonly kind: 'polls'; readonly keys: readonly string[]; readonly pollsOfKey: number }
  | {
      readonly kind: 'labels'
      readonly token: string
      readonly sheets: number
      readonly body: string
    }
  | {
      readonly kind: 'photos'
      readonly token: string
      /** Objects, to which photos are sent in turn. */
      readonly paths: readonly string[]
      readonly callers: number
      readonly photos: number
      readonly bytes: number
    }
)

/** Answers by status, and how long the slowest took. */
export interface Flooded {
  readonly statuses: Readonly<Record<string, number>>
  readonly slowestMs: number
}

interface Call {
  readonly path: string
  readonly signal?: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  readonly method?: 'POST' | 'PUT'
  readonly body?: string | Uint8Array<ArrayBuffer>
}

const burst = 20
const everyMs = 1_000

/** What a key asks for in turn. */
const asked = [
  { path: '/v1/sandbox/reset' },
  { path: '/v1/sandbox/reset' },
  { path: '/v1/sandbox/reset' },
  { path: '/v1/sandbox/triggers/order_new' },
  { path: '/v1/sandbox/advance', body: '{"hours":24}' },
  { path: '/v1/receipts', body: '{}' },
] as const

function counting(url: string) {
  const statuses: Record<string, number> = {}
  let slowestMs = 0
  const send = async ({ path, ...call }: Call) => {
    const began = performance.now()
    const answer = await fetch(`${url}${path}`, call).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    const status = answer?.status ?? 'no answer'
    statuses[status] = (statuses[status] ?? 0) + 1
    slowestMs = Math.max(slowestMs, performance.now() - began)
    return answer?.ok === true ? text : undefined
  }
  return { send, outcome: (): Flooded => ({ statuses, slowestMs }) }
}

/** Answers the body of a success. */
type Send = (call: Call) => Promise<string | undefined>

/** A full bucket at once, then what comes back to it. */
async function floodSandbox(send: Send, key: string, end: number): Promise<void> {
  const calls: Promise<unknown>[] = []
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const next = () => {
    const call = asked[calls.length % asked.length] ?? asked[0]
    calls.push(send({ method: 'POST', headers, ...call }))
  }
  for (let call = 0; call < burst; call += 1) next()
  while (performance.now() < end) {
    await sleep(everyMs)
    next()
  }
  await Promise.all(calls)
}

/** One poll after the other from the end of the feed: an event, or the end of the wait, begins the next. */
async function holdPoll(send: Send, key: string, end: number): Promise<void> {
  let after = 'latest'
  while (performance.now() < end) {
    const signal = AbortSignal.timeout(Math.max(1, Math.round(end - performance.now())))
    const path = `/v1/events?wait=25&after=${after}`
    const page = await send({ path, headers: { 'X-Api-Key': key }, signal })
    if (page === undefined) await sleep(everyMs)
    else after = (JSON.parse(page) as { next_after: string }).next_after
  }
}

/** Devices that send one photo after the other; where the service takes others, a device comes again, as it is asked to. */
async function sendPhotos(send: Send, job: FloodJob & { readonly kind: 'photos' }): Promise<void> {
  let sent = 0
  const device = async () => {
    for (let n = sent++; n < job.photos; n = sent++) {
      const call = {
        path: `${job.paths[n % job.paths.length]}/${randomUUID()}`,
        method: 'PUT',
        headers: { Authorization: `Bearer ${job.token}`, 'Content-Type': 'image/jpeg' },
        body: photoOf(job.bytes),
      } as const
      while ((await send(call)) === undefined) await sleep(againMs)
    }
  }
  await Promise.all(Array.from({ length: job.callers }, device))
}

const againMs = 2_000

/** As large as a photo is, and no two alike: what stands before the end of a picture is not read. */
function photoOf(bytes: number): Uint8Array<ArrayBuffer> {
  const photo = fakePhoto('bench')
  const points = randomBytes(bytes).map((byte) => (byte === 0xff ? 0 : byte))
  return Buffer.concat([photo.subarray(0, -2), points, photo.subarray(-2)])
}

async function flood(job: FloodJob): Promise<Flooded> {
  const { send, outcome } = counting(job.url)
  const end = performance.now() + job.seconds * 1_000
  if (job.kind === 'sandboxes') {
    await Promise.all(job.keys.map((key) => floodSandbox(send, key, end)))
  } else if (job.kind === 'polls') {
    const holders = job.keys.flatMap((key) => Array.from({ length: job.pollsOfKey }, () => key))
    await Promise.all(holders.map((key) => holdPoll(send, key, end)))
  } else if (job.kind === 'photos') {
    await sendPhotos(send, job)
  } else {
    const headers = { Authorization: `Bearer ${job.token}`, 'Content-Type': 'application/json' }
    const sheet = {
      path: '/staff/v1/labels/goods',
      method: 'POST',
      headers,
      body: job.body,
    } as const
    await Promise.all(Array.from({ length: job.sheets }, () => send(sheet)))
  }
  return outcome()
}

process.on('message', (job: FloodJob) => {
  void flood(job).then((outcome) => process.send?.(outcome))
})
