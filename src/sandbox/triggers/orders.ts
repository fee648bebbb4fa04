import { readWildberriesStatus } from '../../exchange/marketplaces/wildberries/status.ts'
import { applyReadings } from '../../warehouse/orders/readings.ts'
import type { OrderStatus } from '../../warehouse/orders/state.ts'
import { bringOrder, type KnownOrder, takeIn } from './bring-order.ts'
import { nextNumber, type Scene, type Touched } from './scene.ts'
import { accept, handOver } from './shipments.ts'

/** Triggers of orders of the WB cabinet. */

export async function newOrder(scene: Scene): Promise<Touched[]> {
  return [touched(await bringOrder(scene))]
}

/** A new order whose goods the marketplace does not name: nobody can collect it. */
export async function newOrderWithoutBarcode(scene: Scene): Promise<Touched[]> {
  const externalId = await nextNumber(scene, 'orders')
  const line = { article: `NO-BARCODE-${externalId}`, quantity: 1 }
  return [touched(await takeIn(scene, externalId, line))]
}

/** The buyer cancels an order that the warehouse has not handed over. */
export async function cancelOrder(scene: Scene): Promise<Touched[]> {
  const order = (await findOrder(scene, ['NEW', 'ASSEMBLING'])) ?? (await bringOrder(scene))
  await report(scene, order, 'cancel', 'declined_by_client')
  return [touched(order)]
}

export async function deliverOrder(scene: Scene): Promise<Touched[]> {
  const known = await findOrder(scene, ['IN_DELIVERY'])
  if (known !== undefined) {
    await report(scene, known, 'complete', 'sold')
    return [touched(known)]
  }
  const shipment = await handOver(scene)
  await accept(scene, shipment)
  const order = await findOrder(scene, ['IN_DELIVERY'])
  if (order === undefined) throw new Error('a shipment left without an order')
  await report(scene, order, 'complete', 'sold')
  return [touched(order), { object: 'shipment', id: shipment }]
}

/** The marketplace reports a status that no rule normalizes. */
export async function reportUnknownStatus(scene: Scene): Promise<Touched[]> {
  const order = (await findOrder(scene, ['NEW'])) ?? (await bringOrder(scene))
  await report(scene, order, 'new', 'awaiting_customs')
  return [touched(order)]
}

/**
 * The newest order in the first of these statuses that has one. Leaves the scenario's orders without a
 * barcode or a report as they are.
 */
async function findOrder(
  { work, clientId, cabinetId }: Scene,
  statuses: readonly OrderStatus[],
): Promise<KnownOrder | undefined> {
  const [order] = await work.tx<KnownOrder[]>`
    select id, external_id as "externalId" from orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and status = any(${[...statuses]})
      and barcode is not null and synced_at <= ${work.at}
    order by array_position(${[...statuses]}::text[], status), created_at desc, id desc limit 1`
  return order
}

async function report(
  { work, clientId, cabinetId }: Scene,
  { externalId }: KnownOrder,
  supplier: string,
  buyer: string,
): Promise<void> {
  const reading = readWildberriesStatus({ supplier, buyer })
  await applyReadings(work, clientId, cabinetId, [{ externalId, reading }])
}

function touched({ id }: KnownOrder): Touched {
  return { object: 'order', id }
}
