import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { attemptsOf, LoggedAttempt } from '../../../exchange/webhooks/attempts.ts'
import { findDelivery, findWebhook, listDeliveries } from '../../../exchange/webhooks/queries.ts'
import {
  disabledMessage,
  ResendDraft,
  resendDelivery,
  resendMissed,
  resentMax,
} from '../../../exchange/webhooks/resend.ts'
import { Delivery, deliveryStatuses } from '../../../exchange/webhooks/view.ts'
import type { Work } from '../../../platform/db/work.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { performAs } from '../../route/caller-changes.ts'
import { callerOf } from '../../route/gate.ts'
import { found, knownId, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { oneOf, query, shortPages } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { sellersBody } from '../request-body.ts'

export const DeliveryPage = pageSchema(Delivery, 'DeliveryPage', 'Страница журнала доставок.')

export const AttemptList = Type.Object(
  {
    items: Type.Array(named<LoggedAttempt>(LoggedAttempt), { description: 'Попытки по порядку.' }),
  },
  { $id: 'AttemptList', description: 'Попытки одной доставки.' },
)

export const QueuedResend = Type.Object(
  {
    delivery_id: Type.String({ description: 'Новая доставка того же события.' }),
    event_id: Type.String({ description: 'Событие.' }),
    message: Type.String({ description: 'Что сделано.' }),
  },
  { $id: 'QueuedResend', description: 'Событие поставлено в очередь ещё раз.' },
)

export const QueuedResends = Type.Object(
  {
    queued: Type.Integer({ minimum: 0, description: 'Сколько событий поставлено в очередь.' }),
    has_more: Type.Boolean({
      description: `true — это наибольшее за один запрос (${resentMax}): повторите его.`,
    }),
    message: Type.String({ description: 'Что сделано.' }),
  },
  { $id: 'QueuedResends', description: 'События поставлены в очередь ещё раз.' },
)

const deliveriesQuery = query({
  status: oneOf(deliveryStatuses, { description: 'Состояние; без него — все.' }),
  ...shortPages,
})

const subscriptionParam = { id: 'Идентификатор подписки.' }
const deliveryParams = {
  ...subscriptionParam,
  delivery_id: 'Идентификатор доставки или попытки.',
}

interface IdParams {
  Params: { id: string }
}

interface DeliveryParams {
  Params: { id: string; delivery_id: string }
}

/** The delivery log of a subscription, and its repair. */
export function addWebhookDeliveries(app: FastifyInstance, dependencies: PublicDependencies): void {
  addList(app, dependencies)
  addOneDelivery(app, dependencies)
  addResend(app, dependencies)
}

function addList(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'listDeliveries',
    tag: 'Вебхуки',
    summary: 'Журнал доставок',
    description: 'Доставки подписки, новые первыми, без содержимого.',
    query: deliveriesQuery,
    params: subscriptionParam,
    answers: { 200: { description: 'Страница журнала.', schema: named(DeliveryPage) } },
    errors: ['bad_request', 'bad_cursor', 'not_found', 'webhooks_unavailable'],
  })
  app.get<IdParams>('/webhooks/:id/deliveries', { schema }, async (request) => {
    const { clientId } = callerOf(request)
    const { status, limit, cursor } = deliveriesQuery.parse(rawQuery(request))
    const { id } = found(await findWebhook(db, clientId, request.params.id))
    const list = openList(cursors, clientId, 'deliveries', { limit, cursor }, { id, status })
    return list.answer(await listDeliveries(db, clientId, id, status, list.request))
  })
}

function addOneDelivery(app: FastifyInstance, { db }: PublicDependencies): void {
  const schema = publicOperation({
    id: 'getDelivery',
    tag: 'Вебхуки',
    summary: 'Одна доставка',
    description: 'Доставка с событием, как оно отправлено. Годится и значение X-SVC-Delivery.',
    params: deliveryParams,
    answers: { 200: { description: 'Доставка.', schema: named(Delivery) } },
    errors: ['not_found', 'webhooks_unavailable'],
  })
  const path = '/webhooks/:id/deliveries/:delivery_id'
  app.get<DeliveryParams>(path, { schema }, async (request) => {
    const { id, delivery_id: name } = request.params
    return found(await findDelivery(db, callerOf(request).clientId, id, name))
  })

  const attemptsSchema = publicOperation({
    id: 'listDeliveryAttempts',
    tag: 'Вебхуки',
    summary: 'Попытки доставки',
    description: 'Сверх спецификации 1.1. Каждая попытка: когда, чем кончилась, сколько длилась.',
    params: deliveryParams,
    answers: { 200: { description: 'Попытки.', schema: named(AttemptList) } },
    errors: ['not_found', 'webhooks_unavailable'],
  })
  app.get<DeliveryParams>(`${path}/attempts`, { schema: attemptsSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const { id, delivery_id: name } = request.params
    const delivery = found(await findDelivery(db, clientId, id, name))
    return { items: await attemptsOf(db, clientId, delivery.id) }
  })
}

function addResend(app: FastifyInstance, dependencies: PublicDependencies): void {
  const { db } = dependencies
  const oneSchema = publicOperation({
    id: 'resendDelivery',
    tag: 'Вебхуки',
    summary: 'Отправить событие ещё раз',
    description:
      'Сверх спецификации 1.1. Новая доставка того же события: id и тело события прежние, попытки — свои.',
    params: deliveryParams,
    answers: { 202: { description: 'Поставлено в очередь.', schema: named(QueuedResend) } },
    errors: ['bad_request', 'not_found', 'webhooks_unavailable'],
    messages: { bad_request: disabledMessage },
  })
  const onePath = '/webhooks/:id/deliveries/:delivery_id/resend'
  app.post<DeliveryParams>(onePath, { schema: oneSchema }, async (request, reply) => {
    const { clientId } = callerOf(request)
    const { id, delivery_id: name } = request.params
    const delivery = found(await findDelivery(db, clientId, id, name))
    const verb = (work: Work) => resendDelivery(work, clientId, id, delivery.id)
    const queued = await performAs(dependencies, request, verb, (after) => ({
      objectId: id,
      after,
    }))
    return reply.code(202).send({ ...queued, message: 'Событие поставлено в очередь ещё раз' })
  })

  const missedSchema = publicOperation({
    id: 'resendMissedEvents',
    tag: 'Вебхуки',
    summary: 'Отправить пропущенное',
    description:
      'Сверх спецификации 1.1. События периода, которые подписка не получила, старые первыми: с ' +
      'status=FAILED — только те, что не удалось доставить, без него — и те, что были до её создания.',
    params: subscriptionParam,
    body: ResendDraft,
    answers: { 202: { description: 'Поставлены в очередь.', schema: named(QueuedResends) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'webhooks_unavailable'],
  })
  app.post<IdParams>('/webhooks/:id/resend', { schema: missedSchema }, async (request, reply) => {
    const { clientId } = callerOf(request)
    const id = knownId(request.params.id)
    const draft = sellersBody(ResendDraft, request)
    const verb = (work: Work) => resendMissed(work, clientId, id, draft)
    const resent = await performAs(dependencies, request, verb, (after) => ({
      objectId: id,
      after: { ...draft, ...after },
    }))
    const message = resent.queued === 0 ? 'Пропущенных событий нет' : 'События поставлены в очередь'
    return reply.code(202).send({ ...resent, message })
  })
}
