import type { FastifyInstance } from 'fastify'
import { errorMessages } from '../../../platform/kernel/errors.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { marketplaces } from '../../../warehouse/clients/marketplace.ts'
import { findOrderDetails, OrderDetails } from '../../../warehouse/orders/details.ts'
import { findOrder, listOrders } from '../../../warehouse/orders/queries.ts'
import { orderStatuses } from '../../../warehouse/orders/state.ts'
import { Order } from '../../../warehouse/orders/view.ts'
import { earlyRead } from '../../route/early-read.ts'
import { callerOf } from '../../route/gate.ts'
import { found, knownId, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { longPages, oneOf, query, range, text, time } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'
import { orderedWords } from './stock.ts'

export const OrderPage = pageSchema(Order, 'OrderPage', 'Страница заказов.')

export const orderFilters = {
  marketplace: oneOf(marketplaces, { description: 'Маркетплейс; без него — все.' }),
  status: oneOf(orderStatuses, { description: 'Статус; без него — все.' }),
  shipment_id: text({ description: 'Заказы одной отгрузки, по её id (не external_id).' }),
  barcode: text({ description: 'Точный штрихкод.' }),
  external_id: text({ description: 'Точный номер в кабинете. Сверх спецификации 1.1.' }),
  words: orderedWords,
  created_from: time({ description: 'Созданы не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Созданы раньше этого времени.' }),
}
const ordersQuery = query({ ...orderFilters, ...longPages })

/** The same words for every id that is none of the client's. */
const whichId =
  'нужен id из ответа сервиса; по номеру маркетплейса ищет GET /v1/orders?external_id='

export function addOrderRoutes(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listOrders',
    tag: 'Заказы',
    summary: 'Заказы',
    description:
      'Заказы FBS, новые первыми. Для регулярной выгрузки задавайте окно created_from и created_to.',
    query: ordersQuery,
    answers: { 200: { description: 'Страница заказов.', schema: named(OrderPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/orders', { schema: listSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const { limit, cursor, ...filter } = ordersQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, clientId, 'orders', { limit, cursor }, filter)
    return list.answer(await listOrders(db, clientId, filter, list.request))
  })

  const orderSchema = publicOperation({
    id: 'getOrder',
    tag: 'Заказы',
    summary: 'Один заказ',
    description: 'Заказ по id сервиса.',
    params: { id: 'Идентификатор заказа в сервисе.' },
    answers: { 200: { description: 'Заказ.', schema: named(Order) } },
    errors: ['not_found'],
    messages: { not_found: `${errorMessages.not_found}: ${whichId}` },
  })
  const order = earlyRead(db, async (tag, client, { params }) =>
    findOrder(tag, client, knownId((params as { id: string }).id, whichId)),
  )
  const orderOptions = { schema: orderSchema, config: { early: order } }
  app.get('/orders/:id', orderOptions, async (request) =>
    found(await order.resultFor(request, callerOf(request).clientId), whichId),
  )

  const detailsSchema = publicOperation({
    id: 'getOrderDetails',
    tag: 'Заказы',
    summary: 'Состав и история заказа',
    description:
      'Сверх спецификации 1.1. Все товары заказа с количеством, кабинет и то, как менялись статусы.',
    params: { id: 'Идентификатор заказа в сервисе.' },
    answers: { 200: { description: 'Состав и история.', schema: named(OrderDetails) } },
    errors: ['not_found'],
    messages: { not_found: `${errorMessages.not_found}: ${whichId}` },
  })
  app.get<{ Params: { id: string } }>(
    '/orders/:id/details',
    { schema: detailsSchema },
    async (request) => {
      const id = knownId(request.params.id, whichId)
      return found(await findOrderDetails(db, callerOf(request).clientId, id), whichId)
    },
  )
}
