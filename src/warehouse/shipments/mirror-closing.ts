import type { Work } from '../../platform/db/work.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { changeOrders } from '../orders/change.ts'
import { type LockedOrder, lockOrdersOfShipment } from '../orders/lock.ts'
import { takeParts } from '../orders/sets.ts'
import { orderStatus } from '../orders/state.ts'
import { freeUnits } from '../stock/balances.ts'
import { recordMovements } from '../stock/ledger.ts'
import { announceShipment } from './announce.ts'

interface NeededLine {
  order_id: string
  line: number
  barcode: string | null
  units: number
}

export interface MirroredClosing {
  readonly closedAt: Instant
  readonly movesUnits: boolean
}

/**
 * Closes a mirrored shipment: its units leave the ledger, as many as are free, and the others become
 * its shortages. Without `movesUnits` the ledger does not change and nothing is missing.
 */
export async function closeMirrored(
  work: Work,
  clientId: string,
  shipmentId: string,
  { closedAt, movesUnits }: MirroredClosing,
): Promise<void> {
  const orders = await lockOrdersOfShipment(work, clientId, shipmentId)
  const leaving = orders.filter((order) => order.status !== 'CANCELLED')
  const units = movesUnits ? await takeUnits(work, clientId, shipmentId, leaving) : 0
  await work.tx`
    update shipments set status = 'HANDED_OVER', closed_at = ${toTimestamp(closedAt)}, units = ${units}
    where client_id = ${clientId} and id = ${shipmentId}`
  await changeOrders(
    work,
    clientId,
    leaving.map((order) => ({
      order,
      patch: {
        status: orderStatus(order.marketplace_status, 'mirrored-closed'),
        reship_since: null,
      },
    })),
  )
  await announceShipment(work, clientId, shipmentId, 'ASSEMBLING')
}

/** Takes what is free from the ledger and records what is missing. Returns the units that left. */
async function takeUnits(
  work: Work,
  clientId: string,
  shipmentId: string,
  leaving: readonly LockedOrder[],
): Promise<number> {
  const ids = leaving.map(({ id }) => id)
  await takeParts(work, clientId, ids, 'missing')
  const lines = await work.tx<NeededLine[]>`
    select order_id, line, barcode, quantity as units from order_lines
    where client_id = ${clientId} and order_id = any(${ids}::uuid[])
    order by order_id, line`
  const departures = await shareFreeUnits(work, clientId, lines)
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
  await recordShortages(work, clientId, shipmentId, departures)
  return departures.reduce((sum, { left }) => sum + left, 0)
}

interface Departure extends NeededLine {
  /** Units that leave the ledger; the others are missing. */
  readonly left: number
}

/** Gives the free units to the lines, one line after the other, until none are left. */
async function shareFreeUnits(
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

async function recordShortages(
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
