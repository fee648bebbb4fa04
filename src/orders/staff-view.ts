import Type, { type Static } from 'typebox'
import { count } from '../kernel/schema.ts'
import { Order, type OrderRow, orderView } from './view.ts'

const StaffOrderLine = Type.Object({
  barcode: Type.Optional(Type.String({ description: 'Штрихкод; если неизвестен, поля нет.' })),
  article: Type.Optional(Type.String({ description: 'Артикул продавца; если нет, поля нет.' })),
  qty: Type.Integer({ minimum: 1, description: 'Сколько единиц заказано.' }),
  picked: count('Сколько из них собрано.'),
})

export const StaffOrder = Type.Object(
  {
    ...Order.properties,
    client_id: Type.String({ description: 'Чей это заказ.' }),
    cabinet_id: Type.String({ description: 'Кабинет, в котором он создан.' }),
    lines: Type.Array(StaffOrderLine, {
      description: 'Все товары заказа; barcode и article самого заказа — из первой строки.',
    }),
  },
  { $id: 'StaffOrder', description: 'Заказ, каким его видит склад.' },
)
export type StaffOrder = Static<typeof StaffOrder>

export interface StaffOrderRow extends OrderRow {
  client_id: string
  cabinet_id: string
  lines: { barcode: string | null; article: string | null; qty: number; picked: number }[]
}

/** An order as staff see it: what the seller sees, whose it is, and all of its goods. */
export function staffOrderView(row: StaffOrderRow): StaffOrder {
  return {
    ...orderView(row),
    client_id: row.client_id,
    cabinet_id: row.cabinet_id,
    lines: row.lines.map(({ barcode, article, qty, picked }) => ({
      ...(barcode === null ? {} : { barcode }),
      ...(article === null ? {} : { article }),
      qty,
      picked,
    })),
  }
}
