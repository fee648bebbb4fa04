import { type CallError, makeCaller, plainly } from '../../api/caller.ts'
import { newId } from '../../api/new-id.ts'
import type { Calls } from '../../api/staff-calls.ts'
import { asCallError } from '../../api/use-answer.ts'
import {
  addEntry,
  allEntries,
  changeEntry,
  deleteEntry,
  type Entry,
  keep,
  type NewEntry,
  putEntry,
  readDisk,
} from './disk.ts'
import { exclusively } from './exclusive.ts'

/**
 * The queue of calls that a worker's scans make. A call is on disk before it is shown. It is sent in order, under the
 * session of the worker who made it. It leaves the disk when the service has answered and the task has been read
 * again, or when the worker has read why it was refused. Its `scan_id` makes a repetition harmless.
 *
 *   waiting --answered--> done --task read again--> gone
 *          \--refused--> refused --«Понятно»--> gone
 *                               \--what it lacked is said--> waiting
 */

export interface Worker {
  readonly id: string
  readonly login: string
}

type Online = 'online' | 'offline' | 'signed-out'

export interface QueueState {
  /** In order. */
  readonly entries: readonly Entry[]
  /** What is known of the tasks that are watched. */
  readonly kept: ReadonlyMap<string, unknown>
  readonly connection: Online
}

const retryMs = 3_000
/** How long a terminal waits for an answer before it asks again: one that changes its access point loses answers. */
export const patienceMs = 10_000
/** A scan that is older when it is sent was queued: the service keeps it for a manager rather than refuse it. */
const freshMs = 10_000

let state: QueueState = { entries: [], kept: new Map(), connection: 'online' }
const watched = new Set<string>()
let worker: Worker | undefined
const listeners = new Set<() => void>()
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('sklad')

function set(next: Partial<QueueState>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

export function queueState(): QueueState {
  return state
}

export function onQueueChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function reload(): Promise<void> {
  reloads += 1
  const round = reloads
  const onDisk = await readDisk([...watched])
  // An older reading never replaces a newer one.
  if (round === reloads) set(onDisk)
}

let reloads = 0

/** From now on the state also holds what the disk keeps under this key. */
export function watch(key: string): Promise<void> {
  watched.add(key)
  return reload()
}

function changed(): Promise<void> {
  channel?.postMessage('changed')
  return reload()
}

/** Sends what `next` has queued, from now on; undefined stops. */
export async function workAs(next: Worker | undefined): Promise<void> {
  worker = next
  // What kept the last worker from sending need not keep this one.
  set({ connection: 'online' })
  await reload()
  poke()
}

/** Calls of the worker that are still to be sent. */
export function waitingOf(userId: string): Entry[] {
  return state.entries.filter((entry) => entry.userId === userId && entry.state === 'waiting')
}

export type CallName = keyof Calls & `POST ${string}`
type BodyOf<Name extends CallName> = Calls[Name] extends { body: infer Body } ? Body : undefined
type PathOf<Name extends CallName> = Calls[Name] extends { path: infer Path } ? Path : undefined

/** A call to be queued. A scan gets its `scan_id` and, where it is late, `queued_at` and `queued_by`. */
export interface QueuedCall {
  readonly name: CallName
  readonly path?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly isScan: boolean
  /** Parts of the path that only the service's answer to the undone scan names: which field of it each one is. */
  readonly fromAnswer?: Readonly<Record<string, string>>
}

/** A scan by the staff API; the queue adds `scan_id`. */
export function scanCall<Name extends CallName>(
  name: Name,
  path: PathOf<Name>,
  body: Omit<BodyOf<Name>, 'scan_id' | 'queued_at' | 'queued_by'>,
): QueuedCall {
  return { name, isScan: true, body, path: path ?? {} }
}

/** A call that is not a scan, such as a print job. It must bear being repeated. */
export function plainCall<Name extends CallName>(
  name: Name,
  path: PathOf<Name>,
  body: BodyOf<Name>,
): QueuedCall {
  return { name, isScan: false, path: path ?? {}, body: body ?? {} }
}

interface Added {
  readonly task: string
  readonly call: QueuedCall
  readonly effect?: unknown
  readonly title?: string
  readonly undoes?: boolean
  /**
   * The refused scan of the same unit, which lacked what the worker has said since: it keeps its number and its place. Photos know
   * the unit by that number, and lie in another database, so both could not change together.
   */
  readonly instead?: Entry | undefined
}

/** Queues a call: it is on disk when the promise resolves. Answers its `scan_id` too. */
export async function enqueue({
  task,
  call,
  effect,
  title,
  undoes = false,
  instead,
}: Added): Promise<string> {
  if (worker === undefined) throw new Error('nobody works here')
  const { name, path = {}, body = {}, isScan, fromAnswer } = call
  const scanId = String(instead?.body.scan_id ?? newId())
  const entry: NewEntry = {
    ...entryOf(task, worker),
    name,
    path,
    body: isScan ? { ...body, scan_id: scanId } : body,
    isScan,
    effect,
    undoes,
    ...(title === undefined ? {} : { title }),
    ...(fromAnswer === undefined ? {} : { fromAnswer }),
    state: 'waiting',
  }
  if (instead === undefined) await add(entry)
  else {
    await putEntry({ ...entry, seq: instead.seq })
    await changed()
  }
  poke()
  return scanId
}

/** Locks the worker's screens until the worker has read the sentence. Answers the refusal's place in the queue. */
export async function refuseAloud(task: string, message: string): Promise<number | undefined> {
  if (worker === undefined) return undefined
  const entry = { ...entryOf(task, worker), name: '', path: {}, body: {}, isScan: false }
  return add({ ...entry, undoes: false, state: 'refused', message })
}

/** Replaces the text of a refusal, unless the worker has read it already. */
export async function retell(seq: number, message: string): Promise<void> {
  await changeEntry(seq, { message })
  await changed()
}

function entryOf(task: string, { id, login }: Worker) {
  return { task, userId: id, login, at: new Date().toISOString(), isLate: false }
}

async function add(entry: NewEntry): Promise<number> {
  const added = await addEntry(entry)
  const others = state.entries.filter(({ seq }) => seq !== added.seq)
  set({ entries: [...others, added] })
  // A reading that began before would not have it.
  void reload()
  channel?.postMessage('changed')
  return added.seq
}

/** The worker has read why the call was refused. */
export async function acknowledge(seq: number): Promise<void> {
  await deleteEntry(seq)
  await changed()
}

/**
 * A worker has left. The scans go to a manager, as exceptions; other calls are made in the name of whoever works now. Two kinds
 * are dropped: what the worker said of the own part of a count, and labels of orders that a manager has yet to decide on.
 */
export function handOver(login: string): Promise<void> {
  return exclusively(async () => {
    for (const entry of await allEntries()) {
      if (entry.login !== login || entry.state !== 'waiting' || worker === undefined) continue
      const { effect: _, ...left } = entry
      if (/print-jobs|finish|resume/.test(entry.name)) await deleteEntry(entry.seq)
      else await putEntry({ ...left, userId: worker.id, isHandedOver: true })
    }
    await changed()
  }).then(poke)
}

let sending: Promise<void> | undefined
let retry: ReturnType<typeof setTimeout> | undefined

/** Sends what waits, as soon as no other tab does. */
export function poke(): void {
  clearTimeout(retry)
  if (sending !== undefined || worker === undefined) return
  if (waitingOf(worker.id).length === 0) return
  sending = exclusively(sendAll).finally(() => {
    sending = undefined
    goOn()
  })
}

/** Sends what could not be sent, after a pause while there is no connection: browsers do not always say that it is back. */
function goOn(): void {
  const isLeft = worker !== undefined && waitingOf(worker.id).length > 0
  if (!isLeft || state.connection === 'signed-out') return
  clearTimeout(retry)
  if (state.connection === 'online') poke()
  else retry = setTimeout(poke, retryMs)
}

/**
 * Reads a task when nothing of it waits to be sent, and keeps the answer. Other tabs go on sending meanwhile: the
 * reading may have to wait until the worker of this one has signed in again.
 */
export async function readTask(task: string, ask: () => Promise<unknown>): Promise<void> {
  const before = await exclusively(async (renew) => {
    await sendAll(renew)
    return entriesOf(task)
  })
  if (!before.some((entry) => entry.state === 'waiting' && entry.userId === worker?.id)) {
    const answer = await heard(ask)
    await exclusively(async () => {
      const contained = doneOf(before)
      // Nobody knows whether the answer has what was sent meanwhile: the task is read again after it.
      const isSame = doneOf(await entriesOf(task)).join() === contained.join()
      if (isSame) await keep(task, answer, contained)
    })
  }
  await changed()
  if (sending === undefined) goOn()
}

async function entriesOf(task: string): Promise<Entry[]> {
  return (await allEntries()).filter((entry) => entry.task === task)
}

function doneOf(entries: readonly Entry[]): number[] {
  return entries.filter(({ state }) => state === 'done').map(({ seq }) => seq)
}

/** Reading says whether there is a connection, too: a page where nobody scans must know. */
async function heard(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    const answer = await ask()
    set({ connection: 'online' })
    return answer
  } catch (failure) {
    if (asCallError(failure).code === 'offline') set({ connection: 'offline' })
    throw failure
  }
}

async function sendAll(renew: () => Promise<unknown>): Promise<void> {
  for (;;) {
    // From the disk: another tab may have sent what this one remembers.
    const next = (await allEntries()).find(
      (entry) => entry.state === 'waiting' && entry.userId === worker?.id,
    )
    if (next === undefined || worker === undefined) return reload()
    await renew()
    const isSent = (await dropped(next)) || (await sendEntry(await addressed(next)))
    await changed()
    if (!isSent) return
  }
}

/** Forgets the undo of a scan that was refused: there is nothing to undo. */
async function dropped({ seq, undoes, path }: Entry): Promise<boolean> {
  if (!undoes) return false
  const scan = (await allEntries()).find(({ body }) => body.scan_id === path.scan_id)
  if (scan?.state !== 'refused') return false
  await deleteEntry(seq)
  return true
}

/** An undo whose path the answer to its scan names: the scan stays on the disk at least as long as its undo. */
async function addressed(entry: Entry): Promise<Entry> {
  const { fromAnswer, path } = entry
  if (fromAnswer === undefined) return entry
  const scan = (await allEntries()).find(({ body }) => body.scan_id === path.scan_id)
  return { ...entry, path: pathFrom(entry, scan?.answer) }
}

/** The path of a call, with what the answer to the undone scan names. */
export function pathFrom(
  { path, fromAnswer = {} }: Pick<Entry, 'path' | 'fromAnswer'>,
  answer: unknown,
): Readonly<Record<string, string>> {
  const known = typeof answer === 'object' && answer !== null ? Object.entries(answer) : []
  const parts = Object.entries(fromAnswer).flatMap(([part, field]) =>
    known.filter(([name]) => name === field).map(([, value]) => [part, String(value)]),
  )
  return { ...path, ...Object.fromEntries(parts) }
}

const call = makeCaller<Record<string, { answer: unknown; path: unknown; body?: unknown }>>({
  prefix: '/staff/v1',
  signInAgain: () => Promise.resolve(false),
  // The service refuses the call if meanwhile somebody else has signed in.
  headers: () => (worker === undefined ? {} : { 'X-Staff-User': worker.id }),
})

/** Answers false where the call is still to be sent. */
async function sendEntry(entry: Entry): Promise<boolean> {
  const { name, path, body, isScan, at, login, isHandedOver = false } = entry
  const isLate = entry.isLate || isHandedOver || Date.now() - Date.parse(at) > freshMs
  const left = isHandedOver ? { hand_over: true } : {}
  const late = isScan && isLate ? { queued_at: at, queued_by: login, ...left } : {}
  try {
    const given = Object.keys(body).length === 0 ? {} : { body: { ...body, ...late } }
    const answer = await call(name, { path, patienceMs, ...given })
    set({ connection: 'online' })
    if (isKeptForManager(answer)) await keptForManager(entry, answer.reason)
    // Without an effect no task shows it, and none would forget it.
    else if (entry.effect === undefined) await deleteEntry(entry.seq)
    else await putEntry({ ...entry, state: 'done', answer })
    return true
  } catch (failure) {
    return await failed(entry, asCallError(failure))
  }
}

async function failed(entry: Entry, error: CallError): Promise<boolean> {
  if (error.status === 401) {
    set({ connection: 'signed-out' })
    return false
  }
  const isLasting = error.status >= 400 && error.status < 500 && error.status !== 429
  if (isLasting && error.code !== 'offline') {
    set({ connection: 'online' })
    const [wrong] = error.fields
    const field = wrong === undefined ? {} : { field: wrong.path }
    await putEntry({ ...entry, state: 'refused', message: plainly(error), ...field })
    return true
  }
  set({ connection: 'offline' })
  if (!entry.isLate) await putEntry({ ...entry, isLate: true })
  return false
}

async function keptForManager(entry: Entry, reason: string): Promise<void> {
  if (entry.isHandedOver !== true) {
    await putEntry({
      ...entry,
      state: 'refused',
      message: `${reason}. Скан передан менеджеру`,
    })
    return
  }
  const { seq, body } = entry
  const undos = (await allEntries()).filter(
    ({ undoes, path }) => undoes && path.scan_id === body.scan_id,
  )
  for (const each of [seq, ...undos.map((undo) => undo.seq)]) await deleteEntry(each)
}

function isKeptForManager(answer: unknown): answer is { reason: string } {
  return typeof answer === 'object' && answer !== null && 'decision' in answer
}

channel?.addEventListener('message', () => void reload().then(poke))
globalThis.addEventListener?.('online', poke)
