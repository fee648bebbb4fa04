import type { Database } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { issueKey } from '../kernel/api-key.ts'
import { notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Mode } from './verbs.ts'

export interface KeyDraft {
  readonly name: string
  /** Whether POST /v1/receipts is open to the key. */
  readonly receiptsEnabled: boolean
}

export interface IssuedKey {
  readonly id: string
  /** The value itself: it exists only here and with whom it is handed to. */
  readonly key: string
  readonly preview: string
}

/** A key for all cabinets of a client. Only its SHA-256 and its preview are kept. */
export async function issueApiKey(
  work: Work,
  clientId: string,
  draft: KeyDraft,
): Promise<IssuedKey> {
  const { tx } = work
  const [client] = await tx<{ mode: Mode }[]>`select mode from clients where id = ${clientId}`
  if (client === undefined) throw notFound('Клиент не найден')
  const { key, hash, preview } = issueKey(client.mode)
  const id = newId()
  await tx`
    insert into api_keys (client_id, id, name, preview, receipts_enabled, created_at)
    values (${clientId}, ${id}, ${draft.name}, ${preview}, ${draft.receiptsEnabled}, ${work.at})`
  await tx`insert into key_hashes (hash, client_id, key_id) values (${hash}, ${clientId}, ${id})`
  return { id, key, preview }
}

/** From the next request on the key answers key_revoked, on every node. Again is no error. */
export async function revokeApiKey(work: Work, keyId: string): Promise<void> {
  const revoked = await work.tx`
    update api_keys k set revoked_at = coalesce(k.revoked_at, ${work.at})
    from key_hashes h
    where h.key_id = ${keyId} and k.client_id = h.client_id and k.id = h.key_id
    returning k.id`
  if (revoked.length === 0) throw notFound('Ключ не найден')
}

/** The keys of a client, the oldest first. */
export function listKeys(db: Database, clientId: string): Promise<object[]> {
  return db`
    select id, name, preview, receipts_enabled, created_at, last_used_at, revoked_at
    from api_keys where client_id = ${clientId} order by created_at, id`
}
