import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRemoteCommands } from '../../src/exchange/marketplaces/coordination/command-list.ts'
import { referenceOf } from '../../src/exchange/marketplaces/coordination/remote-command.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { reportNotFound } from '../../src/warehouse/picking/misses.ts'
import { pickUnits } from '../../src/warehouse/picking/picks.ts'
import { pickingTaskOf } from '../../src/warehouse/picking/tasks.ts'
import { openShipment } from '../../src/warehouse/shipments/verbs.ts'
import { actor, openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

/** Shipments of ours that somebody has deleted or cancelled in the marketplace's cabinet. */
const scene = await openScene()
const { db, wb, ozon, coordinator, run } = scene
const barcode = '4600000000017'

async function connected(fake: typeof wb | typeof ozon) {
  const { clientId, cabinetId, account } = await scene.connect(fake)
  await stockUp(db, clientId, { [barcode]: 5 })
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  for (const _ of [1, 2]) fake.addOrder(account, { lines: [line] })
  await scene.sync()
  const orders = (await ordersOf(db, cabinetId)).map(({ id }) => id)
  const open = async (externalId = 'утро') => {
    const opened = await coordinator.open(
      clientId,
      { cabinetId, externalId, name: undefined },
      actor,
      run,
    )
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
    fill: (id: string) => coordinator.addOrders(clientId, id, orders, actor, run),
    remove: (id: string, order: string) => coordinator.removeOrder(clientId, id, order, actor, run),
    async deleteThere(id: string) {
      const [row] = await db<
        [{ external_id: string }]
      >`select external_id from shipments where id = ${id}`
      fake.deleteShipment(account, row.external_id)
      return row.external_id
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

/** Moves the opening of all shipments back by this time. */
async function aged(clientId: string, minutes: number): Promise<void> {
  await db`
    update shipments set created_at = now() - ${`${minutes} minutes`}::interval
    where client_id = ${clientId}`
}

for (const fake of [wb, ozon] as const) {
  const name = fake.marketplace
  test(`${name}: a shipment that the marketplace deleted is deleted here once it is empty, with its picking task, and its shortages stay`, async () => {
    const { clientId, cabinetId, orders, ...floor } = await connected(fake)
    const [first = '', second = ''] = orders
    const id = await floor.open()
    await floor.fill(id)
    await run(async (work) => {
      const task = await pickingTaskOf(work, clientId, id)
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
    // OZON also lists cancelled carriages.
    if (fake === wb) assert.equal(await floor.asked(number), false)
    const page = { limit: 10, after: undefined }
    const { items } = await listRemoteCommands(db, clientId, cabinetId, page)
    assert.deepEqual(
      items.map(({ kind, state, shipment_id }) => [kind, state, shipment_id]),
      [
        // The service does not call WB to remove orders.
        ...(fake === wb ? [] : orders.map(() => ['remove', 'done', id])),
        ['fill', 'done', id],
        ['create', 'refused', id],
      ],
    )
    assert.match(items.at(-1)?.message ?? '', /удалили или отменили на маркетплейсе/)
    // Another shipment may have the worker's number again.
    const next = await floor.open()
    assert.notEqual(next, id)
    assert.deepEqual(await floor.shipments(), [floor.there().at(-1)])
    assert.deepEqual(await floor.fill(next), { added: 2, refused: [] })
  })

  test(`${name}: a deleted shipment stays here until its orders are removed`, async () => {
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
      const task = await pickingTaskOf(work, clientId, id)
      await pickUnits(work, clientId, task, [{ scanId: 'scan', orderId: second, barcode }])
    })
    await assert.rejects(coordinator.close(clientId, id, actor, run), {
      code: 'conflict',
      message: /больше нет/,
    })
    const holds = await db`select id from orders where shipment_id = ${id}`
    assert.equal(holds.length, 1)
    await floor.remove(id, second)
    await scene.sync()
    assert.deepEqual(await floor.shipments(), [])
  })

  test(`${name}: a deleted shipment stays here while a remote command runs for it`, async () => {
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

test('a shipment with a manually entered number stays, because the marketplace may never have had it', async () => {
  const { clientId, cabinetId, shipments } = await connected(wb)
  const draft = { cabinetId, externalId: 'WB-GI-404' }
  await run((work) => openShipment(work, clientId, draft))
  await aged(clientId, 65)
  await scene.sync()
  assert.deepEqual(await shipments(), ['WB-GI-404'])
})

test('a supply that WB creates after the command was given up is deleted there and never shown here', async () => {
  const { cabinetId, there, makeThere, shipments } = await connected(wb)
  const [command] = await db<{ id: string }[]>`
    insert into remote_commands (client_id, id, cabinet_id, kind, detail, state, actor, requested_at,
      attempted_at, finished_at)
    select client_id, ${newId()}, id, 'create', '{"name": "Утро"}', 'refused', 'service', now(), now(),
      now()
    from cabinets where id = ${cabinetId} returning id`
  assert.ok(command)
  makeThere(`${referenceOf(command)} Утро`)
  await scene.sync()
  assert.deepEqual(there(), [])
  assert.deepEqual(await shipments(), [])
})

test('the audit finds nothing', async () => {
  assert.deepEqual((await audit(db)).findings, [])
  assert.deepEqual(scene.logged(), [])
})
