import type { Transaction } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { fromTimestamp, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import type { OrderStatus, ShipmentPhase } from './state.ts'

/** What verbs read of an order whose row they hold. */
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
  /** Of an observed cabinet: no shipment made here takes it. */
  readonly observed: boolean
  readonly packed_at: Timestamp | null
  /** It came back to be handed over again. */
  readonly reship_since: Timestamp | null
  readonly synced_at: Timestamp | null
  /** `fbs`, or another one by which the seller delivers himself; null where the marketplace does not say. */
  readonly scheme: string | null
  readonly phase: ShipmentPhase
}

/**
 * Lets the verbs that change orders of one client go one after the other. Each of them locks orders, tallies and
 * balances, and no single order of locks fits them all. A verb takes this lock before any other.
 */
export async function lockOrderBook(work: Work, clientId: string): Promise<void> {
  const [client] = await work.tx`
    select id from clients where id = ${clientId} for no key update`
  if (client === undefined) throw notFound('Клиент не найден')
}

/**
 * Locks orders of a client, sorted by id. Throws not_found where the client lacks one of them, naming the first by its
 * index in `order_ids`.
 */
export async function lockOrders(
  work: Work,
  clientId: string,
  ids: readonly string[],
): Promise<LockedOrder[]> {
  const orders = await lockKnownOrders(work, clientId, ids)
  const known = new Set(orders.map(({ id }) => id))
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing < 0) return orders
  throw notFound(ids.length === 1 ? 'Заказ не найден' : `Заказ order_ids[${missing}] не найден`)
}

/** Like lockOrders; unknown ids are skipped. */
export function lockKnownOrders(
  { tx }: SharedWork,
  clientId: string,
  ids: readonly string[],
): Promise<LockedOrder[]> {
  return selectLocked(tx, clientId, tx`and o.id = any(${ids as string[]}::uuid[])`)
}

/** Locks the orders of a cabinet that have these numbers; unknown numbers are skipped. */
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

function selectLocked(tx: Transaction, clientId: string, which: Fragment): Promise<LockedOrder[]> {
  return tx<LockedOrder[]>`
    select o.id, o.cabinet_id, o.marketplace, o.external_id, o.status, o.marketplace_status,
      o.supplier_status, o.buyer_status, o.status_changed_at, o.sorted, o.delivered, o.sorted_at,
      o.delivered_at, o.shipment_id, o.observed, o.packed_at, o.reship_since, o.synced_at, f.scheme,
      case
        when o.shipment_id is null and o.reship_since is null then 'none'
        when o.shipment_id is null then 'reshipment'
        else case when s.mirrored then 'mirrored-' else '' end
          || case when s.status = 'ASSEMBLING' then 'open' else 'closed' end end as phase
    from orders o left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
    left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} ${which}
    order by o.id for update of o`
}

/** The phase of an order that leaves its open shipment. */
export function phaseOutside({ reship_since }: LockedOrder): ShipmentPhase {
  return reship_since === null ? 'none' : 'reshipment'
}

/** Whether the marketplace reported the order at a later moment than this work's. */
export function isReportedLater(work: Work, { synced_at }: LockedOrder): boolean {
  return synced_at !== null && fromTimestamp(synced_at) > work.now
}
