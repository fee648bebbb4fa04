import { CallError, makeCaller, plainly } from '../../api/caller.ts'
import { photoId } from '../../api/photo-id.ts'
import type { Calls } from '../../api/staff-calls.ts'
import { asCallError } from '../../api/use-answer.ts'
import { shrink } from '../../ui/shrink.ts'
import { onQueueChange, queueState, type Worker } from '../queue/queue.ts'
import { dropPhoto, type KeptPhoto, keepPhoto, keptPhotos, type PhotoTarget } from './disk.ts'

/**
 * Photos leave behind the scans: one by one, under the session of who took them, and only while no scan waits. A scan that is made
 * meanwhile ends the sending, which begins again when the scans have left; its id makes the repetition harmless. The photo of a
 * unit that the service asks about waits for the answer, and the others pass it.
 */

const photosMax = 200
/** What scans need: a photo never takes the last room of the device. */
const roomForScans = 50 * 1024 * 1024
const patienceMs = 60_000
const retryMs = 5_000
/** Whoever is asked to wait longer has met the limit of a client for the day: photos of what belongs to others pass. */
const passedFromMs = 600_000

let photos: readonly KeptPhoto[] = []
let worker: Worker | undefined
const listeners = new Set<() => void>()

export function photosOnDevice(): readonly KeptPhoto[] {
  return photos
}

export function onPhotosChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function reload(): Promise<void> {
  photos = await keptPhotos()
  for (const listener of listeners) listener()
}

/** Sends what this worker has taken, from now on. */
export async function sendPhotosOf(next: Worker): Promise<void> {
  worker = next
  await reload()
  poke()
}

/** Keeps a photo on the device, to be sent. Throws with words for the worker where that can't be done. */
export async function takePhoto(file: Blob, target: PhotoTarget, by: Worker): Promise<void> {
  const bytes = await shrink(file)
  if (bytes === undefined) throw unkept('Это не снимок: сфотографируйте ещё раз')
  if (await isFull(bytes.byteLength)) throw unkept(fullWords)
  const taken = { id: photoId(), target, userId: by.id, login: by.login, bytes }
  try {
    await keepPhoto({ ...taken, takenAt: new Date().toISOString() })
  } catch {
    throw unkept(fullWords)
  }
  await reload()
  poke()
}

const fullWords =
  'Память терминала заполнена, фото не сохранено. Сканировать можно. Подождите там, где есть связь: ' +
  'прежние фото уйдут и место освободится'

function unkept(message: string): CallError {
  return new CallError('unkept', message)
}

async function isFull(bytes: number): Promise<boolean> {
  await reload()
  if (photos.length >= photosMax) return true
  const { storage } = navigator as { storage?: StorageManager }
  const { quota, usage = 0 } = (await storage?.estimate().catch(() => undefined)) ?? {}
  return quota !== undefined && quota - usage - bytes < roomForScans
}

/** The worker has read why a photo was refused. */
export async function forgetPhoto(id: string): Promise<void> {
  await dropPhoto(id)
  await reload()
}

/** Sends photos of somebody who has left in the name of whoever works now. */
export async function takeOver(login: string, by: Worker): Promise<void> {
  for (const photo of await keptPhotos()) {
    if (photo.login === login) await keepPhoto({ ...photo, userId: by.id, login: by.login })
  }
  await reload()
  poke()
}

let sending: AbortController | undefined
let retry: ReturnType<typeof setTimeout> | undefined

const scansWait = () => queueState().entries.some(({ state }) => state === 'waiting')

onQueueChange(() => {
  if (scansWait()) sending?.abort()
  else if (sending === undefined && retry === undefined) poke()
})
globalThis.addEventListener('online', poke)

function next(passed?: ReadonlySet<string>): KeptPhoto | undefined {
  return photos.find(
    (photo) =>
      photo.refused === undefined &&
      photo.userId === worker?.id &&
      !passed?.has(objectOf(photo)) &&
      !isAskedAbout(photo),
  )
}

function objectOf({ target }: KeptPhoto): string {
  return target.path.id ?? target.scanId ?? ''
}

/** Whether the service has asked about the photographed unit, such as whose it is: only the worker's answer gives it an object. */
function isAskedAbout({ userId, target: { scanId } }: KeptPhoto): boolean {
  const asked = queueState().entries.filter(({ state, field }) => state === 'refused' && field)
  return asked.some((scan) => scan.userId === userId && scan.body.scan_id === scanId)
}

function poke(): void {
  clearTimeout(retry)
  retry = undefined
  if (sending !== undefined || scansWait() || next() === undefined) return
  sending = new AbortController()
  void exclusively(sendAll, sending.signal)
    .catch(() => retryMs)
    .then((pauseMs) => {
      sending = undefined
      if (pauseMs === undefined) poke()
      else if (pauseMs !== Number.POSITIVE_INFINITY) retry = setTimeout(poke, pauseMs)
    })
}

/** One tab at a time. Without HTTPS there are no locks: a photo that two tabs send is one photo. */
function exclusively<T>(act: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const { locks } = navigator as { locks?: LockManager }
  if (locks === undefined) return act(signal)
  return locks.request('sklad-photos', () => act(signal)) as Promise<T>
}

/** Answers after how long to try again; undefined where a scan has come between or nothing is left. */
async function sendAll(signal: AbortSignal): Promise<number | undefined> {
  const passed = new Set<string>()
  let longestMs: number | undefined
  for (;;) {
    // From the disk: another tab may have sent what this one remembers.
    await reload()
    const photo = next(passed)
    if (signal.aborted) return undefined
    if (photo === undefined) return longestMs
    const pauseMs = await sendOne(photo, signal)
    if (pauseMs === undefined) continue
    if (signal.aborted) return undefined
    if (pauseMs < passedFromMs || pauseMs === Number.POSITIVE_INFINITY) return pauseMs
    passed.add(objectOf(photo))
    longestMs = pauseMs
  }
}

const call = makeCaller<Calls>({
  prefix: '/staff/v1',
  signInAgain: () => Promise.resolve(false),
  // The service refuses the call if meanwhile somebody else has signed in.
  headers: () => (worker === undefined ? {} : { 'X-Staff-User': worker.id }),
})

async function sendOne(photo: KeptPhoto, signal: AbortSignal): Promise<number | undefined> {
  const { id, target, takenAt, bytes } = photo
  const { name, path, scanId } = target
  const given = {
    path: { ...path, photo: id },
    query: { taken_at: takenAt, ...(scanId === undefined ? {} : { scan_id: scanId }) },
    body: new Blob([bytes], { type: 'image/jpeg' }),
  }
  try {
    await (call as LooseCall)(name, { ...given, signal, patienceMs })
    await dropPhoto(id)
    return undefined
  } catch (failure) {
    if (signal.aborted) return 0
    return await failed(photo, asCallError(failure))
  }
}

type LooseCall = (name: string, given: object) => Promise<unknown>

async function failed(photo: KeptPhoto, error: CallError): Promise<number | undefined> {
  const { status, code, retryAfterSeconds } = error
  // Until somebody signs in.
  if (status === 401) return Number.POSITIVE_INFINITY
  const isLasting = status >= 400 && status < 500 && status !== 429 && code !== 'offline'
  if (!isLasting) return Math.max(retryMs, (retryAfterSeconds ?? 0) * 1_000)
  await keepPhoto({ ...photo, refused: plainly(error) })
  return undefined
}
