import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  closedPasswordLink,
  dropsCodesField,
  findPasswordLink,
  type MadePasswordLink,
  makePasswordLink,
  PasswordLink,
  takePasswordLink,
} from '../../../identity/sellers/password-links.ts'
import { hashPassword } from '../../../identity/sign-in/passwords.ts'
import { perform } from '../../../platform/db/work.ts'
import { moment, named } from '../../../platform/kernel/schema.ts'
import { sellersBody } from '../../public/request-body.ts'
import { knownId } from '../../route/list.ts'
import { changeInAccount, confirmUser, recordOpenChange } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'
import { linkToken } from './invitations.ts'
import { newPassword, passwordAgain } from './security.ts'

/** New passwords for users who forgot theirs: an owner makes the link, whoever has it sets the password. */

export const AccountPasswordLinkDraft = Type.Object(
  { drops_codes: dropsCodesField, password: passwordAgain },
  { $id: 'AccountPasswordLinkDraft', additionalProperties: false, description: 'Для чего ссылка.' },
)
export const PasswordLinkToken = Type.Object(
  { token: linkToken },
  { $id: 'PasswordLinkToken', additionalProperties: false, description: 'Ссылка.' },
)
export const PasswordByLink = Type.Object(
  { token: linkToken, password: newPassword },
  { $id: 'PasswordByLink', additionalProperties: false, description: 'Новый пароль.' },
)
export const PasswordLinkFor = Type.Object(
  {
    login: Type.String({ description: 'Чей пароль.' }),
    client_name: Type.String({ description: 'У какого клиента сделана ссылка.' }),
    drops_codes: Type.Boolean({ description: 'Выключит ли она вход с одноразовым кодом.' }),
    expires_at: moment('До какого времени действует.'),
  },
  { $id: 'PasswordLinkFor', description: 'Чей пароль задаёт ссылка.' },
)

/** The secret stands behind `#`, which browsers send to no server. */
export function passwordLinkAnswer(baseUrl: string, made: MadePasswordLink): PasswordLink {
  return { link: `${baseUrl}/account/password#${made.token}`, expires_at: made.expiresAt }
}

export function addAccountPasswordLinks(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): void {
  addLinkByOwner(app, dependencies)
  addLinkLook(app, dependencies)
  addLinkUse(app, dependencies)
}

function addLinkByOwner(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'makeAccountPasswordLink',
    tag: 'Пользователи',
    summary: 'Ссылка для нового пароля',
    description:
      'Если пользователь забыл пароль или потерял телефон с кодами: передайте ссылку ему сами, она действует ' +
      'один раз и сутки. Тому, кто работает и с другими клиентами, ссылку делает менеджер склада.',
    params: { id: 'Идентификатор пользователя.' },
    body: AccountPasswordLinkDraft,
    answers: { 201: { description: 'Ссылка.', schema: named(PasswordLink) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<{ Params: { id: string } }>(
    '/users/:id/password-link',
    { schema },
    async (request, reply) => {
      const given = sellersBody(AccountPasswordLinkDraft, request)
      const userId = knownId(request.params.id)
      const { clientId } = visitorOn(request)
      await confirmUser(dependencies, request, { password: given.password })
      const made = await changeInAccount(dependencies, request, async (work) => {
        const dropsCodes = given.drops_codes
        const link = await makePasswordLink(work, { clientId, userId, dropsCodes, byOwner: true })
        const after = { drops_codes: dropsCodes, expires_at: link.expiresAt }
        return { answer: link, objectId: userId, after }
      })
      return reply.code(201).send(passwordLinkAnswer(dependencies.baseUrl, made))
    },
  )
}

const config = { open: true } as const

function addLinkLook(app: FastifyInstance, { db, clock }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'lookAtPasswordLink',
    tag: 'Вход',
    summary: 'Чей пароль задаёт ссылка',
    description: 'Показывает логин, ничего не меняет.',
    open: true,
    body: PasswordLinkToken,
    answers: { 200: { description: 'Ссылка.', schema: named(PasswordLinkFor) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
    messages: { not_found: closedPasswordLink },
  })
  app.post('/password-links/look', { schema, config }, async (request) => {
    const given = sellersBody(PasswordLinkToken, request)
    const found = await findPasswordLink(db, clock.now(), given.token)
    const { login, client_name, drops_codes, expires_at } = found
    return { login, client_name, drops_codes, expires_at }
  })
}

function addLinkUse(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { db, clock } = dependencies
  const schema = accountOperation({
    id: 'setPasswordByLink',
    tag: 'Вход',
    summary: 'Задать пароль по ссылке',
    description: 'Все входы пользователя кончаются. После этого войдите с новым паролем.',
    open: true,
    body: PasswordByLink,
    answers: { 200: { description: 'Пароль задан.', schema: named(PasswordLinkFor) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'rate_limited'],
    messages: { not_found: closedPasswordLink },
  })
  app.post('/password-links/use', { schema, config }, async (request) => {
    const given = sellersBody(PasswordByLink, request)
    // Before the password is hashed, which costs much.
    await findPasswordLink(db, clock.now(), given.token)
    const passwordHash = await hashPassword(given.password)
    const taken = await perform(db, clock, { kind: 'service' }, async (work) => {
      const link = await takePasswordLink(work, given.token, passwordHash)
      const { client_id: clientId, user_id: userId, login, drops_codes } = link
      const own = { ...work, actor: { kind: 'seller', userId } as const }
      const after = { password_link: true, ...(drops_codes && { two_factor: false }) }
      await recordOpenChange(own, request, login, { clientId, objectId: userId, after })
      return link
    })
    const { login, client_name, drops_codes, expires_at } = taken
    return { login, client_name, drops_codes, expires_at }
  })
}
