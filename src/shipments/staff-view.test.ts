import assert from 'node:assert/strict'
import test from 'node:test'
import { serverRow, withNulls } from '../../tests/support/server-rows.ts'
import { planJson } from '../db/json-plan.ts'
import { JsonRows } from '../db/json-rows.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { type StaffShipmentRow, staffShipmentJson, staffShipmentView } from './staff-view.ts'

const at = '2026-11-20T10:00:00.120+03:00' as Timestamp
const row: StaffShipmentRow = {
  id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cc',
  marketplace: 'WB',
  external_id: 'WB-GI-"1"',
  name: 'Утро\t1',
  status: 'ACCEPTED',
  orders_count: 3,
  created_at: at,
  closed_at: at,
  accepted_at: at,
  client_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8ce',
  client_name: 'ООО «Север»',
  cabinet_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cf',
  observed: true,
  picking_task_id: '01a20636-6fae-7b6d-8a1f-9b88f9dbb8cd',
  shortage_units: 2,
  deadline: at,
  shipping_method: {
    point_id: 507,
    name: 'Пункт "1"',
    address: null,
    city: 'Москва',
    kind: 'pp',
    type: 'selfShipping',
    date: '2026-11-21',
  },
}

test('a shipment of a list of staff is byte for byte the one that staff see alone, whatever is missing', () => {
  const plan = planJson(staffShipmentJson, Object.keys(row))
  const missing = ['name', 'closed_at', 'accepted_at', 'picking_task_id', 'deadline'] as const
  for (const each of withNulls(row, [...missing, 'shipping_method'])) {
    const json = new JsonRows(plan)
    json.take(serverRow(Object.values(each)), 0)
    assert.equal(json.object()?.toString(), JSON.stringify(staffShipmentView(each)))
  }
})
