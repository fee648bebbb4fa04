import { type Check, check } from '../check.ts'

/** What is asked of marketplaces, and what they tell. */
export const marketplaceChecks: readonly Check[] = [
  check(
    // A shipment that went since, as the marketplace had it no more, took its creation back.
    'tasks and shortages of cabinets are of a shipment',
    (db, own) => db`
      select t.client_id, format('task %s', t.id) as object, format('of unknown shipment %s', t.shipment_id) as what
      from cabinet_tasks t
      where ${own('t')} and t.state = 'done' and not exists (
        select from shipments s where s.client_id = t.client_id and s.id = t.shipment_id
      ) and not exists (
        select from cabinet_tasks c
        where ${own('c')} and c.client_id = t.client_id and c.shipment_id = t.shipment_id
          and c.kind = 'create' and c.state = 'refused')
      union all
      select x.client_id, format('shipment %s', x.shipment_id),
        format('%s units of order %s are missing of a shipment that is not mirrored and closed', x.units, x.order_id)
      from shipment_shortages x
      left join shipments s on s.client_id = x.client_id and s.id = x.shipment_id
      where ${own('x')} and (s.id is null or not s.mirrored or s.closed_at is null)`,
  ),
]
