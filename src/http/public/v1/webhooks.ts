import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { perform } from '../../../db/work.ts'
import { isId } from '../../../kernel/ids.ts'
import { named } from '../../../kernel/schema.ts'
import {
  findDelivery,
  findWebhook,
  listDeliveries,
  listWebhooks,
} from '../../../webhooks/queries.ts'
import {
  queuePing,
  type SubscriptionDependencies,
  subscribe,
  unsubscribe,
  WebhookDraft,
} from '../../../webhooks/subscriptions.ts'
import { refuseWhileOff } from '../../../webhooks/switch.ts'
import { Delivery, deliveryStatuses, Webhook } from '../../../webhooks/view.ts'
import { decodeBody } from '../../body.ts'
import { callerOf } from '../../gate.ts'
import { found, openList, pageSchema, rawQuery } from '../../list.ts'
import { cursorText, limit, oneOf, query } from '../../query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const DeliveryPage = pageSchema(Delivery, 'DeliveryPage', 'Страница журнала доставок.')

export const WebhookList = Type.Object(
  {
    items: Type.Array(named<Webhook>(Webhook), {
      description: 'Подписки, новые первыми.',
    }),
  },
  { $id: 'WebhookList', description: 'Подписки клиента.' },
)

export const CreatedWebhook = Type.Object(
  {
    webhook: named<Webhook>(Webhook),
    secret: Type.String({ description: 'Секрет подписи. Показан один раз.' }),
  },
  { $id: 'CreatedWebhook', description: 'Новая подписка и её секрет.' },
)

export const QueuedPing = Type.Object(
  {
    event_id: Type.String({ description: 'Событие проверки: его видно в журнале доставок.' }),
    message: Type.String({ description: 'Что сделано.' }),
  },
  { $id: 'QueuedPing', description: 'Проверка поставлена в очередь.' },
)

const deliveriesQuery = query({
  status: oneOf(deliveryStatuses, { description: 'Состояние; без него — все.' }),
  limit: limit({ default: 50, max: 200 }),
  cursor: cursorText(),
})

interface IdParams {
  Params: { id: string }
}

interface WebhookDependencies extends PublicDependencies {
  readonly webhooks: SubscriptionDependencies
}

export function addWebhooks(app: FastifyInstance, dependencies: WebhookDependencies): void {
  app.register(async (part) => {
    part.addHook('preHandler', () => refuseWhileOff(dependencies.db))
    addAllSubscriptions(part, dependencies)
    addOneSubscription(part, dependencies)
    addDeliveries(part, dependencies)
  })
}

/** `/webhooks`: create and list. */
function addAllSubscriptions(app: FastifyInstance, { db, webhooks }: WebhookDependencies): void {
  const createSchema = publicOperation({
    id: 'createWebhook',
    tag: 'Вебхуки',
    summary: 'Подписаться на события',
    description:
      'Перед созданием на адрес приходит webhook.ping: ответьте 2xx за 10 секунд. Секрет подписи ' +
      'показан один раз.',
    body: WebhookDraft,
    answers: { 201: { description: 'Подписка создана.', schema: named(CreatedWebhook) } },
    errors: [
      'bad_request',
      'validation_error',
      'webhook_url_unverified',
      'webhook_limit',
      'webhooks_unavailable',
    ],
  })
  app.post('/webhooks', { schema: createSchema }, async (request, reply) => {
    const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
    const draft = decodeBody(WebhookDraft, request.bodyType, bytes, { emptyIsAbsent: true })
    reply.header('Cache-Control', 'no-store')
    return reply.code(201).send(await subscribe(webhooks, callerOf(request), draft))
  })

  const listSchema = publicOperation({
    id: 'listWebhooks',
    tag: 'Вебхуки',
    summary: 'Подписки',
    description: 'Все подписки клиента, новые первыми.',
    answers: { 200: { description: 'Подписки.', schema: named(WebhookList) } },
    errors: ['webhooks_unavailable'],
  })
  app.get('/webhooks', { schema: listSchema }, async (request) => ({
    items: await listWebhooks(db, callerOf(request).clientId),
  }))
}

/** `/webhooks/:id`: show, delete and ping. */
function addOneSubscription(app: FastifyInstance, { db, clock }: PublicDependencies): void {
  const params = { id: 'Идентификатор подписки.' }
  const oneSchema = publicOperation({
    id: 'getWebhook',
    tag: 'Вебхуки',
    summary: 'Одна подписка',
    description: 'Подписка по id, без секрета.',
    params,
    answers: { 200: { description: 'Подписка.', schema: named(Webhook) } },
    errors: ['not_found', 'webhooks_unavailable'],
  })
  app.get<IdParams>('/webhooks/:id', { schema: oneSchema }, async (request) =>
    found(await findWebhook(db, callerOf(request).clientId, request.params.id)),
  )

  const deleteSchema = publicOperation({
    id: 'deleteWebhook',
    tag: 'Вебхуки',
    summary: 'Удалить подписку',
    description: 'Доставки прекращаются сразу, журнал удаляется вместе с подпиской.',
    params,
    answers: { 204: { description: 'Удалена.' } },
    errors: ['not_found', 'webhooks_unavailable'],
  })
  app.delete<IdParams>('/webhooks/:id', { schema: deleteSchema }, async (request, reply) => {
    const id = knownForm(request.params.id)
    const { clientId, keyId } = callerOf(request)
    await perform(db, clock, { kind: 'key', keyId }, (work) => unsubscribe(work, clientId, id))
    return reply.code(204).send()
  })

  const pingSchema = publicOperation({
    id: 'pingWebhook',
    tag: 'Вебхуки',
    summary: 'Проверить подписку',
    description: 'Ставит в очередь webhook.ping; итог виден в журнале доставок.',
    params,
    answers: { 202: { description: 'Поставлена в очередь.', schema: named(QueuedPing) } },
    errors: ['not_found', 'webhooks_unavailable'],
  })
  app.post<IdParams>('/webhooks/:id/ping', { schema: pingSchema }, async (request, reply) => {
    const id = knownForm(request.params.id)
    const { clientId, keyId } = callerOf(request)
    const eventId = await perform(db, clock, { kind: 'key', keyId }, (work) =>
      queuePing(work, clientId, id),
    )
    return reply.code(202).send({ event_id: eventId, message: 'Проверка поставлена в очередь' })
  })
}

function addDeliveries(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listDeliveries',
    tag: 'Вебхуки',
    summary: 'Журнал доставок',
    description: 'Доставки подписки, новые первыми, без содержимого.',
    query: deliveriesQuery,
    params: { id: 'Идентификатор подписки.' },
    answers: { 200: { description: 'Страница журнала.', schema: named(DeliveryPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found', 'webhooks_unavailable'],
  })
  app.get<IdParams>('/webhooks/:id/deliveries', { schema: listSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const { status, limit, cursor } = deliveriesQuery.parse(rawQuery(request))
    const { id } = found(await findWebhook(db, clientId, request.params.id))
    const list = openList(cursors, clientId, 'deliveries', { limit, cursor }, { id, status })
    return list.answer(await listDeliveries(db, clientId, id, status, list.request))
  })

  const oneSchema = publicOperation({
    id: 'getDelivery',
    tag: 'Вебхуки',
    summary: 'Одна доставка',
    description: 'Доставка с событием, как оно отправлено. Годится и значение X-SVC-Delivery.',
    params: { id: 'Идентификатор подписки.', delivery_id: 'Идентификатор доставки или попытки.' },
    answers: { 200: { description: 'Доставка.', schema: named(Delivery) } },
    errors: ['not_found', 'webhooks_unavailable'],
  })
  app.get<{ Params: { id: string; delivery_id: string } }>(
    '/webhooks/:id/deliveries/:delivery_id',
    { schema: oneSchema },
    async (request) => {
      const { id, delivery_id: deliveryId } = request.params
      return found(await findDelivery(db, callerOf(request).clientId, id, deliveryId))
    },
  )
}

/** The id; throws not_found if it can not be an id. */
function knownForm(id: string): string {
  return found(isId(id) ? id : undefined)
}
