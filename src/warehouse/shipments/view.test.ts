import test from 'node:test'
import { assertShown, withNulls } from '../../../tests/support/shown-fields.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { Shipment, type ShipmentRow, shipmentView } from './view.ts'

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

// Guarantee (shipments): A shipment has one shape: alone, in lists and in events.
test('a shipment has the fields of its schema in their order, whatever is missing', () => {
  for (const each of withNulls(row, ['name', 'closed_at', 'accepted_at'])) {
    assertShown(Shipment, shipmentView(each))
    assertShown(Shipment, shipmentView(each, []))
  }
})
