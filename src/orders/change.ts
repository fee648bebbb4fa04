import type { Marketplace } from '../clients/marketplace.ts'
import type { Transaction } from '../db/connection.ts'
import type { Work } from '../db/work.ts'
import { notFound } from '../kernel/errors.ts'
import { fromTimestamp, type Timestamp } from '../kernel/moscow-time.ts'
import { announceOrders } from './announce.ts'
import type { OrderStatus, ShipmentPhase } from './state.ts'

/** What verbs read of an order, locked. */
export interface LockedOrder {
  readonly id: string
  readonly cabinet_id: string
  readonly marketplace: Marketplace
  readonly external_id: string
  readonly status: OrderStatus
  readonly marketplace_status: OrderStatus
  readonly supplier_status: string | null
  readonly buyer_status: string | null
  readonly status_changed_at: Timestamp | null
  readonly sorted: boolean
  readonly delivered: boolean
  readonly sorted_at: Timestamp | null
  readonly delivered_at: Timestamp | null
  readonly shipment_id: string | null
  readonly packed_at: Timestamp | null
  readonly synced_at: Timestamp | null
  readonly phase: ShipmentPhase
}

export type OrderPatch = Partial<Omit<LockedOrder, 'id' | 'cabinet_id' | 'marketplace' | 'phase'>>

export interface OrderChange {
  readonly order: LockedOrder
  readonly patch: OrderPatch
}

/**
 * Verbs that change the orders of a client come one after the other: each touches orders, tallies and
 * balances, and no order of locks suits them all. Taken first, before any other lock of the verb.
 */
export async function lockOrderBook(work: Work, clientId: string): Promise<void> {
  const [client] = await work.tx`
    select id from clients where id = ${clientId} for no key update`
  if (client === undefined) throw notFound('Клиент не найден')
}

/**
 * Locks orders of a client by id, in id order. Throws not_found unless all are there; of several it
 * tells which, by its place in `order_ids`.
 */
export async function lockOrders(
  work: Work,
  clientId: string,
  ids: readonly string[],
): Promise<LockedOrder[]> {
  const { tx } = work
  const orders = await selectLocked(tx, clientId, tx`and o.id = any(${ids as string[]}::uuid[])`)
  const known = new Set(orders.map(({ id }) => id))
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing < 0) return orders
  throw notFound(ids.length === 1 ? 'Заказ не найден' : `Заказ order_ids[${missing}] не найден`)
}

/** Locks those orders of a cabinet that are known, by their numbers in the marketplace. */
export function lockOrdersOfCabinet(
  work: Work,
  clientId: string,
  cabinetId: string,
  externalIds: readonly string[],
): Promise<LockedOrder[]> {
  const { tx } = work
  return selectLocked(
    tx,
    clientId,
    tx`and o.cabinet_id = ${cabinetId} and o.external_id = any(${externalIds as string[]})`,
  )
}

/** Locks all orders of a shipment. */
export function lockOrdersOfShipment(
  work: Work,
  clientId: string,
  shipmentId: string,
): Promise<LockedOrder[]> {
  return selectLocked(work.tx, clientId, work.tx`and o.shipment_id = ${shipmentId}`)
}

function selectLocked(
  tx: Transaction,
  clientId: string,
  which: ReturnType<Transaction>,
): Promise<LockedOrder[]> {
  return tx<LockedOrder[]>`
    select o.id, o.cabinet_id, o.marketplace, o.external_id, o.status, o.marketplace_status,
      o.supplier_status, o.buyer_status, o.status_changed_at, o.sorted, o.delivered, o.sorted_at,
      o.delivered_at, o.shipment_id, o.packed_at, o.synced_at,
      case when o.shipment_id is null then 'none'
        else case when s.mirrored then 'mirrored-' else '' end
          || case when s.status = 'ASSEMBLING' then 'open' else 'closed' end end as phase
    from orders o left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
    where o.client_id = ${clientId} ${which}
    order by o.id for update of o`
}

/** Whether what is told as of the work's moment is older than what was told last. */
export function isOlder(work: Work, { synced_at }: LockedOrder): boolean {
  return synced_at !== null && fromTimestamp(synced_at) > work.now
}

/**
 * The one place that changes orders: the rows, the history of those whose status or raw pair became
 * another, and the announcement of those whose status did.
 */
export async function changeOrders(
  work: Work,
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
      packed_at = c.packed_at, synced_at = c.synced_at, announced_status = c.status
    from jsonb_to_recordset(${tx.json(rows)}) as c
      (id uuid, status text, marketplace_status text, supplier_status text, buyer_status text,
       status_changed_at timestamptz, sorted boolean, delivered boolean, sorted_at timestamptz,
       delivered_at timestamptz, shipment_id uuid, packed_at timestamptz, synced_at timestamptz)
    where o.client_id = ${clientId} and o.id = c.id`
  await recordHistory(
    work,
    clientId,
    changes.filter(isTransition).map(({ order, patch }) => ({ ...order, ...patch })),
  )
  await announceChanged(work, clientId, changes)
}

async function announceChanged(
  work: Work,
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

/** Whether the status or the raw pair becomes another. */
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

/** Writes what orders have become, as of the work's moment. */
export async function recordHistory(
  work: Work,
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
