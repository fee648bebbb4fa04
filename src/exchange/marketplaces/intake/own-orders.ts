import type { Queryable } from '../../../platform/db/connection.ts'
import type { Work } from '../../../platform/db/work.ts'
import { day, type Instant, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import type { OrderDraft } from '../../../warehouse/orders/draft.ts'
import type { OrderFacts } from '../../../warehouse/orders/fact-kinds.ts'
import { type Intake, takeInOrders } from '../../../warehouse/orders/intake.ts'
import { lockOrderBook } from '../../../warehouse/orders/lock.ts'
import type { ReportedReturn } from '../../../warehouse/returns/expected.ts'

/**
 * Orders of a cabinet that are for this warehouse, and those that are not: a seller may also ship from a warehouse of
 * his own, or deliver himself. While no warehouse is chosen, no order is taken in. Then orders of the chosen
 * warehouses are. Each other order leaves a row in `left_out_orders`: staff see how many there are, and one that is
 * reported twice counts once. Stored orders are followed to their end, whatever is chosen later.
 */

/** The marketplace's numbers of the chosen warehouses; null: nobody has chosen. */
export type OwnWarehouses = readonly string[] | null

/**
 * Whether an order is of another warehouse or scheme than the chosen ones; all are while nobody has chosen. Afterwards
 * one whose report names neither is ours.
 */
export function isForeign({ warehouseId, scheme }: OrderFacts, own: OwnWarehouses): boolean {
  if (own === null) return true
  return (warehouseId != null && !own.includes(warehouseId)) || (scheme != null && scheme !== 'fbs')
}

export async function ownWarehousesOf(
  db: Queryable,
  clientId: string,
  cabinetId: string,
): Promise<OwnWarehouses> {
  const [row] = await db<{ own: string[] | null }[]>`
    select own_warehouses as own from cabinets
    where client_id = ${clientId} and id = ${cabinetId}`
  return row?.own ?? null
}

export async function hasOrders(
  db: Queryable,
  clientId: string,
  cabinetId: string,
): Promise<boolean> {
  const rows = await db`
    select from orders where client_id = ${clientId} and cabinet_id = ${cabinetId} limit 1`
  return rows.length > 0
}

/** Takes in the orders that are ours or stored already, and counts the others once warehouses are chosen. */
export async function takeInOwnOrders(
  work: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
): Promise<Intake> {
  await lockOrderBook(work, clientId)
  const own = await ownWarehousesOf(work.tx, clientId, cabinetId)
  const foreign = drafts.filter(({ facts = {} }) => isForeign(facts, own))
  const numbers = foreign.map(({ externalId }) => externalId)
  const stored = await storedAmong(work, clientId, cabinetId, numbers)
  const leftOut = new Set(foreign.filter(({ externalId }) => !stored.has(externalId)))
  const taken = drafts.filter((draft) => !leftOut.has(draft))
  const intake = await takeInOrders(work, clientId, cabinetId, taken, true)
  if (own !== null) {
    await forgetTaken(work, clientId, cabinetId, taken)
    await countLeftOut(work, clientId, cabinetId, [...leftOut])
  }
  return intake
}

async function storedAmong(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set()
  const rows = await tx<{ number: string }[]>`
    select external_id as number from orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and external_id = any(${numbers as string[]})`
  return new Set(rows.map(({ number }) => number))
}

/** The returns that may be expected here: while no warehouse is chosen, those of stored orders alone. */
export async function ownReturns(
  work: Work,
  clientId: string,
  cabinetId: string,
  reported: readonly ReportedReturn[],
): Promise<readonly ReportedReturn[]> {
  if ((await ownWarehousesOf(work.tx, clientId, cabinetId)) !== null) return reported
  const numbers = reported.flatMap(({ orderNumber }) => orderNumber ?? [])
  const stored = await storedAmong(work, clientId, cabinetId, numbers)
  return reported.filter(({ orderNumber }) => orderNumber !== undefined && stored.has(orderNumber))
}

async function forgetTaken(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
): Promise<void> {
  await tx`
    delete from left_out_orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and external_id = any(${drafts.map(({ externalId }) => externalId)})`
}

/** Orders that were left out count for this long after their creation. */
export const leftOutDays = 14
/** The newest that are counted of a cabinet. */
const leftOutMax = 20_000

export const leftOutSince = (now: Instant) => toTimestamp(now - leftOutDays * day)

async function countLeftOut(
  { tx, now }: Work,
  clientId: string,
  cabinetId: string,
  drafts: readonly OrderDraft[],
): Promise<void> {
  const rows = drafts
    .filter(({ createdAt }) => createdAt >= now - leftOutDays * day)
    .map(({ externalId, createdAt, facts }) => ({
      external_id: externalId,
      created_at: toTimestamp(createdAt),
      warehouse_id: facts?.warehouseId ?? null,
      scheme: facts?.scheme === 'fbs' ? null : (facts?.scheme ?? null),
    }))
  if (rows.length === 0) return
  const added = await tx`
    insert into left_out_orders (client_id, cabinet_id, external_id, warehouse_id, scheme, created_at)
    select ${clientId}, ${cabinetId}, d.external_id, d.warehouse_id, d.scheme, d.created_at
    from jsonb_to_recordset(${tx.json(rows)}) as d
      (external_id text, warehouse_id text, scheme text, created_at timestamptz)
    on conflict (client_id, cabinet_id, external_id) do nothing
    returning external_id`
  if (added.length === 0) return
  await tx`
    delete from left_out_orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and created_at <= (
      select created_at from left_out_orders
      where client_id = ${clientId} and cabinet_id = ${cabinetId}
      order by created_at desc offset ${leftOutMax} limit 1)`
}

/** Deletes what is too old to count. */
export async function deleteOldLeftOut(
  { tx, now }: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await tx`
    delete from left_out_orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and created_at < ${leftOutSince(now)}`
}

/** Forgets the left out orders of these warehouses; null: of all. */
export async function forgetLeftOut(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
  own: OwnWarehouses,
): Promise<void> {
  await tx`
    delete from left_out_orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and (${own === null} or warehouse_id = any(${(own ?? []) as string[]}))`
}
