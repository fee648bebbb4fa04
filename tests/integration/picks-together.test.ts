import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { performTogether, type Verdict } from '../../src/platform/db/together.ts'
import { type SharedWork, sharedWorkAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { type PickedUnit, pickTogether } from '../../src/warehouse/picking/picks.ts'
import type { PickScan, ReceivedPick } from '../../src/warehouse/picking/recorded-pick.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { addOrders, closeShipment, openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, newOrder, noon, orderIds, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 24 })

/** A client with an open shipment of orders of two units of A each. */
async function floor(orders: number) {
  const { id: clientId, cabinets } = await makeClient(db)
  const cabinetId = cabinets[0] ?? ''
  await stockUp(db, clientId, { A: 2 * orders })
  const drafts = Array.from({ length: orders }, (_, n) => ({
    ...newOrder(`A${n + 1}`, 'A'),
    lines: [{ barcode: 'A', quantity: 2 }],
  }))
  await at(db, noon, (work) => takeInOrders(work, clientId, cabinetId, drafts))
  const ids = await orderIds(db, clientId)
  const shipment = await at(db, noon, (work) =>
    openShipment(work, clientId, { cabinetId, externalId: 'S' }),
  )
  await at(db, noon, (work) => addOrders(work, clientId, shipment, ids))
  const taskId = await at(db, noon, (work) => pickingTaskOf(work, clientId, shipment))
  const pick = (scan: PickScan, worker = 1): ReceivedPick => ({
    ...scan,
    clientId,
    taskId,
    actor: { kind: 'staff', userId: `worker-${worker}` },
  })
  return { clientId, shipment, ids, pick }
}

const pickAll = (picks: readonly ReceivedPick[]) =>
  db.begin((tx) => pickTogether(sharedWorkAt(tx, noon), picks))

const shown = (verdict: Verdict<PickedUnit | undefined> | undefined) =>
  verdict?.kind === 'done'
    ? verdict.result === undefined
      ? 'recorded'
      : verdict.result.packedAt !== undefined
    : verdict?.kind === 'refused'
      ? verdict.error.message
      : verdict?.kind

const assertTrue = async () => assert.deepEqual((await audit(db)).findings, [])

// Guarantee (picking): Picks that share a transaction are accepted or refused one by one.
test('picks of several tasks in one transaction: each by its own worker, a bad one beside good ones', async () => {
  const one = await floor(2)
  const other = await floor(1)
  const box = await at(db, noon, (work) => addBox(work, one.clientId))
  await at(db, noon, (work) =>
    putIntoBox(work, one.clientId, { boxId: box, barcode: 'A', units: 1 }),
  )
  const [first = '', second = ''] = one.ids
  const [third = ''] = other.ids
  const verdicts = await pickAll([
    one.pick({ scanId: '1', orderId: first, barcode: 'A' }, 1),
    one.pick({ scanId: '2', orderId: first, barcode: 'no such goods' }, 2),
    one.pick({ scanId: '3', orderId: first, barcode: 'A', boxId: box }, 2),
    one.pick({ scanId: '4', orderId: first, barcode: 'A' }, 3),
    one.pick({ scanId: '5', orderId: third, barcode: 'A' }, 3),
    other.pick({ scanId: '1', orderId: third, barcode: 'A' }, 4),
    one.pick({ scanId: '6', orderId: second, barcode: 'A', boxId: box }, 4),
    one.pick({ scanId: '1', orderId: second, barcode: 'A' }, 5),
  ])
  assert.deepEqual(verdicts.map(shown), [
    false,
    'Поле barcode: товара no such goods в заказе A1 нет: верните его на место',
    true,
    'Заказу A1 товар A больше не нужен: верните его на место',
    'Заказ не найден',
    false,
    'Товара A в этом коробе нет: проверьте короб и товар',
    'apart',
  ])
  const picks = await db<{ scan_id: string; actor: string }[]>`
    select scan_id, actor from picks where client_id = ${one.clientId} order by scan_id`
  assert.deepEqual(
    picks.map(({ scan_id, actor }) => [scan_id, actor]),
    [
      ['1', 'staff:worker-1'],
      ['3', 'staff:worker-2'],
    ],
  )
  const [again] = await pickAll([one.pick({ scanId: '1', orderId: second, barcode: 'A' })])
  assert.equal(shown(again), 'recorded')
  await assertTrue()
})

test('picks while the shipment closes are in it or refused, and each scan that is sent twice counts once', async () => {
  const { clientId, shipment, ids, pick } = await floor(20)
  const run = performTogether(
    db,
    new ManualClock(noon),
    (work: SharedWork, picks: readonly ReceivedPick[]) => pickTogether(work, picks),
  )
  const scans = ids.flatMap((orderId) =>
    [1, 2].map((unit) => pick({ scanId: `${orderId} ${unit}`, orderId, barcode: 'A' })),
  )
  const answers = await Promise.all([...scans, ...scans].map((scan) => run(scan)))
  assert.equal(answers.filter((answer) => answer !== undefined).length, scans.length)
  const late = pick({ scanId: 'late', orderId: ids[0] ?? '', barcode: 'A' })
  const [, refused] = await Promise.allSettled([
    at(db, noon, (work) => closeShipment(work, clientId, shipment)),
    run(late),
  ])
  assert.equal(refused.status, 'rejected')
  const [row] = await db<{ picked: number }[]>`
    select sum(picked)::int as picked from order_lines where client_id = ${clientId}`
  assert.equal(row?.picked, scans.length)
  await assertTrue()
})
