import { findClient } from '../../../clients/directory.ts'
import type { Database } from '../../../db/connection.ts'
import { notFound } from '../../../kernel/errors.ts'

/** The id of a live client that a path names. Throws not_found. */
export async function clientInPath(db: Database, id: string): Promise<string> {
  const client = await findClient(db, id)
  if (client === undefined) throw notFound('Клиент не найден')
  return client.id
}
