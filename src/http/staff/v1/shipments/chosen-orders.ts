import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { conflict, invalidField, notFound } from '../../../../platform/kernel/errors.ts'
import { named } from '../../../../platform/kernel/schema.ts'
import {
  type ChosenOrder,
  chosenOrders,
  planChosen,
} from '../../../../warehouse/shipments/day-shipment.ts'
import { seesClient } from '../../body-ids.ts'
import { bodyOf } from '../../change.ts'
import type { StaffDependencies } from '../../dependencies.ts'
import { staffOperation } from '../../operation.ts'
import { FilledShipment, JoiningOrders, shipmentSubject } from './shipment-schemas.ts'
import { fillShipment, openFilled, refuseIllFormed, refuseRepeats } from './shipments.ts'

export const ChosenOrders = Type.Object(
  {
    ...JoiningOrders.properties,
    shipment_id: Type.Optional(
      Type.String({ description: 'Открытая отгрузка того же кабинета; без поля откроется новая.' }),
    ),
  },
  {
    $id: 'ChosenOrders',
    additionalProperties: false,
    description: 'Заказы, которые должны уехать вместе.',
  },
)
const ShippedOrders = Type.Object(
  {
    shipment: Type.Union([named(FilledShipment), Type.Null()], {
      description: 'Отгрузка с заказами, которые вошли; null, если не вошёл ни один.',
    }),
    staying: Type.Array(
      Type.Object({
        order_id: Type.String({ description: 'Заказ.' }),
        external_id: Type.String({ description: 'Его номер на маркетплейсе.' }),
        reason: Type.String({ description: 'Что мешает, по-русски.' }),
      }),
      { description: 'Выбранные заказы, которые не вошли.' },
    ),
  },
  { $id: 'ShippedOrders', description: 'Что вышло из выбранных заказов.' },
)

export function addChosenOrders(app: FastifyInstance, dependencies: StaffDependencies): void {
  const schema = staffOperation({
    id: 'shipChosenOrders',
    tag: 'Сборка',
    summary: 'Отгрузить выбранные заказы',
    description:
      'Заказы одного кабинета, для которых товар свободен, входят в новую отгрузку или в открытую, как у ' +
      '`openShipment` и `addOrdersToShipment`. Товар достаётся сначала самым срочным; об остальных сказано, что им мешает. ' +
      'Повтор ничего не меняет: заказы, которые уже в отгрузке, остаются в ней.',
    body: ChosenOrders,
    answers: { 200: { description: 'Отгрузка.', schema: named(ShippedOrders) } },
    errors: ['bad_request', 'validation_error', 'not_found', 'conflict', 'marketplace_unavailable'],
  })
  app.post('/orders/to-shipment', { schema }, async (request) => {
    const { order_ids: ids, shipment_id: shipmentId } = bodyOf(ChosenOrders, request)
    refuseRepeats(ids)
    refuseIllFormed(ids)
    const { clientId, cabinetId, chosen } = await ofOneCabinet(dependencies, request, ids)
    if (shipmentId !== undefined) await refuseAnother(dependencies, shipmentId, clientId)
    const { leaving, staying } = await planChosen(dependencies.db, chosen, shipmentId)
    if (leaving.length === 0) return { shipment: null, staying }
    const shipment =
      shipmentId === undefined
        ? (
            await openFilled(dependencies, request, clientId, {
              cabinet_id: cabinetId,
              order_ids: [...leaving],
            })
          ).shipment
        : await fillShipment(dependencies, request, shipmentId, leaving)
    return { shipment, staying }
  })
}

/** The chosen orders, in the order of their ids. Throws not_found, and validation_error where they are of several cabinets. */
async function ofOneCabinet(
  { db }: StaffDependencies,
  request: FastifyRequest,
  ids: readonly string[],
) {
  const found = new Map((await chosenOrders(db, ids)).map((order) => [order.id, order]))
  const chosen = ids.map((id, index): ChosenOrder => {
    const order = found.get(id)
    if (order === undefined) throw notFound(`Заказ order_ids[${index}] не найден`)
    return order
  })
  const [first, ...others] = chosen
  if (first === undefined) throw notFound('Заказ не найден')
  const { cabinet_id: cabinetId, client_id: clientId } = first
  if (!(await seesClient(db, request, clientId))) throw notFound('Заказ order_ids[0] не найден')
  const other = others.findIndex((order) => order.cabinet_id !== cabinetId)
  if (other >= 0) {
    const rule = 'заказ другого кабинета: в одну отгрузку выбирают заказы одного'
    throw invalidField(`order_ids[${other + 1}]`, rule)
  }
  return { clientId, cabinetId, chosen: [first, ...others] as const }
}

/** Throws not_found for a shipment of another client. */
async function refuseAnother(
  { db }: StaffDependencies,
  shipmentId: string,
  clientId: string,
): Promise<void> {
  const subject = await shipmentSubject(db, shipmentId)
  if (subject.clientId !== clientId)
    throw conflict('Отгрузка другого клиента: выберите отгрузку этого кабинета')
}
