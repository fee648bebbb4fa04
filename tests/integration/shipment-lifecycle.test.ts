import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWildberriesStatus } from '../../src/exchange/marketplaces/wildberries/status.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { countOf } from '../../src/platform/db/lists/page.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { pickNext } from '../../src/sandbox/robot/picking.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { findOrder, orderTotal } from '../../src/warehouse/orders/queries.ts'
import { applyReadings } from '../../src/warehouse/orders/readings.ts'
import { reportNotFound } from '../../src/warehouse/picking/misses.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { findShipment } from '../../src/warehouse/shipments/queries.ts'
import {
  acceptShipment,
  addOrders,
  closeShipment,
  openShipment,
  removeOrder,
} from '../../src/warehouse/shipments/verbs.ts'
import { putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { findStockItem } from '../../src/warehouse/stock/queries.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, newOrder, noon, orderIds, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ max: 20 })

/** A client with goods, orders A1, A2… of these goods, and an open shipment. */
async function scene(orders: number, units = 10) {
  const { id: client, cabinets } = await makeClient(db)
  const cabinet = cabinets[0] ?? ''
  await stockUp(db, client, { A: units })
  const drafts = Array.from({ length: orders }, (_, n) => newOrder(`A${n + 1}`, 'A'))
  await at(db, noon, (work) => takeInOrders(work, client, cabinet, drafts))
  const shipment = await at(db, noon, (work) =>
    openShipment(work, client, { cabinetId: cabinet, externalId: 'WB-GI-1' }),
  )
  const task = await at(db, noon, (work) => pickingTaskOf(work, client, shipment))
  return { client, cabinet, shipment, task, ids: await orderIds(db, client) }
}

const pick = (client: string, task: string, orderId: string, scanId = orderId) =>
  at(db, noon + 60_000, (work) =>
    pickUnits(work, client, task, [{ scanId, orderId, barcode: 'A' }]).then(
      ({ length }) => length > 0,
    ),
  )

const report = (
  client: string,
  cabinet: string,
  number: string,
  buyer: string,
  now = noon + 90_000,
) =>
  at(db, now, (work) =>
    applyReadings(work, client, cabinet, [
      { externalId: number, reading: readWildberriesStatus({ supplier: 'complete', buyer }) },
    ]),
  )

test('a shipment is collected, closed and accepted, and the units of its orders leave the ledger', async () => {
  const { client, shipment, task, ids } = await scene(2)
  await at(db, noon, (work) => addOrders(work, client, shipment, ids))
  const [first = ''] = ids
  assert.equal((await findOrder(db, client, first))?.status, 'ASSEMBLING')
  assert.equal((await findStockItem(db, client, 'A'))?.reserved, 2)

  const close = () => at(db, noon + 120_000, (work) => closeShipment(work, client, shipment))
  await assert.rejects(close(), /Заказ A\d не собран/)
  assert.equal(await pick(client, task, first), true)
  assert.equal(await pick(client, task, first), false, 'the same scan again')
  await assert.rejects(pick(client, task, first, 'another scan'), /больше не нужен/)
  assert.equal((await findOrder(db, client, first))?.packed_at, '2026-11-20T12:01:00.000+03:00')
  await pick(client, task, ids[1] ?? '')
  await close()

  const item = await findStockItem(db, client, 'A')
  assert.deepEqual([item?.quantity, item?.reserved], [8, 0])
  assert.equal((await findOrder(db, client, first))?.status, 'IN_DELIVERY')
  await assert.rejects(close(), /Передана маркетплейсу/)
  await at(db, noon + 180_000, (work) => acceptShipment(work, client, shipment))
  const shown = await findShipment(db, client, shipment)
  assert.equal(shown?.status, 'ACCEPTED')
  assert.equal(shown?.accepted_at, '2026-11-20T12:03:00.000+03:00')
  assert.equal(shown?.orders?.length, 2)
})

test('an order cancelled in an open shipment frees its unit and stays behind at the closing', async () => {
  const { client, cabinet, shipment, task, ids } = await scene(2)
  await at(db, noon, (work) => addOrders(work, client, shipment, ids))
  await pick(client, task, ids[0] ?? '')
  await report(client, cabinet, 'A2', 'canceled')
  assert.equal((await findStockItem(db, client, 'A'))?.reserved, 1)
  await assert.rejects(pick(client, task, ids[1] ?? ''), /отменён/)
  await at(db, noon + 120_000, (work) => closeShipment(work, client, shipment))
  assert.equal((await findStockItem(db, client, 'A'))?.quantity, 9)
  assert.equal((await findOrder(db, client, ids[1] ?? ''))?.status, 'CANCELLED')
})

test('of three concurrent orders for two units exactly one is refused', async () => {
  const { client, cabinet, ids } = await scene(3, 2)
  const outcomes = await Promise.allSettled(
    ids.map(async (id, n) => {
      const shipment = await at(db, noon, (work) =>
        openShipment(work, client, { cabinetId: cabinet, externalId: `S${n}` }),
      )
      await at(db, noon, (work) => addOrders(work, client, shipment, [id]))
    }),
  )
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), [
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  assert.equal((await findStockItem(db, client, 'A'))?.reserved, 2)
})

test('missing goods are recorded, and their order may be removed from the shipment', async () => {
  const { client, shipment, task, ids } = await scene(1)
  await at(db, noon, (work) => addOrders(work, client, shipment, ids))
  const miss = (reason: string) =>
    at(db, noon, (work) => reportNotFound(work, client, task, { orderId: ids[0] ?? '', reason }))
  await assert.rejects(miss('NO_SUCH'), { code: 'validation_error' })
  await miss('EMPTY_LOCATION')
  await at(db, noon, (work) => removeOrder(work, client, shipment, ids[0] ?? ''))
  const order = await findOrder(db, client, ids[0] ?? '')
  assert.deepEqual([order?.status, order?.shipment_id], ['NEW', null])
  assert.equal((await findStockItem(db, client, 'A'))?.reserved, 0)
  assert.equal((await findShipment(db, client, shipment))?.orders_count, 0)
  await assert.rejects(
    at(db, noon, (work) => closeShipment(work, client, shipment)),
    /нет заказов/,
  )
})

test('a report older than the last one never moves a terminal order back', async () => {
  const { client, cabinet, ids } = await scene(1)
  const status = async () => (await findOrder(db, client, ids[0] ?? ''))?.status
  await report(client, cabinet, 'A1', 'ready_for_pickup', noon + 1000)
  assert.equal(await status(), 'IN_DELIVERY')
  assert.deepEqual(await report(client, cabinet, 'A1', 'sold', noon + 500), [], 'older: ignored')
  await report(client, cabinet, 'A1', 'sold', noon + 2000)
  assert.equal(await status(), 'COMPLETED')
  await report(client, cabinet, 'A1', 'sorted', noon + 3000)
  assert.equal(await status(), 'COMPLETED')
})

test('concurrent intakes of the same orders add each order once', async () => {
  const { client, cabinet } = await scene(3)
  const again = [newOrder('A1', 'A'), newOrder('A2', 'A'), newOrder('A4', 'A')]
  const taken = await Promise.all(
    Array.from({ length: 8 }, () =>
      at(db, noon + 10, (work) => takeInOrders(work, client, cabinet, again)),
    ),
  )
  assert.equal(
    taken.reduce((sum, { added }) => sum + added, 0),
    1,
  )
  assert.equal((await orderIds(db, client)).length, 4)
})

test('totals of lists equal a count for every time window, also after manual changes', async () => {
  const { client, cabinet } = await scene(0)
  const hour = 60 * 60 * 1000
  const drafts = Array.from({ length: 60 }, (_, n) => newOrder(`T${n}`, 'A', noon - n * 3 * hour))
  await at(db, noon, (work) => takeInOrders(work, client, cabinet, drafts))
  await report(client, cabinet, 'T5', 'sold')
  await db`update orders set status = 'OTHER' where client_id = ${client} and external_id = 'T7'`
  await db`delete from order_lines where client_id = ${client}
    and order_id in (select id from orders where client_id = ${client} and external_id = 'T9')`
  await db`delete from orders where client_id = ${client} and external_id = 'T9'`
  const rows = await db<{ at: string; status: string }[]>`
    select created_at as at, status from orders where client_id = ${client}`
  const times = rows.map((row) => ({ at: Date.parse(row.at), status: row.status }))
  const bounds = [
    undefined,
    noon - 200 * hour,
    noon - 33 * hour - 1,
    noon - 9 * hour,
    noon - 12 * hour,
    noon,
    noon + 1,
  ]
  for (const from of bounds) {
    for (const to of bounds) {
      if (from !== undefined && to !== undefined && from > to) continue
      for (const status of [undefined, 'NEW', 'COMPLETED', 'OTHER'] as const) {
        const total = orderTotal(db, client, {
          marketplace: undefined,
          status,
          shipment_id: undefined,
          barcode: undefined,
          created_from: from,
          created_to: to,
        })
        const counted = await countOf(db, total)
        const matching = times.filter(
          (each) =>
            (from === undefined || each.at >= from) &&
            (to === undefined || each.at < to) &&
            (status === undefined || each.status === status),
        )
        assert.equal(counted, matching.length, `${from} ${to} ${status}`)
      }
    }
  }
})

test('the audit finds the manually changed order and nothing else', async () => {
  const { findings } = await audit(db)
  // Only the order that an earlier test changed manually violates invariants.
  assert.deepEqual(
    findings.map(({ check, object }) => [check, object]),
    [
      ['statuses of orders agree with their shipments', 'T7'],
      ['the last history entry of an order has its status', 'T7'],
      ['every status was announced', 'T7'],
      ['history is of known orders', findings.at(-1)?.object],
    ],
  )
})

test('concurrent intake, filling and status reports never deadlock', async () => {
  const { client, cabinet, shipment, ids } = await scene(40, 40)
  const verbs = ids.flatMap((id, n) => [
    () => at(db, noon + n, (work) => addOrders(work, client, shipment, [id])),
    () => at(db, noon + n, (work) => takeInOrders(work, client, cabinet, [newOrder(`B${n}`, 'A')])),
    () => report(client, cabinet, `A${n + 1}`, n % 3 === 0 ? 'canceled' : 'waiting', noon + n),
  ])
  const started =
    await db`select deadlocks from pg_stat_database where datname = current_database()`
  const outcomes = await Promise.allSettled(verbs.map((verb) => verb()))
  const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  // An order that was cancelled or sent first can't be collected; nothing else is refused.
  for (const failure of failures) assert.match(String(failure), /Отменён|В доставке/)
  const ended = await db`select deadlocks from pg_stat_database where datname = current_database()`
  assert.deepEqual({ ...ended[0] }, { ...started[0] })
})

test('an order that is twice in one intake is added once', async () => {
  const { client, cabinet } = await scene(0)
  const twice = [newOrder('D1', 'A'), newOrder('D1', 'A')]
  const { added } = await at(db, noon, (work) => takeInOrders(work, client, cabinet, twice))
  assert.equal(added, 1)
})

test('a report that would leave a terminal status changes the raw pair only', async () => {
  const { client, cabinet, ids } = await scene(1)
  const state = async () => {
    const [row] = await db`
      select buyer_status, delivered, status, status_changed_at from orders
      where client_id = ${client} and id = ${ids[0] ?? ''}`
    return { ...row }
  }
  const completed = { delivered: true, status: 'COMPLETED' }
  await report(client, cabinet, 'A1', 'sold', noon + 1000)
  const changed = (after: number) => ({ status_changed_at: toTimestamp(noon + after) })
  assert.deepEqual(await state(), { buyer_status: 'sold', ...completed, ...changed(1000) })
  await report(client, cabinet, 'A1', 'sorted', noon + 2000)
  assert.deepEqual(await state(), { buyer_status: 'sorted', ...completed, ...changed(2000) })
  // A report that was requested earlier changes nothing.
  await report(client, cabinet, 'A1', 'waiting', noon + 1500)
  assert.deepEqual(await state(), { buyer_status: 'sorted', ...completed, ...changed(2000) })
})

test('closing a shipment takes units from boxes that no scan named', async () => {
  const { client, shipment, task, ids } = await scene(2, 2)
  await at(db, noon, async (work) => {
    const boxId = await addBox(work, client)
    await putIntoBox(work, client, { boxId, barcode: 'A', units: 2 })
  })
  await at(db, noon, (work) => addOrders(work, client, shipment, ids))
  for (const id of ids) await pick(client, task, id)
  await at(db, noon + 120_000, (work) => closeShipment(work, client, shipment))
  const item = await findStockItem(db, client, 'A')
  assert.deepEqual([item?.quantity, item?.boxes], [0, 0])
})

test('the robot collects an order again after it was removed and added again', async () => {
  const { client, shipment, ids } = await scene(1)
  const [id = ''] = ids
  for (let round = 0; round < 3; round++) {
    await at(db, noon, (work) => addOrders(work, client, shipment, ids))
    await at(db, noon, (work) => pickNext(work, client, shipment))
    assert.notEqual((await findOrder(db, client, id))?.packed_at, null, `round ${round}`)
    await at(db, noon, (work) => removeOrder(work, client, shipment, id))
    assert.equal((await findOrder(db, client, id))?.packed_at, null)
  }
})

test('a change that keeps the status leaves an unannounced status to reconciliation', async () => {
  const { client, shipment, task, ids } = await scene(1)
  await at(db, noon, (work) => addOrders(work, client, shipment, ids))
  await db`update orders set announced_status = 'NEW' where client_id = ${client}`
  await pick(client, task, ids[0] ?? '')
  const [order] = await db`
    select status, announced_status, packed_at is not null as packed from orders
    where client_id = ${client}`
  assert.deepEqual({ ...order }, { status: 'ASSEMBLING', announced_status: 'NEW', packed: true })
})
