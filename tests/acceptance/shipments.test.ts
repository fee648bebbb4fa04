import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { read } from '../support/shape.ts'
import { openTarget, readAll } from '../support/target.ts'
import {
  marketplaces,
  type Shipment,
  shipmentShape,
  shipmentStatuses,
  shipmentWithOrders,
} from './resources.ts'

const target = await openTarget()
const sandbox = await target.sandbox()
const all = await readAll(sandbox, '/v1/shipments', {}, shipmentShape)

async function assertFinds(
  query: Readonly<Record<string, string>>,
  matches: (shipment: Shipment) => boolean,
): Promise<void> {
  const found = await readAll(sandbox, '/v1/shipments', query, shipmentShape)
  assert.deepEqual(found, all.filter(matches), JSON.stringify(query))
}

test('the list has every shipment once, the newest first, without orders', () => {
  const places = all.map((shipment) => `${shipment.created_at} ${shipment.id}`)
  assert.deepEqual(places, places.toSorted().toReversed())
  assert.equal(new Set(all.map((shipment) => shipment.id)).size, all.length)
})

test('a single shipment looks as in the list, with its orders', async () => {
  const shown = new Map(all.map((each) => [`${each.status} ${each.marketplace}`, each])).values()
  for (const shipment of shown) {
    const { body } = await sandbox.get(`/v1/shipments/${shipment.id}`)
    const { orders, ...rest } = read(shipmentWithOrders, body)
    assert.deepEqual(rest, shipment)
    assert.equal(orders.length, shipment.orders_count)
  }
})

test('a shipment is not found by its number in the cabinet', async () => {
  for (const id of [all[0]?.external_id ?? '', 'x', '00000000-0000-0000-0000-000000000000']) {
    assertRefused(await sandbox.get(`/v1/shipments/${id}`), 'not_found')
  }
})

test('external_id selects by the exact number in the cabinet', async () => {
  const number = all[0]?.external_id ?? ''
  await assertFinds({ external_id: number }, (each) => each.external_id === number)
  for (const unknown of ['', number.slice(1), `${number} `, all[0]?.id ?? 'x']) {
    await assertFinds({ external_id: unknown }, () => false)
  }
})

test('every value of every enumerated filter selects exactly its shipments', async () => {
  for (const marketplace of marketplaces) {
    await assertFinds({ marketplace }, (each) => each.marketplace === marketplace)
    for (const status of shipmentStatuses) {
      await assertFinds({ status }, (each) => each.status === status)
      await assertFinds(
        { status, marketplace },
        (each) => each.status === status && each.marketplace === marketplace,
      )
    }
  }
})

test('created_from includes a shipment created at that moment, created_to excludes it', async () => {
  const bound = all[5]?.created_at ?? ''
  await assertFinds({ created_from: bound }, (each) => each.created_at >= bound)
  await assertFinds({ created_to: bound }, (each) => each.created_at < bound)
  await assertFinds({ created_from: bound, created_to: bound }, () => false)
})

test('closed_at and accepted_at are set exactly in the statuses that imply them', () => {
  for (const { status, created_at: opened, closed_at: closed, accepted_at: accepted } of all) {
    assert.equal(closed === null, status === 'ASSEMBLING')
    assert.equal(accepted === null, status !== 'ACCEPTED')
    if (closed !== null) assert.ok(opened < closed)
    if (accepted !== null) assert.ok(closed !== null && closed < accepted)
  }
})

test('a shipment shows a name only where it has one', () => {
  assert.ok(all.some((shipment) => shipment.name !== undefined))
  assert.ok(all.some((shipment) => shipment.name === undefined))
})
