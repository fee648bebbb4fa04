import type { Work } from '../../platform/db/work.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import {
  fromTimestamp,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { changeOrders, markCompanyOrders } from '../orders/change.ts'
import {
  lockOrderBook,
  lockOrdersOfCabinet,
  lockOrdersOfShipment,
  phaseOutside,
} from '../orders/lock.ts'
import { nameMergedGoods } from '../orders/merged-lines.ts'
import { orderStatus } from '../orders/state.ts'
import { updateOrdersCount } from './lock.ts'
import { closeMirrored } from './mirror-closing.ts'
import { type MayRemove, type RemovableShipment, removeMissingShipment } from './removal.ts'
import type { ShipmentStatus } from './state.ts'
import { acceptShipment } from './verbs.ts'

/**
 * Mirrored shipments are made in the marketplace's own cabinet and follow its reports:
 *
 * - An open one reserves no units: this warehouse has no picking task for it.
 * - One that is closed after the cabinet was connected takes its units from the ledger, as many as are
 *   free; managers see the others as shortages.
 * - One that was closed before is shown, and the ledger does not change.
 * - One of an observed cabinet, or closed while the cabinet was observed, does not change it either.
 *
 * Of a shipment made here a report changes two things only: the marketplace has accepted it, or no
 * longer has it.
 */
export interface ReportedShipment {
  readonly externalId: string
  readonly name: string | undefined
  readonly createdAt: Instant
  readonly closedAt: Instant | undefined
  readonly acceptedAt: Instant | undefined
  readonly cancelled: boolean
  /** Numbers of all its orders; undefined where the marketplace reports none. */
  readonly orders: readonly string[] | undefined
  /** Companies have bought all of its orders. */
  readonly isB2b?: boolean
}

interface KnownShipment extends RemovableShipment {
  readonly status: ShipmentStatus
  readonly observed: boolean
  readonly closed_at: Timestamp | null
}

export interface MirrorOptions {
  /** Shipments that were closed before this moment do not change the ledger. */
  readonly connectedAt: Instant
  /** The same for shipments that were closed before observing ended; undefined: it never began. */
  readonly observedUntil?: Instant | undefined
  /**
   * Whether to add shipments that are unknown here, as long as one of their orders is stored here or none is reported.
   * Known ones are followed in any case.
   */
  readonly adds: boolean
  /** All orders created by this moment have been reported, except unreadable ones. */
  readonly ordersAsOf: Instant
  /** Whether a shipment that the marketplace no longer has may be deleted here. */
  readonly mayRemove: MayRemove
}

/** How far the marketplace's clock may be behind ours. */
const clocksDifferMs = 30_000

/** Applies a marketplace's report of one shipment, as of the work's moment. */
export async function mirrorShipment(
  work: Work,
  clientId: string,
  cabinetId: string,
  reported: ReportedShipment,
  options: MirrorOptions,
): Promise<void> {
  const { connectedAt, observedUntil = 0, adds, ordersAsOf, mayRemove } = options
  await lockOrderBook(work, clientId)
  const known = await lockByNumber(work, clientId, cabinetId, reported.externalId)
  if (reported.isB2b) await markCompanyOrders(work, clientId, cabinetId, reported.orders ?? [])
  if (known === undefined && (!adds || reported.cancelled)) return
  if (known === undefined && (await hasForeignOrdersAlone(work, clientId, cabinetId, reported))) {
    return
  }
  const isMissing = reported.cancelled && known?.status === 'ASSEMBLING'
  if (known?.mirrored === false) {
    if (isMissing) return removeMissingShipment(work, clientId, known, mayRemove)
    return recordAcceptance(work, clientId, cabinetId, reported)
  }
  const since = Math.max(connectedAt, observedUntil)
  const wasClosedBefore = reported.closedAt !== undefined && reported.closedAt < since
  const shipment =
    known ?? (await addMirrored(work, clientId, cabinetId, reported, wasClosedBefore))
  const isOpen = shipment.status === 'ASSEMBLING'
  const orders = reported.cancelled ? [] : reported.orders
  let unknown = 0
  if (orders !== undefined && (known === undefined || isOpen)) {
    unknown = await takeMembers(work, clientId, cabinetId, shipment, orders)
  }
  if (isMissing) return removeMissingShipment(work, clientId, shipment, mayRemove)
  if (isOpen && reported.closedAt !== undefined) {
    // Unknown orders may still be reported, and so will be the shipment while it is open here.
    const mayFollow =
      reported.acceptedAt === undefined && reported.closedAt > ordersAsOf - clocksDifferMs
    if (unknown > 0 && mayFollow) return
    const movesUnits = !shipment.observed && reported.closedAt > observedUntil
    const closedAt = Math.min(reported.closedAt, work.now)
    await closeMirrored(work, clientId, shipment.id, { closedAt, movesUnits })
  }
  await recordAcceptance(work, clientId, cabinetId, reported)
}

/** Whether the shipment has orders, and all of them are orders of other warehouses. */
async function hasForeignOrdersAlone(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  { orders = [] }: ReportedShipment,
): Promise<boolean> {
  if (orders.length === 0) return false
  const stored = await tx`
    select from orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and external_id = any(${orders as string[]}) limit 1`
  return stored.length === 0
}

/** Accepts a shipment that the marketplace has scanned, whether it was made here or there. */
async function recordAcceptance(
  work: Work,
  clientId: string,
  cabinetId: string,
  reported: ReportedShipment,
): Promise<void> {
  if (reported.acceptedAt === undefined) return
  const known = await lockByNumber(work, clientId, cabinetId, reported.externalId)
  if (known?.status !== 'HANDED_OVER' || known.closed_at === null) return
  // The marketplace's clock may differ from ours.
  const acceptedAt = Math.max(
    Math.min(reported.acceptedAt, work.now),
    fromTimestamp(known.closed_at),
  )
  await acceptShipment(work, clientId, known.id, acceptedAt)
}

async function lockByNumber(
  work: Work,
  clientId: string,
  cabinetId: string,
  externalId: string,
): Promise<KnownShipment | undefined> {
  const [row] = await work.tx<KnownShipment[]>`
    select id, cabinet_id, status, mirrored, observed, created_at, closed_at from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id = ${externalId}
    for no key update`
  return row
}

/** Adds a shipment; one that was closed before the connection gets its final status, unannounced. */
async function addMirrored(
  work: Work,
  clientId: string,
  cabinetId: string,
  reported: ReportedShipment,
  wasClosedBefore: boolean,
): Promise<KnownShipment> {
  const id = newId()
  const accepted = wasClosedBefore ? reported.acceptedAt : undefined
  const handedOver: ShipmentStatus = accepted === undefined ? 'HANDED_OVER' : 'ACCEPTED'
  const status = wasClosedBefore ? handedOver : 'ASSEMBLING'
  const createdAt = toTimestamp(reported.createdAt)
  const closedAt = wasClosedBefore ? timeOrNull(reported.closedAt) : null
  const [added] = await work.tx<{ observed: boolean }[]>`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, name, mirrored,
      observed, status, announced_status, created_at, closed_at, accepted_at)
    select ${clientId}, ${id}, id, marketplace, ${reported.externalId}, ${reported.name ?? null}, true,
      shipments = 'observe', ${status}, ${status}, ${createdAt}, ${closedAt}, ${timeOrNull(accepted)}
    from cabinets where client_id = ${clientId} and id = ${cabinetId}
    returning observed`
  if (added === undefined) throw notFound('Кабинет не найден')
  return {
    id,
    cabinet_id: cabinetId,
    status,
    mirrored: true,
    observed: added.observed,
    created_at: createdAt,
    closed_at: closedAt,
  }
}

function timeOrNull(instant: Instant | undefined): Timestamp | null {
  return instant === undefined ? null : toTimestamp(instant)
}

/** Makes the known ones of these orders the members of the shipment. Returns how many are unknown. */
async function takeMembers(
  work: Work,
  clientId: string,
  cabinetId: string,
  shipment: KnownShipment,
  externalIds: readonly string[],
): Promise<number> {
  const reported = await lockOrdersOfCabinet(work, clientId, cabinetId, externalIds)
  const members = new Set(reported.map(({ id }) => id))
  const present = await lockOrdersOfShipment(work, clientId, shipment.id)
  const phase = shipment.status === 'ASSEMBLING' ? 'mirrored-open' : 'mirrored-closed'
  // An order that this warehouse collects or has handed over stays in its shipment.
  // What sellers saw before the cabinet was observed stays out of observed shipments.
  const joining = reported.filter(
    ({ phase, observed }) =>
      (phase === 'none' || (phase === 'reshipment' && shipment.status === 'ASSEMBLING')) &&
      observed === shipment.observed,
  )
  const moving = reported.filter(
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
      patch: {
        shipment_id: null,
        status: orderStatus(order.marketplace_status, phaseOutside(order)),
      },
    })),
  ])
  // An order that was over before it came into the shipment kept the barcode of goods that were merged: it is here again.
  if (phase === 'mirrored-open') {
    await nameMergedGoods(
      work,
      clientId,
      joining.map(({ id }) => id),
    )
  }
  const left = moving.flatMap((order) => order.shipment_id ?? [])
  await updateOrdersCount(work, clientId, [shipment.id, ...left])
  return new Set(externalIds).size - reported.length
}
