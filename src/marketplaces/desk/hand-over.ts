import type { Queryable } from '../../db/connection.ts'
import { conflict } from '../../kernel/errors.ts'
import { codesOfOrders } from '../../stock/marking.ts'
import type { Shipping } from '../connector.ts'
import { firstOf } from '../naming.ts'
import { cancelledIn, type Member, membersOf } from './members.ts'

/** What a marketplace is asked for when a shipment of ours leaves. */

export const goneWords =
  'На маркетплейсе этой отгрузки больше нет: перенесите её заказы в другую, а пустую мы уберём сами'

/** A shipment here, and its number there. */
export interface Leaving {
  readonly clientId: string
  readonly shipmentId: string
  readonly externalId: string
}

/**
 * The marketplace gets exactly the orders that leave here, with the marking codes of their units.
 * Throws conflict where it can't. Returns what managers should know, in Russian.
 */
export async function handOver(
  db: Queryable,
  shipping: Shipping,
  leaving: Leaving,
): Promise<string | undefined> {
  const { externalId } = leaving
  const standing = await shipping.standingOf(externalId)
  // What has left takes no orders and no codes any more.
  if (standing === 'left') return compareLeft(db, shipping, leaving)
  if (standing === 'gone') {
    throw conflict(goneWords)
  }
  const members = await membersOf(db, leaving.clientId, leaving.shipmentId)
  if (shipping.takesOutOthers !== true) await makeHold(db, shipping, leaving, members)
  await attachMarks(db, shipping, leaving, members)
  await shipping.deliver(externalId, members)
  return undefined
}

/**
 * What has left there, be it by somebody in the cabinet or by an earlier try of ours, against what is
 * to leave here. Throws conflict for orders that stayed behind; returns what managers should know.
 */
export async function compareLeft(
  db: Queryable,
  shipping: Shipping,
  leaving: Leaving,
): Promise<string | undefined> {
  const there = await shipping.ordersOf(leaving.externalId)
  if (there === undefined) return undefined
  const members = await membersOf(db, leaving.clientId, leaving.shipmentId)
  const missing = without(members, there).map((member) => member.externalId)
  if (missing.length > 0) {
    throw conflict(
      `На маркетплейсе отгрузка уже передана без этих заказов, уберите их: ${firstOf(missing)}`,
    )
  }
  const others = await othersAmong(db, leaving, there, members)
  if (others.length === 0) return undefined
  return `С отгрузкой на маркетплейсе ушли заказы, которых в ней здесь нет: ${firstOf(others)}`
}

/** The marketplace's shipment has our orders, and no others but cancelled ones. */
async function makeHold(
  db: Queryable,
  shipping: Shipping,
  leaving: Leaving,
  members: readonly Member[],
): Promise<void> {
  const there = (await shipping.ordersOf(leaving.externalId)) ?? []
  await clearOut(db, shipping, leaving, await othersAmong(db, leaving, there, members))
  // Somebody may have moved them elsewhere in the cabinet.
  const missing = without(members, there)
  if (missing.length > 0) await shipping.fill(leaving.externalId, missing)
}

function without(members: readonly Member[], there: readonly string[]): Member[] {
  const numbers = new Set(there)
  return members.filter(({ externalId }) => !numbers.has(externalId))
}

async function attachMarks(
  db: Queryable,
  shipping: Shipping,
  { clientId }: Leaving,
  members: readonly Member[],
): Promise<void> {
  const ids = members.map(({ id }) => id)
  const codes = await codesOfOrders(db, clientId, ids)
  for (const { id, externalId } of members) {
    const own = codes.get(id)
    if (own !== undefined) await shipping.attachMarks(externalId, own)
  }
}

/**
 * What is in the marketplace's shipment, and not in ours, stays behind where it is free: it was in it
 * before. Throws conflict for what is not known to be.
 */
async function clearOut(
  db: Queryable,
  shipping: Shipping,
  leaving: Leaving,
  others: readonly string[],
): Promise<void> {
  if (others.length === 0) return
  const free = await freeAmong(db, leaving, others)
  const strange = others.filter((number) => !free.has(number))
  if (strange.length > 0) {
    const named = firstOf(strange)
    throw conflict(`В поставке маркетплейса есть заказы, которых нет в этой отгрузке: ${named}`)
  }
  await shipping.putAside(leaving.externalId, others)
}

/** Orders that were cancelled stay in the marketplace's shipment; it knows of that itself. */
async function othersAmong(
  db: Queryable,
  { clientId, shipmentId }: Leaving,
  there: readonly string[],
  members: readonly Member[],
): Promise<string[]> {
  const numbers = new Set(members.map(({ externalId }) => externalId))
  const cancelled = new Set(await cancelledIn(db, clientId, shipmentId))
  return there.filter((number) => !numbers.has(number) && !cancelled.has(number))
}

/** Of these numbers those that are orders of the same cabinet, and in no shipment here. */
async function freeAmong(
  db: Queryable,
  { clientId, shipmentId }: Leaving,
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
