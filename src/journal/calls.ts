import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, inTransaction, type Transaction } from '../db/connection.ts'
import type { Mode } from '../kernel/mode.ts'
import { type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'

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
  readonly caller?: { readonly clientId: string; readonly keyId: string; readonly mode: Mode }
}

/** Writes what its room keeps of a batch of calls. */
export type CallWriter = (tx: Transaction, calls: readonly JournalledCall[]) => Promise<void>

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
const batchMax = 5_000
const closeMsMax = 5_000
const closePauseMs = 100

export function openCallJournal(
  db: Database,
  writers: readonly CallWriter[],
  onError: (error: unknown) => void,
): CallJournal {
  let waiting: JournalledCall[] = []
  const lastUses = new Map<string, Instant>()
  let lastBatch = new Map<string, Instant>()
  let lost = 0
  let flushing: Promise<void> = Promise.resolve()

  async function writeBatch(batch: readonly JournalledCall[]): Promise<void> {
    try {
      await inTransaction(db, async (tx) => {
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
    lastBatch = new Map(
      batch.flatMap(({ caller, at }) => (caller === undefined ? [] : [[caller.keyId, at]])),
    )
  }

  /** Writes what waits now. Calls that arrive meanwhile wait for the next tick, which makes them a batch. */
  async function writeWaiting(): Promise<void> {
    for (let left = waiting.length; left > 0; left -= batchMax) {
      await writeBatch(waiting.splice(0, batchMax))
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.catch(() => {}).then(writeWaiting)
    return flushing
  }

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
      waiting.push(call)
      if (waiting.length > waitingMax) {
        waiting.shift()
        lost += 1
      }
      if (call.caller !== undefined && call.status < 400) {
        const { keyId } = call.caller
        lastUses.set(keyId, Math.max(call.at, lastUses.get(keyId) ?? call.at))
      }
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
      while (!(await isFlushed(end))) await sleep(closePauseMs)
    },
    get lost() {
      return lost
    },
  }
}

async function writeCalls(tx: Transaction, calls: readonly JournalledCall[]): Promise<void> {
  const rows = calls.map((call) => ({
    at: toTimestamp(call.at),
    method: call.method,
    path: call.path,
    ip: call.ip,
    status: call.status,
    key_id: call.caller?.keyId ?? null,
    client_id: call.caller?.clientId ?? null,
    request_id: call.requestId,
  }))
  // A partition that is being opened would refuse calls whose place was looked up before.
  await tx`lock table only call_journal, only call_journal_default in row exclusive mode`
  await tx`
    insert into call_journal (at, method, path, ip, status, key_id, client_id, request_id)
    select at, method, path, ip, status, key_id, client_id, request_id
    from jsonb_to_recordset(${tx.json(rows)}) as c
      (at timestamptz, method text, path text, ip text, status smallint, key_id uuid,
       client_id uuid, request_id text)
    order by at`
}
