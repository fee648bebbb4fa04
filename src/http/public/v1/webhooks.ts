import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { findWebhook, listWebhooks } from '../../../exchange/webhooks/queries.ts'
import {
  problemOfUrl,
  queuePing,
  refuseWhileOff,
  type SubscriptionDependencies,
  subscribe,
  unsubscribe,
  WebhookDraft,
} from '../../../exchange/webhooks/subscriptions.ts'
import { Webhook } from '../../../exchange/webhooks/view.ts'
import type { Work } from '../../../platform/db/work.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { performAs } from '../../route/caller-changes.ts'
import { callerOf } from '../../route/gate.ts'
import { found, knownId } from '../../route/list.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { sellersBodyJudged } from '../request-body.ts'
import { addWebhookDeliveries } from './webhook-deliveries.ts'

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
    addWebhookDeliveries(part, dependencies)
  })
}

/** `/webhooks`: create and list. */
function addAllSubscriptions(
  app: FastifyInstance,
  { db, turns, webhooks }: WebhookDependencies,
): void {
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
    messages: {
      webhook_limit: 'Уже есть 10 подписок: удалите ненужную и повторите',
      webhook_url_unverified:
        'Подписка не создана, url не прошёл проверку. Адрес ответил кодом 500: ошибка на стороне получателя',
    },
  })
  app.post('/webhooks', { schema: createSchema }, async (request, reply) => {
    const caller = callerOf(request)
    const draft = await sellersBodyJudged(WebhookDraft, request, (url) =>
      problemOfUrl(webhooks, caller, url),
    )
    reply.header('Cache-Control', 'no-store')
    const subscriber = { ...caller, inTurn: turns.of(caller) }
    return reply.code(201).send(await subscribe(webhooks, subscriber, draft, request.witness))
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
function addOneSubscription(app: FastifyInstance, dependencies: PublicDependencies): void {
  const { db } = dependencies
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
    const id = knownId(request.params.id)
    const { clientId } = callerOf(request)
    const verb = (work: Work) => unsubscribe(work, clientId, id)
    await performAs(dependencies, request, verb, () => ({ objectId: id }))
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
    const id = knownId(request.params.id)
    const { clientId } = callerOf(request)
    const verb = (work: Work) => queuePing(work, clientId, id)
    const { eventId, disabled } = await performAs(dependencies, request, verb, (after) => ({
      objectId: id,
      after,
    }))
    const message = disabled
      ? 'Подписка отключена, проверка не отправлена: создайте подписку заново'
      : 'Проверка поставлена в очередь'
    return reply.code(202).send({ event_id: eventId, message })
  })
}
