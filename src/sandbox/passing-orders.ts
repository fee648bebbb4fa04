import { readWildberriesStatus } from '../exchange/marketplaces/wildberries/status.ts'
import { seededRandom } from '../platform/kernel/random.ts'
import type { OrderDraft } from '../warehouse/orders/draft.ts'
import { takeInOrders } from '../warehouse/orders/intake.ts'
import { applyReadings } from '../warehouse/orders/readings.ts'
import { addOrders } from '../warehouse/shipments/verbs.ts'
import { nextReading } from './robot/marketplace.ts'
import { type Good, goods } from './scenario/goods.ts'
import { nextNumbers, type Scene } from './triggers/scene.ts'
import { restock } from './triggers/stock.ts'

/** What a step does with the orders of the WB cabinet. */

/** Takes new orders in, of goods that are free. Brings new units first where hardly any are left. */
export async function takeInNewOrders(scene: Scene, count: number): Promise<OrderDraft[]> {
  if (count === 0) return []
  const { work, clientId, cabinetId } = scene
  const basket = await basketOf(scene, count)
  const numbers = await nextNumbers(scene, 'orders', count)
  const orders = numbers.map((externalId): OrderDraft => {
    const { barcode, article, nmId } = seededRandom(`${clientId} ${externalId}`).pick(basket)
    return {
      externalId,
      createdAt: work.now,
      isB2b: false,
      nmId,
      lines: [{ barcode, ...(article === undefined ? {} : { article }), quantity: 1 }],
      reading: readWildberriesStatus({ supplier: 'new', buyer: 'waiting' }),
    }
  })
  await takeInOrders(work, clientId, cabinetId, orders)
  return orders
}

/** Goods as often as buyers order them. */
async function basketOf(scene: Scene, count: number): Promise<Good[]> {
  const first = await freeUnitsOf(scene)
  const total = [...first.values()].reduce((sum, units) => sum + units, 0)
  if (total >= count * 3) return basketFrom(first)
  await restock(scene)
  return basketFrom(await freeUnitsOf(scene))
}

function basketFrom(free: ReadonlyMap<string, number>): Good[] {
  return goods
    .filter(({ barcode }) => (free.get(barcode) ?? 0) > 0)
    .flatMap((good) => Array.from({ length: good.demand }, () => good))
}

async function freeUnitsOf({ work, clientId }: Scene): Promise<Map<string, number>> {
  const rows = await work.tx<{ barcode: string; units: number }[]>`
    select barcode, quantity - in_question - reserved as units from stock_balances
    where client_id = ${clientId} and quantity - in_question - reserved > 0`
  return new Map(rows.map(({ barcode, units }) => [barcode, units]))
}

/** Orders whose status changes in a step. */
const readingsMax = 500

/** The marketplace reports the next status of every order that is on its way. */
export async function reportNextStatuses({ work, clientId, cabinetId }: Scene): Promise<void> {
  const rows = await work.tx<
    {
      externalId: string
      supplier: string | null
      buyer: string | null
      handedOver: boolean
      accepted: boolean
    }[]
  >`
    select o.external_id as "externalId", o.supplier_status as supplier, o.buyer_status as buyer,
      s.status <> 'ASSEMBLING' as "handedOver", s.accepted_at is not null as accepted
    from orders o join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.status in ('ASSEMBLING', 'IN_DELIVERY') and o.synced_at is not null
    order by s.created_at, o.created_at, o.id limit ${readingsMax}`
  const reported = rows.flatMap(({ accepted, ...order }) => {
    // A step is as long as any stage of an order.
    const acceptedAt = accepted ? Number.NEGATIVE_INFINITY : undefined
    const reading = nextReading({ ...order, acceptedAt }, work.now)
    return reading === undefined ? [] : [{ externalId: order.externalId, reading }]
  })
  await applyReadings(work, clientId, cabinetId, reported)
}

/** Orders that join a shipment in a step. */
const joiningMax = 200

interface WaitingLine {
  id: string
  barcode: string | null
  quantity: number
}

/** Adds the oldest new orders whose goods are free. Answers how many joined. */
export async function joinShipment(scene: Scene, shipmentId: string): Promise<number> {
  const { work, clientId, cabinetId } = scene
  const lines = await work.tx<WaitingLine[]>`
    select o.id, l.barcode, l.quantity
    from (
      select client_id, id, created_at from orders
      where client_id = ${clientId} and cabinet_id = ${cabinetId} and status = 'NEW'
        and shipment_id is null and synced_at is not null
      order by created_at, id limit ${joiningMax}
    ) o
    join order_lines l on l.client_id = o.client_id and l.order_id = o.id
    order by o.created_at, o.id, l.line`
  let free = await freeUnitsOf(scene)
  const joining: string[] = []
  for (const [id, own] of Map.groupBy(lines, (line) => line.id)) {
    const left = new Map(free)
    for (const { barcode, quantity } of own) {
      left.set(barcode ?? '', (left.get(barcode ?? '') ?? 0) - quantity)
    }
    if (own.some(({ barcode }) => (left.get(barcode ?? '') ?? 0) < 0)) continue
    free = left
    joining.push(id)
  }
  if (joining.length === 0) return 0
  return addOrders(work, clientId, shipmentId, joining)
}
