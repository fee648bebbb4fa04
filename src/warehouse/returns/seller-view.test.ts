import test from 'node:test'
import { assertShown, withNulls } from '../../../tests/support/shown-fields.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { Return, ReturnedGoods, type ReturnedGoodsRow, returnView } from './seller-view.ts'

const at = '2026-11-20T10:00:00.120+03:00' as Timestamp
const row = {
  id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cc',
  number: 'RT-000001',
  status: 'FINISHED',
  qty: 3,
  sellable_qty: 1,
  in_question_qty: 2,
  created_at: at,
  finished_at: at,
} as const
const goods: ReturnedGoodsRow = {
  order_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cd',
  order_external_id: 'a "b"',
  barcode: '460',
  article: 'Ж-1',
  name: 'Чашка «Ромашка»',
  qty: 3,
  condition: 'damaged',
  reason: 'Брак',
}

test('a return has the fields of its schema in their order, whatever is missing', () => {
  for (const each of withNulls(goods, ['order_id', 'order_external_id', 'article', 'reason'])) {
    const shown = returnView(row, [each])
    assertShown(Return, shown)
    for (const item of shown.items ?? []) assertShown(ReturnedGoods, item)
  }
  assertShown(Return, returnView({ ...row, finished_at: null }))
})
