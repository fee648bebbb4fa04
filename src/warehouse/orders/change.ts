import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { unannounced } from '../events/outbox.ts'
import { announceOrders } from './announce.ts'
import type { LockedOrder } from './lock.ts'
import type { OrderStatus } from './state.ts'

/**
 * Every update of the table `orders` is a statement of this file. Rows are inserted in intake.ts and
 * deleted only with a sandbox; `order_lines` are written in lines.ts and sets.ts.
 *
 * - A change of the status or of the raw status pair is recorded in `order_status_history`.
 * - A change of the status is announced in the same transaction.
 */

export type OrderFields = Partial<
  Omit<LockedOrder, 'id' | 'cabinet_id' | 'marketplace' | 'observed' | 'phase'>
>

export interface OrderChange {
  readonly order: LockedOrder
  readonly patch: OrderFields
}

/**
 * Changes locked orders: their rows, their history, and the events about them. With the array of ids the server looks
 * rows up one by one; with a join alone it may read all orders of the client.
 */
export async function changeOrders(
  work: SharedWork,
  clientId: string,
  changes: readonly OrderChange[],
): Promise<void> {
  if (changes.length === 0) return
  const { tx } = work
  const rows = changes.map(({ order, patch }) => ({ ...order, ...patch }))
  await tx`
    update orders o set
      status = c.status, marketplace_status = c.marketplace_status,
      supplier_status = c.supplier_status, buyer_status = c.buyer_status,
      status_changed_at = c.status_changed_at, sorted = c.sorted, delivered = c.delivered,
      sorted_at = c.sorted_at, delivered_at = c.delivered_at, shipment_id = c.shipment_id,
      packed_at = c.packed_at, reship_since = c.reship_since, synced_at = c.synced_at,
      announced_status = case when o.status = c.status then o.announced_status else c.status end
    from jsonb_to_recordset(${tx.json(rows)}) as c
      (id uuid, status text, marketplace_status text, supplier_status text, buyer_status text,
       status_changed_at timestamptz, sorted boolean, delivered boolean, sorted_at timestamptz,
       delivered_at timestamptz, shipment_id uuid, packed_at timestamptz, reship_since timestamptz,
       synced_at timestamptz)
    where o.client_id = ${clientId} and o.id = any(${rows.map(({ id }) => id)}::uuid[])
      and o.id = c.id`
  await recordHistory(
    work,
    clientId,
    changes.filter(isTransition).map(({ order, patch }) => ({ ...order, ...patch })),
  )
  await announceChanged(work, clientId, changes)
}

/** A statement by which locked orders are packed. Nobody hears of it. */
export function packStatement(
  { tx, at }: SharedWork,
  clientId: string,
  orderIds: readonly string[],
): Fragment {
  return tx`
    update orders set packed_at = ${at}::timestamptz
    where client_id = ${clientId} and id = any(${orderIds as string[]}::uuid[])`
}

async function announceChanged(
  work: SharedWork,
  clientId: string,
  changes: readonly OrderChange[],
): Promise<void> {
  const changed = changes.filter(
    ({ order, patch }) => (patch.status ?? order.status) !== order.status,
  )
  await announceOrders(
    work,
    clientId,
    new Map(changed.map(({ order }) => [order.id, order.status])),
  )
}

/** Whether the status or the raw status pair changes. */
export function isTransition({ order, patch }: OrderChange): boolean {
  const after = { ...order, ...patch }
  return (
    order.status !== after.status ||
    order.supplier_status !== after.supplier_status ||
    order.buyer_status !== after.buyer_status
  )
}

export interface HistoryEntry {
  readonly id: string
  readonly status: OrderStatus
  readonly supplier_status: string | null
  readonly buyer_status: string | null
}

/** Records the state that orders have from the work's moment on. */
export async function recordHistory(
  work: SharedWork,
  clientId: string,
  entries: readonly HistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const { tx } = work
  const rows = entries.map(({ id, status, supplier_status, buyer_status }) => ({
    id,
    status,
    supplier_status,
    buyer_status,
  }))
  await tx`
    insert into order_status_history (client_id, order_id, at, status, supplier_status, buyer_status)
    select ${clientId}, h.id, ${work.at}, h.status, h.supplier_status, h.buyer_status
    from jsonb_to_recordset(${tx.json(rows)}) as h
      (id uuid, status text, supplier_status text, buyer_status text)`
}

/** What an order shows of its goods: article and barcode come from its first line. */
export interface ShownGoods {
  readonly id: string
  readonly article: string | null
  readonly barcode: string | null
  readonly nm_id: number | null
  readonly is_b2b: boolean
}

/**
 * Changes what orders show of their goods. A known nm_id and a true is_b2b stay. Returns the numbers
 * of the orders that changed.
 */
export async function changeShownGoods(
  { tx }: Work,
  clientId: string,
  goods: readonly ShownGoods[],
): Promise<string[]> {
  const rows = await tx<{ external_id: string }[]>`
    update orders o set article = coalesce(d.article, o.article), barcode = d.barcode,
      nm_id = coalesce(o.nm_id, d.nm_id), is_b2b = o.is_b2b or d.is_b2b
    from jsonb_to_recordset(${tx.json(goods.map((shown) => ({ ...shown })))}) as d
      (id uuid, article text, barcode text, nm_id bigint, is_b2b boolean)
    where o.client_id = ${clientId} and o.id = d.id
      and (o.article, o.barcode, o.nm_id, o.is_b2b) is distinct from
        (coalesce(d.article, o.article), d.barcode, coalesce(o.nm_id, d.nm_id),
         o.is_b2b or d.is_b2b)
    returning o.external_id`
  return rows.map(({ external_id }) => external_id)
}

/** The barcodes of these orders' first lines have changed: the orders show the new ones. */
export async function showFirstBarcodes(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx`
    update orders o set barcode = l.barcode from order_lines l
    where o.client_id = ${clientId} and o.id = any(${orderIds as string[]}::uuid[])
      and l.client_id = o.client_id and l.order_id = o.id and l.line = 1`
}

/** What decides whether and until when an order leaves this warehouse. */
export interface HandOver {
  readonly order_id: string
  readonly remote_warehouse_id: string | null
  readonly reported_deadline_at: string | null
}

/** Changes the warehouse and the deadline of orders. */
export async function changeHandOver(
  { tx }: Work,
  clientId: string,
  orders: readonly HandOver[],
): Promise<void> {
  if (orders.length === 0) return
  const rows = orders.map(({ order_id, remote_warehouse_id, reported_deadline_at }) => ({
    order_id,
    remote_warehouse_id,
    reported_deadline_at,
  }))
  await tx`
    update orders o set remote_warehouse_id = d.remote_warehouse_id,
      deadline_at =
        coalesce(d.reported_deadline_at, deadline_by_rule(o.created_at, k.deadline_hours))
    from jsonb_to_recordset(${tx.json(rows)}) as d
        (order_id uuid, remote_warehouse_id text, reported_deadline_at timestamptz),
      cabinets k
    where o.client_id = ${clientId} and o.id = d.order_id
      and k.client_id = o.client_id and k.id = o.cabinet_id`
}

/** The cabinet's rule has changed: applies it to open orders whose marketplace names no deadline. */
export async function applyDeadlineRule(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await tx`
    update orders o set deadline_at = deadline_by_rule(o.created_at, k.deadline_hours)
    from cabinets k
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
      and k.client_id = o.client_id and k.id = o.cabinet_id
      and o.deadline_at is distinct from deadline_by_rule(o.created_at, k.deadline_hours)
      and not exists (
        select from order_facts f
        where f.client_id = o.client_id and f.order_id = o.id
          and f.reported_deadline_at is not null)`
}

/** Marks orders of a cabinet, by their numbers, as bought by companies. */
export async function markCompanyOrders(
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

/** Announces up to `limit` orders whose status has changed unannounced. Returns how many. */
export async function announceMissedOrders(work: Work, limit: number): Promise<number> {
  const rows = await unannounced<OrderStatus>(work, 'orders', limit)
  for (const [clientId, orders] of Map.groupBy(rows, (row) => row.client_id)) {
    const before = new Map(orders.map((order) => [order.id, order.before]))
    await work.tx`
      update orders set announced_status = status
      where client_id = ${clientId} and id = any(${[...before.keys()]}::uuid[])`
    await announceOrders(work, clientId, before)
  }
  return rows.length
}

/**
 * Shows the observed orders of a cabinet to sellers, as if they were just taken in: without events. One
 * statement: the tallies, which other orders of the client count in, are locked at its end alone.
 */
export async function showObservedOrders(
  { tx }: Work,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  await tx`
    update orders set observed = false
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and observed`
}
