import assert from 'node:assert/strict'
import test from 'node:test'
import { serverRow, withNulls } from '../../tests/support/server-rows.ts'
import { planJson } from '../db/json-plan.ts'
import { JsonRows } from '../db/json-rows.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { type StockRow, stockItemJson, stockItemView } from './view.ts'

const at = '2026-11-20T10:00:00.120+03:00' as Timestamp
const row: StockRow = {
  barcode: '460"\\',
  article: 'Ж\t1',
  name: 'Чашка «Ромашка» \u2028',
  quantity: 7,
  available: 5,
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

// Guarantee (stock): Goods in the stock list have the bytes of one item.
test('goods of the list are byte for byte what one item shows', () => {
  const plan = planJson(stockItemJson, Object.keys(row))
  for (const each of [...withNulls(row, ['article']), { ...row, marketplace_stock: [] }]) {
    const json = new JsonRows(plan)
    json.take(serverRow(Object.values(each)), 0)
    assert.equal(json.object()?.toString(), JSON.stringify(stockItemView(each)))
  }
})
