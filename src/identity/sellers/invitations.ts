import { hash, randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { makerAnswersForClient, makerOf } from './makers.ts'
import { addMember, roleField } from './members.ts'
import type { SellerRole } from './roles.ts'

/**
 * Invitations: one-time links by which people become users of a client.
 *
 *   WAITING --accept--> USED
 *   WAITING --revoke--> REVOKED
 *   WAITING --after seven days--> EXPIRED
 *
 * One whose maker has lost the power over the client counts as revoked (makers.ts). The database has the SHA-256 of the
 * link's secret. Of several people who open one link at once, one becomes a user.
 */
export const invitationStatuses = ['WAITING', 'USED', 'REVOKED', 'EXPIRED'] as const

const lifeMs = 7 * 86_400_000
/** Of one client, that wait. */
const waitingMax = 50

export const SellerInvitation = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор приглашения.' }),
    role: roleField,
    note: Type.String({ description: 'Для кого оно.' }),
    status: oneOfValues(
      invitationStatuses,
      'WAITING — ждёт, USED — принято, REVOKED — отозвано, EXPIRED — срок прошёл.',
    ),
    login: textOrNull('Кто его принял; null, если никто.'),
    created_at: moment('Когда сделано.'),
    expires_at: moment('До какого времени действует.'),
    used_at: momentOrNull('Когда принято; null, если нет.'),
  },
  { $id: 'SellerInvitation', description: 'Приглашение в личный кабинет.' },
)
export type SellerInvitation = Static<typeof SellerInvitation>

export const InvitationDraft = Type.Object(
  {
    role: roleField,
    note: Type.String({ minLength: 1, maxLength: 200, description: 'Для кого: имя или адрес.' }),
  },
  { $id: 'InvitationDraft', additionalProperties: false, description: 'Новое приглашение.' },
)

export interface Invited {
  readonly id: string
  /** The secret of the link, shown once. */
  readonly token: string
}

/** Throws conflict where too many invitations wait. */
export async function invite(
  work: Work,
  clientId: string,
  draft: { readonly role: SellerRole; readonly note: string },
): Promise<Invited> {
  const { tx, at, now } = work
  await tx`select from clients where id = ${clientId} for no key update`
  const [waiting] = await tx<[{ count: number }]>`
    select count(*) from seller_invitations
    where client_id = ${clientId} and used_at is null and revoked_at is null and expires_at > ${at}`
  if (waiting.count >= waitingMax) {
    throw conflict(`Ждут уже ${waitingMax} приглашений: отзовите лишние`)
  }
  const id = newId()
  const token = randomBytes(32).toString('base64url')
  await tx`
    insert into seller_invitations
      (client_id, id, token_hash, role, note, made_by, created_at, expires_at)
    values (${clientId}, ${id}, ${hashOfToken(token)}, ${draft.role}, ${draft.note},
      ${makerOf(work)}, ${at}, ${toTimestamp(now + lifeMs)})`
  return { id, token }
}

export function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

export interface OpenInvitation {
  readonly client_id: string
  readonly client_name: string
  readonly role: SellerRole
  readonly expires_at: string
}

/** What a link that can be used leads to. Throws not_found. */
export async function findOpenInvitation(
  db: Queryable,
  now: number,
  token: string,
): Promise<OpenInvitation> {
  const [found] = await db<OpenInvitation[]>`
    select l.client_id, c.name as client_name, l.role, l.expires_at
    from seller_invitations l join clients c on c.id = l.client_id
    where l.token_hash = ${hashOfToken(token)} and ${isOpen(db, toTimestamp(now))}`
  if (found === undefined) throw notFound(closedLink)
  return found
}

/** Whether the invitation `l` can be used. */
function isOpen(db: Queryable, at: Timestamp) {
  return db`(l.used_at is null and l.revoked_at is null and l.expires_at > ${at}
    and ${isBacked(db)})`
}

/** Whether the maker of the invitation `l` may still invite. Invitations of earlier releases name nobody. */
function isBacked(db: Queryable) {
  return db`(l.made_by is null or ${makerAnswersForClient(db)})`
}

export const closedLink = 'Ссылка уже использована, отозвана или устарела: попросите прислать новую'

/** Uses the link up: the user works for its client. Throws not_found for a link that is closed, and conflict. */
export async function acceptInvitation(
  work: Work,
  token: string,
  userId: string,
): Promise<{ readonly id: string; readonly clientId: string; readonly role: SellerRole }> {
  const { tx, at } = work
  const [used] = await tx<{ id: string; client_id: string; role: SellerRole }[]>`
    update seller_invitations l set used_at = ${at}, used_by = ${userId}
    where l.token_hash = ${hashOfToken(token)} and ${isOpen(tx, at)}
    returning id, client_id, role`
  if (used === undefined) throw notFound(closedLink)
  await addMember(work, used.client_id, userId, used.role)
  return { id: used.id, clientId: used.client_id, role: used.role }
}

/** Closes the link. Returns false where it was closed before. Throws not_found, and conflict for a used one. */
export async function revokeInvitation(
  { tx, at }: Work,
  clientId: string,
  id: string,
): Promise<boolean> {
  const [old] = await tx<{ used: boolean; revoked: boolean }[]>`
    select used_at is not null as used, revoked_at is not null as revoked from seller_invitations
    where client_id = ${clientId} and id = ${id} for update`
  if (old === undefined) throw notFound('Приглашение не найдено')
  if (old.used) throw conflict('Приглашение уже принято: доступ забирают у пользователя')
  if (old.revoked) return false
  await tx`
    update seller_invitations set revoked_at = ${at} where client_id = ${clientId} and id = ${id}`
  return true
}

const listedMax = 200

/** The latest invitations of a client, newest first. */
export async function listInvitations(
  db: Queryable,
  clientId: string,
  now: number,
): Promise<SellerInvitation[]> {
  return db<SellerInvitation[]>`
    ${invitations(db, clientId, now)} order by l.created_at desc, l.id desc limit ${listedMax}`
}

export async function findInvitation(
  db: Queryable,
  clientId: string,
  id: string,
  now: number,
): Promise<SellerInvitation | undefined> {
  const [row] = await db<SellerInvitation[]>`${invitations(db, clientId, now)} and l.id = ${id}`
  return row
}

function invitations(db: Queryable, clientId: string, now: number) {
  return db`
    select l.id, l.role, l.note, case when l.used_at is not null then 'USED'
        when l.revoked_at is not null then 'REVOKED'
        when l.expires_at <= ${toTimestamp(now)} then 'EXPIRED'
        when ${isBacked(db)} then 'WAITING' else 'REVOKED' end as status,
      u.login, l.created_at, l.expires_at, l.used_at
    from seller_invitations l left join seller_users u on u.id = l.used_by
    where l.client_id = ${clientId}`
}
