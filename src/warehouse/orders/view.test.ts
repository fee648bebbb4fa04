import test from 'node:test'
import { assertShown, withNulls } from '../../../tests/support/shown-fields.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { Order, type OrderRow, orderView } from './view.ts'

const at = (text: string) => `2026-11-20T${text}+03:00` as Timestamp
const row: OrderRow = {
  id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cc',
  marketplace: 'WB',
  external_id: 'a "b"\n',
  status: 'NEW',
  supplier_status: 'new',
  buyer_status: 'waiting',
  status_changed_at: at('10:00:00.120'),
  article: 'Ж-1',
  barcode: '460',
  nm_id: 12,
  is_b2b: true,
  shipment_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cd',
  shipment_external_id: 'WB-GI-1',
  created_at: at('09:00:00.000'),
  packed_at: at('11:00:00.001'),
  synced_at: at('12:30:00.100'),
}
const nullable = [
  'supplier_status',
  'buyer_status',
  'status_changed_at',
  'article',
  'barcode',
  'nm_id',
  'shipment_id',
  'shipment_external_id',
  'packed_at',
  'synced_at',
] as const

// Guarantee (orders): An order has one shape: alone, in lists and in events.
test('an order has the fields of its schema in their order, whatever is missing', () => {
  for (const each of withNulls(row, nullable)) {
    const order = orderView(each)
    assertShown(Order, order)
    assertShown(Order.properties.marketplace_status, order.marketplace_status)
  }
})
