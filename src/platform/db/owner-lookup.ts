import { batchCalls } from '../concurrency/batching.ts'
import { notFound } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import type { Database } from './connection.ts'
import type { Fragment } from './fragment.ts'

/**
 * Answers which client owns an object. Throws not_found for an unknown id and for text that is no id.
 */
export type OwnerLookup = (db: Database, id: string) => Promise<string>

const batchMax = 500

/**
 * Staff name an object by its id alone, while every query starts from the client. The room that owns
 * a table makes this look-up for it; what follows asks within the client that it answers. The table
 * needs an index on `id`. One statement answers for all requests that arrived while the previous one
 * ran. `condition` restricts the rows that are found.
 */
export function ownerLookup(
  table: string,
  missing: string,
  condition: (db: Database) => Fragment = (db) => db`true`,
): OwnerLookup {
  const lookups = new WeakMap<Database, (id: string) => Promise<string | undefined>>()
  const lookupIn = (db: Database) =>
    batchCalls(batchMax, async (ids: readonly string[]) => {
      const rows = await db<{ id: string; client_id: string }[]>`
        select id, client_id from ${db(table)}
        where id = any(${ids}::uuid[]) and ${condition(db)}`
      const owners = new Map(rows.map((row) => [row.id, row.client_id]))
      return ids.map((id) => owners.get(id))
    })
  return async (db, id) => {
    const lookup = lookups.get(db) ?? lookupIn(db)
    lookups.set(db, lookup)
    const owner = isId(id) ? await lookup(id) : undefined
    if (owner === undefined) throw notFound(missing)
    return owner
  }
}
