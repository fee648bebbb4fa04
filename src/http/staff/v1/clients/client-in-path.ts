import type { Database } from '../../../../platform/db/connection.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { findClient } from '../../../../warehouse/clients/clients.ts'

/** The id of the live client in the path. Throws not_found. */
export async function clientInPath(db: Database, id: string): Promise<string> {
  const client = await findClient(db, id)
  if (client === undefined) throw notFound('Клиент не найден')
  return client.id
}
