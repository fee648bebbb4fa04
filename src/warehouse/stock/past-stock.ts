import Type from 'typebox'
import type { Database, Queryable } from '../../platform/db/connection.ts'
import {
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import { type Instant, type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { count, momentOrNull, type Shown } from '../../platform/kernel/schema.ts'
import {
  countOfProducts,
  matchingProducts,
  meantFilter,
  type ProductFilter,
} from '../catalogue/products.ts'
import { movementKinds } from './ledger.ts'
import { StockItem } from './view.ts'

/**
 * The stock of a past moment, from the ledger: the balance of now without the movements after that moment. Balance and
 * movements are read in one statement, so they belong together. What the ledger does not know (reservations, boxes, what
 * marketplaces showed) is left out.
 */

const { barcode, article, name } = StockItem.properties

export const PastStockItem = Type.Object(
  {
    barcode,
    article,
    name,
    quantity: count('Остаток на складе в этот момент, по журналу движений.'),
    available: count('Можно было продавать: quantity − in_question.'),
    in_question: count('Единицы под вопросом в этот момент; уже входят в quantity.'),
    updated_at: momentOrNull(
      'Последнее движение к этому моменту; null, если движений ещё не было.',
    ),
  },
  { $id: 'PastStockItem', description: 'Остаток одного товара в прошлый момент.' },
)
export type PastStockItem = Shown<typeof PastStockItem>

interface PastStockRow {
  barcode: string
  article: string | null
  name: string
  quantity: number
  in_question: number
  updated_at: Timestamp | null
}

function pastStockView(row: PastStockRow): PastStockItem {
  return {
    barcode: row.barcode,
    article: row.article ?? undefined,
    name: row.name,
    quantity: row.quantity,
    available: row.quantity - row.in_question,
    in_question: row.in_question,
    updated_at: row.updated_at,
  }
}

/** When the client's first movement was; undefined while there is none. */
export async function ledgerBeginning(
  db: Queryable,
  clientId: string,
): Promise<Timestamp | undefined> {
  const [row] = await db<[{ at: Timestamp | null }]>`
    select min(first.at) as at from unnest(${[...movementKinds]}::text[]) as k (kind)
    cross join lateral (
      select at from stock_movements where client_id = ${clientId} and kind = k.kind order by at limit 1
    ) first`
  return row.at ?? undefined
}

/**
 * Lists all goods of the client by barcode, in byte order, with their stock at a moment, its own movements included. A
 * page costs as much as its goods have movements since then. Two processes whose clocks differ may have written movements of
 * one unit out of order: what is below zero for that instant shows as zero.
 */
export async function listPastStock(
  db: Database,
  clientId: string,
  { at, ...asked }: ProductFilter & { readonly at: Instant },
  page: PageRequest,
): Promise<Page<PastStockItem>> {
  const filter = meantFilter(asked)
  const moment = toTimestamp(at)
  const total = countOfProducts(db, clientId, filter)
  const rows = await db<(PastStockRow & { total: number })[]>`
    select p.barcode, p.article, p.name, units.quantity, least(units.in_question, units.quantity) as in_question,
      last.at as updated_at, ${totalFor(db, total, page)} as total
    from (
      select * from products p where ${matchingProducts(db, clientId, filter)}
        ${page.after === undefined ? db`` : db`and p.barcode > ${String(page.after[0])}`}
      order by p.barcode limit ${page.limit + 1}
    ) p
    cross join lateral (
      select b.quantity, b.in_question from stock_balances b
      where b.client_id = p.client_id and b.barcode = p.barcode limit 1
    ) b
    cross join lateral (
      select coalesce(sum(m.delta), 0) as delta, coalesce(sum(m.question_delta), 0) as question_delta
      from stock_movements m
      where m.client_id = p.client_id and m.barcode = p.barcode and m.at > ${moment}
    ) since
    cross join lateral (
      select greatest(0, b.quantity - since.delta)::bigint as quantity,
        greatest(0, b.in_question - since.question_delta)::bigint as in_question
    ) units
    left join lateral (
      select m.at from stock_movements m
      where m.client_id = p.client_id and m.barcode = p.barcode and m.at <= ${moment}
      order by m.at desc limit 1
    ) last on true
    order by p.barcode`
  return pageOf(rows, page, {
    view: pastStockView,
    position: (row) => [row.barcode],
    count: () => countOf(db, total),
  })
}
