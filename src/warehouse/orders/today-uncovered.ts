import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, moment, momentOrNull } from '../../platform/kernel/schema.ts'
import { waitsForShipment } from './stages.ts'

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
  reason: Type.String({ description: 'Почему: что есть на складе и чем занято.' }),
  orders_count: count('В скольких заказах этот товар.'),
  deadline: momentOrNull('Самый ранний срок этих заказов; null, если срока нет.'),
})

export const TodayUncovered = Type.Object(
  {
    counted_at: moment('Когда посчитано: при многих тысячах заказов — несколько секунд назад.'),
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

interface Counts {
  /** Orders that wait, covered or not. */
  readonly ordersRead: number
  readonly total: number
  readonly units: number
}

type Row = Counts &
  Omit<Static<typeof UncoveredGoods>, 'barcode' | 'name' | 'deadline' | 'reason'> & {
    barcode: string | null
    name: string | null
    deadline: Timestamp | null
  } & Stocked

/** Null where the warehouse never had such goods. */
interface Stocked {
  readonly quantity: number | null
  readonly in_question: number | null
  readonly reserved: number | null
}

/**
 * Goods of which orders want more than is free, of the clients `c` that are seen. Units of orders in a shipment made
 * here are reserved and so covered; a mirrored shipment reserves nothing. The cost grows with the orders that wait.
 * Their lines are looked up order by order, which is cheaper than reading all lines. The console and the account show
 * what this answers.
 */
export async function uncoveredOfToday(
  db: Queryable,
  seen: Fragment,
  now: Instant,
): Promise<{ readonly shown: TodayUncovered; readonly ordersRead: number }> {
  const rows = await db<(Row | (Counts & { client_id: null }))[]>`
    with waiting as materialized (${waitingOrders(db, seen)}), ordered as materialized (
      select o.client_id, l.barcode, sum(l.quantity)::bigint as units,
        count(distinct o.id)::int as orders_count, min(o.deadline_at) as deadline
      from waiting o
      ${linesOf(db)}
      group by o.client_id, l.barcode
    )
    select n.orders as "ordersRead", count(x.client_id) over () as total,
      coalesce(sum(x.missing) over (), 0)::bigint as units, x.*
    from (select count(*) as orders from waiting) n
    left join (
      select w.client_id, c.name as client_name, w.barcode, p.name, w.ordered,
        coalesce(f.free, 0) as free, w.ordered - coalesce(f.free, 0) as missing, w.orders_count,
        w.deadline, f.quantity, f.in_question, f.reserved
      from (
        select n.client_id, n.barcode, sum(n.units)::bigint as ordered, sum(n.orders_count)::int as orders_count,
          min(n.deadline) as deadline
        from ordered d ${neededFor(db)}
        group by n.client_id, n.barcode
      ) w
      join clients c on c.id = w.client_id
      left join products p on p.client_id = w.client_id and p.barcode = w.barcode
      left join lateral (
        select b.quantity - b.in_question - b.reserved as free, b.quantity, b.in_question, b.reserved
        from stock_balances b
        where b.client_id = w.client_id and b.barcode = w.barcode
      ) f on true
      where w.ordered > coalesce(f.free, 0)
    ) x on true
    order by x.deadline nulls last, x.missing desc, x.client_id, x.barcode limit ${shownMax}`
  const [{ total, units, ordersRead } = { total: 0, units: 0, ordersRead: 0 }] = rows
  const items = rows.filter((row) => row.client_id !== null).map(itemView)
  return { shown: { counted_at: toTimestamp(now), total, units, items }, ordersRead }
}

function itemView(all: Row) {
  const { total: _, units: __, ordersRead: ___, barcode, name, ...goods } = all
  const { quantity, in_question, reserved, ...row } = goods
  return {
    ...row,
    reason: reasonOf(all),
    ...(barcode === null ? {} : { barcode }),
    ...(name === null ? {} : { name }),
  }
}

function reasonOf({ barcode, name, quantity, in_question, reserved }: Row): string {
  if (barcode === null) return 'маркетплейс не назвал штрихкод'
  if (quantity === null && name === null) return 'склад не знает такого товара'
  if (!quantity) return 'на складе его нет'
  const taken = [
    ...(in_question ? [`под вопросом ${in_question}`] : []),
    ...(reserved ? [`отложено для других заказов ${reserved}`] : []),
  ]
  const there = `на складе ${quantity}`
  return taken.length === 0 ? there : `${there}, из них ${taken.join(', ')}`
}

/** The lines of orders `o`, as `l`; they are looked up order by order. */
const linesOf = (db: Queryable) => db`
  cross join lateral (
    select l.barcode, l.quantity from order_lines l
    where l.client_id = o.client_id and l.order_id = o.id
    offset 0
  ) l`

/**
 * Rows `n`: what is needed for ordered goods `d` (client_id, barcode, units, orders_count, deadline). That is the goods
 * themselves, and in the place of sets that do not lie ready their parts. A part of several sets has a row for each.
 */
const neededFor = (db: Queryable) => db`
  cross join lateral (
    select d.client_id, d.barcode, d.units, d.orders_count, d.deadline
    where not exists (
      select from set_parts s where s.client_id = d.client_id and s.set_barcode = d.barcode)
    union all
    select s.client_id, s.barcode, (d.units - b.ready) * s.units, d.orders_count, d.deadline
    from set_parts s
    cross join lateral (
      select least(d.units, coalesce((
        select greatest(b.quantity - b.in_question - b.reserved, 0) from stock_balances b
        where b.client_id = d.client_id and b.barcode = d.barcode), 0)) as ready
    ) b
    where s.client_id = d.client_id and s.set_barcode = d.barcode and b.ready < d.units
  ) n`

/** `any`: whatever goods they lack; `unknown_barcode`: the marketplace did not name the barcode. */
export const lackingGoodsKinds = ['any', 'unknown_barcode'] as const

export interface LackingFilter {
  readonly kind: (typeof lackingGoodsKinds)[number]
  /** Only those that want these goods, in whichever line. */
  readonly barcode: string | undefined
  /** Undefined: orders of all live clients. */
  readonly client: string | undefined
}

/** The condition for the orders called `alias` that the first page counts at goods of which there are too few. */
export function lacksGoods(
  db: Queryable,
  alias: string,
  { kind, barcode, client }: LackingFilter,
): Fragment {
  const seen = client === undefined ? db`c.mode = 'live'` : db`c.id = ${client}`
  return db`(${db(`${alias}.client_id`)}, ${db(`${alias}.id`)}) in (
    with wanted as materialized (
      select o.client_id, o.id, l.barcode, l.quantity from (${waitingOrders(db, seen)}) o ${linesOf(db)}
    ), needed as materialized (
      select d.barcode as ordered_as, n.client_id, n.barcode, n.units from (
        select client_id, barcode, sum(quantity)::bigint as units, 0 as orders_count, null::timestamptz as deadline
        from wanted group by 1, 2
      ) d ${neededFor(db)}
    )
    select w.client_id, w.id
    from (
      select client_id, barcode, sum(units) as ordered from needed
      where true
        ${barcode === undefined ? db`` : db`and barcode = ${barcode}`}
        ${kind === 'any' ? db`` : db`and barcode is null`}
      group by 1, 2
    ) g
    left join stock_balances b on b.client_id = g.client_id and b.barcode = g.barcode
    join needed n on n.client_id = g.client_id and coalesce(n.barcode, '') = coalesce(g.barcode, '')
    join wanted w on w.client_id = n.client_id and coalesce(w.barcode, '') = coalesce(n.ordered_as, '')
    where g.ordered > coalesce(b.quantity - b.in_question - b.reserved, 0))`
}

function waitingOrders(db: Queryable, seen: Fragment) {
  return db`
    select o.client_id, o.id, o.deadline_at from clients c join orders o on o.client_id = c.id and ${waitsForShipment(db)}
    where ${seen}
    union all
    select o.client_id, o.id, o.deadline_at
    from clients c join shipments s on s.client_id = c.id
    join orders o on o.client_id = s.client_id and o.shipment_id = s.id
      and o.status in ('NEW', 'ASSEMBLING')
    where ${seen} and s.status = 'ASSEMBLING' and s.mirrored and not s.observed`
}

/** The same of one client, a sandbox too. */
export async function uncoveredOfClient(
  db: Queryable,
  clientId: string,
  now: Instant,
): Promise<TodayUncovered> {
  return (await uncoveredOfToday(db, db`c.id = ${clientId}`, now)).shown
}
