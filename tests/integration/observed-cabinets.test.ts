import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  showAllHiddenRows,
  showHiddenRows,
} from '../../src/exchange/marketplaces/cabinets/hidden-rows.ts'
import { changeCabinetAndPlace } from '../../src/exchange/marketplaces/cabinets/observe-cabinet.ts'
import { observationOf } from '../../src/exchange/marketplaces/cabinets/observed-figures.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { addOrders, openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { hold } from '../support/faults.ts'
import { addSubscription } from '../support/subscription.ts'
import { openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'
import { at, newOrder, stockUp } from '../support/warehouse.ts'

const scene = await openScene()
const { db, wb, ozon } = scene
const barcode = '4600000000017'
/** Of calls that are no GET, those that only read. */
const reads = /\/(list|get|get-postings|status|stocks|roles|fbs|order-ids|new)$|^\/api\/v3\/stocks/

async function observed(fake: typeof wb | typeof ozon, shipments = 'observe' as const) {
  const connected = await scene.connect(fake, { shipments, warehouses: [fake.ownWarehouse, '7'] })
  const { clientId, cabinetId, account } = connected
  const card = fake.addCard(account, { barcodes: [barcode] })
  fake.setStock(account, { itemId: card.itemId, warehouse: { id: 7, name: 'Север' }, quantity: 9 })
  await stockUp(db, clientId, { [barcode]: 5 })
  const packed =
    fake === wb
      ? { supplier: 'confirm', buyer: 'waiting' }
      : { supplier: 'awaiting_deliver', buyer: 'posting_in_carriage' }
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  const order = () => fake.addOrder(account, { lines: [line], status: packed })
  /** The first half of a switch: what was read stays hidden. */
  const change = (place: 'ours' | 'mirrored' | 'observe') =>
    perform(db, systemClock, { kind: 'service' }, (work) =>
      changeCabinetAndPlace(work, scene.box, clientId, cabinetId, { shipments: place }),
    )
  const switchTo = async (place: 'ours' | 'mirrored' | 'observe') => {
    const changed = await change(place)
    await showHiddenRows(db, systemClock, clientId, cabinetId)
    return changed
  }
  return { ...connected, order, change, switchTo }
}

async function balance(clientId: string) {
  const [row] = await db<{ quantity: number; reserved: number }[]>`
    select quantity, reserved from stock_balances
    where client_id = ${clientId} and barcode = ${barcode}`
  return [row?.quantity, row?.reserved]
}

async function seenBySeller(clientId: string) {
  const [row] = await db<{ orders: number; shipments: number; tallied: number; events: number }[]>`
    select (select count(*) from seller_orders where client_id = ${clientId}) as orders,
      (select count(*) from seller_shipments where client_id = ${clientId}) as shipments,
      (select coalesce(sum(orders), 0) from order_tallies
        where client_id = ${clientId} and span = 'all')::int as tallied,
      (select count(*) from events where client_id = ${clientId}) as events`
  return row
}

for (const [name, fake] of [
  ['WB', wb],
  ['OZON', ozon],
] as const) {
  // Guarantee (marketplaces): Observing a cabinet changes nothing, here or at the marketplace.
  test(`${name}: an observed cabinet is read, changes nothing on either side, and shows sellers nothing`, async () => {
    const { clientId, cabinetId, account, order } = await observed(fake)
    await addSubscription(db, clientId)
    const orders = [order(), order(), order()]
    const id = fake.addShipment(account, { orders: orders.slice(0, 2) })
    const before = fake.calls().length
    await scene.sync()
    fake.acceptShipment(account, id)
    await scene.sync()
    await scene.sync()
    const calls = fake.calls().slice(before)
    const changing = calls.filter(({ method, path }) => method !== 'GET' && !reads.test(path))
    assert.deepEqual(
      changing.map(({ path }) => path),
      [],
    )
    assert.ok(calls.length > 5)
    assert.equal((await ordersOf(db, cabinetId)).length, 3)
    const [shipment] = await shipmentsOf(db, cabinetId)
    assert.deepEqual([shipment?.status, shipment?.units], ['ACCEPTED', 0])
    assert.deepEqual(await balance(clientId), [5, 0])
    assert.deepEqual(await seenBySeller(clientId), {
      orders: 0,
      shipments: 0,
      tallied: 0,
      events: 0,
    })
    const report = await observationOf(db, clientId, cabinetId)
    assert.equal(report?.orders.total, 3)
    assert.deepEqual(report?.shipments, { open: 0, closed: 1, units: 2 })
    assert.deepEqual(
      report?.stock.items.map((item) => [item.marketplace_units, item.available]),
      [[9, 5]],
    )
    assert.deepEqual((await audit(db)).findings, [])
  })
}

test('after the switch all is ordinary without an event, and what left before moves no units', async () => {
  const { clientId, cabinetId, account, order, switchTo } = await observed(wb)
  const left = wb.addShipment(account, { orders: [order()] })
  await scene.sync()
  wb.acceptShipment(account, left)
  await scene.sync()
  const open = wb.addShipment(account, { orders: [order()] })
  const late = wb.addShipment(account, { orders: [order()] })
  await scene.sync()
  // Closed while it was observed; the next run reads it only after the switch.
  wb.acceptShipment(account, late)
  await addSubscription(db, clientId)
  await switchTo('mirrored')
  assert.deepEqual(await seenBySeller(clientId), { orders: 3, shipments: 3, tallied: 3, events: 0 })
  await scene.sync()
  assert.deepEqual(await balance(clientId), [5, 0])
  wb.acceptShipment(account, open)
  await scene.sync()
  const units = Object.fromEntries(
    (await shipmentsOf(db, cabinetId)).map((row) => [row.external_id, row.units]),
  )
  assert.deepEqual(units, { [left]: 0, [late]: 0, [open]: 1 })
  assert.deepEqual(await balance(clientId), [4, 0])
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (shipments): Observed orders join no shipment that is not observed.
test('no observed order joins a shipment made here, by a verb or by SQL', async () => {
  const { clientId, cabinetId, order, switchTo } = await observed(ozon)
  await switchTo('ours')
  const request = { cabinetId, externalId: 'R-1', name: undefined }
  await switchTo('observe')
  order()
  await scene.sync()
  const [watched] = await ordersOf(db, cabinetId)
  assert.ok(watched)
  await assert.rejects(
    scene.coordinator.open(clientId, request, { kind: 'service' }, (open) =>
      at(db, Date.now(), open),
    ),
    /только наблюдают/,
  )
  const shipmentId = await addOrdinaryShipment(clientId, cabinetId)
  await assert.rejects(
    at(db, Date.now(), (work) => addOrders(work, clientId, shipmentId, [watched.id])),
    /только наблюдают/,
  )
  await assert.rejects(
    db`update orders set shipment_id = ${shipmentId} where id = ${watched.id}`.affected(),
    /never meet in a shipment/,
  )
  // One row of a statement suffices, beside others without a shipment.
  await assert.rejects(
    db`
      insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status, observed, created_at, shipment_id)
      select client_id, gen_random_uuid(), cabinet_id, marketplace, 'inserted-' || n, status, marketplace_status, observed,
        created_at, case n when 2 then ${shipmentId}::uuid end
      from orders, generate_series(1, 3) n where id = ${watched.id}`.affected(),
    /never meet in a shipment/,
  )
  await db`delete from shipments where id = ${shipmentId}`
})

async function addOrdinaryShipment(clientId: string, cabinetId: string): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, status, created_at)
    values (${clientId}, gen_random_uuid(), ${cabinetId}, 'OZON', 'ordinary', 'ASSEMBLING', now())
    returning id`
  assert.ok(row)
  return row.id
}

test('a cabinet with an open shipment is not switched to observing, and the message names it', async () => {
  const { account, order, switchTo } = await observed(wb)
  await switchTo('mirrored')
  const open = wb.addShipment(account, { orders: [order()] })
  await scene.sync()
  await assert.rejects(switchTo('observe'), (error: Error) => error.message.includes(open))
  wb.acceptShipment(account, open)
  await scene.sync()
  assert.equal(await switchTo('observe'), true)
})

test('what sellers saw before a cabinet is observed they see on, and only that', async () => {
  const { clientId, cabinetId, order, switchTo } = await observed(wb)
  await switchTo('mirrored')
  order()
  await scene.sync()
  await switchTo('observe')
  order()
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId)).length, 2)
  assert.deepEqual(await seenBySeller(clientId), { orders: 1, shipments: 0, tallied: 1, events: 0 })
  assert.deepEqual((await audit(db)).findings, [])
})

test('the order that is taken in while the cabinet is switched is never left behind', async () => {
  const { clientId, cabinetId, switchTo } = await observed(wb)
  const intake = Array.from({ length: 20 }, (_, n) =>
    at(db, Date.now(), (work) =>
      takeInOrders(work, clientId, cabinetId, [newOrder(String(5_000_000 + n), barcode)]),
    ),
  )
  await Promise.all([...intake, switchTo('ours')])
  const [row] = await db`select count(*) from orders where cabinet_id = ${cabinetId} and observed`
  assert.equal(row?.count, 0)
  assert.equal((await seenBySeller(clientId))?.tallied, 20)
})

// Guarantee (marketplaces): When observing ends, sellers see all of the cabinet or nothing.
test('while what was observed is being shown, the client works on and sellers see nothing of it; a kill shows nothing', async () => {
  const { clientId, cabinetId, account, order, change } = await observed(wb)
  const supply = wb.addShipment(account, { orders: [order(), order()] })
  order()
  await scene.sync()
  const other = await scene.connect(ozon, { clientId })
  await change('mirrored')
  const none = { orders: 0, shipments: 0, tallied: 0, events: 0 }
  assert.deepEqual(await seenBySeller(clientId), none)
  const held = await hold(db, {
    table: 'orders',
    on: 'update',
    when: 'old.observed and not new.observed',
  })
  const showing = showHiddenRows(db, systemClock, clientId, cabinetId)
  const failed = assert.rejects(showing)
  await held.reached()
  // The other cabinet of the client takes an order in, and a worker puts it into a shipment.
  const draft = newOrder('7-1', barcode)
  await at(db, Date.now(), (work) => takeInOrders(work, clientId, other.cabinetId, [draft]))
  const opening = { cabinetId: other.cabinetId, externalId: 'ordinary' }
  const shipmentId = await at(db, Date.now(), (work) => openShipment(work, clientId, opening))
  const [free] = await ordersOf(db, other.cabinetId)
  assert.ok(free)
  await at(db, Date.now(), (work) => addOrders(work, clientId, shipmentId, [free.id]))
  assert.deepEqual(await seenBySeller(clientId), { ...none, orders: 1, shipments: 1, tallied: 1 })
  await assert.rejects(change('observe'), /ещё заканчивается/)
  await db`
    select pg_terminate_backend(pid) from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`
  await failed
  await held.release()
  await db`drop trigger hold on orders`.affected()
  await db`drop function hold`.affected()
  assert.deepEqual(await seenBySeller(clientId), { ...none, orders: 1, shipments: 1, tallied: 1 })
  await showAllHiddenRows(db, systemClock)
  assert.deepEqual(await seenBySeller(clientId), { ...none, orders: 4, shipments: 2, tallied: 4 })
  assert.equal((await shipmentsOf(db, cabinetId))[0]?.external_id, supply)
  assert.deepEqual((await audit(db)).findings, [])
})

// Guarantee (marketplaces): The next sync run finishes an end of observing that a kill interrupted.
test('a sync run shows first what a killed process left hidden', async () => {
  const { clientId, order, change } = await observed(ozon)
  order()
  await scene.sync()
  await change('ours')
  assert.equal((await seenBySeller(clientId))?.orders, 0)
  order()
  await scene.sync()
  assert.deepEqual(await seenBySeller(clientId), { orders: 2, shipments: 0, tallied: 2, events: 0 })
  assert.deepEqual((await audit(db)).findings, [])
})
