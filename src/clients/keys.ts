import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import { afterPosition } from '../db/newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../db/page.ts'
import type { Work } from '../db/work.ts'
import { issueKey } from '../kernel/api-key.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { isId, newId } from '../kernel/ids.ts'
import { moment, momentOrNull } from '../kernel/schema.ts'
import type { Mode } from './mode.ts'

export const ApiKey = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор ключа.' }),
    client_id: Type.String({ description: 'Юридическое лицо.' }),
    name: Type.String({ description: 'Имя: чья это интеграция.' }),
    preview: Type.String({ description: 'Первые 8 и последние 4 знака ключа.' }),
    receipts_enabled: Type.Boolean({ description: 'Открыт ли ключу `POST /v1/receipts`.' }),
    created_at: moment('Когда выпущен.'),
    last_used_at: momentOrNull('Последний успешный запрос; null, если его не было.'),
    revoked_at: momentOrNull('Когда отозван; null, если действует.'),
  },
  { $id: 'ApiKey', description: 'Ключ продавца. Хранится только его SHA-256.' },
)
export type ApiKey = Static<typeof ApiKey>

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

/** The client that a key opens. Throws not_found. */
export async function ownerOfKey(db: Queryable, id: string): Promise<string> {
  const [row] = isId(id)
    ? await db<{ client_id: string }[]>`select client_id from key_hashes where key_id = ${id}`
    : []
  if (row === undefined) throw notFound('Ключ не найден')
  return row.client_id
}

export interface KeyPatch {
  readonly name?: string | undefined
  readonly receiptsEnabled?: boolean | undefined
}

/**
 * Changes a key, from the next request on. False: it was so before. Throws not_found, and conflict
 * for a key that is revoked.
 */
export async function changeApiKey(
  work: Work,
  clientId: string,
  id: string,
  patch: KeyPatch,
): Promise<boolean> {
  const old = await lockKey(work, clientId, id)
  if (old.revoked_at !== null) throw conflict('Ключ отозван')
  const { name = old.name, receiptsEnabled = old.receipts_enabled } = patch
  if (name === old.name && receiptsEnabled === old.receipts_enabled) return false
  await work.tx`
    update api_keys set name = ${name}, receipts_enabled = ${receiptsEnabled}
    where client_id = ${clientId} and id = ${id}`
  return true
}

/**
 * From the next request on the key answers key_revoked, on every node. False: it was revoked before.
 * Throws not_found.
 */
export async function revokeApiKey(work: Work, clientId: string, id: string): Promise<boolean> {
  const old = await lockKey(work, clientId, id)
  if (old.revoked_at !== null) return false
  await work.tx`
    update api_keys set revoked_at = ${work.at} where client_id = ${clientId} and id = ${id}`
  return true
}

async function lockKey(work: Work, clientId: string, id: string): Promise<ApiKey> {
  const [row] = await work.tx<ApiKey[]>`
    select ${columns(work.tx)} from api_keys k
    where k.client_id = ${clientId} and k.id = ${id} for no key update`
  if (row === undefined) throw notFound('Ключ не найден')
  return row
}

function columns(db: Queryable) {
  return db`
    k.id, k.client_id, k.name, k.preview, k.receipts_enabled, k.created_at, k.last_used_at,
    k.revoked_at`
}

/** A key; locked against changes where that is asked for. */
export async function findApiKey(
  db: Queryable,
  clientId: string,
  id: string,
  lock = false,
): Promise<ApiKey | undefined> {
  const [row] = await db<ApiKey[]>`
    select ${columns(db)} from api_keys k
    where k.client_id = ${clientId} and k.id = ${id} ${lock ? db`for no key update` : db``}`
  return row
}

/** The keys of a client, the newest first. */
export async function listApiKeys(
  db: Queryable,
  clientId: string,
  page: PageRequest,
): Promise<Page<ApiKey>> {
  const total = db`select count(*) from api_keys k where k.client_id = ${clientId}`
  const rows = await db<(ApiKey & { total: number })[]>`
    select ${columns(db)}, (${total}) as total from api_keys k
    where k.client_id = ${clientId} ${afterPosition(db, 'k', page.after)}
    order by k.created_at desc, k.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _, ...key }) => key,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}
