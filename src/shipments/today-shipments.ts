import Type, { type Static } from 'typebox'
import { marketplaces } from '../clients/marketplace.ts'
import type { Queryable } from '../db/connection.ts'
import type { Fragment } from '../db/fragment.ts'
import { fromTimestamp, type Instant, type Timestamp } from '../kernel/moscow-time.ts'
import { count, momentOrNull, oneOfValues } from '../kernel/schema.ts'

/** Shipments shown at most. */
const shownMax = 50

const ShipmentToHandOver = Type.Object({
  shipment_id: Type.String({ description: 'Отгрузка.' }),
  external_id: Type.String({ description: 'Её номер в кабинете.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
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
}

/** Open shipments of the clients `c` that are seen, the most urgent first. */
export async function shipmentsOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<TodayShipments> {
  const rows = await db<Row[]>`
    select n.*, coalesce(o.alive, 0) as orders_count, coalesce(o.packed, 0) as packed_count
    from (
      select count(*) over () as total, s.id as shipment_id, s.external_id, s.marketplace,
        s.client_id, c.name as client_name, due.deadline
      from shipments s join clients c on c.id = s.client_id and ${seen}
      cross join lateral (
        select min(o.deadline_at) as deadline from orders o
        where o.client_id = s.client_id and o.shipment_id = s.id
          and o.status in ('NEW', 'ASSEMBLING') and o.deadline_at is not null
      ) due
      where s.status = 'ASSEMBLING' and not s.observed
      order by due.deadline nulls last, s.created_at, s.id limit ${shownMax}
    ) n
    cross join lateral (
      select count(*)::int as alive, count(o.packed_at)::int as packed from orders o
      where o.client_id = n.client_id and o.shipment_id = n.shipment_id and o.status <> 'CANCELLED'
    ) o
    order by n.deadline nulls last, n.shipment_id`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, ...row }) => ({
      ...row,
      minutes_left: row.deadline === null ? null : minutesUntil(row.deadline, now),
    })),
  }
}

function minutesUntil(deadline: Timestamp, now: Instant): number {
  return Math.floor((fromTimestamp(deadline) - now) / 60_000)
}
