import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { count, moment, momentOrNull } from '../../platform/kernel/schema.ts'
import { missPlaceColumn } from './miss-columns.ts'
import { missPlace } from './miss-view.ts'

/** Misses shown at most. */
const shownMax = 50

const WaitingMiss = Type.Object({
  miss_id: Type.String({ description: 'Ненайденный товар.' }),
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  order_id: Type.String({ description: 'Заказ, которому его не хватает.' }),
  order_external_id: Type.String({ description: 'Номер заказа в кабинете.' }),
  shipment_id: Type.String({ description: 'Отгрузка, которую собирают.' }),
  shipment_external_id: Type.String({ description: 'Её номер в кабинете.' }),
  barcode: Type.String({ description: 'Штрихкод товара.' }),
  name: Type.String({ description: 'Название товара.' }),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц не нашли.' }),
  reason_label: Type.String({ description: 'Причина по-русски.' }),
  place: missPlace,
  at: moment('Когда сообщили.'),
  deadline: momentOrNull('До какого времени заказ нужно передать; null, если срока нет.'),
})

export const TodayMisses = Type.Object(
  {
    total: count('Сколько ненайденных товаров ждёт решения.'),
    items: Type.Array(WaitingMiss, {
      maxItems: shownMax,
      description: `Товары, сначала с самым близким сроком заказа; не больше ${shownMax}.`,
    }),
  },
  { description: 'Товары, которых сборщики не нашли, пока менеджер не решил, что делать.' },
)
type TodayMisses = Static<typeof TodayMisses>

type Row = Static<typeof WaitingMiss> & { total: number }

/** Rows m with their orders o and shipments s, of the clients `c` that are seen. */
export function openMisses(db: Queryable, seen: Fragment): Fragment {
  return db`
    pick_misses m
    join clients c on c.id = m.client_id and ${seen} and m.outcome is null
    join orders o on o.client_id = m.client_id and o.id = m.order_id and o.status <> 'CANCELLED'
    join shipments s on s.client_id = o.client_id and s.id = o.shipment_id`
}

/** Open misses of the clients `c` that are seen. They are few: each ends with its order's shipment at the latest. */
export async function missesOfToday(db: Queryable, seen: Fragment): Promise<TodayMisses> {
  const rows = await db<Row[]>`
    select count(*) over () as total, m.id as miss_id, m.client_id, c.name as client_name, m.order_id,
      o.external_id as order_external_id, s.id as shipment_id, s.external_id as shipment_external_id,
      m.barcode, coalesce(p.name, m.barcode) as name, m.units as qty, r.label as reason_label, m.at,
      o.deadline_at as deadline, ${missPlaceColumn(db)} as place
    from ${openMisses(db, seen)}
    join reasons r on r.kind = 'not_found' and r.code = m.reason
    left join products p on p.client_id = m.client_id and p.barcode = m.barcode
    order by o.deadline_at nulls last, m.at, m.id limit ${shownMax}`
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, ...row }) => row),
  }
}
