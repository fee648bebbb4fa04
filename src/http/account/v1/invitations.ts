import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import {
  acceptInvitation,
  closedLink,
  findOpenInvitation,
} from '../../../identity/sellers/invitations.ts'
import {
  createSellerUser,
  findSellerUser,
  keepsPassword,
  roleField,
} from '../../../identity/sellers/members.ts'
import { countInvited, wrongPassword } from '../../../identity/sellers/sign-in.ts'
import { forgive } from '../../../identity/sign-in/failures.ts'
import { loginField, loginOf } from '../../../identity/sign-in/logins.ts'
import {
  hashPassword,
  isPassword,
  passwordLengthMax,
  passwordLengthMin,
} from '../../../identity/sign-in/passwords.ts'
import { perform } from '../../../platform/db/work.ts'
import { ServiceError } from '../../../platform/kernel/errors.ts'
import { moment, named } from '../../../platform/kernel/schema.ts'
import { sellersBody } from '../../public/request-body.ts'
import { recordOpenChange } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { browserOf } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** Of a link that was sent to a person. */
export const linkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Секрет из ссылки: всё, что после `#`.',
})
export const InvitationToken = Type.Object(
  { token: linkToken },
  { $id: 'InvitationToken', additionalProperties: false, description: 'Ссылка приглашения.' },
)
export const InvitationAcceptance = Type.Object(
  {
    token: linkToken,
    login: loginField('Логин; если он уже есть у вас — он же.'),
    name: Type.Optional(
      Type.String({ maxLength: 100, description: 'Имя и фамилия нового пользователя.' }),
    ),
    password: Type.String({
      minLength: passwordLengthMin,
      maxLength: passwordLengthMax,
      description: 'Пароль: новый, а если логин уже ваш — его пароль.',
    }),
  },
  { $id: 'InvitationAcceptance', additionalProperties: false, description: 'Кто принимает.' },
)
export const InvitedTo = Type.Object(
  {
    client_name: Type.String({ description: 'К данным какого клиента зовут.' }),
    role: roleField,
    expires_at: moment('До какого времени действует ссылка.'),
  },
  { $id: 'InvitedTo', description: 'Куда ведёт ссылка.' },
)
export const AcceptedInvitation = Type.Object(
  {
    login: Type.String({ description: 'Логин, с которым теперь входят.' }),
    client_name: Type.String({ description: 'К данным какого клиента.' }),
    role: roleField,
  },
  { $id: 'AcceptedInvitation', description: 'Приглашение принято.' },
)

/** The secret stands behind `#`, which browsers send to no server. */
export function invitationLink(baseUrl: string, secret: string): string {
  return `${baseUrl}/account/invitation#${secret}`
}

const config = { open: true } as const

export function addAccountInvitations(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): void {
  const { db, clock } = dependencies
  const lookSchema = accountOperation({
    id: 'lookAtInvitation',
    tag: 'Вход',
    summary: 'Куда ведёт приглашение',
    description: 'Показывает клиента и роль, ничего не меняет.',
    open: true,
    body: InvitationToken,
    answers: { 200: { description: 'Приглашение.', schema: named(InvitedTo) } },
    errors: ['bad_request', 'validation_error', 'not_found'],
    messages: { not_found: closedLink },
  })
  app.post('/invitations/look', { schema: lookSchema, config }, async (request) => {
    const given = sellersBody(InvitationToken, request)
    const { client_id: _, ...shown } = await findOpenInvitation(db, clock.now(), given.token)
    return shown
  })

  const acceptSchema = accountOperation({
    id: 'acceptInvitation',
    tag: 'Вход',
    summary: 'Принять приглашение',
    description:
      'Заводит логин с паролем. Если логин уже есть, его пароль должен подойти: клиент добавится к ' +
      'остальным. После этого войдите.',
    open: true,
    body: InvitationAcceptance,
    answers: { 201: { description: 'Принято.', schema: named(AcceptedInvitation) } },
    errors: [
      'bad_request',
      'validation_error',
      'unauthorized',
      'not_found',
      'conflict',
      'rate_limited',
    ],
    messages: { unauthorized: wrongPassword, not_found: closedLink },
  })
  app.post('/invitations/accept', { schema: acceptSchema, config }, async (request, reply) => {
    const given = sellersBody(InvitationAcceptance, request)
    return reply.code(201).send(await accept(dependencies, request, given))
  })
}

const otherPassword = 'Такой логин уже есть, и этот пароль к нему не подходит'

async function accept(
  dependencies: AccountDependencies,
  request: FastifyRequest,
  given: Static<typeof InvitationAcceptance>,
) {
  const { db, clock } = dependencies
  const login = loginOf(given.login)
  const origin = { login, address: request.ip, browserCookie: browserOf(request) }
  const attempt = await countInvited(dependencies, origin)
  const invited = await findOpenInvitation(db, clock.now(), given.token)
  const known = await findSellerUser(db, login)
  const passwordHash = known?.password_hash ?? (await hashPassword(given.password))
  if (known !== undefined && !(await isPassword(given.password, passwordHash))) {
    throw new ServiceError('unauthorized', otherPassword)
  }
  await perform(db, clock, { kind: 'service' }, async (work) => {
    // The password was checked before this transaction: it may have changed since.
    if (known !== undefined && !(await keepsPassword(work, known))) {
      throw new ServiceError('unauthorized', otherPassword)
    }
    const id = known?.id ?? (await createSellerUser(work, login, passwordHash, given.name))
    const accepted = await acceptInvitation(work, given.token, id)
    await forgive(work.tx, attempt)
    const { clientId, role } = accepted
    const own = { ...work, actor: { kind: 'seller', userId: id } as const }
    await recordOpenChange(own, request, login, {
      clientId,
      objectId: id,
      after: { login, role, invitation_id: accepted.id },
    })
  })
  return { login, client_name: invited.client_name, role: invited.role }
}
