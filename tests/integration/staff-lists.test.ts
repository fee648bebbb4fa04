import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStaffOrder, listOrdersOfAll } from '../../src/warehouse/orders/staff-queries.ts'
import {
  findStaffShipmentSummary,
  listShipmentsOfAll,
} from '../../src/warehouse/shipments/staff-queries.ts'
import { scenarioDatabase } from '../support/scenario.ts'

const { db } = await scenarioDatabase()
// The client of the scenario: lists of all clients leave sandboxes out.
const [{ client_id }] = await db<[{ client_id: string }]>`select client_id from orders limit 1`
const everything = {
  client_id,
  marketplace: undefined,
  status: undefined,
  observed: undefined,
  created_from: undefined,
  created_to: undefined,
}
const page = { limit: 500, after: undefined }

// Guarantee (orders): Staff see an order in the list as they see it alone.
test('a page of orders of staff shows each as it is shown alone, whatever marketplaces reported', async () => {
  await db`
    insert into order_facts (client_id, order_id, label_codes, related_numbers, warehouse_name, needs_boxes)
    select client_id, id, array['%1%', 'a "b"'], array['7-1', '7-2'], E'Север\t«1»', true
    from orders order by created_at desc limit 20
    on conflict (client_id, order_id) do update set label_codes = excluded.label_codes,
      related_numbers = excluded.related_numbers, warehouse_name = excluded.warehouse_name,
      needs_boxes = excluded.needs_boxes`
  await db`
    update orders set remote_warehouse_id = '507'
    where (client_id, id) in (select client_id, id from orders order by created_at desc limit 10)`
  await db`update order_lines set required_marks = array['gtin', 'imei'] where barcode is not null`
  const filter = { ...everything, shipment_id: undefined, barcode: undefined }
  const { items } = await listOrdersOfAll(db, filter, page)
  assert.ok(items.some((order) => order.warehouse && order.label_codes && order.needs_boxes))
  const alone = items.map(({ client_id, id }) => findStaffOrder(db, client_id, id))
  assert.deepEqual(items, await Promise.all(alone))
})

// Guarantee (shipments): Staff see a shipment in the list as they see it alone.
test('pages of shipments of staff show each as it is shown alone, in both orders', async () => {
  await db`
    insert into shipping_points
    select client_id, cabinet_id, 507, 'Пункт "1"', null, 'Москва', 'pp', '{1}'
    from (select distinct client_id, cabinet_id from shipments) each`
  await db`
    insert into shipping_methods
    select client_id, id, cabinet_id, 507, 'selfShipping',
      case when status = 'ASSEMBLING' then date '2026-11-21' end
    from shipments`
  const filter = { ...everything, deadline_to: undefined }
  const { items } = await listShipmentsOfAll(db, filter, page)
  assert.ok(items.some(({ shipping_method }) => shipping_method?.date === null))
  const due = (await listShipmentsOfAll(db, filter, { ...page, sort: 'deadline' })).items
  assert.ok(due.length > 0)
  for (const shown of [items, due]) {
    const alone = shown.map(({ client_id, id }) => findStaffShipmentSummary(db, client_id, id))
    assert.deepEqual(shown, await Promise.all(alone))
  }
})
