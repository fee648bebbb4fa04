import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  findInvitation,
  InvitationDraft,
  invite,
  listInvitations,
  revokeInvitation,
  SellerInvitation,
} from '../../../identity/sellers/invitations.ts'
import {
  changeMember,
  findMember,
  listMembers,
  roleField,
  SellerMember,
} from '../../../identity/sellers/members.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { sellersBody } from '../../public/request-body.ts'
import { found, knownId } from '../../route/list.ts'
import { changeInAccount, confirmUser } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { userOn, visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'
import { invitationLink } from './invitations.ts'
import { AccountConfirmation, passwordAgain } from './security.ts'

export const SellerMemberList = Type.Object(
  { items: Type.Array(named<SellerMember>(SellerMember), { description: 'По логину.' }) },
  { $id: 'SellerMemberList', description: 'Пользователи клиента.' },
)
export const SellerInvitationList = Type.Object(
  {
    items: Type.Array(named<SellerInvitation>(SellerInvitation), {
      description: 'Новые первыми, не больше 200.',
    }),
  },
  { $id: 'SellerInvitationList', description: 'Приглашения клиента.' },
)
export const CreatedInvitation = Type.Object(
  {
    invitation: named<SellerInvitation>(SellerInvitation),
    link: Type.String({
      description: 'Ссылка для приглашённого: один раз, 7 дней. Показана один раз.',
    }),
  },
  { $id: 'CreatedInvitation', description: 'Приглашение и его ссылка.' },
)
export const AccountInvitationDraft = Type.Object(
  { ...InvitationDraft.properties, password: passwordAgain },
  { $id: 'AccountInvitationDraft', additionalProperties: false, description: 'Новое приглашение.' },
)
export const AccountUserPatch = Type.Object(
  { role: roleField, password: passwordAgain },
  { $id: 'AccountUserPatch', additionalProperties: false, description: 'Новая роль.' },
)

type IdParams = { Params: { id: string } }
const userParams = { id: 'Идентификатор пользователя.' }

export function addAccountUsers(app: FastifyInstance, dependencies: AccountDependencies): void {
  addUserList(app, dependencies)
  addUserChanges(app, dependencies)
  addInvitationList(app, dependencies)
  addInvitationChanges(app, dependencies)
}

function addUserList(app: FastifyInstance, { db }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'listAccountUsers',
    tag: 'Пользователи',
    summary: 'Пользователи',
    description: 'Кто работает с данными клиента и с какой ролью. Видит владелец.',
    answers: { 200: { description: 'Пользователи.', schema: named(SellerMemberList) } },
  })
  app.get('/users', { schema }, async (request) => ({
    items: await listMembers(db, visitorOn(request).clientId),
  }))
}

function addUserChanges(app: FastifyInstance, dependencies: AccountDependencies): void {
  const changeSchema = accountOperation({
    id: 'changeAccountUser',
    tag: 'Пользователи',
    summary: 'Изменить роль',
    description: 'Действует со следующего запроса. Последний владелец остаётся владельцем.',
    params: userParams,
    body: AccountUserPatch,
    answers: { 200: { description: 'Изменена.', schema: named(SellerMember) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.patch<IdParams>('/users/:id', { schema: changeSchema }, async (request) => {
    const { role, password } = sellersBody(AccountUserPatch, request)
    const id = knownId(request.params.id)
    const { clientId } = visitorOn(request)
    await confirmUser(dependencies, request, { password })
    return changeInAccount(dependencies, request, async (work) => {
      const before = await findMember(work.tx, clientId, id)
      await changeMember(work, clientId, id, { role, keepsOwner: true })
      const after = found(await findMember(work.tx, clientId, id))
      return { answer: after, objectId: id, before, after }
    })
  })

  const removeSchema = accountOperation({
    id: 'removeAccountUser',
    tag: 'Пользователи',
    summary: 'Забрать доступ',
    description: 'Пользователь больше не видит этого клиента, его открытые входы кончаются.',
    params: userParams,
    body: AccountConfirmation,
    answers: { 204: { description: 'Доступа нет.' } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<IdParams>('/users/:id/remove', { schema: removeSchema }, async (request, reply) => {
    const { password } = sellersBody(AccountConfirmation, request)
    const id = knownId(request.params.id)
    const { clientId } = visitorOn(request)
    await confirmUser(dependencies, request, { password })
    await changeInAccount(dependencies, request, async (work) => {
      const before = await findMember(work.tx, clientId, id)
      await changeMember(work, clientId, id, { role: undefined, keepsOwner: true })
      return { answer: undefined, objectId: id, before }
    })
    return reply.code(204).send()
  })
}

function addInvitationList(app: FastifyInstance, { db, clock }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'listAccountInvitations',
    tag: 'Пользователи',
    summary: 'Приглашения',
    description: 'Кого позвали в личный кабинет и чем это кончилось. Видит владелец.',
    answers: { 200: { description: 'Приглашения.', schema: named(SellerInvitationList) } },
  })
  app.get('/invitations', { schema }, async (request) => ({
    items: await listInvitations(db, visitorOn(request).clientId, clock.now()),
  }))
}

function addInvitationChanges(app: FastifyInstance, dependencies: AccountDependencies): void {
  const createSchema = accountOperation({
    id: 'createAccountInvitation',
    tag: 'Пользователи',
    summary: 'Пригласить',
    description: 'Ссылку передайте приглашённому сами: она действует один раз и неделю.',
    body: AccountInvitationDraft,
    answers: { 201: { description: 'Приглашение.', schema: named(CreatedInvitation) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/invitations', { schema: createSchema }, async (request, reply) => {
    const { password, ...draft } = sellersBody(AccountInvitationDraft, request)
    const { clientId } = visitorOn(request)
    userOn(request)
    await confirmUser(dependencies, request, { password })
    const made = await changeInAccount(dependencies, request, async (work) => {
      const { id, token } = await invite(work, clientId, draft)
      const after = found(await findInvitation(work.tx, clientId, id, work.now))
      const link = invitationLink(dependencies.baseUrl, token)
      return { answer: { invitation: after, link }, objectId: id, after }
    })
    return reply.code(201).send(made)
  })

  const revokeSchema = accountOperation({
    id: 'revokeAccountInvitation',
    tag: 'Пользователи',
    summary: 'Отозвать приглашение',
    description: 'Ссылка больше не действует. Повтор ничего не меняет.',
    params: { id: 'Идентификатор приглашения.' },
    body: AccountConfirmation,
    answers: { 200: { description: 'Отозвано.', schema: named(SellerInvitation) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<IdParams>('/invitations/:id/revoke', { schema: revokeSchema }, async (request) => {
    const { password } = sellersBody(AccountConfirmation, request)
    const id = knownId(request.params.id)
    const { clientId } = visitorOn(request)
    await confirmUser(dependencies, request, { password })
    return changeInAccount(dependencies, request, async (work) => {
      await revokeInvitation(work, clientId, id)
      const after = found(await findInvitation(work.tx, clientId, id, work.now))
      return { answer: after, objectId: id, after }
    })
  })
}
