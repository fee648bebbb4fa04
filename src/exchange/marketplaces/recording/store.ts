import { type Database, inTransaction, type Transaction } from '../../../platform/db/connection.ts'
import type { Work } from '../../../platform/db/work.ts'
import {
  day,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../../platform/kernel/moscow-time.ts'
import type { BodyNote } from './recorded-body.ts'

/** The table of raw calls: every statement that writes it, and its bounds. */

export interface RecordedRow {
  readonly client_id: string
  readonly cabinet_id: string
  readonly at: Timestamp
  /** Method and path, with `{id}` in place of numbers. */
  readonly call: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly request_body: string | null
  readonly request_note: BodyNote | null
  /** Null: no answer. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly answer_body: string | null
  readonly answer_note: BodyNote | null
  readonly answer_bytes: number
  readonly duration_ms: number
  readonly failure: string | null
}

/** Of one cabinet; the oldest calls go first. */
export const recordedMax = { calls: 5_000, bytes: 50 * 1024 * 1024, days: 14 } as const

/** Keeps calls of cabinets that are still switched on. */
export function insertCalls(db: Database, rows: readonly RecordedRow[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx`
      insert into recorded_calls (client_id, cabinet_id, at, call, method, path, query,
        request_body, request_note, status, headers, answer_body, answer_note, answer_bytes,
        duration_ms, failure)
      select r.client_id, r.cabinet_id, r.at, r.call, r.method, r.path, r.query, r.request_body,
        r.request_note, r.status, r.headers, r.answer_body, r.answer_note, r.answer_bytes,
        r.duration_ms, r.failure
      from jsonb_to_recordset(${tx.json(rows.map((row, place) => ({ ...row, place })))}) as r
        (client_id uuid, cabinet_id uuid, place integer, at timestamptz, call text, method text, path text,
         query jsonb, request_body text, request_note text, status integer, headers jsonb,
         answer_body text, answer_note text, answer_bytes integer, duration_ms integer, failure text)
      join cabinets k on k.client_id = r.client_id and k.id = r.cabinet_id
        and k.calls_recorded_until > now()
      order by r.place`
    for (const { client_id, cabinet_id } of cabinetsOf(rows)) {
      await deleteBeyondBounds(tx, client_id, cabinet_id)
    }
  })
}

function cabinetsOf(rows: readonly RecordedRow[]): RecordedRow[] {
  return [...new Map(rows.map((row) => [row.cabinet_id, row])).values()].sort((a, b) =>
    a.cabinet_id < b.cabinet_id ? -1 : 1,
  )
}

/** Deletes the newest call beyond a bound and all older ones. */
async function deleteBeyondBounds(tx: Transaction, client: string, cabinet: string): Promise<void> {
  const own = tx`client_id = ${client} and cabinet_id = ${cabinet}`
  await tx`
    delete from recorded_calls where ${own} and id <= (
      select max(id) from (
        select id, row_number() over newest as place,
          sum(coalesce(octet_length(request_body), 0) + coalesce(octet_length(answer_body), 0) + 500)
            over newest as bytes
        from recorded_calls where ${own} window newest as (order by id desc)
      ) k
      where place > ${recordedMax.calls} or bytes > ${recordedMax.bytes})`
}

/** Deletes all raw calls of a cabinet. Returns how many. */
export function deleteCalls(work: Work, clientId: string, cabinetId: string): Promise<number> {
  return work.tx`
    delete from recorded_calls where client_id = ${clientId} and cabinet_id = ${cabinetId}`.affected()
}

/** Deletes raw calls of all cabinets that are older than they are kept. */
export async function deleteOldRecordedCalls(db: Database, now: Instant): Promise<void> {
  const before = toTimestamp(now - recordedMax.days * day)
  await db`delete from recorded_calls where at < ${before}`
}
