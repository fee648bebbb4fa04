import type { Work } from '../../platform/db/work.ts'
import { fromTimestamp, type Instant, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import { recordSync } from '../../warehouse/clients/cabinets.ts'
import type { OrderDraft } from '../../warehouse/orders/draft.ts'
import { takeInOrders } from '../../warehouse/orders/intake.ts'
import { applyReadings } from '../../warehouse/orders/readings.ts'
import { replaceMarketplaceStock } from '../../warehouse/stock/marketplace-stock.ts'
import { newOrders, nextReading } from './marketplace.ts'

/** Orders whose status changes per poll. */
const readingsMax = 10
/** Buyers order goods only while at least this many units are free. */
const unitsLeft = 3

/** Polls the WB cabinet: new orders, the statuses of older orders, and the marketplace stock. */
export async function pollCabinet(
  work: Work,
  clientId: string,
  { cabinetId, polledAt }: { readonly cabinetId: string; readonly polledAt: Instant },
): Promise<void> {
  const inStock = await goodsInStock(work, clientId)
  const orders = newOrders(clientId, polledAt, work.now, inStock)
  if (orders.length > 0) await takeInOrders(work, clientId, cabinetId, orders)
  await reportStatuses(work, clientId, cabinetId)
  await showSoldUnits(work, clientId, cabinetId, orders)
  await recordSync(work, clientId, cabinetId)
}

async function goodsInStock(work: Work, clientId: string): Promise<Set<string>> {
  const rows = await work.tx<{ barcode: string }[]>`
    select barcode from stock_balances
    where client_id = ${clientId} and quantity - in_question - reserved >= ${unitsLeft}`
  return new Set(rows.map((row) => row.barcode))
}

interface ShippedRow {
  external_id: string
  supplier: string | null
  buyer: string | null
  handed_over: boolean
  accepted_at: Timestamp | null
}

/** Reports the next statuses of orders whose shipment was not closed before the copy. */
async function reportStatuses(work: Work, clientId: string, cabinetId: string): Promise<void> {
  const rows = await work.tx<ShippedRow[]>`
    select o.external_id, o.supplier_status as supplier, o.buyer_status as buyer,
      s.status <> 'ASSEMBLING' as handed_over, s.accepted_at
    from sandboxes b
    join shipments s on s.client_id = b.client_id
      and (s.status = 'ASSEMBLING' or s.closed_at > b.copied_at)
    join orders o on o.client_id = s.client_id and o.shipment_id = s.id
    where b.client_id = ${clientId} and s.cabinet_id = ${cabinetId}
      and o.status in ('ASSEMBLING', 'IN_DELIVERY')
    order by s.created_at, o.created_at, o.id`
  const reported = rows.flatMap((row) => {
    const order = {
      externalId: row.external_id,
      supplier: row.supplier,
      buyer: row.buyer,
      handedOver: row.handed_over,
      acceptedAt: row.accepted_at === null ? undefined : fromTimestamp(row.accepted_at),
    }
    const reading = nextReading(order, work.now)
    return reading === undefined ? [] : [{ externalId: order.externalId, reading }]
  })
  await applyReadings(work, clientId, cabinetId, reported.slice(0, readingsMax))
}

interface ShownStock {
  barcode: string
  itemId: number
  quantity: number
  id: number
  name: string
}

/** The cabinet reduces its own stock by the ordered units; it does not know our ledger. */
export async function showSoldUnits(
  work: Work,
  clientId: string,
  cabinetId: string,
  orders: readonly OrderDraft[],
): Promise<void> {
  const shown = await work.tx<ShownStock[]>`
    select barcode, item_id as "itemId", quantity, warehouse_id as id, warehouse_name as name
    from marketplace_stock
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
    order by barcode, warehouse_id`
  const ordered = orders.flatMap(({ lines }) => lines.map(({ barcode }) => barcode))
  for (const barcode of ordered) {
    const stock = shown.find((row) => row.barcode === barcode && row.quantity > 0)
    if (stock !== undefined) stock.quantity -= 1
  }
  const stock = shown.map(({ id, name, ...row }) => ({ ...row, warehouse: { id, name } }))
  await replaceMarketplaceStock(work, clientId, cabinetId, stock)
}
