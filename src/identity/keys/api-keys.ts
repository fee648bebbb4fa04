import Type, { type Static } from 'typebox'
import { batchCalls } from '../../platform/concurrency/batching.ts'
import type { Queryable, Transaction } from '../../platform/db/connection.ts'
import { isHere } from '../../platform/db/leaving.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Tag } from '../../platform/db/statements/tag.ts'
import type { Work } from '../../platform/db/work.ts'
import { type CellMark, generateKey } from '../../platform/kernel/api-key.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import { toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull } from '../../platform/kernel/schema.ts'
import { type JournalledCall, lastCalls, usedKey } from '../../warehouse/journal/calls.ts'

/** API keys of clients: the only writer of api_keys and key_hashes. */

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
  /** Of the cell that issues it. */
  readonly cell?: CellMark
}

export interface IssuedKey {
  readonly id: string
  /** The key itself. The service keeps only its hash, so this is the only time it is known. */
  readonly key: string
  readonly preview: string
}

/** Issues a key to all cabinets of a client. Stores its SHA-256 and its preview alone. */
export async function issueApiKey(
  work: Work,
  clientId: string,
  draft: KeyDraft,
): Promise<IssuedKey> {
  const { tx } = work
  const [client] = await tx<{ mode: Mode }[]>`select mode from clients where id = ${clientId}`
  if (client === undefined) throw notFound('Клиент не найден')
  const { key, hash, preview } = generateKey(client.mode, draft.cell)
  const id = newId()
  await tx`
    insert into api_keys (client_id, id, name, preview, receipts_enabled, created_at)
    values (${clientId}, ${id}, ${draft.name}, ${preview}, ${draft.receiptsEnabled}, ${work.at})`
  await tx`insert into key_hashes (hash, client_id, key_id) values (${hash}, ${clientId}, ${id})`
  return { id, key, preview }
}

/** Records the last successful call of each key. Belongs to the batches of the call journal. */
export async function recordKeyUses(
  tx: Transaction,
  calls: readonly JournalledCall[],
): Promise<void> {
  const uses = lastCalls(calls, usedKey)
  if (uses.size === 0) return
  const rows = [...uses].map(([keyId, { caller, at }]) => ({
    client_id: caller?.clientId,
    key_id: keyId,
    at: toTimestamp(at),
  }))
  await tx`
    update api_keys k set last_used_at = greatest(k.last_used_at, c.at)
    from jsonb_to_recordset(${tx.json(rows)}) as c (client_id uuid, key_id uuid, at timestamptz)
    where k.client_id = c.client_id and k.id = c.key_id`
}

interface AdmittedKey {
  readonly clientId: string
  readonly keyId: string
}

/** Whether a key that was admitted has been revoked since. */
export async function isRevoked(db: Queryable, key: AdmittedKey): Promise<boolean> {
  const valid = await validAmong(db, [key])
  return !valid.has(key.keyId)
}

const batchMax = 500

/** The same, for many who ask at once: polls that an event has woken share a statement. */
export function openRevocationCheck(db: Queryable): (key: AdmittedKey) => Promise<boolean> {
  return batchCalls(batchMax, async (keys: readonly AdmittedKey[]) => {
    const valid = await validAmong(db, keys)
    return keys.map(({ keyId }) => !valid.has(keyId))
  })
}

async function validAmong(
  db: Queryable,
  keys: readonly AdmittedKey[],
): Promise<ReadonlySet<string>> {
  const clientIds = keys.map(({ clientId }) => clientId)
  const keyIds = keys.map(({ keyId }) => keyId)
  const rows = await db<{ id: string }[]>`
    select k.id from unnest(${clientIds}::uuid[], ${keyIds}::uuid[]) as asked (client_id, id)
    join api_keys k on k.client_id = asked.client_id and k.id = asked.id
    where k.revoked_at is null`
  return new Set(rows.map(({ id }) => id))
}

export interface KnownKey {
  readonly clientId: string
  readonly keyId: string
  readonly mode: Mode
  readonly revoked: boolean
}

/** Finds a key by its SHA-256. */
export async function findKeyByHash(db: Queryable, hash: Buffer): Promise<KnownKey | undefined> {
  const [key] = await db<KnownKey[]>`
    select k.client_id as "clientId", k.id as "keyId", c.mode, k.revoked_at is not null as revoked
    from key_hashes h
    join api_keys k on k.client_id = h.client_id and k.id = h.key_id
    join clients c on c.id = h.client_id
    where h.hash = ${hash}`
  return key
}

/** The SHA-256 of every key that leads here, revoked ones too, in hexadecimal digits. */
export async function hashesOfKeys(db: Queryable): Promise<readonly string[]> {
  const rows = await db<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from key_hashes
    where ${isHere(db, 'client_id')} order by hash`
  return rows.map(({ hash }) => hash)
}

/** The SHA-256 of the keys of some clients, revoked ones too, in hexadecimal digits. */
export async function hashesOfKeysOf(
  db: Queryable,
  clients: readonly string[],
): Promise<readonly string[]> {
  const rows = await db<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from key_hashes
    where client_id = any(${[...clients]}::uuid[]) order by hash`
  return rows.map(({ hash }) => hash)
}

/** An SQL expression for the client of a key, by the SHA-256 of the key; NULL where there is no such key. */
export function clientOfKeyHash(db: Tag, hash: Buffer): Fragment {
  return db`(select client_id from key_hashes where hash = ${hash})`
}

/** The same for the id of the key. */
export function idOfKeyHash(db: Tag, hash: Buffer): Fragment {
  return db`(select key_id from key_hashes where hash = ${hash})`
}

/** The client that a key belongs to. Throws not_found. */
export async function ownerOfKey(db: Queryable, id: string): Promise<string> {
  const [row] = isId(id)
    ? await db<{ client_id: string }[]>`
        select client_id from key_hashes where key_id = ${id} and ${isHere(db, 'client_id')}`
    : []
  if (row === undefined) throw notFound('Ключ не найден')
  return row.client_id
}

export interface KeyPatch {
  readonly name?: string | undefined
  readonly receiptsEnabled?: boolean | undefined
}

/**
 * Changes a key; the next request obeys. Returns false where nothing differs. Throws not_found, and
 * conflict for a revoked key.
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
 * Revokes a key: every process refuses its next request with key_revoked. A value that waits for its owner goes with it. Returns
 * false for a key that is revoked already. Throws not_found.
 */
export async function revokeApiKey(work: Work, clientId: string, id: string): Promise<boolean> {
  const old = await lockKey(work, clientId, id)
  if (old.revoked_at !== null) return false
  await work.tx`
    update api_keys set revoked_at = ${work.at} where client_id = ${clientId} and id = ${id}`
  await work.tx`
    update key_requests set status = 'REVOKED', sealed_key = null
    where client_id = ${clientId} and key_id = ${id} and status = 'ISSUED'`
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

/** Finds a key; with `lock` nobody else changes it until the transaction ends. */
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

/** Lists the keys of a client, newest first. */
export async function listApiKeys(
  db: Queryable,
  clientId: string,
  page: PageRequest,
): Promise<Page<ApiKey>> {
  const total = db`select count(*) from api_keys k where k.client_id = ${clientId}`
  const rows = await db<(ApiKey & { total: number })[]>`
    select ${columns(db)}, ${totalFor(db, total, page)} as total from api_keys k
    where k.client_id = ${clientId} ${afterPosition(db, 'k', page.after)}
    order by k.created_at desc, k.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: ({ total: _, ...key }) => key,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}
