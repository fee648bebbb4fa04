import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejection } from '../../src/exchange/marketplaces/calls/failure.ts'
import type { MarkProving } from '../../src/exchange/marketplaces/connector.ts'
import { proveShipment } from '../../src/exchange/marketplaces/proving/prove-shipment.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { addMarks } from '../../src/warehouse/picking/add-marks.ts'
import { awaitProofs, type MarkVerdict } from '../../src/warehouse/picking/mark-proofs.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { addOrders, openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, newOrder, noon, orderIds, stockUp } from '../support/warehouse.ts'

/** What becomes of verdicts on the units of one order that are in different states. */
const { db } = await testDatabase()
const barcode = '4600000000017'

/** An order of two picked units with marks. The test says what its marketplace answers. */
async function openPicked() {
  const client = await makeClient(db, ['OZON'])
  const { id: clientId } = client
  const [cabinetId = ''] = client.cabinets
  await stockUp(db, clientId, { [barcode]: 5 })
  const clock = new ManualClock(noon)
  const draft = { ...newOrder('posting', barcode), lines: [{ barcode, quantity: 2 }] }
  const due = await at(db, noon, async (work) => {
    await takeInOrders(work, clientId, cabinetId, [draft])
    const shipmentId = await openShipment(work, clientId, { cabinetId, externalId: 'supply' })
    return { clientId, cabinetId, marketplace: 'OZON', shipmentId } as const
  })
  const [orderId = ''] = await orderIds(db, clientId)
  const { shipmentId } = due
  const taskId = await at(db, noon, async (work) => {
    await addOrders(work, clientId, shipmentId, [orderId])
    return pickingTaskOf(work, clientId, shipmentId)
  })
  const picks = [
    { scanId: 'a', orderId, barcode, marks: { gtin: '4600000000039' } },
    { scanId: 'b', orderId, barcode, marks: { gtin: '4600000000039' } },
  ]
  await at(db, noon, async (work) => {
    await pickUnits(work, clientId, taskId, picks)
    await awaitProofs(work, clientId, taskId, picks, 'every cabinet')
  })
  const say = (kind: 'waiting' | 'proven' | 'unseen') => async (): Promise<MarkVerdict[]> => [
    { kind },
    { kind },
  ]
  return {
    /** A turn, so many seconds later. */
    async turn(seconds: number, send: MarkProving['send'] | 'waiting' | 'unseen') {
      clock.advance(seconds * 1000)
      await proveShipment(
        { db, clock },
        { ...due, taskId },
        {
          send: typeof send === 'string' ? say(send) : send,
          verdicts: async () => [await say('proven')()],
        },
      )
      const rows = await db<{ state: string }[]>`
        select state from mark_proofs where client_id = ${clientId} order by scan_id`
      return rows.map(({ state }) => state)
    },
    correct: (scanId: string, gtin: string) =>
      at(db, clock.now(), async (work) => {
        const marks = { gtin }
        await addMarks(work, clientId, taskId, { scanId, marks })
        await awaitProofs(work, clientId, taskId, [{ scanId, orderId, marks }], 'every cabinet')
      }),
  }
}

test('a verdict says nothing of a unit whose mark was changed and could not be sent yet', async () => {
  const order = await openPicked()
  assert.deepEqual(await order.turn(0, 'waiting'), ['sent', 'sent'])
  await order.correct('b', '4600000000022')
  const refuse = () => Promise.reject(rejection('OZON не нашёл заказ'))
  assert.deepEqual(await order.turn(1, refuse), ['sent', 'unsent'])
  assert.deepEqual(await order.turn(30, refuse), ['proven', 'unsent'])
  assert.deepEqual(await order.turn(300, 'waiting'), ['sent', 'sent'])
  assert.deepEqual(await order.turn(30, refuse), ['proven', 'proven'])
})

test('a mark that is not shown at once counts as sent', async () => {
  const order = await openPicked()
  assert.deepEqual(await order.turn(0, 'unseen'), ['sent', 'sent'])
  assert.deepEqual(await order.turn(30, 'waiting'), ['proven', 'proven'])
})
