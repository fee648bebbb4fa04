import type { Position } from '../kernel/cursor.ts'
import type { Queryable } from './connection.ts'

/**
 * The condition for rows that follow a position of a list that shows the newest rows first: by their time,
 * then id, both descending. All rows when the position is undefined.
 */
export function afterPosition(
  db: Queryable,
  table: string,
  after: Position | undefined,
  time = 'created_at',
) {
  if (after === undefined) return db``
  const [at, id] = after.map(String) as [string, string]
  return db`
    and (${db(`${table}.${time}`)}, ${db(`${table}.id`)}) < (${at}::timestamptz, ${id}::uuid)`
}
