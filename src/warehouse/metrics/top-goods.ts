import type { Queryable } from '../../platform/db/connection.ts'
import type { Page, PageRequest } from '../../platform/db/lists/page.ts'
import { inSnapshot } from '../../platform/db/work.ts'
import { day, type Instant, moscowDate } from '../../platform/kernel/moscow-time.ts'
import type { Period } from './period.ts'
import {
  type GoodsSales,
  goodsView,
  listSoldGoods,
  ofFilter,
  type SoldGoodsFilter,
  type SoldGoodsRow,
  soldGoods,
} from './sales.ts'

/**
 * The first of many goods without adding up all of them. `sales_years` ranks the goods of a year and cabinet by each
 * figure. Within a period a product has at most its units of the years that the period touches. A product that stands
 * on none of the ranks read has at most what the last ones of these ranks have together. So goods are added up from the
 * largest bound down, until those of the page have more than any other can have.
 */

/** The total of a list of many goods is not counted. */
export type TopGoods = Omit<Page<GoodsSales>, 'total'> & { readonly total: number | null }

/** Of shorter periods the ranks of years tell too little. */
const rankedPeriodMin = 180 * day
/** Places of each rank that are read. */
const places = 400
/** Goods that are added up at first; each further time twice as many. */
const firstAddedUp = 100

/**
 * A page of the sales of a client by product, those with the largest figure first. Goods, figures and their order are
 * exact, and so is the total where it is counted.
 */
export function listTopGoods(
  db: Queryable,
  clientId: string,
  period: Period,
  filter: SoldGoodsFilter,
  page: PageRequest,
): Promise<TopGoods> {
  if (period.to - period.from < rankedPeriodMin) {
    return listSoldGoods(db, clientId, period, filter, page)
  }
  return inSnapshot(
    db,
    async (tx) =>
      (await rankedPage(tx, clientId, period, filter, page)) ??
      (await listSoldGoods(tx, clientId, period, filter, page)),
  )
}

/** Undefined where goods are few, and where their ranks do not tell which ones stand on the page. */
async function rankedPage(
  tx: Queryable,
  clientId: string,
  period: Period,
  filter: SoldGoodsFilter,
  { limit, after }: PageRequest,
): Promise<TopGoods | undefined> {
  const { bounds, rest } = await readBounds(tx, clientId, period, filter)
  const found: SoldGoodsRow[] = []
  for (let from = 0, to = firstAddedUp; from < bounds.length; from = to, to *= 2) {
    const codes = bounds.slice(from, to).map(({ barcode }) => barcode)
    const rows = await addUp(tx, clientId, period, filter, codes)
    found.push(...rows.filter((row) => after === undefined || isBehind(row, filter, after)))
    found.sort((a, b) => b[filter.by] - a[filter.by] || (a.code < b.code ? -1 : 1))
    const next = found[limit]
    if (next && next[filter.by] > Math.max(rest, bounds[to]?.units ?? 0)) {
      const last = found[limit - 1] ?? next
      return {
        items: found.slice(0, limit).map(goodsView),
        total: null,
        next: [last[filter.by], last.code],
      }
    }
  }
  return undefined
}

interface Bound {
  readonly barcode: string
  readonly units: number
}

/**
 * The most that each of the goods on the ranks can have, the largest first, and the most that any other can have: on a
 * rank where a product does not stand it has no more than the last one there. Empty where all ranks are short, since
 * then the goods are few.
 */
async function readBounds(
  tx: Queryable,
  clientId: string,
  { from, to }: Period,
  filter: SoldGoodsFilter,
): Promise<{ readonly bounds: readonly Bound[]; readonly rest: number }> {
  const [first, last] = [yearOf(from), yearOf(to - day)]
  const years = Array.from({ length: last - first + 1 }, (_, n) => `${first + n}-01-01`)
  const bounds = await tx<(Bound & { readonly rest: number })[]>`
    with placed as (
      select y.year, s.cabinet_id, p.barcode, p.units,
        case when count(*) over rank = ${places} then min(p.units) over rank else 0 end as last
      from unnest(${years}::text[]) y (year), (
        select client_id, id as cabinet_id from cabinets where client_id = ${clientId}
        union all select ${clientId}::uuid, '00000000-0000-0000-0000-000000000000'
      ) s, lateral (
        select barcode, units from sales_years
        where client_id = ${clientId} and year = y.year::date and cabinet_id = s.cabinet_id and figure = ${filter.by}
        order by units desc limit ${places}
      ) p
      where ${ofFilter(tx, filter)}
      window rank as (partition by y.year, s.cabinet_id)
    ), others as (
      select coalesce(sum(last), 0) as rest from (select distinct year, cabinet_id, last from placed) r
    )
    select barcode, (rest + sum(units - last))::bigint as units, rest::bigint
    from placed, others where rest > 0 group by barcode, rest order by 2 desc, 1`
  return { bounds, rest: bounds[0]?.rest ?? 0 }
}

const yearOf = (moment: Instant) => Number(moscowDate(moment).slice(0, 4))

/** The exact figures of some goods, with their names. */
function addUp(
  tx: Queryable,
  clientId: string,
  period: Period,
  filter: SoldGoodsFilter,
  codes: readonly string[],
): PromiseLike<SoldGoodsRow[]> {
  return tx<SoldGoodsRow[]>`
    select g.*, p.name, p.article from (${soldGoods(tx, clientId, period, filter, codes)}) g
    left join products p on p.client_id = ${clientId} and p.barcode = g.code`
}

function isBehind(
  row: SoldGoodsRow,
  { by }: SoldGoodsFilter,
  [figure, code]: readonly (string | number | null)[],
): boolean {
  return row[by] < Number(figure) || (row[by] === Number(figure) && row.code > String(code))
}
