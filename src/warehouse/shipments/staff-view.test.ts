import test from 'node:test'
import { assertShown, withNulls } from '../../../tests/support/shown-fields.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { StaffShipment, type StaffShipmentRow, staffShipmentView } from './staff-view.ts'

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
  open_misses: 1,
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

test('a shipment of staff has the fields of its schema in their order, whatever is missing', () => {
  const missing = ['name', 'closed_at', 'accepted_at', 'picking_task_id', 'deadline'] as const
  for (const each of withNulls(row, [...missing, 'shipping_method'])) {
    const { orders, ...shipment } = staffShipmentView(each)
    assertShown(StaffShipment, shipment)
  }
})
