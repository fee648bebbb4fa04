import type { Mode } from '../clients/mode.ts'
import type { Database } from '../db/connection.ts'
import { type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'

/**
 * The journal of calls to the public API. Entries are written in batches, a few times a second: a
 * clean stop writes all of them, a kill loses at most the last second. With the same statement go
 * the last use of keys and the last request of sandboxes.
 *
 * While the database is away entries wait, up to a bound; beyond it the oldest go, and are counted.
 */

export interface Call {
  readonly at: Instant
  readonly method: string
  readonly path: string
  readonly ip: string
  readonly status: number
  readonly requestId: string
  readonly caller?: { readonly clientId: string; readonly keyId: string; readonly mode: Mode }
}

export interface CallJournal {
  record(call: Call): void
  /** The later of the last successful call that was journalled and those still waiting to be. */
  lastUse(keyId: string, journalled: Timestamp | null): Timestamp | null
  flush(): Promise<void>
  /** Writes what waits and stops. */
  close(): Promise<void>
  readonly lost: number
}

const intervalMs = 200
const waitingMax = 100_000
const batchMax = 5_000

export function openCallJournal(db: Database, onError: (error: unknown) => void): CallJournal {
  let waiting: Call[] = []
  const lastUses = new Map<string, Instant>()
  let written = new Map<string, Instant>()
  let lost = 0
  let flushing: Promise<void> = Promise.resolve()

  async function writeBatch(): Promise<void> {
    const batch = waiting.splice(0, batchMax)
    try {
      await writeCalls(db, batch)
    } catch (error) {
      waiting = [...batch, ...waiting]
      throw error
    }
    forgetWritten(batch)
  }

  /** A use is remembered until the next batch: a call admitted before this one was written may ask. */
  function forgetWritten(batch: readonly Call[]): void {
    for (const [key, at] of written) if (lastUses.get(key) === at) lastUses.delete(key)
    written = new Map(
      batch.flatMap(({ caller, at }) => (caller === undefined ? [] : [[caller.keyId, at]])),
    )
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeBatch()
  }

  function flush(): Promise<void> {
    flushing = flushing.catch(() => {}).then(writeAll)
    return flushing
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
    lastUse(keyId, journalled) {
      const recent = lastUses.get(keyId)
      if (recent === undefined) return journalled
      const shown = toTimestamp(recent)
      return journalled !== null && journalled > shown ? journalled : shown
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
    get lost() {
      return lost
    },
  }
}

async function writeCalls(db: Database, calls: readonly Call[]): Promise<void> {
  const rows = calls.map((call) => ({
    at: toTimestamp(call.at),
    method: call.method,
    path: call.path,
    ip: call.ip,
    status: call.status,
    key_id: call.caller?.keyId ?? null,
    client_id: call.caller?.clientId ?? null,
    request_id: call.requestId,
    test: call.caller?.mode === 'test',
  }))
  await db`
    with calls as (
      select * from jsonb_to_recordset(${db.json(rows)}) as c
        (at timestamptz, method text, path text, ip text, status smallint, key_id uuid,
         client_id uuid, request_id text, test boolean)
    ), journalled as (
      insert into call_journal (at, method, path, ip, status, key_id, client_id, request_id)
      select at, method, path, ip, status, key_id, client_id, request_id from calls order by at
    ), used as (
      update api_keys k set last_used_at = greatest(k.last_used_at, c.at)
      from (
        select client_id, key_id, max(at) as at from calls
        where key_id is not null and status < 400 group by 1, 2
      ) c
      where k.client_id = c.client_id and k.id = c.key_id
    )
    update sandboxes s set last_request_at = greatest(s.last_request_at, c.at)
    from (select client_id, max(at) as at from calls where test group by 1) c
    where s.client_id = c.client_id`
}
