import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import type { OrderDraft } from '../orders/draft.ts'
import { takeInOrders } from '../orders/intake.ts'
import { lockOrderBook, lockOrders, lockOrdersOfCabinet } from '../orders/lock.ts'
import { applyReadings } from '../orders/readings.ts'
import { mayJoinShipment, type StatusReading } from '../orders/state.ts'
import type { ShipmentGuard } from '../picking/lock.ts'
import { addOrders, removeOrder } from './verbs.ts'

/**
 * Orders that a marketplace has split. Each part is an order of its own. The order that was split is cancelled, or
 * goes on as one of the parts. The parts take its place in its shipment.
 */

export interface SplitResult {
  readonly cabinetId: string
  readonly orderId: string
  readonly parts: readonly OrderDraft[]
}

/** As OZON reports an order that was split. */
const replaced: StatusReading = {
  supplier: 'cancelled_from_split_pending',
  status: 'CANCELLED',
  sorted: false,
  delivered: false,
}

/**
 * Takes the parts in, and lets them take the place of the order in its open shipment: the units stay
 * reserved. Throws conflict where units of the order are picked already. Returns the ids of the parts.
 */
export async function splitOrder(
  work: Work,
  clientId: string,
  { cabinetId, orderId, parts }: SplitResult,
  guard?: ShipmentGuard,
): Promise<readonly string[]> {
  await lockOrderBook(work, clientId)
  const [order] = await lockOrders(work, clientId, [orderId])
  if (order === undefined) return []
  await refusePicked(work, clientId, orderId, order.external_id)
  const shipmentId = order.phase === 'open' ? order.shipment_id : null
  const numbers = parts.map(({ externalId }) => externalId)
  if (!numbers.includes(order.external_id)) {
    const reading = { externalId: order.external_id, reading: replaced }
    await applyReadings(work, clientId, cabinetId, [reading])
  } else if (shipmentId !== null) {
    await removeOrder(work, clientId, shipmentId, orderId, guard)
  }
  await takeInOrders(work, clientId, cabinetId, parts, true)
  const made = await lockOrdersOfCabinet(work, clientId, cabinetId, numbers)
  const joining = made.filter(({ status, phase }) => mayJoinShipment(status, phase))
  if (shipmentId !== null && joining.length > 0) {
    await addOrders(
      work,
      clientId,
      shipmentId,
      joining.map(({ id }) => id),
      guard,
    )
  }
  if (shipmentId !== null && !numbers.includes(order.external_id)) {
    await removeReplaced(work, clientId, shipmentId, orderId, guard)
  }
  return made.map(({ id }) => id)
}

/**
 * Removes a split order from its shipment once its parts have all of its units. Until then it keeps the
 * place of the parts that are missing: the marketplace may make them later (`splitsToFollow`).
 */
async function removeReplaced(
  work: Work,
  clientId: string,
  shipmentId: string,
  orderId: string,
  guard?: ShipmentGuard,
): Promise<void> {
  const [split] = await work.tx<{ isInside: boolean; isWhole: boolean }[]>`
    select p.shipment_id = ${shipmentId} as "isInside", (
        select coalesce(sum(l.quantity), 0) from order_facts f
        join orders c on c.client_id = f.client_id and c.id = f.order_id
          and c.cabinet_id = p.cabinet_id
        join ordered_lines l on l.client_id = c.client_id and l.order_id = c.id
        where f.client_id = p.client_id and f.parent_number = p.external_id
      ) >= (
        select coalesce(sum(l.quantity), 0) from ordered_lines l
        where l.client_id = p.client_id and l.order_id = p.id
      ) as "isWhole"
    from orders p where p.client_id = ${clientId} and p.id = ${orderId}`
  if (split?.isInside !== true || !split.isWhole) return
  await removeOrder(work, clientId, shipmentId, orderId, guard)
}

/** Throws conflict where units of the order are picked: nobody knows to which part they belong. */
export async function refusePicked(
  work: Work,
  clientId: string,
  orderId: string,
  number: string,
): Promise<void> {
  if (!(await isPicked(work, clientId, orderId))) return
  throw conflict(
    `Заказ ${number} уже собирают: уберите его из отгрузки, чтобы единицы вернулись на полку, и разделите снова`,
  )
}

async function isPicked({ tx }: Work, clientId: string, orderId: string): Promise<boolean> {
  const picked = await tx`
    select line from order_lines
    where client_id = ${clientId} and order_id = ${orderId} and picked > 0 limit 1`
  return picked.length > 0
}

export interface SplitInShipment {
  readonly orderId: string
  readonly shipmentId: string
  readonly parts: readonly string[]
}

/** Cancelled orders in open shipments whose parts, reported by the marketplace, are in no shipment yet. */
export function splitsToFollow({ tx }: Work, clientId: string, cabinetId: string) {
  return tx<SplitInShipment[]>`
    select p.id as "orderId", p.shipment_id as "shipmentId", array_agg(c.id::text order by c.id) as parts
    from orders p
    join shipments s on s.client_id = p.client_id and s.id = p.shipment_id
      and s.status = 'ASSEMBLING' and not s.mirrored
    join order_facts f on f.client_id = p.client_id and f.parent_number = p.external_id
    join orders c on c.client_id = f.client_id and c.id = f.order_id
      and c.cabinet_id = p.cabinet_id and c.shipment_id is null and c.status in ('NEW', 'ASSEMBLING')
    where p.client_id = ${clientId} and p.cabinet_id = ${cabinetId} and p.status = 'CANCELLED'
    group by p.id, p.shipment_id order by p.id limit 100`
}

/**
 * The parts of an order that was split in the marketplace's cabinet join its shipment. The order leaves
 * it with its last part, unless units of it are picked: then a worker puts them back and removes it.
 */
export async function followSplit(
  work: Work,
  clientId: string,
  { orderId, shipmentId, parts }: SplitInShipment,
  guard?: ShipmentGuard,
): Promise<void> {
  await addOrders(work, clientId, shipmentId, parts, guard)
  if (await isPicked(work, clientId, orderId)) return
  await removeReplaced(work, clientId, shipmentId, orderId, guard)
}
