import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { workAt } from '../../src/platform/db/work.ts'
import { readMarkingCode } from '../../src/platform/kernel/codes/marking-code.ts'
import { fromTimestamp, type Timestamp } from '../../src/platform/kernel/moscow-time.ts'
import { readMetrics } from '../../src/warehouse/metrics/queries.ts'
import {
  findStaffOrderWithHistory,
  listOrdersOfAll,
} from '../../src/warehouse/orders/staff-queries.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { finishReceiving, startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { bringBackOrders } from '../../src/warehouse/shipments/reshipment.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { addSubscription } from '../support/subscription.ts'
import { actor, cabinetState, openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'
import { noon, stockUp } from '../support/warehouse.ts'

/** Orders that WB did not find in the supply that it scanned. */
const scene = await openScene()
const { db, wb, coordinator, run } = scene
const plain = '4600000000017'
const marked = ean13('460000000002')
const listPath = '/supplies/orders/reshipment'

interface Setting {
  readonly shipments?: 'ours' | 'mirrored'
  readonly orders: number
  readonly stock: number
  readonly codes?: readonly number[]
}

/** A cabinet whose orders were taken in. */
async function cabinetWith({ shipments = 'ours', orders, stock, codes }: Setting) {
  const connected = await scene.connect(wb, { shipments })
  const { clientId, cabinetId, account } = connected
  const barcode = codes === undefined ? plain : marked
  if (codes !== undefined) await receiveMarked(clientId, codes)
  else if (stock > 0) await stockUp(db, clientId, { [plain]: stock })
  const card = wb.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const numbers = Array.from({ length: orders }, () => wb.addOrder(account, { lines: [line] }))
  await scene.sync()
  const order = async (number: string | undefined) => {
    const found = (await ordersOf(db, cabinetId)).find((one) => one.external_id === number)
    assert.ok(found)
    return found
  }
  return { ...connected, barcode, numbers, order, listCalls: () => callsOf(account.id) }
}

function receiveMarked(clientId: string, codes: readonly number[]): Promise<void> {
  return run(async (work) => {
    const items = [{ barcode: marked, name: 'С кодом', qty: codes.length, honestMark: true }]
    const id = await registerReceipt(work, clientId, { source: 'file', items })
    await startReceiving(work, clientId, id)
    for (const code of codes) {
      await countScan(work, clientId, id, {
        scanId: `unit ${code}`,
        markingCode: markingCode(marked, code),
      })
    }
    await finishReceiving(work, clientId, id, new Map())
  })
}

type Cabinet = Awaited<ReturnType<typeof cabinetWith>>

const callsOf = (account: string) =>
  wb.calls().filter((call) => call.account === account && call.path.includes(listPath)).length

let sent = 0

/** Collects orders into a shipment here and hands it over. Returns its id and number. */
async function handOver(
  { clientId, cabinetId, barcode }: Cabinet,
  orderIds: readonly string[],
  codes: readonly number[] = [],
) {
  const draft = { cabinetId, externalId: `заявка ${++sent}`, name: undefined }
  const { id } = await coordinator.open(clientId, draft, actor, run)
  await coordinator.addOrders(clientId, id, orderIds, actor, run)
  await run(async (work) => {
    const task = await pickingTaskOf(work, clientId, id)
    for (const [index, orderId] of orderIds.entries()) {
      const code = codes[index]
      const read = code === undefined ? undefined : readMarkingCode(markingCode(marked, code))
      const goods = read?.ok ? { markingCode: read } : { barcode }
      await pickUnits(work, clientId, task, [{ scanId: `${id} ${orderId}`, orderId, ...goods }])
    }
  })
  await coordinator.close(clientId, id, actor, run)
  const [row] = await db<{ external_id: string }[]>`
    select external_id from shipments where id = ${id}`
  assert.ok(row)
  return { id, number: row.external_id }
}

async function balance({ clientId, barcode }: Cabinet): Promise<number[]> {
  const [row] = await db<{ quantity: number; reserved: number }[]>`
    select quantity, reserved from stock_balances
    where client_id = ${clientId} and barcode = ${barcode}`
  return [row?.quantity ?? 0, row?.reserved ?? 0]
}

async function movements({ clientId }: Cabinet): Promise<string[]> {
  const rows = await db<{ text: string }[]>`
    select format('%s %s', kind, delta) as text from stock_movements
    where client_id = ${clientId} and kind <> 'acceptance' order by id`
  return rows.map(({ text }) => text)
}

const codeStates = async ({ clientId }: Cabinet) =>
  (
    await db<{ state: string }[]>`
      select state from marking_codes where client_id = ${clientId} order by identity`
  ).map(({ state }) => state)

/** The numbers of the client's orders that must be brought again, as staff list them. */
async function toReship(clientId: string): Promise<string[]> {
  const any = undefined
  const filter = { marketplace: any, status: any, shipment_id: any, barcode: any, observed: any }
  const { items, total } = await listOrdersOfAll(
    db,
    { ...filter, client_id: clientId, created_from: any, created_to: any, to_reship: 'true' },
    { limit: 10, after: undefined },
  )
  assert.equal(total, items.length)
  return items.map((order) => order.external_id)
}

async function assertClean(): Promise<void> {
  assert.deepEqual(scene.logged(), [])
  assert.deepEqual((await audit(db)).findings, [])
}

// Guarantee (shipments): An order comes back from each of its shipments once, with no more units than left with it.
test('an order that WB did not find comes back, is brought again, and is accepted, twice', async () => {
  const cabinet = await cabinetWith({ orders: 2, stock: 2 })
  const { clientId, cabinetId, account, numbers, order } = cabinet
  const [kept, missed] = numbers
  await addSubscription(db, clientId)
  let ids = [(await order(kept)).id, (await order(missed)).id]
  const shipments = []
  for (const round of [1, 2]) {
    const shipment = await handOver(cabinet, ids)
    shipments.push(shipment)
    assert.deepEqual(await balance(cabinet), [0, 0])
    wb.acceptWithout(account, shipment.number, [missed ?? ''])
    await scene.sync()
    await scene.sync()
    assert.deepEqual(await balance(cabinet), [1, 0], `round ${round}`)
    const back = await order(missed)
    assert.deepEqual([back.status, back.shipment_id], ['ASSEMBLING', null])
    ids = [back.id]
  }
  const [missedId = ''] = ids
  const waiting = await findStaffOrderWithHistory(db, clientId, missedId)
  assert.ok(waiting?.reship_since)
  assert.deepEqual(
    waiting.reshipments.map(({ supply, shipment_id }) => ({ supply, shipment_id })),
    shipments.map(({ id, number }) => ({ supply: number, shipment_id: id })),
  )
  assert.deepEqual(
    waiting.history.map(({ status }) => status).filter((one, n, all) => one !== all[n - 1]),
    ['NEW', 'ASSEMBLING', 'IN_DELIVERY', 'ASSEMBLING', 'IN_DELIVERY', 'ASSEMBLING'],
  )

  assert.deepEqual(await toReship(clientId), [missed])

  const last = await handOver(cabinet, ids)
  assert.deepEqual(await toReship(clientId), [])
  wb.acceptShipment(account, last.number)
  await scene.sync()
  await scene.sync()
  const done = await findStaffOrderWithHistory(db, clientId, missedId)
  assert.deepEqual(
    [done?.status, done?.shipment_id, done?.reship_since],
    ['IN_DELIVERY', last.id, null],
  )
  assert.deepEqual(await balance(cabinet), [0, 0])
  assert.deepEqual(await movements(cabinet), [
    ...['shipment -1', 'shipment -1', 'return 1'],
    ...['shipment -1', 'return 1', 'shipment -1'],
  ])
  assert.deepEqual(
    (await shipmentsOf(db, cabinetId)).map((one) => [one.status, one.orders_count, one.units]),
    [
      ['ACCEPTED', 1, 2],
      ['ACCEPTED', 0, 1],
      ['ACCEPTED', 1, 1],
    ],
  )
  assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
  await assertClean()
})

test('units that came back are a correction in the figures: shipped stays, and the notes say so', async () => {
  const cabinet = await cabinetWith({ orders: 1, stock: 3 })
  const { clientId, account, numbers, order } = cabinet
  const { id } = await order(numbers[0])
  const period = { from: noon, to: Date.now() + 3_600_000 }
  const first = await handOver(cabinet, [id])
  assert.ok(
    (await readMetrics(db, clientId, period)).notes.every((note) => !/Вернулось/.test(note)),
  )
  wb.acceptWithout(account, first.number, numbers)
  await scene.sync()
  const back = await readMetrics(db, clientId, period)
  assert.deepEqual([back.funnel.shipped, back.funnel.in_storage], [1, 3])
  assert.ok(back.notes.some((note) => /Вернулось на склад за период единиц: 1\./.test(note)))
  await handOver(cabinet, [id])
  const { funnel } = await readMetrics(db, clientId, period)
  const returned = 1
  assert.equal(funnel.in_storage, funnel.accepted - funnel.shipped + returned)
  assert.deepEqual([funnel.shipped, funnel.in_storage], [2, 2])
  await assertClean()
})

test('marking codes that came back are known again and leave again', async () => {
  const codes = [11, 12]
  const cabinet = await cabinetWith({ orders: 2, stock: 0, codes })
  const { account, numbers, order } = cabinet
  const ids = [(await order(numbers[0])).id, (await order(numbers[1])).id]
  const first = await handOver(cabinet, ids, codes)
  assert.deepEqual(await codeStates(cabinet), ['shipped', 'shipped'])
  wb.acceptWithout(account, first.number, [numbers[1] ?? ''])
  await scene.sync()
  assert.deepEqual(await codeStates(cabinet), ['shipped', 'stored'])
  await handOver(cabinet, ids.slice(1), codes.slice(1))
  assert.deepEqual(await codeStates(cabinet), ['shipped', 'shipped'])
  await assertClean()
})

// Guarantee (shipments): Workers who read the list of missing orders at once bring each back once.
test('several workers that read the list at once bring each order back once', async () => {
  const cabinet = await cabinetWith({ orders: 4, stock: 4 })
  const { clientId, cabinetId, numbers, order } = cabinet
  const ids = await Promise.all(numbers.map(async (number) => (await order(number)).id))
  const { number: supply } = await handOver(cabinet, ids)
  const reported = numbers.map((externalId) => ({ externalId, supply }))
  const back = await Promise.all(
    Array.from({ length: 8 }, () =>
      run((work) => bringBackOrders(work, clientId, cabinetId, reported)),
    ),
  )
  assert.deepEqual(back.flat().toSorted(), numbers.toSorted())
  assert.deepEqual(await balance(cabinet), [4, 0])
  await assertClean()
})

test('a list from before the hand-over, or of an earlier supply, changes nothing', async () => {
  const cabinet = await cabinetWith({ orders: 1, stock: 1 })
  const { clientId, cabinetId, numbers, order } = cabinet
  const [externalId = ''] = numbers
  const { id } = await order(externalId)
  const bringBack = (supply: string, at = Date.now()) =>
    db.begin((tx) => {
      const work = workAt(tx, at, { kind: 'sync', cabinetId })
      return bringBackOrders(work, clientId, cabinetId, [{ externalId, supply }])
    })
  const first = await handOver(cabinet, [id])
  const [closed] = await db<{ closed_at: Timestamp }[]>`
    select closed_at from shipments where id = ${first.id}`
  assert.ok(closed)
  assert.deepEqual(await bringBack(first.number, fromTimestamp(closed.closed_at) - 1), [])
  assert.deepEqual(await balance(cabinet), [0, 0])
  assert.deepEqual(await bringBack(first.number), [externalId])
  assert.deepEqual(await bringBack(first.number), [], 'it is not in a shipment')
  await reportWaiting(cabinet, externalId)
  const second = await handOver(cabinet, [id])
  assert.deepEqual(await bringBack(first.number), [], 'it came back from there already')
  assert.deepEqual(await balance(cabinet), [0, 0])
  assert.deepEqual(await bringBack(second.number), [externalId])
  assert.deepEqual(await balance(cabinet), [1, 0])
  await assertClean()
})

/** The order may join a supply again though its supply was never scanned. */
async function reportWaiting({ account }: Cabinet, order: string): Promise<void> {
  wb.setStatus(account, order, { supplier: 'confirm', buyer: 'waiting' })
}

test('an order that is cancelled, sorted or still in an open shipment does not come back', async () => {
  const cabinet = await cabinetWith({ orders: 3, stock: 3 })
  const { clientId, cabinetId, account, numbers, order } = cabinet
  const [cancelled = '', sorted = '', open = ''] = numbers
  const draft = { cabinetId, externalId: 'открытая', name: undefined }
  const shipment = await coordinator.open(clientId, draft, actor, run)
  await coordinator.addOrders(clientId, shipment.id, [(await order(open)).id], actor, run)
  const ids = [(await order(cancelled)).id, (await order(sorted)).id]
  const { number: supply } = await handOver(cabinet, ids)
  wb.setStatus(account, cancelled, { supplier: 'complete', buyer: 'canceled_by_client' })
  wb.setStatus(account, sorted, { supplier: 'complete', buyer: 'sorted' })
  await scene.sync()
  const reported = numbers.map((externalId) => ({ externalId, supply }))
  const back = await run((work) => bringBackOrders(work, clientId, cabinetId, reported))
  assert.deepEqual(back, [])
  assert.deepEqual(await balance(cabinet), [1, 1])
  await assertClean()
})

test('of a mirrored shipment no more units come back than left, and nothing stays missing', async () => {
  const cabinet = await cabinetWith({ shipments: 'mirrored', orders: 2, stock: 1 })
  const { clientId, cabinetId, account, numbers, order } = cabinet
  for (const number of numbers)
    wb.setStatus(account, number, { supplier: 'confirm', buyer: 'waiting' })
  const first = wb.addShipment(account, { orders: numbers })
  await scene.sync()
  wb.addShipment(account, { id: first, orders: numbers, closedAt: Date.now() })
  await scene.sync()
  const missing = () => db`select from shipment_shortages where client_id = ${clientId}`
  assert.deepEqual([await balance(cabinet), (await missing()).length], [[0, 0], 1])
  wb.acceptWithout(account, first, numbers)
  await scene.sync()
  assert.deepEqual([await balance(cabinet), (await missing()).length], [[1, 0], 0])
  assert.deepEqual((await order(numbers[0])).status, 'ASSEMBLING')
  const second = wb.addShipment(account, { orders: numbers })
  await scene.sync()
  wb.acceptShipment(account, second)
  await scene.sync()
  await scene.sync()
  assert.deepEqual([await balance(cabinet), (await missing()).length], [[0, 0], 1])
  assert.deepEqual(
    (await shipmentsOf(db, cabinetId)).map((one) => [one.status, one.orders_count]),
    [
      ['ACCEPTED', 0],
      ['ACCEPTED', 2],
    ],
  )
  await assertClean()
})

test('an order that came back leaves its next shipment as one to be brought again', async () => {
  const cabinet = await cabinetWith({ orders: 1, stock: 1 })
  const { clientId, cabinetId, account, numbers, order } = cabinet
  const { id } = await order(numbers[0])
  const first = await handOver(cabinet, [id])
  wb.acceptWithout(account, first.number, numbers)
  await scene.sync()
  const draft = { cabinetId, externalId: 'ещё раз', name: undefined }
  const shipment = await coordinator.open(clientId, draft, actor, run)
  await coordinator.addOrders(clientId, shipment.id, [id], actor, run)
  assert.deepEqual(await balance(cabinet), [1, 1])
  await coordinator.removeOrder(clientId, shipment.id, id, actor, run)
  assert.deepEqual(await balance(cabinet), [1, 0])
  const found = await findStaffOrderWithHistory(db, clientId, id)
  assert.equal(found?.status, 'ASSEMBLING')
  assert.notEqual(found?.reship_since, null)
  await assertClean()
})

test('WB is asked for the list only while an order is under way that it has not sorted', async () => {
  const cabinet = await cabinetWith({ orders: 1, stock: 1 })
  const { account, numbers, order, listCalls } = cabinet
  await scene.sync()
  assert.equal(listCalls(), 0)
  const { number } = await handOver(cabinet, [(await order(numbers[0])).id])
  await scene.sync()
  assert.equal(listCalls(), 1)
  await db`update cabinet_syncs set next_at = now()`
  await scene.syncing().runOnce()
  assert.equal(listCalls(), 1, 'not in every run')
  wb.acceptShipment(account, number)
  await scene.sync()
  const asked = listCalls()
  await scene.sync()
  assert.equal(listCalls(), asked)
})
