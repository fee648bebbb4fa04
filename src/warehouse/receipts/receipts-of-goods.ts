import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import { count, moment, momentOrNull, oneOfValues } from '../../platform/kernel/schema.ts'
import { type ReceiptStatus, receiptStatuses, receiptStatusLabels } from './state.ts'

/** The receipts that brought a product, or are to bring it. */

export const ReceiptOfGoods = Type.Object(
  {
    id: Type.String({ description: 'Идентификатор приёмки.' }),
    number: Type.String({ description: 'Номер приёмки на складе.' }),
    status: oneOfValues(receiptStatuses, 'Состояние приёмки.'),
    status_label: Type.String({ description: 'Состояние по-русски; текст может измениться.' }),
    created_at: moment('Когда создана.'),
    planned_date: momentOrNull('Плановая дата; null, если не указана.'),
    expected_qty: count('Заявлено единиц этого товара.'),
    accepted_qty: count('Принято единиц этого товара.'),
  },
  { $id: 'ReceiptOfGoods', description: 'Приёмка и что в ней этого товара.' },
)
export type ReceiptOfGoods = Static<typeof ReceiptOfGoods>

export const receiptsOfGoodsMax = 20

/** The newest receipts of a product; undefined where the client has no such product. */
export async function receiptsOfGoods(
  db: Queryable,
  clientId: string,
  barcode: string,
): Promise<ReceiptOfGoods[] | undefined> {
  const [product] = await db`
    select barcode from products where client_id = ${clientId} and barcode = ${barcode}`
  if (product === undefined) return undefined
  // Ids grow with time, so the newest are read from the end of the index.
  const rows = await db<(Omit<ReceiptOfGoods, 'status_label'> & { status: ReceiptStatus })[]>`
    select r.id, r.number, r.status, r.created_at, r.planned_date::timestamptz as planned_date,
      i.expected_qty, i.accepted_qty
    from (
      select * from receipt_items
      where client_id = ${clientId} and barcode = ${barcode} and (expected_qty > 0 or accepted_qty > 0)
      order by receipt_id desc limit ${receiptsOfGoodsMax}
    ) i
    join receipts r on r.client_id = i.client_id and r.id = i.receipt_id
    order by r.created_at desc, r.id desc`
  return rows.map((row) => ({ ...row, status_label: receiptStatusLabels[row.status] }))
}
