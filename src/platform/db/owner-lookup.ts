import { batchCalls } from '../concurrency/batching.ts'
import { notFound, ServiceError } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import type { Database } from './connection.ts'
import { isHere } from './leaving.ts'
import type { Fragment } from './statements/fragment.ts'

/** Answers which client owns an object. Throws not_found for an unknown id and for text that is no id. */
export type OwnerLookup = (db: Database, id: string) => Promise<string>

const batchMax = 500
/** Null: the client went to another cell. */
type Owner = string | null
const hasMoved =
  'Склад переехал на другой сервер: откройте систему по новому адресу, здесь ничего не записано'
const retryAfterSeconds = 5

/**
 * Staff name an object by its id alone, while every query starts from the client. The room that owns a table makes
 * this look-up for it, and the table needs an index on `id`. One statement answers for all requests that arrived while
 * the previous one ran. `condition` restricts the rows that are found. For objects of clients that went to another cell
 * it throws unavailable, so that handhelds keep what they would send.
 */
export function ownerLookup(
  table: string,
  missing: string,
  condition: (db: Database) => Fragment = (db) => db`true`,
): OwnerLookup {
  const lookups = new WeakMap<Database, (id: string) => Promise<Owner | undefined>>()
  const lookupIn = (db: Database) =>
    batchCalls(batchMax, async (ids: readonly string[]) => {
      const rows = await db<{ id: string; client_id: string; here: boolean }[]>`
        select id, client_id, ${isHere(db, 'client_id')} as here from ${db(table)}
        where id = any(${ids}::uuid[]) and ${condition(db)}`
      const owners = new Map(rows.map((row) => [row.id, row.here ? row.client_id : null]))
      return ids.map((id) => owners.get(id))
    })
  return async (db, id) => {
    const lookup = lookups.get(db) ?? lookupIn(db)
    lookups.set(db, lookup)
    const owner = isId(id) ? await lookup(id) : undefined
    if (owner === undefined) throw notFound(missing)
    if (owner === null) throw new ServiceError('unavailable', hasMoved, { retryAfterSeconds })
    return owner
  }
}
