import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRemoteCommands } from '../../src/exchange/marketplaces/coordination/command-list.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { actor, openScene, ordersOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

/** Removing orders from a shipment that exists at the marketplace too. */
const scene = await openScene()
const { db, wb, ozon, coordinator, run } = scene
const barcode = '4600000000017'
const setting = '/v1/carriage/set-postings'
const cancelled = { supplier: 'cancelled', buyer: 'posting_canceled' }

/** A shipment with so many orders, on both sides. */
async function filled(fake: typeof wb | typeof ozon = ozon, count = 2) {
  const { clientId, cabinetId, account } = await scene.connect(fake)
  await stockUp(db, clientId, { [barcode]: 5 })
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
  for (let added = 0; added < count; added++) fake.addOrder(account, { lines: [line] })
  await scene.sync()
  const orders = await ordersOf(db, cabinetId)
  const [first, second] = orders
  assert.ok(first !== undefined)
  const draft = { cabinetId, externalId: 'утро', name: undefined }
  const { id } = await coordinator.open(clientId, draft, actor, run)
  const fill = (orderIds: readonly string[]) =>
    coordinator.addOrders(clientId, id, orderIds, actor, run)
  await fill(orders.map((order) => order.id))
  const [made] = fake.shipments(account)
  assert.ok(made !== undefined)
  const before = fake.calls().length
  return {
    clientId,
    cabinetId,
    account,
    first,
    second: second ?? first,
    number: made.id,
    fill,
    remove: (order = first) => coordinator.removeOrder(clientId, id, order.id, actor, run),
    close: () => coordinator.close(clientId, id, actor, run),
    here: async () =>
      (await ordersOf(db, cabinetId))
        .filter((order) => order.shipment_id === id)
        .map(({ external_id }) => external_id),
    there: () => fake.shipments(account).find((one) => one.id === made.id)?.orders,
    asked: () =>
      fake
        .calls()
        .slice(before)
        .filter(({ account: whose, path }) => whose === account.id && path === setting).length,
    /** The remote commands of removals, newest first. */
    async removals() {
      const { items } = await listRemoteCommands(db, clientId, cabinetId, {
        limit: 50,
        after: undefined,
      })
      return items.filter(({ kind }) => kind === 'remove')
    },
    /** A sync run, after the time limit of running commands has passed. */
    async syncRun() {
      await db`update remote_commands set requested_at = requested_at - interval '1 minute'`
      await scene.sync()
    },
  }
}

test('OZON: an order removed here is removed there at once and joins another shipment', async () => {
  const floor = await filled()
  const { clientId, cabinetId, account, first, second } = floor
  await floor.remove()
  assert.deepEqual(floor.there(), [second.external_id])
  assert.deepEqual(await floor.here(), [second.external_id])
  const [command, ...others] = await floor.removals()
  assert.deepEqual([command?.state, command?.orders_count, command?.message], ['done', 1, null])
  assert.deepEqual(others, [])
  const draft = { cabinetId, externalId: 'вечер', name: undefined }
  const next = await coordinator.open(clientId, draft, actor, run)
  await coordinator.addOrders(clientId, next.id, [first.id], actor, run)
  const [, other] = ozon.shipments(account)
  assert.deepEqual(other?.orders, [first.external_id])
})

test('OZON: a refusal is shown and changes neither side', async () => {
  const floor = await filled()
  const body = { code: 3, message: 'Состав отгрузки сейчас не изменить' }
  ozon.failNext(1, { status: 400, body }, setting)
  await assert.rejects(floor.remove(), { code: 'conflict', message: /сейчас не изменить/ })
  assert.equal((await floor.here()).length, 2)
  assert.equal(floor.there()?.length, 2)
  const [command] = await floor.removals()
  assert.equal(command?.state, 'refused')
  assert.match(command?.message ?? '', /сейчас не изменить/)
  await floor.remove()
  assert.deepEqual(floor.there(), await floor.here())
})

test('OZON is not called if the warehouse refuses the change', async () => {
  const floor = await filled()
  await floor.remove()
  const asked = floor.asked()
  await assert.rejects(floor.remove(), { code: 'not_found' })
  assert.equal(floor.asked(), asked)
})

for (const done of [true, false]) {
  const outcome = done
    ? 'a sync run takes over what was done there'
    : 'a sync run gives up what was not'
  test(`OZON: a lost answer changes nothing yet, and ${outcome}`, async () => {
    const floor = await filled()
    const { first, second } = floor
    // The connector repeats the call by itself.
    ozon.failNext(4, { status: 500, done }, setting)
    await assert.rejects(floor.remove(), { code: 'marketplace_unavailable' })
    ozon.heal()
    assert.equal((await floor.here()).length, 2)
    assert.equal((await floor.removals())[0]?.state, 'asked')
    // An order that is being removed is neither handed over nor added again.
    for (const other of [() => floor.close(), () => floor.fill([first.id])]) {
      await assert.rejects(other(), { code: 'conflict', message: /как раз убирают/ })
    }
    await floor.syncRun()
    const both = [first, second].map(({ external_id }) => external_id)
    const staying = done ? both.slice(1) : both
    assert.deepEqual(await floor.here(), staying)
    assert.deepEqual(floor.there()?.toSorted(), staying)
    assert.equal((await floor.removals())[0]?.state, done ? 'done' : 'refused')
  })
}

test('OZON: a repeated request of the worker completes a removal with unknown outcome', async () => {
  const floor = await filled()
  ozon.failNext(4, { status: 500, done: true }, setting)
  await assert.rejects(floor.remove(), { code: 'marketplace_unavailable' })
  ozon.heal()
  await floor.remove()
  assert.deepEqual(await floor.here(), floor.there())
  assert.deepEqual(
    (await floor.removals()).map(({ state }) => state),
    ['done'],
  )
})

test('OZON: a sync run asks again if OZON does not report what is in a carriage', async () => {
  const floor = await filled()
  ozon.failNext(100, { status: 404 }, 'act/get-postings')
  ozon.failNext(4, { status: 500 }, setting)
  await assert.rejects(floor.remove(), { code: 'marketplace_unavailable' })
  await floor.syncRun()
  ozon.heal()
  assert.deepEqual(floor.there(), [floor.second.external_id])
  assert.deepEqual(await floor.here(), floor.there())
})

test('OZON: an order that is being added can’t be removed', async () => {
  const floor = await filled()
  await floor.remove()
  assert.deepEqual(floor.there(), await floor.here())
  const held = ozon.holdNext(setting)
  const filling = floor.fill([floor.first.id, floor.second.id])
  await held.reached
  await assert.rejects(floor.remove(floor.second), {
    code: 'conflict',
    message: /как раз добавляют/,
  })
  held.release()
  await filling
  assert.equal((await floor.here()).length, 2)
})

test('OZON: a cancelled order is removed without a call and blocks no other removal', async () => {
  const floor = await filled(ozon, 3)
  const { account, first, second } = floor
  ozon.setStatus(account, first.external_id, cancelled)
  await scene.sync()
  await floor.remove(second)
  assert.equal(floor.there()?.includes(second.external_id), false)
  const asked = floor.asked()
  await floor.remove(first)
  assert.equal(floor.asked(), asked)
  assert.equal((await floor.here()).length, 1)
})

const stands = {
  cancelled: { cancelled: true, words: /отгрузки больше нет/ },
  'handed over': { closedAt: Date.now(), words: /уже передана/ },
} as const
for (const [remoteState, { words, ...how }] of Object.entries(stands)) {
  test(`OZON: an order of a carriage that was ${remoteState} in the cabinet is removed here, and the command records it`, async () => {
    const floor = await filled()
    const { account, number } = floor
    ozon.addShipment(account, { ...how, id: number, orders: [...(floor.there() ?? [])] })
    await floor.remove()
    assert.deepEqual(await floor.here(), [floor.second.external_id])
    const [command] = await floor.removals()
    assert.equal(command?.state, 'done')
    assert.match(command?.message ?? '', words)
  })
}

test('OZON: the last order is removed here although OZON keeps no empty carriage', async () => {
  const floor = await filled(ozon, 1)
  await floor.remove()
  assert.deepEqual(await floor.here(), [])
  const [command] = await floor.removals()
  assert.equal(command?.state, 'done')
  assert.match(command?.message ?? '', /убран только здесь.*INVALID_POSTING_NUMBERS/)
})

test('OZON: an order is removed from a shipment with a manually entered number that OZON does not know', async () => {
  const floor = await filled()
  await db`update shipments set external_id = 'утро' where cabinet_id = ${floor.cabinetId}`
  await floor.remove()
  assert.deepEqual(await floor.here(), [floor.second.external_id])
  assert.match((await floor.removals())[0]?.message ?? '', /отгрузки больше нет/)
})

for (const key of ['refused', 'unreadable'] as const) {
  test(`OZON: a key that is ${key} does not prevent a removal, and the command records that the order stays at OZON`, async () => {
    const floor = await filled()
    if (key === 'refused') ozon.refuse(floor.account, 401)
    else {
      const credentials = Buffer.from('of another secret')
      await db`update cabinets set credentials = ${credentials} where id = ${floor.cabinetId}`
    }
    await floor.remove()
    assert.deepEqual(await floor.here(), [floor.second.external_id])
    assert.equal(floor.there()?.length, 2)
    const [command] = await floor.removals()
    assert.equal(command?.state, 'done')
    assert.match(command?.message ?? '', /убран только здесь.*ключ/i)
  })
}

test('WB: a removal makes no call and records no command', async () => {
  const floor = await filled(wb)
  const before = wb.calls().length
  await floor.remove()
  assert.equal(wb.calls().length, before)
  assert.equal(floor.there()?.length, 2)
  assert.deepEqual(await floor.removals(), [])
})

test('the audit finds nothing', async () => {
  assert.deepEqual((await audit(db)).findings, [])
})
