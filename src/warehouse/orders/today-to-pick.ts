import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/fragment.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { marketplaces } from '../clients/marketplace.ts'
import { orderUnits, waitsForShipment } from './waiting.ts'

/** Cabinets shown at most. */
const shownMax = 50

const CabinetToPick = Type.Object({
  cabinet_id: Type.String({ description: 'Кабинет.' }),
  cabinet_name: Type.String({ description: 'Его название.' }),
  marketplace: oneOfValues(marketplaces, 'Маркетплейс.'),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  orders_count: count('Сколько заказов ждут отгрузки.'),
  units: count('Сколько в них единиц.'),
  deadline: momentOrNull('Самый ранний срок этих заказов; null, если срока нет.'),
})

export const TodayToPick = Type.Object(
  {
    counted_at: moment('Когда посчитано: при многих тысячах заказов — несколько секунд назад.'),
    total: count('Сколько заказов ждут отгрузки.'),
    units: count('Сколько в них единиц.'),
    deadline: momentOrNull('Самый ранний срок; null, если срока нет.'),
    items: Type.Array(CabinetToPick, {
      maxItems: shownMax,
      description: `По кабинетам, сначала с самым близким сроком; не больше ${shownMax}.`,
    }),
  },
  { description: 'Заказы, которых нет ни в одной отгрузке.' },
)

/** Orders in no shipment yet, of the clients `c` that are seen; not those whose shipments are made elsewhere. */
export async function toPickOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<Static<typeof TodayToPick>> {
  const rows = await db<(Static<typeof CabinetToPick> & { total: number; all_units: number })[]>`
    select w.cabinet_id, k.name as cabinet_name, k.marketplace, w.client_id, c.name as client_name,
      w.orders_count, w.units, w.deadline, (sum(w.orders_count) over ())::int as total,
      (sum(w.units) over ())::bigint as all_units
    from (
      select o.client_id, o.cabinet_id, count(*)::int as orders_count,
        sum(l.units)::bigint as units, min(o.deadline_at) as deadline
      from orders o
      ${orderUnits(db)}
      where ${waitsForShipment(db)}
      group by o.client_id, o.cabinet_id
    ) w
    join clients c on c.id = w.client_id and ${seen}
    join cabinets k on k.client_id = w.client_id and k.id = w.cabinet_id and k.shipments = 'ours'
    order by w.deadline nulls last, w.orders_count desc, w.cabinet_id limit ${shownMax}`
  return {
    counted_at: toTimestamp(now),
    total: rows[0]?.total ?? 0,
    units: rows[0]?.all_units ?? 0,
    deadline: rows[0]?.deadline ?? null,
    items: rows.map(({ total: _, all_units: __, ...row }) => row),
  }
}
