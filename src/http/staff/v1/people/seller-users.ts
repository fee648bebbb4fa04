import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  findInvitation,
  InvitationDraft,
  invite,
  listInvitations,
  revokeInvitation,
  SellerInvitation,
} from '../../../../identity/sellers/invitations.ts'
import {
  changeMember,
  findMember,
  listMembers,
  roleField,
  SellerMember,
} from '../../../../identity/sellers/members.ts'
import {
  makePasswordLink,
  PasswordLink,
  PasswordLinkDraft,
} from '../../../../identity/sellers/password-links.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { invitationLink } from '../../../account/v1/invitations.ts'
import { passwordLinkAnswer } from '../../../account/v1/password-links.ts'
import { CreatedInvitation } from '../../../account/v1/users.ts'
import { found, knownId } from '../../../route/list.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ClientParams, clientInPath, clientParams } from '../clients/clients.ts'

/** Users of a client's account, as managers see and invite them. */

export const ClientUsers = Type.Object(
  {
    users: Type.Array(named<SellerMember>(SellerMember), { description: 'По логину.' }),
    invitations: Type.Array(named<SellerInvitation>(SellerInvitation), {
      description: 'Приглашения, новые первыми, не больше 200.',
    }),
  },
  { $id: 'ClientUsers', description: 'Кто работает в личном кабинете клиента и кого позвали.' },
)
export const SellerMemberPatch = Type.Object(
  { role: roleField },
  { $id: 'SellerMemberPatch', additionalProperties: false, description: 'Новая роль.' },
)

type UserParams = { Params: { id: string; user_id: string } }
type InvitationParams = { Params: { id: string; invitation_id: string } }
const userParams = { ...clientParams, user_id: 'Идентификатор пользователя.' }
const config = { role: 'manager' } as const
const changeConfig = { ...config, asksPassword: true } as const

export function addSellerUsers(app: FastifyInstance, dependencies: StaffDependencies): void {
  addClientUsers(app, dependencies)
  addMemberChanges(app, dependencies)
  addInvitationRevocation(app, dependencies)
  addPasswordLink(app, dependencies)
}

function addClientUsers(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, clock, baseUrl } = dependencies
  const listSchema = staffOperation({
    id: 'listClientUsers',
    tag: 'Клиенты',
    summary: 'Пользователи личного кабинета',
    description: 'Кто из людей клиента входит в личный кабинет, с какой ролью, и кого позвали.',
    params: clientParams,
    answers: { 200: { description: 'Пользователи.', schema: named(ClientUsers) } },
    errors: ['not_found'],
  })
  app.get<ClientParams>('/clients/:id/users', { schema: listSchema, config }, async (request) => {
    const clientId = await clientInPath(db, request.params.id)
    const [users, invitations] = await Promise.all([
      listMembers(db, clientId),
      listInvitations(db, clientId, clock.now()),
    ])
    return { users, invitations }
  })

  const inviteSchema = staffOperation({
    id: 'inviteClientUser',
    tag: 'Клиенты',
    summary: 'Пригласить в личный кабинет',
    description:
      'Ссылка показывается один раз, действует один раз и неделю: передайте её клиенту. Логин и пароль он ' +
      'задаст сам.',
    params: clientParams,
    body: InvitationDraft,
    answers: { 201: { description: 'Приглашение.', schema: named(CreatedInvitation) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<ClientParams>(
    '/clients/:id/users',
    { schema: inviteSchema, config: changeConfig },
    async (request, reply) => {
      const draft = bodyOf(InvitationDraft, request)
      const clientId = await clientInPath(db, request.params.id)
      const made = await change(dependencies, request, { clientId }, async (work) => {
        const { id, token } = await invite(work, clientId, draft)
        const after = found(await findInvitation(work.tx, clientId, id, work.now))
        const answer = { invitation: after, link: invitationLink(baseUrl, token) }
        return { answer, made: { objectId: id, after } }
      })
      return reply.code(201).send(made)
    },
  )
}

function addMemberChanges(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const subjectOf = async ({ id, user_id }: UserParams['Params']) => {
    const clientId = await clientInPath(db, id)
    const userId = knownId(user_id)
    const look = ({ tx }: { tx: Parameters<typeof findMember>[0] }) =>
      findMember(tx, clientId, userId)
    return { clientId, objectId: userId, look }
  }
  const changeSchema = staffOperation({
    id: 'changeClientUser',
    tag: 'Клиенты',
    summary: 'Изменить роль в личном кабинете',
    description: 'Действует со следующего запроса пользователя.',
    params: userParams,
    body: SellerMemberPatch,
    answers: { 200: { description: 'Изменена.', schema: named(SellerMember) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found'],
  })
  const path = '/clients/:id/users/:user_id'
  app.patch<UserParams>(path, { schema: changeSchema, config: changeConfig }, async (request) => {
    const { role } = bodyOf(SellerMemberPatch, request)
    const subject = await subjectOf(request.params)
    const { clientId, objectId: id } = subject
    return change(dependencies, request, subject, async (work) => {
      const changed = await changeMember(work, clientId, id, { role, keepsOwner: false })
      return { answer: found(await findMember(work.tx, clientId, id)), changed }
    })
  })

  const removeSchema = staffOperation({
    id: 'removeClientUser',
    tag: 'Клиенты',
    summary: 'Забрать доступ к личному кабинету',
    description: 'Пользователь больше не видит этого клиента, его открытые входы кончаются.',
    params: userParams,
    answers: { 204: { description: 'Доступа нет.' } },
    errors: ['password_required', 'not_found'],
  })
  app.delete<UserParams>(
    path,
    { schema: removeSchema, config: changeConfig },
    async (request, reply) => {
      const subject = await subjectOf(request.params)
      const { clientId, objectId: id } = subject
      await change(dependencies, request, subject, async (work) => {
        await changeMember(work, clientId, id, { role: undefined, keepsOwner: false })
        return { answer: undefined }
      })
      return reply.code(204).send()
    },
  )
}

function addInvitationRevocation(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'revokeClientInvitation',
    tag: 'Клиенты',
    summary: 'Отозвать приглашение',
    description: 'Ссылка больше не действует. Повтор ничего не меняет.',
    params: { ...clientParams, invitation_id: 'Идентификатор приглашения.' },
    answers: { 200: { description: 'Отозвано.', schema: named(SellerInvitation) } },
    errors: ['password_required', 'not_found', 'conflict'],
  })
  const path = '/clients/:id/invitations/:invitation_id/revoke'
  app.post<InvitationParams>(path, { schema, config: changeConfig }, async (request) => {
    const clientId = await clientInPath(db, request.params.id)
    const id = knownId(request.params.invitation_id)
    return change(dependencies, request, { clientId, objectId: id }, async (work) => {
      const changed = await revokeInvitation(work, clientId, id)
      const after = found(await findInvitation(work.tx, clientId, id, work.now))
      return { answer: after, changed, made: { after } }
    })
  })
}

function addPasswordLink(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, baseUrl } = dependencies
  const schema = staffOperation({
    id: 'makeClientPasswordLink',
    tag: 'Клиенты',
    summary: 'Ссылка для нового пароля личного кабинета',
    description:
      'Если пользователь забыл пароль или потерял телефон с кодами. Ссылка показывается один раз, действует один раз ' +
      'и сутки; убедитесь, что отдаёте её самому пользователю: пароль откроет всех его клиентов. Поэтому тому, кто ' +
      'работает и с клиентами других складов, её делает администратор или менеджер всех этих складов.',
    params: userParams,
    body: PasswordLinkDraft,
    answers: { 201: { description: 'Ссылка.', schema: named(PasswordLink) } },
    errors: ['password_required', 'bad_request', 'validation_error', 'not_found'],
  })
  const path = '/clients/:id/users/:user_id/password-link'
  app.post<UserParams>(path, { schema, config: changeConfig }, async (request, reply) => {
    const { drops_codes: dropsCodes } = bodyOf(PasswordLinkDraft, request)
    const clientId = await clientInPath(db, request.params.id)
    const userId = knownId(request.params.user_id)
    const link = await change(
      dependencies,
      request,
      { clientId, objectId: userId },
      async (work) => {
        const made = await makePasswordLink(work, { clientId, userId, dropsCodes, byOwner: false })
        const after = { drops_codes: dropsCodes, expires_at: made.expiresAt }
        return { answer: made, made: { after } }
      },
    )
    return reply.code(201).send(passwordLinkAnswer(baseUrl, link))
  })
}
