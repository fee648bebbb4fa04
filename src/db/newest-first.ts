import type { Position } from '../kernel/cursor.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import type { Queryable } from './connection.ts'

/** Conditions of lists that show the newest first: by created_at, then id, both descending. */

/** The rows of a table created in [from, to); a bound that is not given does not bound. */
export function createdWithin(
  db: Queryable,
  table: string,
  from: Instant | undefined,
  to: Instant | undefined,
) {
  const created = db(`${table}.created_at`)
  return db`
    ${from === undefined ? db`` : db`and ${created} >= ${toTimestamp(from)}`}
    ${to === undefined ? db`` : db`and ${created} < ${toTimestamp(to)}`}`
}

/**
 * The rows with a number that a marketplace gave. It is unique in a cabinet, and so the index leads
 * through the client's cabinets: without them all of the client's rows would be read.
 */
export function hasNumber(db: Queryable, table: string, number: string) {
  return db`
    and ${db(`${table}.external_id`)} = ${number}
    and (${db(`${table}.client_id`)}, ${db(`${table}.cabinet_id`)}) in (
      select k.client_id, k.id from cabinets k)`
}

/** The rows that come after a position of the list; all of them where there is none. */
export function afterPosition(db: Queryable, table: string, after: Position | undefined) {
  if (after === undefined) return db``
  const [createdAt, id] = after.map(String) as [string, string]
  return db`
    and (${db(`${table}.created_at`)}, ${db(`${table}.id`)}) < (${createdAt}::timestamptz, ${id}::uuid)`
}
