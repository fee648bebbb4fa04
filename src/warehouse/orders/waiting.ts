import type { Queryable } from '../../platform/db/connection.ts'

/** The orders `o` that wait for a shipment, as the index orders_waiting has them: `mayJoinShipment` in state.ts. */
export const waitsForShipment = (db: Queryable) => db`
  o.status in ('NEW', 'ASSEMBLING') and o.shipment_id is null and not o.observed`

/** Joins to orders `o` how many units they have, as `l.units`. */
export const orderUnits = (db: Queryable) => db`
  cross join lateral (
    select coalesce(sum(l.quantity), 0)::bigint as units from order_lines l
    where l.client_id = o.client_id and l.order_id = o.id
  ) l`
