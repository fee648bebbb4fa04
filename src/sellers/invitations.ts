import { hash, randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { toTimestamp } from '../kernel/moscow-time.ts'
import { moment, momentOrNull, oneOfValues, textOrNull } from '../kernel/schema.ts'
import { addMember, roleField } from './members.ts'
import type { SellerRole } from './roles.ts'

/**
 * Invitations: one-time links by which people become users of a client.
 *
 *   WAITING --accept--> USED
 *   WAITING --revoke--> REVOKED
 *   WAITING --after seven days--> EXPIRED
 *
 * The database has the SHA-256 of the link's secret. Of several people who open one link at once, one becomes a user.
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
  { $id: 'SellerInvitation', description: 'Приглашение в кабинет.' },
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
  { tx, at, now }: Work,
  clientId: string,
  draft: { readonly role: SellerRole; readonly note: string },
): Promise<Invited> {
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
    insert into seller_invitations (client_id, id, token_hash, role, note, created_at, expires_at)
    values (${clientId}, ${id}, ${hashOfToken(token)}, ${draft.role}, ${draft.note}, ${at},
      ${toTimestamp(now + lifeMs)})`
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
    select i.client_id, c.name as client_name, i.role, i.expires_at
    from seller_invitations i join clients c on c.id = i.client_id
    where i.token_hash = ${hashOfToken(token)} and i.used_at is null and i.revoked_at is null
      and i.expires_at > ${toTimestamp(now)}`
  if (found === undefined) throw notFound(closedLink)
  return found
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
    update seller_invitations set used_at = ${at}, used_by = ${userId}
    where token_hash = ${hashOfToken(token)} and used_at is null and revoked_at is null
      and expires_at > ${at}
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
    ${invitations(db, clientId, now)} order by i.created_at desc, i.id desc limit ${listedMax}`
}

export async function findInvitation(
  db: Queryable,
  clientId: string,
  id: string,
  now: number,
): Promise<SellerInvitation | undefined> {
  const [row] = await db<SellerInvitation[]>`${invitations(db, clientId, now)} and i.id = ${id}`
  return row
}

function invitations(db: Queryable, clientId: string, now: number) {
  return db`
    select i.id, i.role, i.note, case when i.used_at is not null then 'USED'
        when i.revoked_at is not null then 'REVOKED'
        when i.expires_at <= ${toTimestamp(now)} then 'EXPIRED' else 'WAITING' end as status,
      u.login, i.created_at, i.expires_at, i.used_at
    from seller_invitations i left join seller_users u on u.id = i.used_by
    where i.client_id = ${clientId}`
}
