import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  askForKey,
  findKeyRequest,
  KeyRequest,
  KeyRequestDraft,
  listKeyRequests,
  revealKey,
  withdrawKeyRequest,
} from '../../../identity/keys/key-requests.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { sellersBody } from '../../public/request-body.ts'
import { found, knownId } from '../../route/list.ts'
import { changeInAccount, confirmUser } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { userOn, visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'
import { AccountConfirmation } from './security.ts'

/** Keys that owners ask for: the warehouse decides, and an owner sees the value once. */

export const KeyRequestList = Type.Object(
  {
    items: Type.Array(named<KeyRequest>(KeyRequest), {
      description: 'Новые первыми, не больше 100.',
    }),
  },
  { $id: 'KeyRequestList', description: 'Заявки на ключи.' },
)
export const RevealedKey = Type.Object(
  {
    request: named<KeyRequest>(KeyRequest),
    key: Type.String({ description: 'Сам ключ. Показан один раз.' }),
  },
  { $id: 'RevealedKey', description: 'Заявка и значение ключа.' },
)

type IdParams = { Params: { id: string } }
const params = { id: 'Идентификатор заявки.' }

export function addAccountKeyRequests(
  app: FastifyInstance,
  dependencies: AccountDependencies,
): void {
  addRequestList(app, dependencies)
  addAsking(app, dependencies)
  addReveal(app, dependencies)
}

function addRequestList(app: FastifyInstance, { db }: AccountDependencies): void {
  const schema = accountOperation({
    id: 'listAccountKeyRequests',
    tag: 'Ключи',
    summary: 'Заявки на ключи',
    description: 'Какие ключи просили и чем это кончилось. Видит владелец.',
    answers: { 200: { description: 'Заявки.', schema: named(KeyRequestList) } },
  })
  app.get('/key-requests', { schema }, async (request) => ({
    items: await listKeyRequests(db, visitorOn(request).clientId),
  }))
}

function addAsking(app: FastifyInstance, dependencies: AccountDependencies): void {
  const askSchema = accountOperation({
    id: 'askForAccountKey',
    tag: 'Ключи',
    summary: 'Попросить ключ',
    description:
      'Рабочий ключ выпускает менеджер склада. Когда он решит, значение можно один раз посмотреть здесь же. ' +
      'Открытых заявок не больше пяти. У песочницы ключ уже есть, её заявкам отвечают 403.',
    body: KeyRequestDraft,
    answers: { 201: { description: 'Заявка ждёт решения.', schema: named(KeyRequest) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/key-requests', { schema: askSchema }, async (request, reply) => {
    const draft = sellersBody(KeyRequestDraft, request)
    const { clientId } = visitorOn(request)
    const { id: userId } = userOn(request)
    const made = await changeInAccount(dependencies, request, async (work) => {
      const id = await askForKey(work, clientId, userId, draft)
      const after = found(await findKeyRequest(work.tx, clientId, id))
      return { answer: after, objectId: id, after }
    })
    return reply.code(201).send(made)
  })

  const withdrawSchema = accountOperation({
    id: 'withdrawAccountKeyRequest',
    tag: 'Ключи',
    summary: 'Отменить заявку на ключ',
    description: 'Пока склад не решил. Повтор ничего не меняет.',
    params,
    answers: { 200: { description: 'Отменена.', schema: named(KeyRequest) } },
    errors: ['not_found', 'conflict'],
  })
  app.post<IdParams>('/key-requests/:id/withdraw', { schema: withdrawSchema }, async (request) => {
    const id = knownId(request.params.id)
    const { clientId } = visitorOn(request)
    return changeInAccount(dependencies, request, async (work) => {
      const before = await findKeyRequest(work.tx, clientId, id)
      await withdrawKeyRequest(work, clientId, id)
      const after = found(await findKeyRequest(work.tx, clientId, id))
      return { answer: after, objectId: id, before, after }
    })
  })
}

function addReveal(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'revealAccountKey',
    tag: 'Ключи',
    summary: 'Посмотреть выпущенный ключ',
    description:
      'Значение показывается один раз: после этого его нет и у склада. Кто не посмотрел за семь дней, подаёт ' +
      'заявку снова, а ключ отзывается.',
    params,
    body: AccountConfirmation,
    answers: { 200: { description: 'Значение.', schema: named(RevealedKey) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<IdParams>('/key-requests/:id/reveal', { schema }, async (request) => {
    const { password } = sellersBody(AccountConfirmation, request)
    const id = knownId(request.params.id)
    const { clientId } = visitorOn(request)
    await confirmUser(dependencies, request, { password })
    return changeInAccount(dependencies, request, async (work) => {
      const before = await findKeyRequest(work.tx, clientId, id)
      const key = await revealKey(work, dependencies.box, clientId, id)
      const after = found(await findKeyRequest(work.tx, clientId, id))
      return { answer: { request: after, key }, objectId: id, before, after }
    })
  })
}
