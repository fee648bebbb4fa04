import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  inTransaction,
  openForCopies,
  type Transaction,
} from '../../platform/db/connection.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import {
  day,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'

/**
 * The journal of calls to the public API. It writes calls in batches, a few times a second, and in the
 * same transaction what other rooms keep of them, such as the last use of a key.
 *
 * - A clean stop writes all calls; a kill loses at most those of the last second.
 * - While the database is away calls wait, up to a bound. Beyond it the oldest are dropped and counted.
 */

export interface JournalledCall {
  readonly at: Instant
  readonly method: string
  readonly path: string
  readonly ip: string
  readonly status: number
  readonly requestId: string
  readonly durationMs: number
  /** Of an error that was answered. */
  readonly errorCode?: string | undefined
  /** The caller's own (W3C Trace Context). */
  readonly traceId?: string | undefined
  readonly caller?: { readonly clientId: string; readonly keyId: string; readonly mode: Mode }
  /** Of a request of a receipt that was refused. */
  readonly refused?: RefusedReceipt
}

/** What came with a request of a receipt that was refused. */
export interface RefusedReceipt {
  readonly code: string
  /** Undefined: the body was not read. */
  readonly body: RefusedBody | undefined
}

export interface RefusedBody {
  readonly bytes: number
  readonly sha256: Buffer
  /** The beginning, without keys. */
  readonly start: Buffer
}

/** Writes what its room keeps of a batch of calls. */
export type CallWriter = (tx: Transaction, calls: readonly JournalledCall[]) => Promise<void>

/** The last call of each name that `nameOf` gives; calls without a name are left out. */
export function lastCalls(
  calls: readonly JournalledCall[],
  nameOf: (call: JournalledCall) => string | undefined,
): ReadonlyMap<string, JournalledCall> {
  const last = new Map<string, JournalledCall>()
  for (const call of calls) {
    const name = nameOf(call)
    if (name === undefined) continue
    const known = last.get(name)
    if (known === undefined || known.at <= call.at) last.set(name, call)
  }
  return last
}

/** The key that a call used successfully. */
export function usedKey({ caller, status }: JournalledCall): string | undefined {
  return status < 400 ? caller?.keyId : undefined
}

export interface CallJournal {
  record(call: JournalledCall): void
  /** The last successful call of a key: the later of the written one, as given, and the waiting ones. */
  lastUse(keyId: string, written: Timestamp | null): Timestamp | null
  flush(): Promise<void>
  /** Writes all waiting calls and stops. A database that is away has a few seconds to come back. */
  close(): Promise<void>
  readonly lost: number
}

const intervalMs = 200
const waitingMax = 100_000
/** Where more calls wait, further ones leave their bodies out: those are large. */
const waitingWithBodiesMax = 5_000
/** Calls of one transaction: few, since no request is answered while they are encoded; more where very many wait. */
const batchMin = 500
const batchMax = 5_000
const batchSize = (waiting: number) =>
  Math.min(batchMax, Math.max(batchMin, Math.ceil(waiting / 10)))
const closeMsMax = 5_000
const closePauseMs = 100

export function openCallJournal(
  db: Database,
  writers: readonly CallWriter[],
  onError: (error: unknown) => void,
): CallJournal {
  const copying = openForCopies(db)
  let waiting: JournalledCall[] = []
  const lastUses = new Map<string, Instant>()
  let lastBatch = new Map<string, Instant>()
  let lost = 0

  async function writeBatch(batch: readonly JournalledCall[]): Promise<void> {
    try {
      await inTransaction(copying, async (tx) => {
        await writeCalls(tx, batch)
        for (const write of writers) await write(tx, batch)
      })
    } catch (error) {
      waiting = [...batch, ...waiting]
      throw error
    }
    forgetWritten(batch)
  }

  /** Keeps the last uses of a batch until the next one: calls admitted before the commit may need them. */
  function forgetWritten(batch: readonly JournalledCall[]): void {
    for (const [key, at] of lastBatch) if (lastUses.get(key) === at) lastUses.delete(key)
    lastBatch = new Map([...lastCalls(batch, usedKey)].map(([key, { at }]) => [key, at]))
  }

  /** Writes what waits now. Calls that arrive meanwhile wait for the next tick, which makes them a batch. */
  async function writeWaiting(): Promise<void> {
    for (let left = waiting.length; left > 0; ) {
      const batch = waiting.splice(0, batchSize(left))
      left -= batch.length
      await writeBatch(batch)
    }
  }

  const flush = oneAndTheNext(writeWaiting)

  /** False where the database is away, and there is time to wait for it. */
  async function isFlushed(end: number): Promise<boolean> {
    try {
      await flush()
      return true
    } catch (error) {
      if (performance.now() > end) throw error
      return false
    }
  }

  const timer = setInterval(() => {
    if (waiting.length > 0) flush().catch(onError)
  }, intervalMs)
  timer.unref()

  return {
    record(call) {
      waiting.push(waiting.length < waitingWithBodiesMax ? call : withoutBody(call))
      if (waiting.length > waitingMax) {
        waiting.shift()
        lost += 1
      }
      const key = usedKey(call)
      if (key !== undefined) lastUses.set(key, Math.max(call.at, lastUses.get(key) ?? call.at))
    },
    lastUse(keyId, written) {
      const recent = lastUses.get(keyId)
      if (recent === undefined) return written
      const shown = toTimestamp(recent)
      return written !== null && written > shown ? written : shown
    },
    flush,
    async close() {
      clearInterval(timer)
      const end = performance.now() + closeMsMax
      try {
        while (!(await isFlushed(end))) await sleep(closePauseMs)
      } finally {
        await copying.end({ timeout: 1 })
      }
    },
    get lost() {
      return lost
    },
  }
}

/**
 * One call of the work runs. At most one more waits for it, and answers all who ask meanwhile. So while the database
 * is away no queue gathers for which a stop would wait.
 */
function oneAndTheNext(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= last
      .catch(() => {})
      .then(() => {
        next = undefined
        return work()
      })
    last = next
    return last
  }
}

function withoutBody({ refused, ...call }: JournalledCall): JournalledCall {
  return refused === undefined
    ? call
    : { ...call, refused: { code: refused.code, body: undefined } }
}

const columns = [
  ...['at', 'method', 'path', 'ip', 'status', 'key_id', 'client_id', 'request_id'],
  ...['error_code', 'duration_ms', 'trace_id'],
]

/** In the order of time, which is that of the table's indexes. */
async function writeCalls(tx: Transaction, calls: readonly JournalledCall[]): Promise<void> {
  // A partition that is being opened would refuse calls whose place was looked up before.
  await tx`lock table only call_journal, only call_journal_default in row exclusive mode`
  const rows = calls
    .toSorted((one, other) => one.at - other.at)
    .map((call) => [
      toTimestamp(call.at),
      call.method,
      call.path,
      call.ip,
      call.status,
      call.caller?.keyId ?? null,
      call.caller?.clientId ?? null,
      call.requestId,
      call.errorCode ?? null,
      call.durationMs,
      call.traceId ?? null,
    ])
  await tx.copyInto('call_journal', columns, rows)
}

/**
 * Opens partitions of the call journal ahead of time, and drops those whose calls are all older than the retention. A
 * partition holds a twelfth of the retention, in whole days, so a call may stay that much longer. Several processes
 * may do it at once. `reached` is the moment of the retention clock: what is older than the retention at that moment
 * is dropped.
 */
export async function rotateCallJournal(
  db: Database,
  now: Instant,
  retentionDays: number,
  reached: Instant = now,
): Promise<void> {
  await db`select open_call_journal(${toTimestamp(now)}::timestamptz, ${retentionDays}::integer)`
  const before = toTimestamp(reached - retentionDays * day)
  await db`select drop_old_calls(${before}::timestamptz)`
}
