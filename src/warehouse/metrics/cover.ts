import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { day, type Instant, midnight, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { count, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'

/**
 * How long the stock of goods lasts: what can be sold now, divided by what buyers ordered a day. Cancelled units do
 * not count, and of the days only the last ones on which there was something to sell. Days without stock say nothing
 * about demand, so they are left out.
 *
 * | State | |
 * |---|---|
 * | `out` | ordered in these weeks, and nothing to sell now |
 * | `low` | lasts less than the days that were asked for |
 * | `enough` | lasts as long or longer |
 * | `idle` | there is stock, and nobody ordered in these weeks |
 */
export const coverStates = ['out', 'low', 'enough', 'idle'] as const
type CoverState = (typeof coverStates)[number]

/** Stock for fewer days than these is low to whoever chose no number. */
export const usualLowDays = 14
export const lowDaysMax = 90

/** Days with stock that the average is taken of, and the weeks in which they are looked for. */
export const averagedDays = 14
export const coverDays = 28

export const Cover = Type.Object(
  {
    barcode: Type.String({ description: 'Штрихкод.' }),
    name: Type.String({ description: 'Название.' }),
    article: textOrNull('Артикул продавца.'),
    available: count('Можно продавать сейчас.'),
    a_day: Type.Number({
      minimum: 0,
      description: `Заказывают в сутки, без отменённых: в среднем за последние ${averagedDays} суток с остатком.`,
    }),
    days: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'На сколько полных суток хватит; null: не заказывают.',
    }),
    state: oneOfValues(
      coverStates,
      'out — закончился, low — скоро закончится, enough — хватает, idle — лежит и не заказывают.',
    ),
  },
  { $id: 'Cover', description: 'На сколько хватит товара.' },
)
export type Cover = Static<typeof Cover>

export interface CoverFilter {
  readonly state: CoverState | undefined
  /** Stock for fewer days than these is low. */
  readonly lowDays: number
}

interface CoverRow extends Cover {
  readonly total: number
}

/** The goods of a client, those that run out first before others. Goods without stock that nobody orders are left out. */
export async function listCover(
  db: Queryable,
  clientId: string,
  now: Instant,
  filter: CoverFilter,
  page: PageRequest,
): Promise<Page<Cover>> {
  const goods = coveredGoods(db, clientId, now, filter)
  const [days, barcode] = page.after ?? []
  const behind =
    page.after === undefined
      ? db``
      : db`where (coalesce(g.days, ${noEnd}), g.barcode) > (${Number(days)}, ${String(barcode)} collate "C")`
  const rows = await db<CoverRow[]>`
    with g as materialized (${goods})
    select g.barcode, p.name, p.article, g.available, g.days, g.state, g.total,
      round(coalesce(g.units::numeric / g.of_days, 0), 2)::float as a_day
    from (
      select g.*, ${totalFor(db, db`select count(*) from g`, page)} as total from g ${behind}
      order by coalesce(g.days, ${noEnd}), g.barcode limit ${page.limit + 1}
    ) g
    join products p on p.client_id = ${clientId} and p.barcode = g.barcode
    order by coalesce(g.days, ${noEnd}), g.barcode`
  return pageOf(rows, page, {
    view: ({ total: _total, ...row }) => row,
    position: (row) => [row.days ?? noEnd, row.barcode],
    count: () => countOf(db, db`select count(*) from (${goods}) g`),
  })
}

/** How many goods are in each state. */
export async function countCover(
  db: Queryable,
  clientId: string,
  now: Instant,
  lowDays: number,
): Promise<Record<CoverState, number>> {
  const goods = coveredGoods(db, clientId, now, { state: undefined, lowDays })
  const rows = await db<{ state: CoverState; goods: number }[]>`
    select state, count(*)::int as goods from (${goods}) g group by 1`
  const of = (state: CoverState) => rows.find((row) => row.state === state)?.goods ?? 0
  return { out: of('out'), low: of('low'), enough: of('enough'), idle: of('idle') }
}

/** Full days that the balance b lasts at the demand d; null: nobody orders. */
export function daysLeft(db: Queryable): Fragment {
  return db`((b.quantity - b.in_question) * d.days / nullif(d.units, 0))::int`
}

/** Sorts what nobody orders behind all that lasts some days. */
const noEnd = 2_147_483_647

function coveredGoods(
  db: Queryable,
  clientId: string,
  now: Instant,
  { state, lowDays }: CoverFilter,
): Fragment {
  const wanted = state === undefined ? db`true` : db`state = ${state}`
  return db`
    select barcode, available, units, of_days, days, state from (
      select c.*, case when available = 0 then 'out' when days is null then 'idle'
        when days < ${lowDays}::int then 'low' else 'enough' end as state
      from (
        select b.barcode, b.quantity - b.in_question as available,
          d.units, d.days as of_days, ${daysLeft(db)} as days
        from stock_balances b
        left join (${demand(db, clientId, now)}) d on d.barcode = b.barcode
        where b.client_id = ${clientId} and (b.quantity > b.in_question or d.units > 0)
      ) c
    ) g where ${wanted}`
}

/**
 * What was ordered of each product, or of those given, and on how many days. A day counts where the product was
 * ordered, or was in stock at its end: the balance without the movements since then. Of goods that have more units than
 * came lately some were there all the time, so their days are the last ones. Of other goods stock and orders change
 * only on days with orders or movements. So each of these days stands for those up to the next one, and `nth` numbers
 * it among the days that count, the latest first.
 */
export function demand(
  db: Queryable,
  clientId: string,
  now: Instant,
  barcodes?: readonly string[],
): Fragment {
  const today = moscowDate(now)
  const recent = moscowDate(midnight(today) - (averagedDays - 1) * day)
  const given = barcodes === undefined ? db`` : db`and barcode = any(${[...barcodes]}::text[])`
  return db`
    with came as (
      select barcode, sum(delta) as units from stock_movements
      where client_id = ${clientId} and kind in ('acceptance', 'return', 'correction') and delta > 0
        and at >= (${recent}::date + 1)::timestamptz and at < (${today}::date + 1)::timestamptz ${given}
      group by 1
    ), unsteady as materialized (
      select barcode, b.quantity from (
        select barcode, quantity from stock_balances where client_id = ${clientId} ${given}
      ) b left join came using (barcode)
      where b.quantity <= coalesce(came.units, 0)
    )
    select barcode, sum((ordered - cancelled)::float8)::bigint as units, ${averagedDays}::bigint as days
    from sales_tallies
    where client_id = ${clientId} and span = 'day' and day between ${recent}::date and ${today}::date ${given}
      and barcode not in (select barcode from unsteady)
    group by 1
    union all
    ${unsteadyDemand(db, clientId, today)}`
}

/** Of the goods in `unsteady`. */
function unsteadyDemand(db: Queryable, clientId: string, today: string): Fragment {
  const first = moscowDate(midnight(today) - (coverDays - 1) * day)
  return db`
    select barcode, sum(ordered) filter (where nth <= ${averagedDays})::bigint, least(max(nth), ${averagedDays})
    from (
      select barcode, ordered, sum(case when left_at_end then lasted when ordered > 0 then 1 else 0 end)
        over (partition by barcode order by day desc) as nth
      from (
        select d.barcode, d.day, d.ordered,
          u.quantity - coalesce(sum(d.moved) over (later rows between unbounded preceding and 1 preceding), 0) > 0 as left_at_end,
          coalesce(lag(d.day) over later, ${today}::date + 1) - d.day as lasted
        from (
          select barcode, day, sum(ordered) as ordered, sum(moved) as moved from (
            select barcode, day, ordered - cancelled as ordered, 0 as moved from sales_tallies
            where client_id = ${clientId} and span = 'day' and day between ${first}::date and ${today}::date
              and barcode in (select barcode from unsteady)
            union all
            select m.barcode, moscow_day(m.at), 0, m.delta from unsteady u
            join stock_movements m on m.client_id = ${clientId} and m.barcode = u.barcode
              and m.at >= ${first}::date::timestamptz and m.at < (${today}::date + 1)::timestamptz
            union all
            select barcode, ${first}::date, 0, 0 from unsteady
          ) c group by 1, 2
        ) d join unsteady u on u.barcode = d.barcode
        window later as (partition by d.barcode order by d.day desc)
      ) stood
    ) counted group by 1 having sum(ordered) > 0`
}
