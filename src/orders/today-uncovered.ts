import Type, { type Static } from 'typebox'
import type { Queryable } from '../db/connection.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { count, momentOrNull } from '../kernel/schema.ts'

/** Goods shown at most. */
const shownMax = 50

const UncoveredGoods = Type.Object({
  client_id: Type.String({ description: 'Юридическое лицо.' }),
  client_name: Type.String({ description: 'Его название.' }),
  barcode: Type.Optional(
    Type.String({ description: 'Штрихкод; у товаров, чей штрихкод неизвестен, поля нет.' }),
  ),
  name: Type.Optional(
    Type.String({ description: 'Название; если склад такого товара не знает, поля нет.' }),
  ),
  ordered: count('Сколько единиц в заказах, для которых на складе ещё ничего не отложено.'),
  free: count('Сколько единиц свободно.'),
  missing: Type.Integer({ minimum: 1, description: 'Скольких не хватает.' }),
  orders_count: count('В скольких заказах этот товар.'),
  deadline: momentOrNull('Самый ранний срок этих заказов; null, если срока нет.'),
})

export const TodayUncovered = Type.Object(
  {
    total: count('Скольких товаров не хватает.'),
    units: count('Скольких единиц не хватает.'),
    items: Type.Array(UncoveredGoods, {
      maxItems: shownMax,
      description: `Товары, сначала с самым близким сроком; не больше ${shownMax}.`,
    }),
  },
  { description: 'Товары, которых на складе меньше, чем заказано.' },
)
type TodayUncovered = Static<typeof TodayUncovered>

type Row = Omit<Static<typeof UncoveredGoods>, 'barcode' | 'name' | 'deadline'> & {
  total: number
  units: number
  barcode: string | null
  name: string | null
  deadline: Timestamp | null
}

/**
 * Goods of live clients of which orders want more than is free. Units of orders in a shipment made here are
 * reserved and so covered; a mirrored shipment reserves nothing.
 */
export async function uncoveredOfToday(db: Queryable): Promise<TodayUncovered> {
  const rows = await db<Row[]>`
    select count(*) over () as total, (sum(x.missing) over ())::bigint as units, x.*
    from (
      select w.client_id, w.client_name, w.barcode, p.name, w.ordered, coalesce(f.free, 0) as free,
        w.ordered - coalesce(f.free, 0) as missing, w.orders_count, w.deadline
      from (
        select c.id as client_id, c.name as client_name, l.barcode,
          sum(l.quantity)::bigint as ordered, count(distinct o.id)::int as orders_count,
          min(o.deadline_at) as deadline
        from clients c
        join orders o on o.client_id = c.id and o.status in ('NEW', 'ASSEMBLING') and not o.observed
        join order_lines l on l.client_id = o.client_id and l.order_id = o.id
        left join shipments s on s.client_id = o.client_id and s.id = o.shipment_id
        where c.mode = 'live' and (o.shipment_id is null or s.mirrored)
        group by c.id, l.barcode
      ) w
      left join products p on p.client_id = w.client_id and p.barcode = w.barcode
      left join lateral (
        select b.quantity - b.in_question - b.reserved as free from stock_balances b
        where b.client_id = w.client_id and b.barcode = w.barcode
      ) f on true
      where w.ordered > coalesce(f.free, 0)
    ) x
    order by x.deadline nulls last, x.missing desc, x.client_id, x.barcode limit ${shownMax}`
  return {
    total: rows[0]?.total ?? 0,
    units: rows[0]?.units ?? 0,
    items: rows.map(({ total: _, units: __, barcode, name, ...row }) => ({
      ...row,
      ...(barcode === null ? {} : { barcode }),
      ...(name === null ? {} : { name }),
    })),
  }
}
