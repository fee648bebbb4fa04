import Type, { type Static } from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { type ResealedColumn, resealColumn } from '../../platform/db/reseal.ts'
import { perform, type Work } from '../../platform/db/work.ts'
import type { CellMark } from '../../platform/kernel/api-key.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { day, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import { tell } from '../../warehouse/events/news.ts'
import { findApiKey, issueApiKey, revokeApiKey } from './api-keys.ts'

/**
 * Keys that owners ask for in the account, so that no value travels by hand:
 *
 *   WAITING --accept--> ISSUED --reveal, once--> REVEALED
 *      |                  `--seven days, or the key is revoked--> REVOKED
 *      |--decline--> DECLINED
 *      `--withdraw--> WITHDRAWN
 *
 * Accepting issues the key. Its value is sealed, bound to its request, until an owner has seen it; then the service has its
 * SHA-256 alone, as of every key. Who changes both locks the key first, then its request.
 */
export const keyRequestStatusLabels = {
  WAITING: 'ждёт решения склада',
  WITHDRAWN: 'отменена',
  DECLINED: 'склад отказал',
  ISSUED: 'ключ выпущен, его значение ещё не смотрели',
  REVEALED: 'ключ выпущен, его значение показано',
  REVOKED: 'ключ отозван, его значения никто не видел',
} as const
type KeyRequestStatus = keyof typeof keyRequestStatusLabels
const keyRequestStatuses = Object.keys(keyRequestStatusLabels) as KeyRequestStatus[]

/** How long a value waits for its owner. */
const sealedMs = 7 * day
/** Of one client, that wait for a decision or for a look at the key. */
export const openKeyRequestsMax = 5
const listedMax = 100

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  title: 'не из одних пробелов',
  description: 'Имя ключа: чья это программа.',
})
const purpose = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  title: 'не из одних пробелов',
  description: 'Зачем ключ: его прочитает менеджер склада.',
})
const receiptsEnabled = Type.Boolean({ description: 'Нужен ли ключу `POST /v1/receipts`.' })

export const KeyRequestDraft = Type.Object(
  { name, purpose, receipts_enabled: receiptsEnabled },
  { $id: 'KeyRequestDraft', additionalProperties: false, description: 'Новая заявка на ключ.' },
)

export const KeyRequest = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор заявки.' }),
    name: Type.String({ description: 'Имя ключа: чья это программа.' }),
    purpose: Type.String({ description: 'Зачем ключ.' }),
    receipts_enabled: receiptsEnabled,
    status: oneOfValues(
      keyRequestStatuses,
      keyRequestStatuses.map((each) => `${each} — ${keyRequestStatusLabels[each]}`).join('; '),
    ),
    asked_by: Type.String({ description: 'Кто просит: имя или логин.' }),
    created_at: moment('Когда подана.'),
    decided_at: momentOrNull('Когда решена или отменена; null, если ждёт.'),
    reason: textOrNull('Почему склад отказал; null, если не отказал.'),
    key_id: textOrNull('Выпущенный ключ; null, если его нет.'),
    reveal_until: momentOrNull(
      'До какого времени можно посмотреть значение; null, если ключа нет.',
    ),
    revealed_at: momentOrNull('Когда значение показано; null, если не показано.'),
  },
  { $id: 'KeyRequest', description: 'Заявка на ключ, поданная в личном кабинете.' },
)
export type KeyRequest = Static<typeof KeyRequest>

/** Throws conflict where too many of the client are open. */
export async function askForKey(
  work: Work,
  clientId: string,
  userId: string,
  draft: Static<typeof KeyRequestDraft>,
): Promise<string> {
  const { tx, at } = work
  await tx`select from clients where id = ${clientId} for no key update`
  const [open] = await tx<[{ count: number }]>`
    select count(*) from key_requests
    where client_id = ${clientId} and status in ('WAITING', 'ISSUED')`
  if (open.count >= openKeyRequestsMax) {
    throw conflict(
      `Открыто уже ${openKeyRequestsMax} заявок на ключ: дождитесь решения, посмотрите выпущенные ключи или отмените лишние`,
    )
  }
  const id = newId()
  await tx`
    insert into key_requests
      (client_id, id, name, purpose, receipts_enabled, status, asked_by, created_at)
    values (${clientId}, ${id}, ${draft.name.trim()}, ${draft.purpose.trim()},
      ${draft.receipts_enabled}, 'WAITING', ${userId}, ${at})`
  await tell(work, [{ clientId, kind: 'key_asked', key: id, objectId: clientId, subject: '' }])
  return id
}

/** Returns false where it was withdrawn before. Throws not_found, and conflict for one that is decided. */
export async function withdrawKeyRequest(
  work: Work,
  clientId: string,
  id: string,
): Promise<boolean> {
  return end(work, { clientId, id, status: 'WITHDRAWN', reason: null })
}

/** Returns false where it was declined before. Throws not_found, and conflict for one that is not waiting. */
export async function declineKeyRequest(
  work: Work,
  clientId: string,
  id: string,
  reason: string,
): Promise<boolean> {
  return end(work, { clientId, id, status: 'DECLINED', reason: reason.trim() })
}

interface Ending {
  readonly clientId: string
  readonly id: string
  readonly status: 'WITHDRAWN' | 'DECLINED'
  readonly reason: string | null
}

async function end(work: Work, { clientId, id, status, reason }: Ending): Promise<boolean> {
  const old = await lockRequest(work, clientId, id)
  if (old.status === status) return false
  refuseDecided(old)
  await work.tx`
    update key_requests set status = ${status}, decided_at = ${work.at}, reason = ${reason}
    where client_id = ${clientId} and id = ${id}`
  if (status === 'DECLINED') await tellDecided(work, clientId, id)
  return true
}

/**
 * Issues the key and seals its value for the owners. Returns false where it was accepted before. Throws not_found, and conflict
 * for one that was declined or withdrawn.
 */
export async function acceptKeyRequest(
  work: Work,
  box: SecretBox,
  clientId: string,
  id: string,
  cell?: CellMark,
): Promise<boolean> {
  const old = await lockRequest(work, clientId, id)
  if (old.key_id !== null) return false
  refuseDecided(old)
  const { name, receipts_enabled } = old
  const issued = await issueApiKey(work, clientId, {
    name,
    receiptsEnabled: receipts_enabled,
    ...(cell === undefined ? {} : { cell }),
  })
  await work.tx`
    update key_requests set status = 'ISSUED', decided_at = ${work.at}, key_id = ${issued.id},
      sealed_key = ${box.seal(issued.key, id)}, reveal_until = ${toTimestamp(work.now + sealedMs)}
    where client_id = ${clientId} and id = ${id}`
  await tellDecided(work, clientId, id)
  return true
}

function tellDecided(work: Work, clientId: string, id: string): Promise<void> {
  return tell(work, [{ clientId, kind: 'key_decided', key: id, subject: '' }])
}

/** Answers the value of the key and forgets it. Throws not_found, and conflict where there is nothing to show. */
export async function revealKey(
  work: Work,
  box: SecretBox,
  clientId: string,
  id: string,
): Promise<string> {
  const { tx, at } = work
  const known = await findKeyRequest(tx, clientId, id)
  if (known?.key_id != null) await findApiKey(tx, clientId, known.key_id, true)
  const { status, sealed_key, reveal_until } = await lockRequest(work, clientId, id)
  if (status !== 'ISSUED' || sealed_key === null) throw conflict(nothingToShow[status])
  if (reveal_until !== null && reveal_until <= at) throw conflict(nothingToShow.REVOKED)
  await tx`
    update key_requests set status = 'REVEALED', revealed_at = ${at}, sealed_key = null
    where client_id = ${clientId} and id = ${id}`
  try {
    return box.open(sealed_key, id)
  } catch {
    throw conflict(`Значение больше не прочитать. Отзовите ключ. ${askAgain}`)
  }
}

const askAgain = 'Подайте новую заявку'
const nothingToShow: Readonly<Record<KeyRequestStatus, string>> = {
  WAITING: 'Склад ещё не решил, выпускать ли ключ',
  WITHDRAWN: `Заявка отменена. ${askAgain}`,
  DECLINED: `Склад отказал в ключе. ${askAgain}`,
  ISSUED: 'Значение нельзя показать',
  REVEALED: `Значение уже показано, второй раз его не увидеть. ${askAgain}, если оно потеряно`,
  REVOKED: `Значение вовремя не посмотрели, и ключ отозван. ${askAgain}`,
}

interface LockedRequest
  extends Pick<KeyRequest, 'name' | 'receipts_enabled' | 'status' | 'key_id'> {
  readonly sealed_key: Buffer | null
  readonly reveal_until: Timestamp | null
}

async function lockRequest({ tx }: Work, clientId: string, id: string): Promise<LockedRequest> {
  const [row] = await tx<LockedRequest[]>`
    select name, receipts_enabled, status, key_id, sealed_key, reveal_until from key_requests
    where client_id = ${clientId} and id = ${id} for update`
  if (row === undefined) throw notFound('Заявка на ключ не найдена')
  return row
}

function refuseDecided({ status }: LockedRequest): void {
  if (status === 'WAITING') return
  throw conflict(`Заявка уже решена: ${keyRequestStatusLabels[status]}`)
}

const revokedAtOnce = 200

/** Revokes the keys that no owner has looked at in time. Belongs to the maintenance. */
export async function revokeUnseenKeys(db: Database, clock: Clock): Promise<void> {
  await perform(db, clock, { kind: 'service' }, async (work) => {
    const due = await work.tx<{ client_id: string; id: string; key_id: string }[]>`
      select client_id, id, key_id from key_requests
      where status = 'ISSUED' and reveal_until <= ${work.at} and ${isStaying(work.tx, 'client_id')}
      order by client_id, key_id limit ${revokedAtOnce}`
    for (const { client_id, id, key_id } of due) {
      await findApiKey(work.tx, client_id, key_id, true)
      // An owner may have looked meanwhile.
      const { status } = await lockRequest(work, client_id, id)
      if (status === 'ISSUED') await revokeApiKey(work, client_id, key_id)
    }
  })
}

function requests(db: Queryable, clientId: string) {
  return db`
    select r.id, r.name, r.purpose, r.receipts_enabled, r.status, u.shown_name as asked_by,
      r.created_at, r.decided_at, r.reason, r.key_id, r.reveal_until, r.revealed_at
    from key_requests r join seller_users u on u.id = r.asked_by
    where r.client_id = ${clientId}`
}

/** The latest of a client, newest first. */
export async function listKeyRequests(db: Queryable, clientId: string): Promise<KeyRequest[]> {
  return db<KeyRequest[]>`
    ${requests(db, clientId)} order by r.created_at desc, r.id desc limit ${listedMax}`
}

/** Finds a request; with `lock` nobody else changes it until the transaction ends. */
export async function findKeyRequest(
  db: Queryable,
  clientId: string,
  id: string,
  lock = false,
): Promise<KeyRequest | undefined> {
  const [row] = await db<KeyRequest[]>`
    ${requests(db, clientId)} and r.id = ${id} ${lock ? db`for update of r` : db``}`
  return row
}

/** How many issued keys of a client wait for an owner's look. */
export async function countUnseenKeys(db: Queryable, clientId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) from key_requests where client_id = ${clientId} and status = 'ISSUED'`
  return row.count
}

/** Seals the values that wait with the newest key. */
export function resealKeys(db: Database, box: SecretBox): Promise<ResealedColumn> {
  return resealColumn(db, box, { table: 'key_requests', column: 'sealed_key' })
}
