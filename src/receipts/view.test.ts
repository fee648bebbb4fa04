import assert from 'node:assert/strict'
import test from 'node:test'
import { serverRow, withNulls } from '../../tests/support/server-rows.ts'
import { planJson } from '../db/json-plan.ts'
import { JsonRows } from '../db/json-rows.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { receiptStatuses } from './state.ts'
import {
  type ReceiptItemRow,
  type ReceiptRow,
  receiptJson,
  receiptView,
  receiptWithLinesJson,
  type StaffReceiptRow,
  staffReceiptJson,
  staffReceiptView,
} from './view.ts'

const at = (text: string) => `2026-11-20T${text}+03:00` as Timestamp
const row: ReceiptRow = {
  id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cc',
  number: 'R-000001',
  status: 'RECEIVED',
  source: 'api',
  shown_ref: 'ПО "1"\\',
  comment: 'к воротам\n2',
  planned_date: at('00:00:00.000'),
  expected_qty: 12,
  accepted_qty: 10,
  discrepancy_qty: 2,
  created_at: at('09:00:00.100'),
  confirmed_at: at('09:30:00.120'),
  completed_at: at('11:00:00.123'),
}
const nullable = [
  'source',
  'shown_ref',
  'comment',
  'planned_date',
  'confirmed_at',
  'completed_at',
] as const
const line: ReceiptItemRow = {
  barcode: '460"',
  article: 'Ж-1',
  name: 'Чашка «Ромашка»',
  honest_mark: true,
  expected_qty: 7,
  accepted_qty: 5,
  discrepancy_qty: 2,
  shortage_reason: 'Не довезли',
}
const missing = ['article', 'honest_mark', 'shortage_reason'] as const

test('a receipt of a list is byte for byte the one that staff see, whatever is missing', () => {
  const plan = planJson(receiptJson, Object.keys(row))
  for (const status of receiptStatuses) {
    for (const each of withNulls({ ...row, status }, nullable)) {
      const json = new JsonRows(plan)
      json.take(serverRow(Object.values(each)), 0)
      assert.equal(json.object()?.toString(), JSON.stringify(receiptView(each)))
    }
  }
})

test('a receipt of a list of staff is byte for byte the one that staff see alone, whatever is missing', () => {
  const staffRow: StaffReceiptRow = {
    ...row,
    shown_ref: null,
    external_ref: 'ПО 2',
    client_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cd',
    client_name: 'ООО «Север»',
    cabinet_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8ce',
    walk_in: true,
    approved_at: at('12:00:00.000'),
    cancelled_at: at('13:00:00.010'),
    cancel_comment: 'дубль',
  }
  const missing = [
    'external_ref',
    'cabinet_id',
    'approved_at',
    'cancelled_at',
    'cancel_comment',
  ] as const
  const plan = planJson(staffReceiptJson, Object.keys(staffRow))
  for (const each of withNulls(staffRow, [...missing, 'source', 'comment'])) {
    const json = new JsonRows(plan)
    json.take(serverRow(Object.values(each)), 0)
    assert.equal(json.object()?.toString(), JSON.stringify(staffReceiptView(each)))
  }
})

// Guarantee (receipts): A receipt that is written as JSON has the bytes of its events.
test('a receipt with its lines is byte for byte what its first event shows, whatever is missing', () => {
  const columns = [...Object.keys(row), 'item', ...Object.keys(line)]
  const plan = planJson(receiptWithLinesJson, columns)
  const lines = [...withNulls(line, missing)]
  for (const each of withNulls(row, nullable)) {
    for (const shown of [[], lines.slice(0, 1), lines]) {
      const json = new JsonRows(plan)
      const items = shown.length === 0 ? [Object.values(line).map(() => null)] : shown
      for (const item of items) {
        const [barcode] = Object.values(item)
        json.take(serverRow([...Object.values(each), barcode, ...Object.values(item)]), 0)
      }
      assert.equal(json.object()?.toString(), JSON.stringify(receiptView(each, shown)))
    }
  }
})
