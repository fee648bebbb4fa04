import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/fragment.ts'
import { countOf, type Page, type PageRequest, pageOf, totalFor } from '../../platform/db/page.ts'
import { day, type Instant, midnight, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { count, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'

/**
 * How long the stock of goods lasts: what can be sold now, divided by what buyers ordered a day, without cancelled units, on the last days
 * on which there was something to sell. Days without stock say nothing about demand, so they are left out.
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

/** The goods of a client, those that run out first at the beginning; goods without stock that nobody orders are left out. */
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
    select g.*, ${totalFor(db, db`select count(*) from g`, page)} as total from g ${behind}
    order by coalesce(g.days, ${noEnd}), g.barcode limit ${page.limit + 1}`
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
    select barcode, name, article, available, a_day, days, state from (
      select c.*, case when available = 0 then 'out' when days is null then 'idle'
        when days < ${lowDays}::int then 'low' else 'enough' end as state
      from (
        select p.barcode, p.name, p.article, b.quantity - b.in_question as available,
          round(coalesce(d.a_day, 0), 2)::float as a_day,
          floor((b.quantity - b.in_question) / nullif(d.a_day, 0))::int as days
        from stock_balances b
        join products p on p.client_id = b.client_id and p.barcode = b.barcode
        left join (${demand(db, clientId, now)}) d on d.barcode = b.barcode
        where b.client_id = ${clientId} and (b.quantity > b.in_question or d.a_day > 0)
      ) c
    ) g where ${wanted}`
}

/**
 * What is ordered of each product, or of those given, a day. A day counts where the product was ordered or was left in stock at its end: the balance without
 * the movements since then.
 */
export function demand(
  db: Queryable,
  clientId: string,
  now: Instant,
  barcodes?: readonly string[],
): Fragment {
  const today = moscowDate(now)
  const first = moscowDate(midnight(today) - (coverDays - 1) * day)
  const ofWeeks = db`
    client_id = ${clientId} and span = 'day' and day between ${first}::date and ${today}::date
    ${barcodes === undefined ? db`` : db`and barcode = any(${[...barcodes]}::text[])`}`
  return db`
    with ordered as (
      select barcode, day, sum(ordered - cancelled) as units from sales_tallies
      where ${ofWeeks} group by 1, 2 having sum(ordered - cancelled) > 0
    ), wanted as (select distinct barcode from ordered), moved as (
      select m.barcode, moscow_day(m.at) as day, sum(m.delta) as units
      from wanted w
      join stock_movements m on m.client_id = ${clientId} and m.barcode = w.barcode
        and m.at >= ${first}::date::timestamptz
      group by 1, 2
    ), left_at_end as (
      select w.barcode, t.day::date as day, b.quantity - coalesce(sum(m.units) over (
        partition by w.barcode order by t.day desc rows between unbounded preceding and 1 preceding), 0) as units
      from wanted w
      join stock_balances b on b.client_id = ${clientId} and b.barcode = w.barcode
      cross join generate_series(${first}::date, ${today}::date, interval '1 day') t (day)
      left join moved m on m.barcode = w.barcode and m.day = t.day::date
    ), counted as (
      select l.barcode, coalesce(o.units, 0) as units,
        row_number() over (partition by l.barcode order by l.day desc) as nth
      from left_at_end l left join ordered o on o.barcode = l.barcode and o.day = l.day
      where l.units > 0 or o.units > 0
    )
    select barcode, sum(units) / count(*) as a_day from counted
    where nth <= ${averagedDays} group by 1`
}
