import type { Marketplace } from '../clients/marketplace.ts'
import type { Work } from '../db/work.ts'
import { notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import {
  changeOrders,
  type LockedOrder,
  lockOrderBook,
  lockOrdersOfCabinet,
  lockOrdersOfShipment,
} from '../orders/change.ts'
import { orderStatus } from '../orders/state.ts'
import { freeUnits, recordMovements } from '../stock/ledger.ts'
import { announceShipment } from './announce.ts'
import type { ShipmentStatus } from './state.ts'
import { acceptShipment } from './verbs.ts'

/**
 * Shipments that are made in the marketplace's own cabinet. They follow what the marketplace tells:
 *
 * - Open, they reserve nothing: nobody asked the warehouse.
 * - Closed after the cabinet was connected, their units leave the ledger as far as there are any; what
 *   is missing is listed for managers. No balance goes negative.
 * - Closed before that, they are shown, and the ledger does not know them.
 */
export interface ToldShipment {
  readonly externalId: string
  readonly name: string | undefined
  readonly createdAt: Instant
  readonly closedAt: Instant | undefined
  readonly acceptedAt: Instant | undefined
  readonly cancelled: boolean
  /** Undefined where nothing was said of them. */
  readonly orders: readonly string[] | undefined
}

interface Mirrored {
  readonly id: string
  readonly status: ShipmentStatus
  readonly mirrored: boolean
}

export async function mirrorShipment(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: ToldShipment,
  connectedAt: Instant,
): Promise<void> {
  await lockOrderBook(work, clientId)
  const known = await findMirrored(work, clientId, cabinetId, told.externalId)
  if (known?.mirrored === false) return noteAcceptance(work, clientId, cabinetId, told)
  if (known === undefined && told.cancelled) return
  const before = told.closedAt !== undefined && told.closedAt < connectedAt
  const shipment =
    known ??
    (await addMirrored(work, clientId, cabinetId, told, before ? told.closedAt : undefined))
  if (told.orders !== undefined && (known === undefined || shipment.status === 'ASSEMBLING')) {
    await takeMembers(work, clientId, cabinetId, shipment, told.cancelled ? [] : told.orders)
  }
  if (shipment.status === 'ASSEMBLING' && told.closedAt !== undefined) {
    await closeMirrored(work, clientId, shipment.id, told.closedAt)
  }
  await noteAcceptance(work, clientId, cabinetId, told)
}

/** The marketplace has scanned a shipment that was handed over, whoever made it. */
export async function noteAcceptance(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: ToldShipment,
): Promise<void> {
  if (told.acceptedAt === undefined) return
  const known = await findMirrored(work, clientId, cabinetId, told.externalId)
  if (known?.status !== 'HANDED_OVER') return
  await acceptShipment(work, clientId, known.id, told.acceptedAt)
}

async function findMirrored(
  work: Work,
  clientId: string,
  cabinetId: string,
  externalId: string,
): Promise<Mirrored | undefined> {
  const [row] = await work.tx<Mirrored[]>`
    select id, status, mirrored from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id = ${externalId}
    for no key update`
  return row
}

/** Where it was closed before anybody looked, it is added as such, and nothing is announced. */
async function addMirrored(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: ToldShipment,
  closedAt: Instant | undefined,
): Promise<Mirrored> {
  const id = newId()
  const status: ShipmentStatus = closedAt === undefined ? 'ASSEMBLING' : 'HANDED_OVER'
  const added = await work.tx<{ marketplace: Marketplace }[]>`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, name, mirrored,
      status, announced_status, created_at, closed_at)
    select ${clientId}, ${id}, id, marketplace, ${told.externalId}, ${told.name ?? null}, true,
      ${status}, ${status}, ${toTimestamp(told.createdAt)},
      ${closedAt === undefined ? null : toTimestamp(closedAt)}
    from cabinets where client_id = ${clientId} and id = ${cabinetId}
    returning marketplace`
  if (added.length === 0) throw notFound('Кабинет не найден')
  return { id, status, mirrored: true }
}

/** The shipment has these orders, of those that are known, and no others. */
async function takeMembers(
  work: Work,
  clientId: string,
  cabinetId: string,
  shipment: Mirrored,
  externalIds: readonly string[],
): Promise<void> {
  const told = await lockOrdersOfCabinet(work, clientId, cabinetId, externalIds)
  const members = new Set(told.map(({ id }) => id))
  const present = await lockOrdersOfShipment(work, clientId, shipment.id)
  const phase = shipment.status === 'ASSEMBLING' ? 'mirrored' : 'closed'
  // An order that this warehouse collects or has handed over stays where it is.
  const joining = told.filter(({ phase }) => phase === 'none')
  const moving = told.filter(
    (order) => order.phase === 'mirrored' && order.shipment_id !== shipment.id,
  )
  const leaving = present.filter(({ id }) => !members.has(id))
  await uncount(work, clientId, moving)
  await changeOrders(work, clientId, [
    ...[...joining, ...moving].map((order) => ({
      order,
      patch: { shipment_id: shipment.id, status: orderStatus(order.marketplace_status, phase) },
    })),
    ...leaving.map((order) => ({
      order,
      patch: { shipment_id: null, status: orderStatus(order.marketplace_status, 'none') },
    })),
  ])
  await work.tx`
    update shipments s set orders_count = (
      select count(*) from orders o where o.client_id = s.client_id and o.shipment_id = s.id)
    where s.client_id = ${clientId} and s.id = ${shipment.id}`
}

/** Orders leave the shipments that they were in. */
async function uncount(
  work: Work,
  clientId: string,
  orders: readonly LockedOrder[],
): Promise<void> {
  for (const [id, left] of Map.groupBy(orders, (order) => order.shipment_id)) {
    await work.tx`
      update shipments set orders_count = orders_count - ${left.length}
      where client_id = ${clientId} and id = ${id}`
  }
}

interface NeededLine {
  order_id: string
  line: number
  barcode: string | null
  units: number
}

async function closeMirrored(
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
      patch: { status: orderStatus(order.marketplace_status, 'closed') },
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
