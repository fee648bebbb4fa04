import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../../platform/kernel/errors.ts'
import { updateFacts } from '../../../warehouse/orders/facts.ts'
import { lockOrders } from '../../../warehouse/orders/lock.ts'
import { refuseForeign } from '../../../warehouse/shipments/own-warehouses.ts'
import { connectionOfOrder } from '../connecting/connected-cabinet.ts'
import type { RunVerb } from './command-runner.ts'
import { type CoordinatorTools, shippingFor } from './coordinator-tools.ts'
import { refuseWhileEnding } from './request-command.ts'

/**
 * In how many boxes an order is packed. The marketplace takes the number until it has packed the order,
 * and only of goods that need several boxes. A repeat has the same effect.
 */
export interface OrderBoxes {
  readonly clientId: string
  readonly orderId: string
  readonly count: number
}

export async function coordinateOrderBoxes<A>(
  tools: CoordinatorTools,
  boxes: OrderBoxes,
  actor: Actor,
  run: RunVerb<void, A>,
): Promise<A> {
  const { clientId, orderId, count } = boxes
  const order = await connectionOfOrder(tools.db, clientId, orderId)
  if (order === undefined) throw notFound('Заказ не найден')
  const setOrderBoxes = (await shippingFor(tools, order))?.setOrderBoxes
  if (setOrderBoxes === undefined) {
    throw conflict('Число коробок заказа принимает только подключённый кабинет OZON')
  }
  const shipmentId = await shipmentOf(tools, boxes)
  const draft = { kind: 'set_boxes', shipmentId, detail: { orderId, count } } as const
  return tools.runner.runOnBothSides(order, actor, draft, {
    verb: (work) => setBoxesHere(work, boxes),
    run,
    async call() {
      await setOrderBoxes(order.externalId, count)
      return {}
    },
  })
}

async function shipmentOf(
  { db }: CoordinatorTools,
  { clientId, orderId }: OrderBoxes,
): Promise<string | null> {
  const [order] = await db<{ shipment_id: string | null }[]>`
    select shipment_id from orders where client_id = ${clientId} and id = ${orderId}`
  return order?.shipment_id ?? null
}

/** Throws conflict for an order that is not here any more, or never was. */
export async function setBoxesHere(
  work: Work,
  { clientId, orderId, count }: OrderBoxes,
): Promise<void> {
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order === undefined) throw notFound('Заказ не найден')
  const { shipment_id: shipmentId, external_id: number } = order
  if (shipmentId !== null) await refuseWhileEnding(work, clientId, shipmentId)
  await refuseForeign(work, clientId, order.cabinet_id, [order])
  if (order.status !== 'NEW' && order.status !== 'ASSEMBLING') {
    throw conflict(`Заказ ${number} уже передан или отменён: число его коробок не изменить`)
  }
  await updateFacts(work, clientId, [{ orderId, facts: { boxes: count, needsBoxes: false } }])
}
