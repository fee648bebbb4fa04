import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { day, type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import type { FlowStage } from './flow-stages.ts'

/** The orders `o` that wait for a shipment, as the index orders_waiting has them: `mayJoinShipment` in state.ts. */
export const waitsForShipment = (db: Queryable) => db`
  o.status in ('NEW', 'ASSEMBLING') and o.shipment_id is null and not o.observed`

/** Joins to orders `o` how many units they have, as `l.units`. */
const orderUnits = (db: Queryable) => db`
  cross join lateral (
    select coalesce(sum(l.quantity), 0)::bigint as units from order_lines l
    where l.client_id = o.client_id and l.order_id = o.id
  ) l`

/** Orders (client_id, cabinet_id, id, stage, units, deadline) in no shipment, of cabinets whose shipments are made here. */
export const ordersToPick = (db: Queryable): Fragment => db`
  select o.client_id, o.cabinet_id, o.id, 'to_pick' as stage, l.units, o.deadline_at as deadline
  from orders o
  join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id and k.shipments = 'ours'
  ${orderUnits(db)}
  where ${waitsForShipment(db)}`

/**
 * The same of orders in open shipments. Of a shipment whose packing somebody checks, an order is ready once all its units are
 * checked.
 */
export const ordersInShipments = (db: Queryable): Fragment => db`
  select o.client_id, o.cabinet_id, o.id, case when o.packed_at is null then 'picking'
      when s.is_checked and p.checked < l.units then 'checking' else 'ready' end as stage,
    l.units, o.deadline_at as deadline
  from (
    select s.client_id, s.id, exists (
      select from pack_checks p join picking_tasks t on t.client_id = p.client_id and t.id = p.task_id
      where t.client_id = s.client_id and t.shipment_id = s.id and p.undone_at is null
    ) as is_checked
    from shipments s where s.status = 'ASSEMBLING' and not s.observed
  ) s
  join orders o on o.client_id = s.client_id and o.shipment_id = s.id and o.status <> 'CANCELLED'
  ${orderUnits(db)}
  cross join lateral (
    select count(*) as checked from pack_checks p
    where s.is_checked and p.client_id = o.client_id and p.order_id = o.id and p.undone_at is null
  ) p`

/** A marketplace accepts within days; what it left unaccepted for longer is not looked for. */
const acceptedWithinMs = 14 * day

/** Shipments (client_id, cabinet_id, id, stage, orders_count, units) that have left or were accepted since a moment. */
export const shipmentsGone = (db: Queryable, since: Instant): Fragment => db`
  select s.client_id, s.cabinet_id, s.id, s.orders_count, s.units,
    case when s.status = 'ACCEPTED' then 'accepted' else 'handed_over' end as stage
  from shipments s
  where not s.observed and s.closed_at >= ${toTimestamp(since - acceptedWithinMs)}::timestamptz
    and case when s.status = 'ACCEPTED' then s.accepted_at else s.closed_at end
      >= ${toTimestamp(since)}::timestamptz`

export interface StageFilter {
  readonly stage: FlowStage
  /** The midnight since which orders that have left are counted. */
  readonly since: Instant
}

/** The condition for the orders called `alias` that the first page counts at this stage. */
export function isAtStage(db: Queryable, alias: string, { stage, since }: StageFilter): Fragment {
  const [client, id] = [db(`${alias}.client_id`), db(`${alias}.id`)]
  if (stage === 'handed_over' || stage === 'accepted') {
    return db`(${client}, ${db(`${alias}.shipment_id`)}) in (
      select g.client_id, g.id from (${shipmentsGone(db, since)}) g where g.stage = ${stage})`
  }
  const orders = stage === 'to_pick' ? ordersToPick(db) : ordersInShipments(db)
  return db`(${client}, ${id}) in (
    select w.client_id, w.id from (${orders}) w where w.stage = ${stage})`
}
