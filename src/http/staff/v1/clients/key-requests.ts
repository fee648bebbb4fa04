import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  acceptKeyRequest,
  declineKeyRequest,
  findKeyRequest,
  KeyRequest,
  listKeyRequests,
} from '../../../../identity/keys/key-requests.ts'
import type { Work } from '../../../../platform/db/work.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import { KeyRequestList } from '../../../account/v1/key-requests.ts'
import { found, knownId } from '../../../route/list.ts'
import { bodyOf, change } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { type ClientParams, clientInPath, clientParams } from './clients.ts'

/** Keys that sellers' owners ask for. Nobody of staff sees the value of one that is issued this way. */

export const KeyRequestDecline = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      title: 'не из одних пробелов',
      description: 'Почему: клиент прочитает это в личном кабинете.',
    }),
  },
  { $id: 'KeyRequestDecline', additionalProperties: false, description: 'Отказ в ключе.' },
)

type RequestParams = { Params: { id: string; request_id: string } }
const requestParams = { ...clientParams, request_id: 'Идентификатор заявки.' }
const config = { role: 'manager' } as const

export function addKeyRequests(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db } = dependencies
  const schema = staffOperation({
    id: 'listKeyRequests',
    tag: 'Клиенты',
    summary: 'Заявки клиента на ключи',
    description: 'Какие ключи API владельцы просили в личном кабинете и чем это кончилось.',
    params: clientParams,
    answers: { 200: { description: 'Заявки.', schema: named(KeyRequestList) } },
    errors: ['not_found'],
  })
  app.get<ClientParams>('/clients/:id/key-requests', { schema, config }, async (request) => ({
    items: await listKeyRequests(db, await clientInPath(db, request.params.id)),
  }))
  addDecisions(app, dependencies)
}

function addDecisions(app: FastifyInstance, dependencies: StaffDependencies): void {
  const { db, accountBox, cell } = dependencies
  const subjectOf = async ({ id, request_id }: RequestParams['Params']) => {
    const clientId = await clientInPath(db, id)
    const objectId = knownId(request_id)
    const look = ({ tx }: Work) => findKeyRequest(tx, clientId, objectId, true)
    return { clientId, objectId, look }
  }

  const acceptSchema = staffOperation({
    id: 'acceptKeyRequest',
    tag: 'Клиенты',
    summary: 'Выпустить ключ по заявке',
    description:
      'Значение склад не видит: его один раз посмотрит владелец в личном кабинете. Кто не посмотрит за семь дней, ' +
      'останется без ключа: он отзовётся. Повтор ничего не меняет.',
    params: requestParams,
    answers: { 200: { description: 'Ключ выпущен.', schema: named(KeyRequest) } },
    errors: ['password_required', 'not_found', 'conflict'],
  })
  app.post<RequestParams>(
    '/clients/:id/key-requests/:request_id/accept',
    { schema: acceptSchema, config: { ...config, asksPassword: true } },
    async (request) => {
      const subject = await subjectOf(request.params)
      const { clientId, objectId: id } = subject
      return change(dependencies, request, subject, async (work) => {
        const changed = await acceptKeyRequest(work, accountBox, clientId, id, cell)
        return { answer: found(await findKeyRequest(work.tx, clientId, id)), changed }
      })
    },
  )

  const declineSchema = staffOperation({
    id: 'declineKeyRequest',
    tag: 'Клиенты',
    summary: 'Отказать в ключе',
    description: 'Причину прочитает клиент. Повтор ничего не меняет.',
    params: requestParams,
    body: KeyRequestDecline,
    answers: { 200: { description: 'В ключе отказано.', schema: named(KeyRequest) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict'],
  })
  app.post<RequestParams>(
    '/clients/:id/key-requests/:request_id/decline',
    { schema: declineSchema, config },
    async (request) => {
      const { reason } = bodyOf(KeyRequestDecline, request)
      const subject = await subjectOf(request.params)
      const { clientId, objectId: id } = subject
      return change(dependencies, request, subject, async (work) => {
        const changed = await declineKeyRequest(work, clientId, id, reason)
        return { answer: found(await findKeyRequest(work.tx, clientId, id)), changed }
      })
    },
  )
}
