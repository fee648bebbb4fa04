import assert from 'node:assert/strict'
import test from 'node:test'
import { serverRow, withNulls } from '../../tests/support/server-rows.ts'
import { planJson } from '../db/json-plan.ts'
import { JsonRows } from '../db/json-rows.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { orderStatuses } from './state.ts'
import { type OrderRow, orderJson, orderView } from './view.ts'

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

// Guarantee (orders): An order that is written as JSON has the bytes of its view.
test('an order is byte for byte the one that its events show, whatever is missing', () => {
  const plan = planJson(orderJson, Object.keys(row))
  for (const status of orderStatuses) {
    for (const each of withNulls({ ...row, status, is_b2b: status === 'NEW' }, nullable)) {
      const json = new JsonRows(plan)
      json.take(serverRow(Object.values(each)), 0)
      assert.equal(json.object()?.toString(), JSON.stringify(orderView(each)))
    }
  }
})
