import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/audit/audit.ts'
import { perform, type Work } from '../../src/db/work.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { listTasks } from '../../src/marketplaces/desk/task-list.ts'
import { markOf } from '../../src/marketplaces/desk/tasks.ts'
import { pickUnits, reportNotFound, taskOfShipment } from '../../src/picking/verbs.ts'
import { openShipment } from '../../src/shipments/verbs.ts'
import { openScene, ordersOf, shipmentsOf } from '../support/syncing.ts'
import { stockUp } from '../support/warehouse.ts'

/** Shipments of ours that somebody has deleted or cancelled in the marketplace's cabinet. */
const scene = await openScene()
const { db, wb, ozon, desk } = scene
const barcode = '4600000000017'
const actor = 'test'

function run<T>(verb: (work: Work) => Promise<T>): Promise<T> {
  return perform(db, systemClock, actor, verb)
}

async function connected(fake: typeof wb | typeof ozon) {
  const { clientId, cabinetId, account } = await scene.connect(fake)
  await stockUp(db, clientId, { [barcode]: 5 })
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  for (const _ of [1, 2]) fake.addOrder(account, { lines: [line] })
  await scene.sync()
  const orders = (await ordersOf(db, cabinetId)).map(({ id }) => id)
  const open = async (externalId = 'утро') => {
    const opened = await desk.open(clientId, { cabinetId, externalId, name: undefined }, actor, run)
    return opened.id
  }
  const shipments = async () =>
    (await shipmentsOf(db, cabinetId)).map(({ external_id }) => external_id)
  return {
    clientId,
    cabinetId,
    orders,
    open,
    shipments,
    makeThere: (name: string) => fake.addShipment(account, { name }),
    there: () => fake.shipments(account).map(({ id }) => id),
    fill: (id: string) => desk.fill(clientId, id, orders, actor, run),
    remove: (id: string, order: string) => desk.remove(clientId, id, order, actor, run),
    async deleteThere(id: string) {
      const [row] = await db`select external_id from shipments where id = ${id}`
      fake.deleteShipment(account, row?.external_id)
      return String(row?.external_id)
    },
    async asked(number: string) {
      const before = fake.calls().length
      await scene.sync()
      const calls = fake.calls().slice(before)
      const named = ({ path, body }: (typeof calls)[number]) =>
        `${path}/ ${JSON.stringify(body)}`.includes(number)
      return calls.some((call) => call.account === account.id && named(call))
    },
  }
}

/** As if all shipments had been opened so long ago. */
async function aged(clientId: string, minutes: number): Promise<void> {
  await db`
    update shipments set created_at = now() - ${`${minutes} minutes`}::interval
    where client_id = ${clientId}`
}

for (const fake of [wb, ozon] as const) {
  const name = fake.marketplace
  test(`${name}: deleted there and empty here it goes, with its picking; what was missing stays known`, async () => {
    const { clientId, cabinetId, orders, ...floor } = await connected(fake)
    const [first = '', second = ''] = orders
    const id = await floor.open()
    await floor.fill(id)
    await run(async (work) => {
      const task = await taskOfShipment(work, clientId, id)
      await pickUnits(work, clientId, task, [{ scanId: 'scan', orderId: first, barcode }])
      await reportNotFound(work, clientId, task, { orderId: second, reason: 'EMPTY_LOCATION' })
    })
    for (const order of orders) await floor.remove(id, order)
    const number = await floor.deleteThere(id)
    await aged(clientId, 55)
    await scene.sync()
    assert.deepEqual(await floor.shipments(), [number], 'it may not be shown yet')
    await aged(clientId, 65)
    await scene.sync()
    assert.deepEqual(await floor.shipments(), [])
    const [left] = await db`
      select (select count(*)::int from picking_tasks where client_id = ${clientId}) as tasks,
        (select count(*)::int from picks where client_id = ${clientId}) as picks,
        (select sum(units)::int from pick_misses where client_id = ${clientId}) as missing`
    assert.deepEqual({ ...left }, { tasks: 0, picks: 0, missing: 1 })
    // OZON's lists tell of cancelled carriages too.
    if (fake === wb) assert.equal(await floor.asked(number), false)
    const page = { limit: 10, after: undefined }
    const { items } = await listTasks(db, clientId, cabinetId, page)
    assert.deepEqual(
      items.map(({ kind, state, shipment_id }) => [kind, state, shipment_id]),
      [
        // WB is not asked to take orders out.
        ...(fake === wb ? [] : orders.map(() => ['remove', 'done', id])),
        ['fill', 'done', id],
        ['create', 'refused', id],
      ],
    )
    assert.match(items.at(-1)?.message ?? '', /удалили или отменили на маркетплейсе/)
    // The worker's number is free again.
    const next = await floor.open()
    assert.notEqual(next, id)
    assert.deepEqual(await floor.shipments(), [floor.there().at(-1)])
    assert.equal(await floor.fill(next), 2)
  })

  test(`${name}: with orders here it stays until they are taken out`, async () => {
    const { clientId, orders, ...floor } = await connected(fake)
    const id = await floor.open()
    await floor.fill(id)
    await aged(clientId, 65)
    const number = await floor.deleteThere(id)
    const [first = '', second = ''] = orders
    await floor.remove(id, first)
    await scene.sync()
    assert.deepEqual(await floor.shipments(), [number])
    await run(async (work) => {
      const task = await taskOfShipment(work, clientId, id)
      await pickUnits(work, clientId, task, [{ scanId: 'scan', orderId: second, barcode }])
    })
    await assert.rejects(desk.close(clientId, id, actor, run), {
      code: 'conflict',
      message: /больше нет/,
    })
    const holds = await db`select id from orders where shipment_id = ${id}`
    assert.equal(holds.length, 1)
    await floor.remove(id, second)
    await scene.sync()
    assert.deepEqual(await floor.shipments(), [])
  })

  test(`${name}: it stays while the marketplace is asked for it`, async () => {
    const { clientId, ...floor } = await connected(fake)
    const id = await floor.open()
    await aged(clientId, 65)
    const number = await floor.deleteThere(id)
    const held = fake.holdNext(name === 'WB' ? '/supplies/' : '/act/get-postings')
    const filling = floor.fill(id)
    const refused = assert.rejects(filling, /./)
    await held.reached
    await scene.sync()
    assert.deepEqual(await floor.shipments(), [number])
    held.release()
    await refused
    await scene.sync()
    assert.deepEqual(await floor.shipments(), [])
  })
}

test('one that was typed in by hand, and may never have been there, stays', async () => {
  const { clientId, cabinetId, shipments } = await connected(wb)
  const draft = { cabinetId, externalId: 'WB-GI-404' }
  await run((work) => openShipment(work, clientId, draft))
  await aged(clientId, 65)
  await scene.sync()
  assert.deepEqual(await shipments(), ['WB-GI-404'])
})

test('one that WB makes after it was given up goes there, and is never seen here', async () => {
  const { cabinetId, there, makeThere, shipments } = await connected(wb)
  const [task] = await db<{ id: string }[]>`
    insert into cabinet_tasks (client_id, id, cabinet_id, kind, detail, state, actor, asked_at,
      tried_at, ended_at)
    select client_id, ${newId()}, id, 'create', '{"name": "Утро"}', 'refused', 'test', now(), now(),
      now()
    from cabinets where id = ${cabinetId} returning id`
  assert.ok(task)
  makeThere(`${markOf(task)} Утро`)
  await scene.sync()
  assert.deepEqual(there(), [])
  assert.deepEqual(await shipments(), [])
})

test('all sums hold', async () => {
  assert.deepEqual((await audit(db)).findings, [])
  assert.deepEqual(scene.logged(), [])
})
