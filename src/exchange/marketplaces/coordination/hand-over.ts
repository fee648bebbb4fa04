import type { Queryable } from '../../../platform/db/connection.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { firstNames } from '../../../platform/kernel/sentences.ts'
import { formerMarksOf, givenMarksOf } from '../../../warehouse/picking/given-marks.ts'
import { ordersWithTakenMarks } from '../../../warehouse/picking/mark-proof-queries.ts'
import { refuseShipmentLackingMarks } from '../../../warehouse/picking/required-marks.ts'
import type { Shipping } from '../connector.ts'
import {
  cancelledIn,
  type LeavingShipment,
  membersOf,
  type ShipmentMember,
} from './shipment-orders.ts'
import { refuseWithoutBoxes, resolveMethod } from './shipping-method.ts'

export const goneMessage =
  'На маркетплейсе этой отгрузки больше нет: перенесите её заказы в другую, а пустую мы уберём сами'

/**
 * Refuses units that lack a required mark. Makes the marketplace's shipment hold exactly the orders that leave here,
 * passes on the marks of their units and the shipping method, and hands the shipment over. Throws conflict where that
 * is impossible. Returns a note for managers, in Russian.
 */
export async function handOverShipment(
  db: Queryable,
  shipping: Shipping,
  leaving: LeavingShipment,
): Promise<string | undefined> {
  const { externalId } = leaving
  const state = await shipping.remoteStateOf(externalId)
  // After the hand-over the marketplace accepts neither orders nor marks.
  if (state === 'handedOver') return compareHandedOver(db, shipping, leaving)
  if (state === 'gone') throw conflict(goneMessage)
  await refuseShipmentLackingMarks(db, leaving.clientId, leaving.shipmentId)
  const { destinations } = shipping
  const method = destinations && (await resolveMethod(db, destinations, leaving))
  if (destinations && method) await refuseWithoutBoxes(destinations, externalId, method)
  const members = await membersOf(db, leaving.clientId, leaving.shipmentId)
  if (shipping.removesOrdersDirectly !== true) await alignContents(db, shipping, leaving, members)
  await attachAllMarks(db, shipping, leaving, members)
  if (method !== undefined) await destinations?.send(externalId, method)
  await shipping.handOver(externalId, members)
  return undefined
}

/** Hands over orders for which the marketplace wants no shipment: it packs them, and has the marks of their units. */
export async function handOverAlone(
  db: Queryable,
  shipping: Shipping,
  leaving: LeavingShipment,
): Promise<string | undefined> {
  await refuseShipmentLackingMarks(db, leaving.clientId, leaving.shipmentId)
  const members = await membersOf(db, leaving.clientId, leaving.shipmentId)
  await attachAllMarks(db, shipping, leaving, members)
  await shipping.pack?.(members, true)
  return 'Маркетплейс не ждёт отгрузки: сдайте заказы в пункт по этикеткам'
}

/**
 * Compares a shipment that the marketplace has taken over, through somebody in its cabinet or an
 * earlier attempt of ours, with the orders that leave here. Throws conflict for orders that stayed
 * behind there; returns a note for managers about others that left with it.
 */
export async function compareHandedOver(
  db: Queryable,
  shipping: Shipping,
  leaving: LeavingShipment,
): Promise<string | undefined> {
  const present = await shipping.ordersOf(leaving.externalId)
  if (present === undefined) return undefined
  const members = await membersOf(db, leaving.clientId, leaving.shipmentId)
  const missing = missingFrom(present, members).map((member) => member.externalId)
  if (missing.length > 0) {
    throw conflict(
      `На маркетплейсе отгрузка уже передана без этих заказов, уберите их: ${firstNames(missing)}`,
    )
  }
  const others = await othersAmong(db, leaving, present, members)
  if (others.length === 0) return undefined
  return `С отгрузкой на маркетплейсе ушли заказы, которых в ней здесь нет: ${firstNames(others)}`
}

/** Gives the marketplace's shipment our orders and no others, except cancelled ones. */
async function alignContents(
  db: Queryable,
  shipping: Shipping,
  leaving: LeavingShipment,
  members: readonly ShipmentMember[],
): Promise<void> {
  const present = (await shipping.ordersOf(leaving.externalId)) ?? []
  await removeOthers(db, shipping, leaving, await othersAmong(db, leaving, present, members))
  // Somebody may have moved them to another shipment in the cabinet.
  const missing = missingFrom(present, members)
  if (missing.length === 0) return
  const refused = await shipping.addOrders(leaving.externalId, missing)
  if (refused.length === 0) return
  const numbers = firstNames(refused.map(({ externalId }) => externalId))
  throw conflict(`Маркетплейс не принял в отгрузку эти заказы, уберите их: ${numbers}`)
}

function missingFrom(
  present: readonly string[],
  members: readonly ShipmentMember[],
): ShipmentMember[] {
  const numbers = new Set(present)
  return members.filter(({ externalId }) => !numbers.has(externalId))
}

/** Passes on what the units of these orders have, unless the marketplace has taken it while they were picked. */
export async function attachAllMarks(
  db: Queryable,
  shipping: Shipping,
  { clientId }: Pick<LeavingShipment, 'clientId'>,
  members: readonly ShipmentMember[],
): Promise<void> {
  const taken = await ordersWithTakenMarks(
    db,
    clientId,
    members.map(({ id }) => id),
  )
  const ids = members.flatMap(({ id }) => (taken.has(id) ? [] : id))
  const [given, former] = await Promise.all([
    givenMarksOf(db, clientId, ids),
    formerMarksOf(db, clientId, ids),
  ])
  const marked = members.flatMap(({ id, externalId }) => {
    const [units = [], formerUnits = []] = [given.get(id), former.get(id)]
    return units.length + formerUnits.length === 0 ? [] : [{ externalId, units, formerUnits }]
  })
  if (marked.length > 0) await shipping.attachMarks(marked)
}

/**
 * Removes orders that are in no shipment here: they were in this one before. Throws conflict for an
 * order that is unknown or in another shipment.
 */
async function removeOthers(
  db: Queryable,
  shipping: Shipping,
  leaving: LeavingShipment,
  others: readonly string[],
): Promise<void> {
  if (others.length === 0) return
  const free = await freeAmong(db, leaving, others)
  const foreign = others.filter((number) => !free.has(number))
  if (foreign.length > 0) {
    throw conflict(
      `В поставке маркетплейса есть заказы, которых нет в этой отгрузке: ${firstNames(foreign)}`,
    )
  }
  await shipping.removeOrders(leaving.externalId, others)
}

/** Without cancelled orders: the marketplace keeps them in its shipment and does not expect them. */
async function othersAmong(
  db: Queryable,
  { clientId, shipmentId }: LeavingShipment,
  present: readonly string[],
  members: readonly ShipmentMember[],
): Promise<string[]> {
  const numbers = new Set(members.map(({ externalId }) => externalId))
  const cancelled = new Set(await cancelledIn(db, clientId, shipmentId))
  return present.filter((number) => !numbers.has(number) && !cancelled.has(number))
}

/** The numbers that belong to orders of the same cabinet that are in no shipment here. */
async function freeAmong(
  db: Queryable,
  { clientId, shipmentId }: LeavingShipment,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db<{ external_id: string }[]>`
    select o.external_id from orders o
    join shipments s on s.client_id = o.client_id and s.cabinet_id = o.cabinet_id
      and s.id = ${shipmentId}
    where o.client_id = ${clientId} and o.external_id = any(${numbers as string[]})
      and o.shipment_id is null`
  return new Set(rows.map((row) => row.external_id))
}
