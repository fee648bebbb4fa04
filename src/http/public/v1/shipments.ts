import type { FastifyInstance } from 'fastify'
import { errorMessages } from '../../../platform/kernel/errors.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { marketplaces } from '../../../warehouse/clients/marketplace.ts'
import { findShipment, listShipments } from '../../../warehouse/shipments/queries.ts'
import { shipmentStatuses } from '../../../warehouse/shipments/state.ts'
import { Shipment } from '../../../warehouse/shipments/view.ts'
import { earlyRead } from '../../route/early-read.ts'
import { callerOf } from '../../route/gate.ts'
import { found, knownId, openList, pageSchema, rawQuery } from '../../route/list.ts'
import { oneOf, query, range, shortPages, text, time } from '../../route/query.ts'
import type { PublicDependencies } from '../dependencies.ts'
import { publicOperation } from '../operation.ts'

export const ShipmentPage = pageSchema(Shipment, 'ShipmentPage', 'Страница отгрузок.')

export const shipmentFilters = {
  marketplace: oneOf(marketplaces, { description: 'Маркетплейс; без него — все.' }),
  status: oneOf(shipmentStatuses, { description: 'Состояние; без него — все.' }),
  external_id: text({ description: 'Точный номер в кабинете. Сверх спецификации 1.1.' }),
  created_from: time({ description: 'Открыты не раньше.', example: '2026-11-01' }),
  created_to: time({ description: 'Открыты раньше этого времени.' }),
}
const shipmentsQuery = query({ ...shipmentFilters, ...shortPages })

/** The same words for every id that is none of the client's. */
const whichId =
  'нужен id из ответа сервиса; по номеру маркетплейса ищет GET /v1/shipments?external_id='

export function addShipments(app: FastifyInstance, { db, cursors }: PublicDependencies): void {
  const listSchema = publicOperation({
    id: 'listShipments',
    tag: 'Отгрузки',
    summary: 'Отгрузки',
    description: 'Отгрузки маркетплейсам, новые первыми, без заказов.',
    query: shipmentsQuery,
    answers: { 200: { description: 'Страница отгрузок.', schema: named(ShipmentPage) } },
    errors: ['bad_request', 'bad_cursor'],
  })
  app.get('/shipments', { schema: listSchema }, async (request) => {
    const { clientId } = callerOf(request)
    const { limit, cursor, ...filter } = shipmentsQuery.parse(rawQuery(request))
    range(filter.created_from, filter.created_to, ['created_from', 'created_to'])
    const list = openList(cursors, clientId, 'shipments', { limit, cursor }, filter)
    return list.answer(await listShipments(db, clientId, filter, list.request))
  })

  const shipmentSchema = publicOperation({
    id: 'getShipment',
    tag: 'Отгрузки',
    summary: 'Одна отгрузка',
    description: 'Отгрузка по id сервиса, вместе с её заказами.',
    params: { id: 'Идентификатор отгрузки в сервисе.' },
    answers: { 200: { description: 'Отгрузка с заказами.', schema: named(Shipment) } },
    errors: ['not_found'],
    messages: { not_found: `${errorMessages.not_found}: ${whichId}` },
  })
  const shipment = earlyRead(db, async (tag, client, { params }) =>
    findShipment(tag, client, knownId((params as { id: string }).id, whichId)),
  )
  const shipmentOptions = { schema: shipmentSchema, config: { early: shipment } }
  app.get('/shipments/:id', shipmentOptions, async (request) =>
    found(await shipment.resultFor(request, callerOf(request).clientId), whichId),
  )
}
