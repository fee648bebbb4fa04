import { notFound } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import type { Queryable } from './connection.ts'

/**
 * Answers which client owns an object. Throws not_found for an unknown id and for text that is no id.
 */
export type OwnerLookup = (db: Queryable, id: string) => Promise<string>

/**
 * Staff name an object by its id alone, while every query starts from the client. The room that owns
 * a table makes this look-up for it; what follows asks within the client that it answers. The table
 * needs an index on `id`.
 */
export function ownerLookup(table: string, missing: string): OwnerLookup {
  return async (db, id) => {
    const [row] = isId(id)
      ? await db<{ client_id: string }[]>`select client_id from ${db(table)} where id = ${id}`
      : []
    if (row === undefined) throw notFound(missing)
    return row.client_id
  }
}
