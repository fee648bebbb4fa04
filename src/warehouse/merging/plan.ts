import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { excerpt, notFound } from '../../platform/kernel/errors.ts'
import { quoted } from '../../platform/kernel/quoted.ts'
import { count } from '../../platform/kernel/schema.ts'
import type { Merging } from '../catalogue/merged-products.ts'
import { otherBarcodesMax } from '../catalogue/other-barcodes.ts'
import { findProduct, type Product } from '../catalogue/products.ts'
import { ordersHereWith } from '../orders/merged-lines.ts'
import { type OpenLine, openLinesOf } from '../receipts/merged-lines.ts'

/** What merging would move, and why it may not. */

export const MergingPlan = Type.Object(
  {
    barcode: Type.String({ description: 'Товар, который исчезнет из списков.' }),
    name: Type.String({ description: 'Его название.' }),
    into: Type.String({ description: 'Товар, который останется.' }),
    units: count('Сколько единиц перейдёт.'),
    reserved: count('Сколько из них в резерве.'),
    boxes: count('В скольких коробах они лежат.'),
    locations: count('На скольких местах они лежат без короба.'),
    barcodes: count('Сколько штрихкодов перейдёт: и свой, и другие.'),
    orders: count('Сколько заказов, которые ещё не уехали, перейдёт.'),
    receipts: count('Сколько незаконченных приёмок перейдёт.'),
    refusal: Type.Optional(
      Type.String({
        description: 'Почему объединить нельзя и что сделать; если можно, поля нет.',
      }),
    ),
  },
  { $id: 'MergingPlan', description: 'Что перейдёт при объединении товаров.' },
)
export type MergingPlan = Static<typeof MergingPlan>

/** Throws not_found where the client does not have one of the products. */
export async function planOfMerging(
  db: Queryable,
  clientId: string,
  merging: Merging,
): Promise<MergingPlan> {
  const { from, into } = merging
  const [gone, kept] = [
    await findProduct(db, clientId, from),
    await findProduct(db, clientId, into),
  ]
  if (kept === undefined) throw notFound('Товар не найден')
  if (gone === undefined) throw notFound(`Товара ${excerpt(from)} у клиента нет`)
  const figures = await figuresOf(db, clientId, merging)
  const orders = await ordersHereWith(db, clientId, from)
  const lines = await openLinesOf(db, clientId, merging)
  const receipts = new Set(lines.filter((line) => line.barcode === from).map((line) => line.number))
  const refusal =
    refusalOfProducts(gone, kept) ??
    refusalOfFigures(figures, gone) ??
    refusalOfLines(lines, receipts)
  const { in_question: _, all_barcodes: __, counting: ___, in_sets: ____, ...shown } = figures
  return {
    barcode: from,
    name: gone.name,
    into,
    ...shown,
    orders: orders.length,
    receipts: receipts.size,
    ...(refusal === undefined ? {} : { refusal }),
  }
}

interface Figures {
  readonly units: number
  readonly reserved: number
  readonly in_question: number
  readonly boxes: number
  readonly locations: number
  readonly barcodes: number
  /** Of both products, without the own one of the product that stays. */
  readonly all_barcodes: number
  /** Stocktaking that may count one of them goes on. */
  readonly counting: boolean
  /** One of them is a part of a set, or is a set itself, now or in an order or document of the past. */
  readonly in_sets: boolean
}

async function figuresOf(
  db: Queryable,
  clientId: string,
  { from, into }: Merging,
): Promise<Figures> {
  const [figures] = await db<[Figures]>`
    select coalesce(b.quantity, 0)::int as units, coalesce(b.reserved, 0)::int as reserved,
      coalesce(b.in_question, 0)::int as in_question,
      (select count(*) from box_contents c where c.client_id = p.client_id and c.barcode = p.barcode)::int as boxes,
      (select count(*) from location_contents c where c.client_id = p.client_id and c.barcode = p.barcode)::int as locations,
      a.own + 1 as barcodes, a.own + 1 + a.others as all_barcodes,
      exists (
        select from stock_counts k
        where k.client_id = p.client_id and (k.status in ('COUNTING', 'REVIEW') or k.status = 'DRAFT' and k.barcodes <> '{}')
          and (k.barcodes = '{}' or k.barcodes && array[${from}::text, ${into}] collate "C")
      ) as counting,
      exists (
        select from set_parts s
        where s.client_id = p.client_id and (s.set_barcode in (${from}, ${into}) or s.barcode in (${from}, ${into}))
      ) or exists (
        select from set_assemblies s where s.client_id = p.client_id and s.set_barcode in (${from}, ${into})
      ) or exists (
        select from order_sets s where s.client_id = p.client_id and s.barcode in (${from}, ${into})
      ) as in_sets
    from products p
    left join stock_balances b on b.client_id = p.client_id and b.barcode = p.barcode
    cross join lateral (
      select count(distinct a.added) filter (where a.barcode = p.barcode)::int as own,
        count(distinct a.added) filter (where a.barcode <> p.barcode)::int as others
      from barcode_aliases a where a.client_id = p.client_id and a.barcode in (${from}, ${into})
    ) a
    where p.client_id = ${clientId} and p.barcode = ${from}`
  return figures
}

function refusalOfProducts(gone: Product, kept: Product): string | undefined {
  if (gone.barcode === kept.barcode) return 'Это один и тот же товар: укажите другой штрихкод'
  for (const { barcode, merged_into: into } of [gone, kept]) {
    if (into !== undefined) return `Товар ${barcode} уже объединён с товаром ${into}`
  }
  if (gone.honest_mark === kept.honest_mark) return undefined
  const marked = gone.honest_mark ? gone : kept
  return (
    `Товар ${quoted(marked.name)} маркируется, а другой нет: ` +
    'если это один товар, сначала исправьте признак маркировки'
  )
}

function refusalOfFigures(figures: Figures, gone: Product): string | undefined {
  const { in_question: inQuestion, counting, in_sets: inSets, all_barcodes: barcodes } = figures
  if (inSets) return 'Один из товаров — набор или часть набора, такие товары не объединяются'
  if (inQuestion > 0) {
    return `Под вопросом ${inQuestion} шт. товара ${gone.barcode}: сначала решите, что с ними`
  }
  if (counting) {
    return 'Идёт инвентаризация, в которую входят эти товары: сначала закончите или отмените её'
  }
  if (barcodes <= otherBarcodesMax) return undefined
  return `У товаров вместе больше ${otherBarcodesMax} других штрихкодов: сначала уберите ненужные`
}

/** Surplus of the one line is in question, and what the other line lacks would hide it. */
function refusalOfLines(
  lines: readonly OpenLine[],
  receipts: ReadonlySet<string>,
): string | undefined {
  const surplus = ({ expected, accepted }: Pick<OpenLine, 'expected' | 'accepted'>) =>
    Math.max(0, accepted - expected)
  for (const number of receipts) {
    const own = lines.filter((line) => line.number === number)
    const apart = own.reduce((sum, line) => sum + surplus(line), 0)
    const expected = own.reduce((sum, line) => sum + line.expected, 0)
    const accepted = own.reduce((sum, line) => sum + line.accepted, 0)
    if (apart !== surplus({ expected, accepted })) {
      return `В приёмке ${number} одного из товаров больше, чем заявлено, а другого нет: сначала закончите её`
    }
  }
  return undefined
}
