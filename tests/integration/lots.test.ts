import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import type { Lot } from '../../src/platform/kernel/codes/lot.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { decideLine } from '../../src/warehouse/counts/decisions.ts'
import { countUnits } from '../../src/warehouse/counts/scans.ts'
import { closeCount, openCount, reviewCount, startCount } from '../../src/warehouse/counts/verbs.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { undoPick } from '../../src/warehouse/picking/undo.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { undoScan } from '../../src/warehouse/receipts/undoing.ts'
import { startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { openReturnBatch } from '../../src/warehouse/returns/batches.ts'
import { takeReturnIn } from '../../src/warehouse/returns/scanning.ts'
import { addOrders, closeShipment, openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { moveBetweenBoxes, putIntoBox } from '../../src/warehouse/stock/boxed-units.ts'
import { freeRedated, questionExpired } from '../../src/warehouse/stock/expired-lots.ts'
import { recordMovements } from '../../src/warehouse/stock/ledger.ts'
import { listLots } from '../../src/warehouse/stock/lot-queries.ts'
import { changeLot, keepLots } from '../../src/warehouse/stock/lots.ts'
import { addBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { meanwhile } from '../support/waiting.ts'
import { at, makeClient, newOrder, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase()

const soon: Lot = { expiresOn: '2026-11-25', number: 'A' }
const later: Lot = { expiresOn: '2027-06-30', number: '' }

/** A client with 2 units of unknown date of `barcode`, whose lots are kept. */
async function goodsWithLots() {
  const { id, cabinets } = await makeClient(db)
  await stockUp(db, id, { A: 2 })
  const goods = { clientId: id, barcode: 'A' }
  assert.ok(await at(db, noon, (work) => keepLots(work, goods, 30)))
  return { client: id, cabinet: cabinets[0] ?? '', goods }
}

/** Receives units of lots, into a box where one is named. */
function receive(client: string, lots: readonly (readonly [Lot | undefined, number, string?])[]) {
  return at(db, noon, async (work) => {
    const qty = lots.reduce((sum, [, units]) => sum + units, 0)
    const items = [{ barcode: 'A', name: 'A', qty }]
    const id = await registerReceipt(work, client, { source: 'manual', items })
    await startReceiving(work, client, id)
    for (const [n, [lot, units, boxId]] of lots.entries()) {
      await countScan(work, client, id, { scanId: `scan ${n}`, barcode: 'A', units, lot, boxId })
    }
    return id
  })
}

/** Units by place and lot, such as `loose 2027-06-30: 3`. */
async function lotsOf(client: string): Promise<string[]> {
  const rows = await db<{ line: string }[]>`
    select format('%s %s%s: %s', place, case when expires_on > '-infinity' then expires_on::text else '?' end,
      case when number <> '' then ' ' || number end, sum(quantity)) as line
    from stock_lots where client_id = ${client} group by place, expires_on, number
    order by place, expires_on, number`
  return rows.map(({ line }) => line)
}

async function assertWhole() {
  const { findings } = await audit(db, new ManualClock(noon + day))
  assert.deepEqual(findings, [])
}

async function taskWith(client: string, cabinetId: string, numbers: readonly string[]) {
  return at(db, noon, async (work) => {
    const drafts = numbers.map((number) => newOrder(number, 'A'))
    await takeInOrders(work, client, cabinetId, drafts)
    const rows = await work.tx<{ id: string }[]>`
      select id from orders where client_id = ${client} and external_id = any(${[...numbers]}) order by external_id`
    const orders = rows.map(({ id }) => id)
    const shipment = await openShipment(work, client, { cabinetId, externalId: newId() })
    await addOrders(work, client, shipment, orders)
    return { orders, shipment, task: await pickingTaskOf(work, client, shipment) }
  })
}

test('stock from before lots is unknown, received units have the lot of their scan', async () => {
  const { client } = await goodsWithLots()
  assert.deepEqual(await lotsOf(client), ['loose ?: 2'])
  const box = await at(db, noon, (work) => addBox(work, client, undefined, '0000000000'))
  const receipt = await receive(client, [
    [soon, 3, box],
    [later, 4],
    [undefined, 1],
  ])
  assert.deepEqual(await lotsOf(client), [
    'box 2026-11-25 A: 3',
    'loose ?: 3',
    'loose 2027-06-30: 4',
  ])
  await at(db, noon, (work) => undoScan(work, client, receipt, 'scan 0'))
  assert.deepEqual(await lotsOf(client), ['loose ?: 3', 'loose 2027-06-30: 4'])
  const { items } = await listLots(
    db,
    { client_id: client, barcode: undefined, state: undefined },
    { limit: 10, after: undefined },
    '2026-11-20',
  )
  assert.deepEqual(
    items.map(({ expires_on, quantity, state }) => [expires_on, quantity, state]),
    [
      ['2027-06-30', 4, 'good'],
      [null, 3, 'unknown'],
    ],
  )
  await assertWhole()
})

test('movements that know nothing of lots move them: expired, unknown, then the first to expire', async () => {
  const { client } = await goodsWithLots()
  const [one, two] = await at(db, noon, async (work) => [
    await addBox(work, client, undefined, '0000000000'),
    await addBox(work, client, undefined, '0000000000'),
  ])
  await receive(client, [
    [later, 2],
    [soon, 2],
  ])
  await at(db, noon, (work) =>
    putIntoBox(work, client, { boxId: one ?? '', barcode: 'A', units: 3 }),
  )
  assert.deepEqual(await lotsOf(client), [
    'box ?: 2',
    'box 2026-11-25 A: 1',
    'loose 2026-11-25 A: 1',
    'loose 2027-06-30: 2',
  ])
  const move = { boxId: one ?? '', toBoxId: two ?? '', barcode: 'A', units: 2 }
  await at(db, noon, (work) => moveBetweenBoxes(work, client, move))
  const lost = { kind: 'correction', barcode: 'A', delta: -2, reason: 'LOST' } as const
  await at(db, noon, (work) => recordMovements(work, client, [lost]))
  assert.deepEqual(await lotsOf(client), ['box ?: 2', 'box 2026-11-25 A: 1', 'loose 2027-06-30: 1'])
  // More leave than lie outside of boxes: the ledger takes them out of boxes, and lots follow.
  await at(db, noon + 10 * day, (work) => recordMovements(work, client, [lost]))
  const found = { ...lost, delta: 4, reason: 'FOUND' }
  await at(db, noon, (work) => recordMovements(work, client, [found]))
  assert.deepEqual(await lotsOf(client), ['box ?: 2', 'loose ?: 4'])
  await assertWhole()
})

test('the first to expire is picked, leaves with its order and comes back with its return', async () => {
  const { client, cabinet } = await goodsWithLots()
  const box = await at(db, noon, (work) => addBox(work, client, undefined, '0000000000'))
  await receive(client, [
    [later, 1, box],
    [soon, 1, box],
  ])
  const { orders, shipment, task } = await taskWith(client, cabinet, ['1', '2'])
  const [first = '', second = ''] = orders
  await at(db, noon, (work) =>
    pickUnits(work, client, task, [
      { scanId: 'p1', orderId: first, barcode: 'A', boxId: box },
      { scanId: 'p2', orderId: second, barcode: 'A', boxId: box },
    ]),
  )
  const picked = ['loose ?: 2', 'picked 2026-11-25 A: 1', 'picked 2027-06-30: 1']
  assert.deepEqual(await lotsOf(client), picked)
  await at(db, noon, (work) => undoPick(work, client, task, 'p1'))
  assert.deepEqual(await lotsOf(client), [
    'box 2026-11-25 A: 1',
    'loose ?: 2',
    'picked 2027-06-30: 1',
  ])
  await at(db, noon, (work) =>
    pickUnits(work, client, task, [{ scanId: 'p3', orderId: first, barcode: 'A', boxId: box }]),
  )
  assert.deepEqual(await lotsOf(client), picked)
  await at(db, noon, (work) => closeShipment(work, client, shipment))
  assert.deepEqual(await lotsOf(client), ['loose ?: 2'])
  await at(db, noon + 1, async (work) => {
    const batch = await openReturnBatch(work, client, {})
    await takeReturnIn(work, client, batch, { scanId: 'r', code: '2', condition: 'sellable' })
  })
  assert.deepEqual(await lotsOf(client), ['loose ?: 2', 'loose 2027-06-30: 1'])
  await assertWhole()
})

test('expired units go in question once, cannot be picked, and are free again with another date', async () => {
  const { client, cabinet, goods } = await goodsWithLots()
  const box = await at(db, noon, (work) => addBox(work, client, undefined, '0000000000'))
  await receive(client, [[soon, 3, box]])
  const { orders, task } = await taskWith(client, cabinet, ['1'])
  const clock = new ManualClock(noon + 6 * day)
  assert.equal(await questionExpired(db, clock), 1)
  assert.equal(await questionExpired(db, clock), 0)
  const balance = () =>
    db`select quantity, in_question, reserved from stock_balances where client_id = ${client}`
  assert.deepEqual({ ...(await balance())[0] }, { quantity: 5, in_question: 3, reserved: 1 })
  const pick = { scanId: 'p', orderId: orders[0] ?? '', barcode: 'A', boxId: box }
  await assert.rejects(
    at(db, noon + 6 * day, (work) => pickUnits(work, client, task, [pick])),
    /срок годности истёк/,
  )
  const to = { expiresOn: '2027-11-25', number: 'A' }
  await at(db, noon + 6 * day, async (work) => {
    await changeLot(work, goods, { entry: soon, to, units: 2 })
    await freeRedated(work, client, 'A', 2)
  })
  assert.deepEqual({ ...(await balance())[0] }, { quantity: 5, in_question: 1, reserved: 1 })
  const written = { kind: 'write_off', barcode: 'A', delta: -1, questionDelta: -1 } as const
  await at(db, noon + 7 * day, (work) => recordMovements(work, client, [written]))
  assert.deepEqual(await lotsOf(client), ['box ?: 1', 'box 2027-11-25 A: 2', 'loose ?: 1'])
  assert.equal(await questionExpired(db, clock), 0)
  await assertWhole()
})

test('a count gives units at their place the lots that were seen there', async () => {
  const { client } = await goodsWithLots()
  const box = await at(db, noon, (work) => addBox(work, client, undefined, '0000000000'))
  await receive(client, [[later, 4, box]])
  await at(db, noon, async (work) => {
    const scope = { barcodes: ['A'], box_ids: [], location_ids: [], blind: true }
    const id = await openCount(work, client, scope)
    await startCount(work, client, id)
    const count = (scanId: string, units: number, lot: Lot | undefined, boxId?: string) =>
      countUnits(work, client, id, { scanId, barcode: 'A', units, lot, ...(boxId && { boxId }) })
    await count('1', 1, soon, box)
    await count('2', 2, later, box)
    await count('3', 2, soon)
    await reviewCount(work, client, id)
    await decideLine(work, client, id, 'A', { outcome: 'correct', reason: 'COUNT' })
    await closeCount(work, client, id)
  })
  assert.deepEqual(await lotsOf(client), [
    'box 2026-11-25 A: 1',
    'box 2027-06-30: 2',
    'loose 2026-11-25 A: 2',
  ])
  await assertWhole()
})

test('two transactions that change the same goods leave lots that sum to the balance', async () => {
  const { client, goods } = await goodsWithLots()
  await receive(client, [[soon, 2]])
  const lost = { kind: 'correction', barcode: 'A', delta: -1, reason: 'LOST' } as const
  const { waited } = await meanwhile(
    db,
    (tx) => tx`select hold_lots(array[${client}]::uuid[], array['A'])`,
    () => at(db, noon, (work) => recordMovements(work, client, [lost])),
  )
  assert.ok(waited)
  await meanwhile(
    db,
    (tx) => tx`update stock_balances set updated_at = updated_at where client_id = ${client}`,
    () => at(db, noon, (work) => changeLot(work, goods, { entry: soon, to: later, units: 1 })),
  )
  assert.deepEqual(await lotsOf(client), [
    'loose ?: 1',
    'loose 2026-11-25 A: 1',
    'loose 2027-06-30: 1',
  ])
  await assertWhole()
})
