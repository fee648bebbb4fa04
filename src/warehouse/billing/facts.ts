import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { BillingScope } from './scope.ts'
import { storageFacts } from './storage-facts.ts'

/**
 * What happened in a month, as rows (service, day, at, source, quantity, own_price). The database has each of these
 * facts anyway: nothing is written for the billing.
 */
export function factsOf(db: Queryable, scope: BillingScope): Fragment {
  const parts = [
    receiptFacts,
    boxFacts,
    palletFacts,
    countFacts,
    labelFacts,
    packFacts,
    markFacts,
    checkFacts,
    shipmentFacts,
    shipmentBoxFacts,
    orderBoxFacts,
    returnFacts,
  ]
  const all = [...parts, manualFacts, storageFacts].map((part): Fragment => part(db, scope))
  return all.reduce((joined, part) => db`${joined} union all ${part}`)
}

/** The moment `at` of a row lies in the month, and the row was there at `asOf`. */
function counts(db: Queryable, { from, to, asOf }: BillingScope, alias: string): Fragment {
  const moment = db(`${alias}.at`)
  return db`${moment} >= ${from} and ${moment} < ${to} and ${there(db, asOf, alias)}`
}

function there(db: Queryable, asOf: Timestamp, alias: string): Fragment {
  const undone = db(`${alias}.undone_at`)
  return db`${db(`${alias}.at`)} < ${asOf} and (${undone} is null or ${undone} >= ${asOf})`
}

/** Scans of receipts have no index by time; the ledger says which receipts were counted in the month. */
function receiptScans(db: Queryable, scope: BillingScope): Fragment {
  const { clientId, from, to } = scope
  return db`
    (
      select distinct m.receipt_id from stock_movements m
      where m.client_id = ${clientId} and m.kind = 'acceptance' and m.at >= ${from} and m.at < ${to}
        and m.receipt_id is not null
    ) r
    join receipt_scans s on s.client_id = ${clientId} and s.receipt_id = r.receipt_id
      and ${there(db, scope.asOf, 's')}`
}

function receiptFacts(db: Queryable, scope: BillingScope): Fragment {
  return db`
    select f.service, moscow_day(s.at), min(s.at), 'receipt:' || s.receipt_id, sum(f.units)::numeric, null::bigint
    from ${receiptScans(db, scope)}
    cross join lateral (values ('UNIT_RECEIVED', s.quantity),
      ('MARKED_UNIT_RECEIVED', case when s.marking_code is not null then s.quantity end)) f (service, units)
    where ${counts(db, scope, 's')} and f.units is not null
    group by 1, 2, 4`
}

/** A box counts when its first unit is scanned. */
function boxFacts(db: Queryable, scope: BillingScope): Fragment {
  const { from, to } = scope
  return db`
    select 'BOX_RECEIVED', moscow_day(b.at), min(b.at), 'receipt:' || b.receipt_id, count(*)::numeric, null::bigint
    from (
      select s.receipt_id, s.box_id, min(s.at) as at from ${receiptScans(db, scope)}
      where s.box_id is not null group by 1, 2
    ) b
    where b.at >= ${from} and b.at < ${to}
    group by 2, 4`
}

/** Counting keeps how many there were when it ends: boxes change their pallets later. */
function palletFacts(db: Queryable, { clientId, from, to, asOf }: BillingScope): Fragment {
  return db`
    select 'PALLET_RECEIVED', moscow_day(r.completed_at), r.completed_at, 'receipt:' || r.id, r.pallets::numeric,
      null::bigint
    from receipts r
    where r.client_id = ${clientId} and r.completed_at >= ${from} and r.completed_at < ${to}
      and r.completed_at < ${asOf} and r.pallets > 0`
}

/** What was counted at the client's wish, when the count is closed. */
function countFacts(db: Queryable, { clientId, from, to, asOf }: BillingScope): Fragment {
  return db`
    select 'UNIT_COUNTED', moscow_day(k.ended_at), k.ended_at, 'count:' || k.id, sum(l.counted)::numeric, null::bigint
    from stock_counts k
    join count_lines l on l.client_id = k.client_id and l.count_id = k.id
    where k.client_id = ${clientId} and k.status = 'CLOSED' and k.for_client
      and k.ended_at >= ${from} and k.ended_at < ${to} and k.ended_at < ${asOf}
    group by k.id, k.ended_at having sum(l.counted) > 0`
}

function labelFacts(db: Queryable, { clientId, from, to, asOf }: BillingScope): Fragment {
  return db`
    select 'LABEL_PRINTED', moscow_day(g.at), min(g.at), 'product:' || g.barcode, sum(g.labels)::numeric, null::bigint
    from goods_labels g
    where g.client_id = ${clientId} and g.at >= ${from} and g.at < ${to} and g.at < ${asOf}
    group by 2, g.barcode`
}

/**
 * The row is of a task in which units may have been picked in the month: neither picks nor packing checks have an index
 * by time. Tasks are read first. In a join, a server without statistics of the client would read its tasks anew for
 * each pick.
 */
function ofTasks(db: Queryable, { clientId, from, to }: BillingScope, alias: string): Fragment {
  return db`
    ${db(`${alias}.client_id`)} = ${clientId} and ${db(`${alias}.task_id`)} = any(array(
      select t.id from picking_tasks t
      where t.client_id = ${clientId} and t.opened_at < ${to} and (t.done_at is null or t.done_at >= ${from})))`
}

/**
 * An order is packed when the last of its units is picked. One that came back and is picked again for another shipment
 * is packed again.
 */
function packFacts(db: Queryable, scope: BillingScope): Fragment {
  const { clientId, from, to, asOf } = scope
  return db`
    select f.service, moscow_day(p.at), min(p.at), 'order:' || p.order_id, sum(f.quantity)::numeric, null::bigint
    from (
      select p.order_id, p.task_id, max(p.at) as at, count(*) as units
      from picks p where ${ofTasks(db, scope, 'p')} and ${there(db, asOf, 'p')}
      group by 1, 2
    ) p
    cross join lateral (values ('ORDER_PACKED', 1), ('FURTHER_UNIT', p.units - 1)) f (service, quantity)
    where p.at >= ${from} and p.at < ${to} and f.quantity > 0 and p.units >= (
      select sum(l.quantity) from order_lines l where l.client_id = ${clientId} and l.order_id = p.order_id)
    group by 1, 2, 4`
}

function markFacts(db: Queryable, scope: BillingScope): Fragment {
  return db`
    select 'MARK_GIVEN', moscow_day(p.at), min(p.at), 'order:' || p.order_id, sum(m.given)::numeric, null::bigint
    from picks p
    cross join lateral (
      select (p.marking_code is not null)::integer + count(*) filter (where e.value <> 'null') as given
      from jsonb_each(p.marks) e
    ) m
    where ${ofTasks(db, scope, 'p')} and ${counts(db, scope, 'p')} and m.given > 0
    group by 2, 4`
}

function checkFacts(db: Queryable, scope: BillingScope): Fragment {
  return db`
    select 'PACKING_CHECK', moscow_day(k.at), min(k.at), 'order:' || k.order_id, count(*)::numeric, null::bigint
    from pack_checks k
    where ${ofTasks(db, scope, 'k')} and ${counts(db, scope, 'k')}
    group by 2, 4`
}

function shipmentFacts(db: Queryable, { clientId, from, to, asOf }: BillingScope): Fragment {
  return db`
    select 'SHIPMENT_HANDED_OVER', moscow_day(s.closed_at), s.closed_at, 'shipment:' || s.id, 1::numeric, null::bigint
    from seller_shipments s
    where s.client_id = ${clientId} and s.closed_at >= ${from} and s.closed_at < ${to} and s.closed_at < ${asOf}
      and s.orders_count > 0`
}

/** As many as the last wish for a number says, less those removed since. */
function shipmentBoxFacts(db: Queryable, { clientId, from, to, asOf }: BillingScope): Fragment {
  return db`
    select 'SHIPMENT_BOX', moscow_day(s.closed_at), s.closed_at, 'shipment:' || s.id, (a.boxes - d.boxes)::numeric,
      null::bigint
    from seller_shipments s
    cross join lateral (
      select id, (detail ->> 'count')::bigint as boxes from remote_commands
      where client_id = ${clientId} and shipment_id = s.id and state = 'done' and kind = 'add_boxes'
        and finished_at <= s.closed_at
      order by id desc limit 1
    ) a
    cross join lateral (
      select coalesce(sum(jsonb_array_length(detail -> 'boxes')), 0) as boxes from remote_commands
      where client_id = ${clientId} and shipment_id = s.id and state = 'done' and kind = 'remove_boxes'
        and id > a.id and finished_at <= s.closed_at
    ) d
    where s.client_id = ${clientId} and s.closed_at >= ${from} and s.closed_at < ${to} and s.closed_at < ${asOf}
      and s.orders_count > 0 and a.boxes > d.boxes`
}

/** All boxes of an order that is packed in several, when its shipment is handed over; who ships it names their number. */
function orderBoxFacts(db: Queryable, scope: BillingScope): Fragment {
  const { clientId, from, to, asOf } = scope
  return db`
    select 'SHIPMENT_BOX', moscow_day(s.closed_at), s.closed_at, 'order:' || f.order_id, f.boxes::numeric, null::bigint
    from order_facts f
    join picking_tasks t on t.client_id = ${clientId} and t.id in (
      select p.task_id from picks p
      where p.client_id = ${clientId} and p.order_id = f.order_id and ${there(db, asOf, 'p')})
    join seller_shipments s on s.client_id = ${clientId} and s.id = t.shipment_id
    where f.client_id = ${clientId} and f.boxes > 1
      and s.closed_at >= ${from} and s.closed_at < ${to} and s.closed_at < ${asOf}`
}

function returnFacts(db: Queryable, scope: BillingScope): Fragment {
  const { clientId, from, to } = scope
  return db`
    select 'RETURN_' || upper(s.condition), moscow_day(s.at), min(s.at), 'return:' || s.return_id, count(*)::numeric,
      null::bigint
    from return_batches b
    join return_scans s on s.client_id = b.client_id and s.return_id = b.id
    where b.client_id = ${clientId} and b.created_at < ${to} and (b.finished_at is null or b.finished_at >= ${from})
      and ${counts(db, scope, 's')}
    group by 1, 2, 4`
}

/**
 * They count at once, without the minute that other facts wait: whoever adds or cancels one holds the periods until the
 * charges are computed, so a run sees all of it or none.
 */
function manualFacts(db: Queryable, { clientId, from, to }: BillingScope): Fragment {
  return db`
    select m.service, m.day, m.day::timestamptz, 'manual:' || m.id, m.quantity, m.price
    from manual_charges m
    where m.client_id = ${clientId} and m.day >= moscow_day(${from}) and m.day < moscow_day(${to})
      and m.cancelled_at is null`
}
