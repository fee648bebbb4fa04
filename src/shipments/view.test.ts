import assert from 'node:assert/strict'
import test from 'node:test'
import { serverRow, withNulls } from '../../tests/support/server-rows.ts'
import { planJson } from '../db/json-plan.ts'
import { JsonRows } from '../db/json-rows.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { shipmentStatuses } from './state.ts'
import { type ShipmentRow, shipmentJson, shipmentView } from './view.ts'

const at = '2026-11-20T10:00:00.120+03:00' as Timestamp
const row: ShipmentRow = {
  id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cc',
  marketplace: 'OZON',
  external_id: '100-"1"',
  name: 'Утро\t1',
  status: 'ACCEPTED',
  orders_count: 3,
  created_at: at,
  closed_at: at,
  accepted_at: at,
}

// Guarantee (shipments): A shipment that is written as JSON has the bytes of its view.
test('a shipment of a list is byte for byte the one that staff see, whatever is missing', () => {
  const plan = planJson(shipmentJson, Object.keys(row))
  for (const status of shipmentStatuses) {
    for (const each of withNulls({ ...row, status }, ['name', 'closed_at', 'accepted_at'])) {
      const json = new JsonRows(plan)
      json.take(serverRow(Object.values(each)), 0)
      assert.equal(json.object()?.toString(), JSON.stringify(shipmentView(each)))
    }
  }
})
