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
import { talliesOf } from '../../platform/db/tallied-days.ts'
import { day, type Instant, midnight, moscowDate } from '../../platform/kernel/moscow-time.ts'
import { calendarDay, count, named, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { type Marketplace, marketplaces } from '../clients/marketplace.ts'
import type { Period } from './period.ts'

/**
 * What buyers ordered, and what of it left and came back, in units, from tallies by day, product and cabinet. Periods
 * are whole days of Moscow. Orders count on the day of their creation, cancelled ones as well; units count on the day
 * on which they left or came back.
 */

const figures = {
  ordered: count('Заказано единиц, отменённые тоже: по дню создания заказа.'),
  cancelled: count('Из заказанных отменено.'),
  shipped: count('Отгружено единиц: по дню закрытия отгрузки.'),
  returned: Type.Integer({
    description: 'Вернулось единиц. Меньше нуля, когда отменили приём возврата прошлых суток.',
  }),
}

export const salesFigures = ['ordered', 'cancelled', 'shipped', 'returned'] as const
export type SalesFigure = (typeof salesFigures)[number]

export const SalesTotal = Type.Object(figures, {
  $id: 'SalesTotal',
  description: 'Единицы за период.',
})
type SalesTotal = Static<typeof SalesTotal>

export const GoodsSales = Type.Object(
  {
    barcode: textOrNull('Штрихкод; null: у карточек маркетплейса ещё нет штрихкода.'),
    name: textOrNull('Название; null: такого товара на складе нет.'),
    article: textOrNull('Артикул продавца.'),
    ...figures,
  },
  { $id: 'GoodsSales', description: 'Продажи товара за период.' },
)
export type GoodsSales = Static<typeof GoodsSales>

const DaySales = Type.Object({
  day: calendarDay('Сутки по Москве.'),
  ...figures,
})

const CabinetSales = Type.Object({
  cabinet_id: textOrNull('Кабинет; null: вернулось без заказа и партии кабинета.'),
  cabinet_name: textOrNull('Название кабинета.'),
  marketplace: Type.Union([oneOfValues(marketplaces, 'Маркетплейс.'), Type.Null()]),
  ...figures,
})

export const Sales = Type.Object(
  {
    from: calendarDay('Первые сутки по Москве.'),
    to: calendarDay('Сутки после последних.'),
    total: named<SalesTotal>(SalesTotal),
    days: Type.Array(DaySales, { description: 'Все сутки по порядку, пустые тоже.' }),
    cabinets: Type.Array(CabinetSales, { description: 'Сначала с большим числом заказанных.' }),
  },
  { $id: 'Sales', description: 'Продажи за период в единицах.' },
)
export type Sales = Static<typeof Sales>

export interface SalesFilter {
  readonly cabinet: string | undefined
  readonly marketplace: Marketplace | undefined
}

/** The sales of a client by day and by cabinet. Both ends of the period are the beginning of a day of Moscow. */
export async function readSales(
  db: Queryable,
  clientId: string,
  period: Period,
  filter: SalesFilter,
): Promise<Sales> {
  const rows = await db<CabinetDay[]>`
    select s.day::text as day, c.id as cabinet_id, c.name as cabinet_name, c.marketplace, ${sums(db)}
    from sales_days s left join cabinets c on c.client_id = s.client_id and c.id = s.cabinet_id
    where s.client_id = ${clientId} and s.day >= ${moscowDate(period.from)}::date
      and s.day < ${moscowDate(period.to)}::date and ${ofFilter(db, filter)}
    group by 1, 2, 3, 4`
  const byDay = Map.groupBy(rows, (row) => row.day)
  const byCabinet = Map.groupBy(rows, ({ cabinet_id }) => cabinet_id)
  return {
    from: moscowDate(period.from),
    to: moscowDate(period.to),
    total: added(rows),
    days: datesOf(period).map((date) => ({ day: date, ...added(byDay.get(date) ?? []) })),
    cabinets: [...byCabinet.values()]
      .map((of) => ({ ...cabinetOf(of[0]), ...added(of) }))
      .toSorted((a, b) => b.ordered - a.ordered),
  }
}

interface CabinetDay extends SalesTotal {
  readonly day: string
  readonly cabinet_id: string | null
  readonly cabinet_name: string | null
  readonly marketplace: Marketplace | null
}

const cabinetOf = (row: CabinetDay | undefined) => ({
  cabinet_id: row?.cabinet_id ?? null,
  cabinet_name: row?.cabinet_name ?? null,
  marketplace: row?.marketplace ?? null,
})

function added(rows: readonly SalesTotal[]): SalesTotal {
  const sum = (figure: SalesFigure) => rows.reduce((total, row) => total + row[figure], 0)
  return {
    ordered: sum('ordered'),
    cancelled: sum('cancelled'),
    shipped: sum('shipped'),
    returned: sum('returned'),
  }
}

function datesOf({ from, to }: Period): string[] {
  return Array.from({ length: Math.round((to - from) / day) }, (_, n) => moscowDate(from + n * day))
}

const sums = (db: Queryable) => db`
  sum(s.ordered)::bigint as ordered, sum(s.cancelled)::bigint as cancelled,
  sum(s.shipped)::bigint as shipped, sum(s.returned)::bigint as returned`

/** The condition of a filter on rows s of tallies and cabinets c. */
export function ofFilter(db: Queryable, { cabinet, marketplace }: SalesFilter): Fragment {
  const ofCabinet = cabinet === undefined ? db`true` : db`s.cabinet_id::text = ${cabinet}`
  return marketplace === undefined
    ? ofCabinet
    : db`${ofCabinet} and s.cabinet_id in (
        select id from cabinets where client_id = s.client_id and marketplace = ${marketplace})`
}

export interface SoldGoodsRow extends SalesTotal {
  readonly code: string
  readonly name: string | null
  readonly article: string | null
}

export const goodsView = ({
  code,
  ordered,
  cancelled,
  shipped,
  returned,
  name,
  article,
}: SoldGoodsRow) => ({
  ...{ barcode: code === '' ? null : code, name, article },
  ...{ ordered, cancelled, shipped, returned },
})

export interface SoldGoodsFilter extends SalesFilter {
  readonly by: SalesFigure
}

/** The sales of a client by product, those with the largest figure first, all added up. */
export async function listSoldGoods(
  db: Queryable,
  clientId: string,
  period: Period,
  filter: SoldGoodsFilter,
  page: PageRequest,
): Promise<Page<GoodsSales>> {
  const goods = soldGoods(db, clientId, period, filter)
  const by = db(filter.by)
  const [figure, code] = page.after ?? []
  const behind =
    page.after === undefined
      ? db``
      : db`where (-g.${by}, g.code) > (${-Number(figure)}::bigint, ${String(code)} collate "C")`
  const rows = await db<(SoldGoodsRow & { readonly total: number })[]>`
    with g as (${goods})
    select g.*, p.name, p.article
    from (
      select g.*, ${totalFor(db, db`select count(*) from g`, page)} as total from g ${behind}
      order by -g.${by}, g.code limit ${page.limit + 1}
    ) g
    left join products p on p.client_id = ${clientId} and p.barcode = g.code
    order by -g.${by}, g.code`
  return pageOf(rows, page, {
    view: goodsView,
    position: (row) => [row[filter.by], row.code],
    count: () => countOf(db, db`select count(*) from (${goods}) g`),
  })
}

/** The figures of goods that have any, of all or of those given. */
export function soldGoods(
  db: Queryable,
  clientId: string,
  { from, to }: Period,
  filter: SalesFilter,
  barcodes?: readonly string[],
): Fragment {
  const days = {
    first: db`${moscowDate(from)}::date`,
    last: db`${moscowDate(to - day)}::date`,
  }
  const given = barcodes === undefined ? db`` : db`and s.barcode = any(${[...barcodes]}::text[])`
  const rows = talliesOf(
    db,
    days,
    (within) => db`
      select s.barcode, s.ordered, s.cancelled, s.shipped, s.returned from sales_tallies s
      where s.client_id = ${clientId} and ${within} and ${ofFilter(db, filter)} ${given}`,
  )
  return db`
    select s.barcode as code, ${sums(db)} from (${rows}) s group by 1
    having (sum(s.ordered), sum(s.cancelled), sum(s.shipped), sum(s.returned)) <> (0, 0, 0, 0)`
}

/** The days of Moscow that a period touches, whole. */
export function wholeDays({ from, to }: Period): Period {
  return { from: midnight(moscowDate(from)), to: endOfDay(to - 1) }
}

/** The end of the day of Moscow that a moment lies in. */
export function endOfDay(moment: Instant): Instant {
  return midnight(moscowDate(moment)) + day
}
