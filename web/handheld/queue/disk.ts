import { deviceDatabase } from './device-database.ts'

/**
 * What the handheld keeps on its own disk (IndexedDB): calls that wait to be sent, and the last known state of what
 * the worker looks at. All tabs of the browser share it.
 */

export interface Entry {
  /** The order in which calls are made; the disk gives it. */
  readonly seq: number
  /** Whose call it is: it is never sent under the session of another. */
  readonly userId: string
  readonly login: string
  /** Of which task it is, such as `receiving:<id>`. */
  readonly task: string
  readonly name: string
  readonly path: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** A scan, which the service keeps for a manager where it comes too late to be done. */
  readonly isScan: boolean
  /** What the call does to the task, in the task's own words. */
  readonly effect?: unknown
  /** What was scanned, in words for people. */
  readonly title?: string
  /** It takes the effect back. */
  readonly undoes: boolean
  /** Parts of the path that the answer to the undone scan names. */
  readonly fromAnswer?: Readonly<Record<string, string>>
  readonly at: string
  /** Its worker has left: it goes to a manager, under the session of `userId`. */
  readonly isHandedOver?: boolean
  /** Sending failed before. */
  readonly isLate: boolean
  /**
   * `waiting`: to be sent; `done`: answered, until the task is read again; `refused`: not done, until the worker
   * has taken note.
   */
  readonly state: 'waiting' | 'done' | 'refused'
  readonly answer?: unknown
  /** Why it was refused. */
  readonly message?: string
  /** The field of the call that is wrong or missing, where the service names one. */
  readonly field?: string
}

export type NewEntry = Omit<Entry, 'seq'>

const transactIn = deviceDatabase('sklad-handheld', (db) => {
  db.createObjectStore('entries', { keyPath: 'seq', autoIncrement: true })
  db.createObjectStore('kept')
})

interface Stores {
  readonly entries: IDBObjectStore
  readonly kept: IDBObjectStore
}

const transact = <T>(act: (stores: Stores) => IDBRequest<T> | undefined) =>
  transactIn(['entries', 'kept'], (store) =>
    act({ entries: store('entries'), kept: store('kept') }),
  )

export async function addEntry(entry: NewEntry): Promise<Entry> {
  const seq = await transact(({ entries }) => entries.add(entry))
  return { ...entry, seq: Number(seq) }
}

export function putEntry(entry: Entry): Promise<unknown> {
  return transact(({ entries }) => entries.put(entry))
}

/** Changes an entry that is still there. */
export function changeEntry(seq: number, change: Partial<NewEntry>): Promise<unknown> {
  return transact(({ entries }) => {
    const request = entries.get(seq) as IDBRequest<Entry | undefined>
    request.onsuccess = () => {
      if (request.result !== undefined) entries.put({ ...request.result, ...change })
    }
    return request
  })
}

export function deleteEntry(seq: number): Promise<unknown> {
  return transact(({ entries }) => entries.delete(seq))
}

export function allEntries(): Promise<Entry[]> {
  return transact(({ entries }) => entries.getAll() as IDBRequest<Entry[]>)
}

export interface DiskState {
  readonly entries: readonly Entry[]
  readonly kept: ReadonlyMap<string, unknown>
}

/** The queue and the kept values of these keys, as they were at one moment. */
export async function readDisk(keys: readonly string[]): Promise<DiskState> {
  const values = new Map<string, unknown>()
  const entries = await transact<Entry[]>(({ entries, kept }) => {
    for (const key of keys) {
      const request = kept.get(key)
      request.onsuccess = () => values.set(key, request.result)
    }
    return entries.getAll()
  })
  return { entries, kept: values }
}

/** Keeps a value, and at once forgets the calls that it already contains. */
export function keep(
  key: string,
  value: unknown,
  contained: readonly number[] = [],
): Promise<unknown> {
  return transact(({ entries, kept }) => {
    for (const seq of contained) entries.delete(seq)
    return kept.put(value, key)
  })
}

interface Lease {
  readonly holder: string
  readonly until: number
}

/** Takes or renews the right to send, where the browser has no locks. Answers false while another tab has it. */
export function takeLease(holder: string, ms: number): Promise<boolean> {
  let taken = false
  return transact(({ kept }) => {
    const request = kept.get('lease') as IDBRequest<Lease | undefined>
    request.onsuccess = () => {
      const lease = request.result
      const now = Date.now()
      // A lease longer than any was taken before the clock went back.
      const isOver = lease === undefined || lease.until < now || lease.until > now + ms
      taken = isOver || lease.holder === holder
      if (taken) kept.put({ holder, until: now + ms }, 'lease')
    }
    return request
  }).then(() => taken)
}
