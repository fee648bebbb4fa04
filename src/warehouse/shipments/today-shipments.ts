import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import {
  fromTimestamp,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { count, momentOrNull, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { marketplaces } from '../clients/marketplace.ts'
import { claimEnd } from '../picking/claims.ts'

/** Shipments shown at most. */
const shownMax = 50

const ShipmentToHandOver = Type.Object({
  shipment_id: Type.String({ description: 'Отгрузка.' }),
  external_id: Type.String({ description: 'Её номер в кабинете.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
  picking_task_id: textOrNull('Задание на сборку; null, если её собирают в кабинете.'),
  claimed_by: textOrNull('Логин того, кто взял задание; null, если оно свободно.'),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  deadline: momentOrNull('Самый ранний срок её заказов; null, если срока нет.'),
  minutes_left: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Сколько полных минут до срока; меньше нуля — срок прошёл; null, если срока нет.',
  }),
  orders_count: count('Сколько заказов в отгрузке, без отменённых.'),
  packed_count: count('Сколько из них собрано.'),
})

export const TodayShipments = Type.Object(
  {
    total: count('Сколько отгрузок собирают.'),
    items: Type.Array(ShipmentToHandOver, {
      maxItems: shownMax,
      description: `Отгрузки, сначала с самым близким сроком; не больше ${shownMax}.`,
    }),
  },
  { description: 'Отгрузки, которые ещё не переданы.' },
)
type TodayShipments = Static<typeof TodayShipments>

type Row = Omit<Static<typeof ShipmentToHandOver>, 'minutes_left' | 'deadline'> & {
  total: number
  deadline: Timestamp | null
  created_at: Timestamp
}

/** Open shipments of the clients `c` that are seen, the most urgent first. */
export async function shipmentsOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<TodayShipments> {
  const rows = await db<Row[]>`
    ${nearestShipments(db, seen)}
    select (
        select count(*) from ${openShipments(db, seen)}
      ) as total, n.*, t.picking_task_id, t.claimed_by, coalesce(o.alive, 0) as orders_count,
      coalesce(o.packed, 0) as packed_count
    from (table due union all table undated) n
    cross join lateral (
      select count(*)::int as alive, count(o.packed_at)::int as packed from orders o
      where o.client_id = n.client_id and o.shipment_id = n.shipment_id and o.status <> 'CANCELLED'
    ) o
    left join lateral (
      select t.id as picking_task_id, (
          select u.shown_name from staff_users u
          where u.id = t.claimed_by and ${claimEnd(db)} > ${toTimestamp(now)}::timestamptz
        ) as claimed_by
      from picking_tasks t where t.client_id = n.client_id and t.shipment_id = n.shipment_id
    ) t on true
    order by n.deadline nulls last, n.created_at, n.shipment_id`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, created_at: __, ...row }) => ({
      ...row,
      minutes_left: row.deadline === null ? null : minutesUntil(row.deadline, now),
    })),
  }
}

/** Rows s of the clients `c` that are seen. */
export function openShipments(db: Queryable, seen: Fragment): Fragment {
  return db`shipments s join clients c on c.id = s.client_id and ${seen} and ${isOpen(db)}`
}

const isOpen = (db: Queryable) => db`s.status = 'ASSEMBLING' and not s.observed`

const shownColumns = (db: Queryable) => db`
  s.client_id, c.name as client_name, s.id as shipment_id, s.external_id, s.marketplace, s.created_at`

/**
 * The open shipments to show: `due`, those with a deadline, then `undated`, the oldest without one. Orders are read in
 * the order of their deadlines until they belong to enough shipments, so the cost does not grow with the open
 * shipments.
 */
function nearestShipments(db: Queryable, seen: Fragment): Fragment {
  const nextOrder = (shipments: Fragment, isAfter: Fragment) => db`
    select ${shownColumns(db)}, o.deadline_at as deadline, o.id as order_id, ${shipments} || s.id as shipments
    from orders o
    join shipments s on s.client_id = o.client_id and s.id = o.shipment_id and ${isOpen(db)}
    join clients c on c.id = o.client_id and ${seen}
    where o.status in ('NEW', 'ASSEMBLING') and o.deadline_at is not null and ${isAfter}
    order by o.deadline_at, o.id limit 1`
  return db`
    with recursive earliest as (
      (${nextOrder(db`'{}'::uuid[]`, db`true`)})
      union all
      select n.* from earliest e cross join lateral (${nextOrder(
        db`e.shipments`,
        db`(o.deadline_at, o.id) > (e.deadline, e.order_id) and o.shipment_id <> all(e.shipments)`,
      )}) n
      where cardinality(e.shipments) < ${shownMax}
    ), due as (
      select client_id, client_name, shipment_id, external_id, marketplace, created_at, deadline
      from earliest
    ), undated as (
      select ${shownColumns(db)}, null::timestamptz as deadline
      from ${openShipments(db, seen)}
      where not exists (
        select from orders o where o.client_id = s.client_id and o.shipment_id = s.id
          and o.status in ('NEW', 'ASSEMBLING') and o.deadline_at is not null)
      order by s.created_at, s.id limit ${shownMax} - (select count(*) from due)
    )`
}

function minutesUntil(deadline: Timestamp, now: Instant): number {
  return Math.floor((fromTimestamp(deadline) - now) / 60_000)
}
