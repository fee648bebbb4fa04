import type { Work } from '../db/work.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import { changeOrders, lockOrdersOfShipment } from '../orders/change.ts'
import { orderStatus } from '../orders/state.ts'
import { freeUnits, recordMovements } from '../stock/ledger.ts'
import { announceShipment } from './announce.ts'

/** The closing of a shipment that was made in the marketplace's own cabinet. */

interface NeededLine {
  order_id: string
  line: number
  barcode: string | null
  units: number
}

/** Takes its units from the ledger, no more than there are, and lists the rest. */
export async function closeMirrored(
  work: Work,
  clientId: string,
  shipmentId: string,
  closedAt: Instant,
): Promise<void> {
  const { tx } = work
  const orders = await lockOrdersOfShipment(work, clientId, shipmentId)
  const leaving = orders.filter((order) => order.status !== 'CANCELLED')
  const lines = await tx<NeededLine[]>`
    select order_id, line, barcode, quantity as units from order_lines
    where client_id = ${clientId} and order_id = any(${leaving.map(({ id }) => id)}::uuid[])
    order by order_id, line`
  const departures = await shareOut(work, clientId, lines)
  await recordMovements(
    work,
    clientId,
    departures
      .filter(({ barcode, left }) => barcode !== null && left > 0)
      .map(({ barcode, left, order_id }) => ({
        kind: 'shipment',
        barcode: barcode ?? '',
        delta: -left,
        shipmentId,
        orderId: order_id,
      })),
  )
  await listShortages(work, clientId, shipmentId, departures)
  const units = departures.reduce((sum, { left }) => sum + left, 0)
  await tx`
    update shipments set status = 'HANDED_OVER', closed_at = ${toTimestamp(closedAt)}, units = ${units}
    where client_id = ${clientId} and id = ${shipmentId}`
  await changeOrders(
    work,
    clientId,
    leaving.map((order) => ({
      order,
      patch: { status: orderStatus(order.marketplace_status, 'mirrored-closed') },
    })),
  )
  await announceShipment(work, clientId, shipmentId, 'ASSEMBLING')
}

interface Departure extends NeededLine {
  /** Units that leave the ledger; the rest is missing. */
  readonly left: number
}

/** Free units go to the lines one after the other, as far as there are any. */
async function shareOut(
  work: Work,
  clientId: string,
  lines: readonly NeededLine[],
): Promise<Departure[]> {
  const barcodes = lines.flatMap(({ barcode }) => (barcode === null ? [] : [barcode]))
  const free = await freeUnits(work, clientId, barcodes)
  return lines.map((line) => {
    const there = free.get(line.barcode ?? '') ?? 0
    const left = Math.min(there, line.units)
    if (line.barcode !== null) free.set(line.barcode, there - left)
    return { ...line, left }
  })
}

async function listShortages(
  work: Work,
  clientId: string,
  shipmentId: string,
  departures: readonly Departure[],
): Promise<void> {
  const { tx } = work
  const rows = departures
    .filter(({ units, left }) => left < units)
    .map(({ order_id, line, barcode, units, left }) => ({
      order_id,
      line,
      barcode,
      units: units - left,
    }))
  await tx`
    insert into shipment_shortages (client_id, shipment_id, order_id, line, barcode, units)
    select ${clientId}, ${shipmentId}, s.*
    from jsonb_to_recordset(${tx.json(rows)}) as s
      (order_id uuid, line integer, barcode text, units integer)`
}
