import test from 'node:test'
import { assertShown, withNulls } from '../../../tests/support/shown-fields.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import {
  Receipt,
  ReceiptItem,
  type ReceiptItemRow,
  type ReceiptRow,
  receiptView,
  StaffReceipt,
  StaffReceiptItem,
  type StaffReceiptRow,
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

test('a receipt has the fields of its schema in their order, whatever is missing', () => {
  const lines = [...withNulls(line, missing)]
  for (const each of withNulls(row, nullable)) {
    assertShown(Receipt, receiptView(each))
    assertShown(Receipt, receiptView(each, []))
  }
  for (const item of receiptView(row, lines).items ?? []) assertShown(ReceiptItem, item)
})

test('a receipt of staff has the fields of its schema in their order, whatever is missing', () => {
  const staffRow: StaffReceiptRow = {
    ...row,
    shown_ref: null,
    external_ref: 'ПО 2',
    version: null,
    client_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cd',
    client_name: 'ООО «Север»',
    cabinet_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8ce',
    walk_in: true,
    approved_at: at('12:00:00.000'),
    cancelled_at: at('13:00:00.010'),
    cancel_comment: 'дубль',
    short_qty: 2,
    surplus_qty: 1,
  }
  const missing = [
    'external_ref',
    'cabinet_id',
    'approved_at',
    'cancelled_at',
    'cancel_comment',
  ] as const
  for (const each of withNulls(staffRow, [...missing, 'source', 'comment'])) {
    assertShown(StaffReceipt, staffReceiptView(each))
  }
  const also = { [line.barcode]: [{ id: '1', number: 'R-2', status: row.status, expected_qty: 1 }] }
  for (const others of [{}, also]) {
    const lines = [{ ...line, card_honest_mark: null, asks_expiry: true }]
    const [item] = staffReceiptView(staffRow, lines, others).items ?? []
    assertShown(StaffReceiptItem, item ?? {})
  }
})
