import test from 'node:test'
import { assertShown, withNulls } from '../../../tests/support/shown-fields.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { StockItem, type StockRow, stockItemView } from './view.ts'

const at = '2026-11-20T10:00:00.120+03:00' as Timestamp
const row: StockRow = {
  barcode: '460"\\',
  article: 'Ж\t1',
  name: 'Чашка «Ромашка» \u2028',
  quantity: 7,
  in_question: 2,
  reserved: 1,
  boxes: 3,
  pallets: 0,
  updated_at: at,
  marketplace_stock: [
    { marketplace: 'WB', quantity: 3, warehouse_id: 507, warehouse_name: 'Север', synced_at: at },
    { marketplace: 'OZON', quantity: 0, synced_at: null },
  ],
}

// Guarantee (stock): Goods have one shape: alone and in the stock list.
test('goods have the fields of their schema in their order, whatever is missing', () => {
  for (const each of withNulls(row, ['article'])) assertShown(StockItem, stockItemView(each))
})
