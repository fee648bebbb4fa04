import type { Queryable } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { conflict } from '../kernel/errors.ts'
import { codesOfOrders } from '../stock/marking.ts'
import type { Shipping } from './connector.ts'
import { membersOf, shippedOrders } from './members.ts'

/** What a marketplace is asked for when a shipment of ours leaves. */

/** Orders get the codes of their units, but for those that have got the same already. */
export async function attachMarks(
  db: Queryable,
  shipping: Shipping,
  clientId: string,
  shipmentId: string,
  attached: Map<string, string>,
): Promise<void> {
  const orders = await membersOf(db, clientId, shipmentId)
  const ids = orders.map(({ id }) => id)
  const codes = await codesOfOrders(db, clientId, ids)
  for (const { id, externalId } of orders) {
    const own = codes.get(id)
    if (own === undefined || attached.get(id) === own.join()) continue
    await shipping.attachMarks(externalId, own)
    attached.set(id, own.join())
  }
}

/** The marketplace gets exactly the orders that leave here. */
export async function handOver(
  work: Work,
  shipping: Shipping,
  clientId: string,
  shipmentId: string,
  externalId: string,
): Promise<void> {
  const leaving = await membersOf(work.tx, clientId, shipmentId)
  if (shipping.takesOutOthers !== true) {
    const numbers = new Set(leaving.map((order) => order.externalId))
    await refuseOthers(work, shipping, clientId, shipmentId, externalId, numbers)
  }
  const ids = leaving.map(({ id }) => id)
  await shipping.deliver(externalId, await shippedOrders(work.tx, clientId, ids))
}

async function refuseOthers(
  work: Work,
  shipping: Shipping,
  clientId: string,
  shipmentId: string,
  externalId: string,
  leaving: ReadonlySet<string>,
): Promise<void> {
  const there = (await shipping.ordersOf(externalId)) ?? []
  const foreign = there.filter((number) => !leaving.has(number))
  const here = await cancelledAmong(work, clientId, shipmentId, foreign)
  const extra = foreign.filter((number) => !here.has(number))
  if (extra.length === 0) return
  throw conflict(
    `В поставке маркетплейса есть заказы, которых нет в этой отгрузке: ${extra.slice(0, 5).join(', ')}`,
  )
}

/** Orders that were cancelled stay in the marketplace's shipment; it knows of that itself. */
async function cancelledAmong(
  work: Work,
  clientId: string,
  shipmentId: string,
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await work.tx<{ external_id: string }[]>`
    select external_id from orders
    where client_id = ${clientId} and shipment_id = ${shipmentId} and status = 'CANCELLED'
      and external_id = any(${externalIds as string[]})`
  return new Set(rows.map((row) => row.external_id))
}
