import type { Marketplace } from '../clients/marketplace.ts'
import type { Work } from '../db/work.ts'
import { notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { fromTimestamp, type Instant, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import {
  changeOrders,
  lockOrderBook,
  lockOrdersOfCabinet,
  lockOrdersOfShipment,
} from '../orders/change.ts'
import { orderStatus } from '../orders/state.ts'
import { dropGone, type Gone } from './dropping.ts'
import { closeMirrored } from './mirror-closing.ts'
import { recountOrders } from './recount.ts'
import type { ShipmentStatus } from './state.ts'
import { acceptShipment } from './verbs.ts'

/**
 * Shipments that are made in the marketplace's own cabinet. They follow what the marketplace tells:
 *
 * - Open, they reserve nothing: nobody asked the warehouse.
 * - Closed after the cabinet was connected, they take from the ledger what is there and no more;
 *   managers see the rest as missing.
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
  /** Whether all its orders are of companies, where the marketplace says so. */
  readonly isB2b?: boolean
}

interface Known extends Gone {
  readonly status: ShipmentStatus
  readonly closed_at: Timestamp | null
}

export interface Mirroring {
  /** What was closed before, the ledger does not know. */
  readonly connectedAt: Instant
  /** Whether shipments that are not known yet are taken over; those that were, are followed anyway. */
  readonly adds: boolean
  /** All orders that had come by then were told, but for those that can't be read. */
  readonly ordersAsOf: Instant
}

/** The marketplace's clock may be behind ours by so much. */
const clocksDifferMs = 30_000

export async function mirrorShipment(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: ToldShipment,
  { connectedAt, adds, ordersAsOf }: Mirroring,
): Promise<void> {
  await lockOrderBook(work, clientId)
  if (told.isB2b) await noteCompanies(work, clientId, cabinetId, told.orders ?? [])
  const known = await lockByNumber(work, clientId, cabinetId, told.externalId)
  if (known === undefined && (!adds || told.cancelled)) return
  if (known?.mirrored === false) {
    // Ours leads, but it can't go where there is nothing.
    if (told.cancelled && known.status === 'ASSEMBLING') return dropGone(work, clientId, known)
    return noteAcceptance(work, clientId, cabinetId, told)
  }
  const before = told.closedAt !== undefined && told.closedAt < connectedAt
  const shipment = known ?? (await addMirrored(work, clientId, cabinetId, told, before))
  const open = shipment.status === 'ASSEMBLING'
  let unknown = 0
  const orders = told.cancelled ? [] : told.orders
  if (orders !== undefined && (known === undefined || open)) {
    unknown = await takeMembers(work, clientId, cabinetId, shipment, orders)
  }
  if (open && told.cancelled) return dropGone(work, clientId, shipment)
  if (open && told.closedAt !== undefined) {
    // It will be told again, as long as it is open here; its orders before it, if there are any more.
    const mayCome = told.acceptedAt === undefined && told.closedAt > ordersAsOf - clocksDifferMs
    if (unknown > 0 && mayCome) return
    await closeMirrored(work, clientId, shipment.id, Math.min(told.closedAt, work.now))
  }
  await noteAcceptance(work, clientId, cabinetId, told)
}

async function noteCompanies(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  externalIds: readonly string[],
): Promise<void> {
  await tx`
    update orders set is_b2b = true
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and not is_b2b
      and external_id = any(${externalIds as string[]})`
}

/** The marketplace has scanned a shipment that was handed over, whoever made it. */
async function noteAcceptance(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: ToldShipment,
): Promise<void> {
  if (told.acceptedAt === undefined) return
  const known = await lockByNumber(work, clientId, cabinetId, told.externalId)
  if (known?.status !== 'HANDED_OVER' || known.closed_at === null) return
  // Its clock may differ from ours.
  const acceptedAt = Math.max(Math.min(told.acceptedAt, work.now), fromTimestamp(known.closed_at))
  await acceptShipment(work, clientId, known.id, acceptedAt)
}

async function lockByNumber(
  work: Work,
  clientId: string,
  cabinetId: string,
  externalId: string,
): Promise<Known | undefined> {
  const [row] = await work.tx<Known[]>`
    select id, cabinet_id, status, mirrored, created_at, closed_at from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id = ${externalId}
    for no key update`
  return row
}

/** Where it was closed before anybody looked, it is added as it stands, and nothing is announced. */
async function addMirrored(
  work: Work,
  clientId: string,
  cabinetId: string,
  told: ToldShipment,
  before: boolean,
): Promise<Known> {
  const id = newId()
  const accepted = before ? told.acceptedAt : undefined
  const handedOver: ShipmentStatus = accepted === undefined ? 'HANDED_OVER' : 'ACCEPTED'
  const status = before ? handedOver : 'ASSEMBLING'
  const createdAt = toTimestamp(told.createdAt)
  const closedAt = before ? timeOrNull(told.closedAt) : null
  const added = await work.tx<{ marketplace: Marketplace }[]>`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, name, mirrored,
      status, announced_status, created_at, closed_at, accepted_at)
    select ${clientId}, ${id}, id, marketplace, ${told.externalId}, ${told.name ?? null}, true,
      ${status}, ${status}, ${createdAt}, ${closedAt}, ${timeOrNull(accepted)}
    from cabinets where client_id = ${clientId} and id = ${cabinetId}
    returning marketplace`
  if (added.length === 0) throw notFound('Кабинет не найден')
  return {
    id,
    cabinet_id: cabinetId,
    status,
    mirrored: true,
    created_at: createdAt,
    closed_at: closedAt,
  }
}

function timeOrNull(instant: Instant | undefined): Timestamp | null {
  return instant === undefined ? null : toTimestamp(instant)
}

/**
 * The shipment has these orders, of those that are known, and no others. Returns how many are not
 * known.
 */
async function takeMembers(
  work: Work,
  clientId: string,
  cabinetId: string,
  shipment: Known,
  externalIds: readonly string[],
): Promise<number> {
  const told = await lockOrdersOfCabinet(work, clientId, cabinetId, externalIds)
  const members = new Set(told.map(({ id }) => id))
  const present = await lockOrdersOfShipment(work, clientId, shipment.id)
  const phase = shipment.status === 'ASSEMBLING' ? 'mirrored-open' : 'mirrored-closed'
  // An order that this warehouse collects or has handed over stays where it is.
  const joining = told.filter(({ phase }) => phase === 'none')
  const moving = told.filter(
    (order) => order.phase === 'mirrored-open' && order.shipment_id !== shipment.id,
  )
  const leaving = present.filter(({ id }) => !members.has(id))
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
  const left = moving.flatMap((order) => order.shipment_id ?? [])
  await recountOrders(work, clientId, [shipment.id, ...left])
  return new Set(externalIds).size - told.length
}
