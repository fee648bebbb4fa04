import type { Queryable } from '../../../platform/db/connection.ts'
import { fromTimestamp, type Timestamp, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import type { Period } from '../../../warehouse/metrics/period.ts'
import type { Metrics } from '../../../warehouse/metrics/view.ts'

/** Counts by reason or status. */
type Counts = Record<string, number> | null

export interface StorageFacts {
  readonly units: number
  readonly in_question: number
  readonly sku_count: number
  readonly boxes: number
  readonly pallets: number
}

interface OrderFacts {
  readonly orders: Counts
  readonly sorted_now: number
  readonly delivered_now: number
  readonly sorted_then: number
  readonly delivered_then: number
  readonly history: Timestamp | null
}

/** Counts the figures of a period from rows; it reads no tally, no balance and no total. `stored` is the same for every period, so it is read once. */
export async function readFacts(
  tx: Queryable,
  client: string,
  period: Period,
  stored: StorageFacts,
): Promise<Figures> {
  const moved = await readMoved(tx, client, period)
  const received = await readReceived(tx, client, period)
  const orders = await readOrders(tx, client, period)
  const byCurrentStatus = orders.history === null || fromTimestamp(orders.history) > period.from
  const shortages = received.shortages ?? {}
  const missed = moved.missed ?? {}
  const { expected_units: expected, accepted_units: accepted } = received
  return {
    'funnel.accepted': moved.accepted,
    'funnel.in_storage': stored.units,
    'funnel.shipped': moved.shipped,
    'funnel.sorted_by_marketplace': byCurrentStatus ? orders.sorted_now : orders.sorted_then,
    'funnel.delivered': byCurrentStatus ? orders.delivered_now : orders.delivered_then,
    'funnel.by_current_status': byCurrentStatus,
    'storage.units': stored.units,
    'storage.in_question': stored.in_question,
    'storage.sku_count': stored.sku_count,
    'storage.boxes': stored.boxes,
    'storage.pallets': stored.pallets,
    'storage.received': moved.accepted,
    'storage.shipped': moved.shipped,
    'receiving.receipts': received.receipts,
    'receiving.expected_units': expected,
    'receiving.accepted_units': accepted,
    'receiving.fill_rate': expected === 0 ? 0 : Math.min(1, accepted / expected),
    'receiving.discrepancy_units': sum(shortages),
    'receiving.shortages_by_reason': shortages,
    'shipments.orders_total': sum(orders.orders ?? {}),
    'shipments.orders_by_status': orders.orders ?? {},
    'shipments.shipments_closed': moved.closed,
    'shipments.units_shipped': moved.shipped,
    'shipments.cancelled': orders.orders?.CANCELLED ?? 0,
    'shipments.not_found': sum(missed),
    'shipments.not_found_by_reason': missed,
  }
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

export async function readStorage(tx: Queryable, client: string): Promise<StorageFacts> {
  const [row] = await tx<[StorageFacts]>`
    select m.*, x.* from (
      select coalesce(sum(units), 0)::bigint as units, coalesce(sum(in_question), 0)::bigint as in_question,
        count(*) filter (where units > 0) as sku_count
      from (
        select sum(delta) as units, sum(question_delta) as in_question
        from stock_movements where client_id = ${client} group by barcode
      ) b
    ) m, (
      select count(distinct c.box_id) as boxes, count(distinct b.pallet_id) as pallets
      from box_contents c
      join boxes b on b.client_id = c.client_id and b.id = c.box_id
      where c.client_id = ${client}
    ) x`
  return row
}

async function readMoved(tx: Queryable, client: string, period: Period) {
  const [from, to] = [toTimestamp(period.from), toTimestamp(period.to)]
  const [row] = await tx<[{ accepted: number; shipped: number; closed: number; missed: Counts }]>`
    select (
        select coalesce(sum(delta), 0)::bigint from stock_movements
        where client_id = ${client} and kind = 'acceptance' and at >= ${from} and at < ${to}
      ) as accepted, (
        select coalesce(-sum(m.delta), 0)::bigint
        from stock_movements m
        join shipments s on s.client_id = m.client_id and s.id = m.shipment_id
        where m.client_id = ${client} and m.kind = 'shipment' and s.closed_at >= ${from}
          and s.closed_at < ${to}
      ) as shipped, (
        select count(*) from shipments
        where client_id = ${client} and not observed and closed_at >= ${from} and closed_at < ${to}
      ) as closed, (
        select json_object_agg(reason, units) from (
          select reason, sum(units) as units from pick_misses
          where client_id = ${client} and at >= ${from} and at < ${to} group by 1
        ) r
      ) as missed`
  return row
}

async function readReceived(tx: Queryable, client: string, period: Period) {
  const [from, to] = [toTimestamp(period.from), toTimestamp(period.to)]
  const [row] = await tx<
    [{ receipts: number; expected_units: number; accepted_units: number; shortages: Counts }]
  >`
    with lines as (
      select i.* from receipts r
      join receipt_items i on i.client_id = r.client_id and i.receipt_id = r.id
      where r.client_id = ${client} and r.cancelled_at is null
        and r.completed_at >= ${from} and r.completed_at < ${to}
    )
    select (
        select count(*) from receipts
        where client_id = ${client} and cancelled_at is null
          and completed_at >= ${from} and completed_at < ${to}
      ) as receipts,
      coalesce(sum(expected_qty), 0)::bigint as expected_units,
      coalesce(sum(accepted_qty), 0)::bigint as accepted_units, (
        select json_object_agg(reason, units) from (
          select coalesce(shortage_reason, 'OTHER') as reason, sum(expected_qty - accepted_qty) as units
          from lines where accepted_qty < expected_qty group by 1
        ) s
      ) as shortages
    from lines`
  return row
}

async function readOrders(tx: Queryable, client: string, period: Period): Promise<OrderFacts> {
  const [from, to] = [toTimestamp(period.from), toTimestamp(period.to)]
  const [row] = await tx<[OrderFacts]>`
    with created as (
      select status, count(*) as orders, count(*) filter (where sorted) as sorted,
        count(*) filter (where delivered) as delivered
      from orders
      where client_id = ${client} and not observed and created_at >= ${from} and created_at < ${to}
      group by 1
    )
    select json_object_agg(status, orders) filter (where status is not null) as orders,
      coalesce(sum(sorted), 0)::bigint as sorted_now,
      coalesce(sum(delivered), 0)::bigint as delivered_now, (
        select count(*) from orders
        where client_id = ${client} and not observed
          and (sorted_at >= ${from} and sorted_at < ${to} or delivered_at >= ${from} and delivered_at < ${to})
      ) as sorted_then, (
        select count(*) from orders
        where client_id = ${client} and not observed and delivered_at >= ${from} and delivered_at < ${to}
      ) as delivered_then, (
        select history_since from cabinets
        where client_id = ${client} and shipments <> 'observe' and not has_hidden_rows
        order by history_since desc nulls last limit 1
      ) as history
    from created`
  return row
}

/** Figures by their names in the API; counts by reason or status leave out zeros. */
export type Figures = Readonly<Record<string, unknown>>

export function figuresOf({ funnel, storage, receiving, shipments }: Metrics): Figures {
  const { shortages_by_reason, fill_rate, ...received } = receiving
  const { orders_by_status, not_found_by_reason, ...shipped } = shipments
  const reasons = (counts: readonly { reason: string; count: number }[]) =>
    Object.fromEntries(counts.map(({ reason, count }) => [reason, count]))
  return {
    ...prefixed('funnel', funnel),
    ...prefixed('storage', storage),
    ...prefixed('receiving', received),
    ...prefixed('shipments', shipped),
    'receiving.fill_rate': fill_rate,
    'receiving.shortages_by_reason': reasons(shortages_by_reason),
    'shipments.not_found_by_reason': reasons(not_found_by_reason),
    'shipments.orders_by_status': Object.fromEntries(
      orders_by_status.flatMap(({ status, count }) => (count === 0 ? [] : [[status, count]])),
    ),
  }
}

function prefixed(group: string, figures: object): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [`${group}.${key}`, value]),
  )
}
