import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/fragment.ts'
import {
  day,
  type Instant,
  midnight,
  moscowDate,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { marketplaces } from '../clients/marketplace.ts'
import { orderUnits, waitsForShipment } from '../orders/waiting.ts'

/** The way of an order through the warehouse, in its order. */
export const flowStages = [
  'to_pick',
  'picking',
  'checking',
  'ready',
  'handed_over',
  'accepted',
] as const

const FlowPart = Type.Object({
  stage: oneOfValues(
    flowStages,
    'Этап. to_pick: ни в одной отгрузке. picking: в отгрузке, не собраны. checking: собраны, упаковку проверяют. ' +
      'ready: можно передавать. handed_over: переданы сегодня. accepted: приняты маркетплейсом сегодня. ' +
      'В отгрузке, где упаковку не проверяют, собранные сразу ready.',
  ),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
  orders_count: count('Сколько заказов.'),
  units: count('Сколько в них единиц.'),
  deadline: momentOrNull('Самый ранний срок; null, если срока нет или они уже уехали.'),
})

export const TodayFlow = Type.Object(
  {
    counted_at: moment('Когда посчитано: при многих тысячах заказов — несколько секунд назад.'),
    items: Type.Array(FlowPart, {
      description: 'По этапам и маркетплейсам; этапов без заказов нет.',
    }),
  },
  { description: 'Где сейчас заказы, которые должны уехать, и сколько уехало сегодня.' },
)

/** A marketplace accepts within days; what it left unaccepted for longer is not looked for. */
const acceptedWithinMs = 14 * day

/** Counts the orders of the clients `c` that are seen. The cost grows with the orders that are under way. */
export async function flowOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<Static<typeof TodayFlow>> {
  const today = midnight(moscowDate(now))
  const items = await db<Static<typeof FlowPart>[]>`
    select stage, marketplace, sum(orders)::int as orders_count, sum(units)::bigint as units,
      min(deadline) as deadline
    from (
      ${waiting(db, seen)} union all ${inShipments(db, seen)} union all ${gone(db, seen, today)}
    ) f
    group by stage, marketplace
    order by array_position(${[...flowStages]}::text[], stage), marketplace desc`
  return { counted_at: toTimestamp(now), items }
}

function waiting(db: Queryable, seen: Fragment): Fragment {
  return db`
    select 'to_pick' as stage, o.marketplace, 1 as orders, l.units, o.deadline_at as deadline
    from orders o
    join clients c on c.id = o.client_id and ${seen}
    join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id and k.shipments = 'ours'
    ${orderUnits(db)}
    where ${waitsForShipment(db)}`
}

/** Of a shipment whose packing somebody checks, an order is ready once all its units are checked. */
function inShipments(db: Queryable, seen: Fragment): Fragment {
  return db`
    select case when o.packed_at is null then 'picking'
        when s.is_checked and p.checked < l.units then 'checking' else 'ready' end,
      o.marketplace, 1, l.units, o.deadline_at
    from (
      select s.client_id, s.id, exists (
        select from pack_checks p join picking_tasks t on t.client_id = p.client_id and t.id = p.task_id
        where t.client_id = s.client_id and t.shipment_id = s.id and p.undone_at is null
      ) as is_checked
      from shipments s join clients c on c.id = s.client_id and ${seen}
      where s.status = 'ASSEMBLING' and not s.observed
    ) s
    join orders o on o.client_id = s.client_id and o.shipment_id = s.id and o.status <> 'CANCELLED'
    ${orderUnits(db)}
    cross join lateral (
      select count(*) as checked from pack_checks p
      where s.is_checked and p.client_id = o.client_id and p.order_id = o.id and p.undone_at is null
    ) p`
}

function gone(db: Queryable, seen: Fragment, today: Instant): Fragment {
  const since = toTimestamp(today)
  return db`
    select case when s.status = 'ACCEPTED' then 'accepted' else 'handed_over' end, s.marketplace,
      s.orders_count, s.units, null
    from clients c
    join shipments s on s.client_id = c.id and not s.observed
      and s.closed_at >= ${toTimestamp(today - acceptedWithinMs)}::timestamptz
    where ${seen} and case when s.status = 'ACCEPTED' then s.accepted_at else s.closed_at end
      >= ${since}::timestamptz`
}
