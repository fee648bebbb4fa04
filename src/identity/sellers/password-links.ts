import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { moment } from '../../platform/kernel/schema.ts'
import { hashOfToken } from './invitations.ts'
import { makerAnswersForUser, makerOf } from './makers.ts'
import { setSellerPassword } from './members.ts'
import { dropCodes } from './one-time-codes.ts'

/**
 * Links for users who forgot the password or lost the phone with one-time codes. A link works once and for a day; the
 * next one of the same client replaces it, and a new password closes all links of its user.
 *
 * A password opens all clients of its user, so whoever makes a link has power over all of them: see makers.ts.
 */

const lifeMs = 86_400_000

export const dropsCodesField = Type.Boolean({
  description:
    'true — по ссылке вход станет без одноразового кода: если потерян телефон. false — коды останутся.',
})

export const PasswordLinkDraft = Type.Object(
  { drops_codes: dropsCodesField },
  { $id: 'PasswordLinkDraft', additionalProperties: false, description: 'Для чего ссылка.' },
)

export const PasswordLink = Type.Object(
  {
    link: Type.String({ description: 'Ссылка для пользователя: один раз. Показана один раз.' }),
    expires_at: moment('До какого времени действует.'),
  },
  { $id: 'PasswordLink', description: 'Ссылка для нового пароля.' },
)
export type PasswordLink = Static<typeof PasswordLink>

export interface NewPasswordLink {
  readonly clientId: string
  readonly userId: string
  readonly dropsCodes: boolean
  readonly byOwner: boolean
}

export interface MadePasswordLink {
  /** The secret of the link, shown once. */
  readonly token: string
  readonly expiresAt: Timestamp
}

/** Throws not_found, and conflict or forbidden where whoever makes it has no power over the user. */
export async function makePasswordLink(
  work: Work,
  { clientId, userId, dropsCodes, byOwner }: NewPasswordLink,
): Promise<MadePasswordLink> {
  const { tx, now } = work
  const members = await tx`
    select user_id from seller_members
    where client_id = ${clientId} and user_id = ${userId} for share`
  if (members.length === 0) throw notFound('Пользователь не найден')
  const token = randomBytes(32).toString('base64url')
  const expiresAt = toTimestamp(now + lifeMs)
  await tx`
    insert into seller_password_links
      (client_id, user_id, token_hash, drops_codes, by_owner, made_by, expires_at)
    values (${clientId}, ${userId}, ${hashOfToken(token)}, ${dropsCodes}, ${byOwner},
      ${makerOf(work)}, ${expiresAt})
    on conflict (client_id, user_id) do update set token_hash = excluded.token_hash,
      drops_codes = excluded.drops_codes, by_owner = excluded.by_owner,
      made_by = excluded.made_by, expires_at = excluded.expires_at`
  const answered = await tx`
    select l.user_id from seller_password_links l
    where l.client_id = ${clientId} and l.user_id = ${userId} and ${makerAnswersForUser(tx)}`
  if (answered.length === 0) {
    throw byOwner ? conflict(severalClients) : new ServiceError('forbidden', severalWarehouses)
  }
  return { token, expiresAt }
}

const severalClients =
  'Этот пользователь работает и с другими клиентами: ссылку сделает менеджер склада'
const severalWarehouses =
  'Этот пользователь работает и с клиентами других складов: ссылку сделает администратор или менеджер всех этих складов'
export const closedPasswordLink =
  'Ссылка уже использована, заменена или устарела: попросите прислать новую'

export interface OpenPasswordLink {
  readonly client_id: string
  readonly client_name: string
  readonly user_id: string
  readonly login: string
  readonly drops_codes: boolean
  readonly expires_at: Timestamp
}

/** What a link that can be used leads to. Throws not_found. */
export async function findPasswordLink(
  db: Queryable,
  now: Instant,
  token: string,
): Promise<OpenPasswordLink> {
  const [found] = await db<OpenPasswordLink[]>`
    select l.client_id, c.name as client_name, l.user_id, u.login, l.drops_codes, l.expires_at
    from seller_password_links l
    join seller_users u on u.id = l.user_id
    join clients c on c.id = l.client_id
    where l.token_hash = ${hashOfToken(token)} and l.expires_at > ${toTimestamp(now)}
      and ${makerAnswersForUser(db)}`
  if (found === undefined) throw notFound(closedPasswordLink)
  return found
}

/** Uses the link up: its user has the new password and no session. Throws not_found for a link that is closed. */
export async function takePasswordLink(
  work: Work,
  token: string,
  passwordHash: string,
): Promise<OpenPasswordLink> {
  const { tx, now } = work
  // Whoever makes the user work for another client waits, and so does a second use.
  await tx`
    select from seller_users where id = (
      select user_id from seller_password_links where token_hash = ${hashOfToken(token)})
    for update`
  const link = await findPasswordLink(tx, now, token)
  await setSellerPassword(work, link.user_id, passwordHash, undefined)
  if (link.drops_codes) await dropCodes(work, link.user_id)
  return link
}
