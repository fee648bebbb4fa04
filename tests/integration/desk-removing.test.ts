import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/audit/audit.ts'
import { perform, type Work } from '../../src/db/work.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { listTasks } from '../../src/marketplaces/desk/task-list.ts'
import { openScene, ordersOf } from '../support/syncing.ts'
import { stockUp } from '../support/warehouse.ts'

/** Orders that are taken out of a shipment which the marketplace has, too. */
const scene = await openScene()
const { db, wb, ozon, desk } = scene
const barcode = '4600000000017'
const actor = 'test'
const setting = '/v1/carriage/set-postings'
const cancelled = { supplier: 'cancelled', buyer: 'posting_canceled' }

function run<T>(verb: (work: Work) => Promise<T>): Promise<T> {
  return perform(db, systemClock, actor, verb)
}

/** A shipment with so many orders, here and there. */
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
  const { id } = await desk.open(clientId, draft, actor, run)
  const fill = (orderIds: readonly string[]) => desk.fill(clientId, id, orderIds, actor, run)
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
    remove: (order = first) => desk.remove(clientId, id, order.id, actor, run),
    close: () => desk.close(clientId, id, actor, run),
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
    /** What became of removals, the last first. */
    async removals() {
      const { items } = await listTasks(db, clientId, cabinetId, { limit: 50, after: undefined })
      return items.filter(({ kind }) => kind === 'remove')
    },
    /** A round, when whoever was at a task has had the time to end it. */
    async round() {
      await db`update cabinet_tasks set asked_at = asked_at - interval '1 minute'`
      await scene.sync()
    },
  }
}

test('OZON: what is taken out here is out there at once, and joins another shipment', async () => {
  const floor = await filled()
  const { clientId, cabinetId, account, first, second } = floor
  await floor.remove()
  assert.deepEqual(floor.there(), [second.external_id])
  assert.deepEqual(await floor.here(), [second.external_id])
  const [task, ...others] = await floor.removals()
  assert.deepEqual([task?.state, task?.orders_count, task?.message], ['done', 1, null])
  assert.deepEqual(others, [])
  const draft = { cabinetId, externalId: 'вечер', name: undefined }
  const next = await desk.open(clientId, draft, actor, run)
  await desk.fill(clientId, next.id, [first.id], actor, run)
  const [, other] = ozon.shipments(account)
  assert.deepEqual(other?.orders, [first.external_id])
})

test('OZON: a refusal is shown and changes nothing, here or there', async () => {
  const floor = await filled()
  const body = { code: 3, message: 'Состав отгрузки сейчас не изменить' }
  ozon.failNext(1, { status: 400, body }, setting)
  await assert.rejects(floor.remove(), { code: 'conflict', message: /сейчас не изменить/ })
  assert.equal((await floor.here()).length, 2)
  assert.equal(floor.there()?.length, 2)
  const [task] = await floor.removals()
  assert.equal(task?.state, 'refused')
  assert.match(task?.message ?? '', /сейчас не изменить/)
  await floor.remove()
  assert.deepEqual(floor.there(), await floor.here())
})

test('OZON: what the warehouse would refuse, it is not asked for', async () => {
  const floor = await filled()
  await floor.remove()
  const asked = floor.asked()
  await assert.rejects(floor.remove(), { code: 'not_found' })
  assert.equal(floor.asked(), asked)
})

for (const done of [true, false]) {
  const outcome = done ? 'a round takes over what was done there' : 'a round gives up what was not'
  test(`OZON: an answer that never came changes nothing yet, and ${outcome}`, async () => {
    const floor = await filled()
    const { first, second } = floor
    // The call is repeated by itself.
    ozon.failNext(4, { status: 500, done }, setting)
    await assert.rejects(floor.remove(), { code: 'marketplace_unavailable' })
    ozon.heal()
    assert.equal((await floor.here()).length, 2)
    assert.equal((await floor.removals())[0]?.state, 'asked')
    // What is under way is neither handed over nor added again.
    for (const other of [() => floor.close(), () => floor.fill([first.id])]) {
      await assert.rejects(other(), { code: 'conflict', message: /как раз убирают/ })
    }
    await floor.round()
    const both = [first, second].map(({ external_id }) => external_id)
    const staying = done ? both.slice(1) : both
    assert.deepEqual(await floor.here(), staying)
    assert.deepEqual(floor.there()?.toSorted(), staying)
    assert.equal((await floor.removals())[0]?.state, done ? 'done' : 'refused')
  })
}

test('OZON: asked again by the worker, what may have been done is brought to its end', async () => {
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

test('OZON: where it does not tell what is in a carriage, a round asks once more', async () => {
  const floor = await filled()
  ozon.failNext(100, { status: 404 }, 'act/get-postings')
  ozon.failNext(4, { status: 500 }, setting)
  await assert.rejects(floor.remove(), { code: 'marketplace_unavailable' })
  await floor.round()
  ozon.heal()
  assert.deepEqual(floor.there(), [floor.second.external_id])
  assert.deepEqual(await floor.here(), floor.there())
})

test('OZON: orders that are being added are not taken out', async () => {
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

test('OZON: a cancelled order goes out without a word, and keeps no other in', async () => {
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
for (const [standing, { words, ...how }] of Object.entries(stands)) {
  test(`OZON: of a carriage that was ${standing} in the cabinet an order comes out here, and the task tells`, async () => {
    const floor = await filled()
    const { account, number } = floor
    ozon.addShipment(account, { ...how, id: number, orders: [...(floor.there() ?? [])] })
    await floor.remove()
    assert.deepEqual(await floor.here(), [floor.second.external_id])
    const [task] = await floor.removals()
    assert.equal(task?.state, 'done')
    assert.match(task?.message ?? '', words)
  })
}

test('OZON: the last order comes out here though a carriage there is never empty', async () => {
  const floor = await filled(ozon, 1)
  await floor.remove()
  assert.deepEqual(await floor.here(), [])
  const [task] = await floor.removals()
  assert.equal(task?.state, 'done')
  assert.match(task?.message ?? '', /убран только здесь.*INVALID_POSTING_NUMBERS/)
})

test('OZON: an order comes out of a shipment whose number was typed in and is none of its', async () => {
  const floor = await filled()
  await db`update shipments set external_id = 'утро' where cabinet_id = ${floor.cabinetId}`
  await floor.remove()
  assert.deepEqual(await floor.here(), [floor.second.external_id])
  assert.match((await floor.removals())[0]?.message ?? '', /отгрузки больше нет/)
})

for (const key of ['refused', 'unreadable'] as const) {
  test(`OZON: a key that is ${key} keeps no order in; the task tells that it stays there`, async () => {
    const floor = await filled()
    if (key === 'refused') ozon.refuse(floor.account, 401)
    else {
      const credentials = Buffer.from('of another secret')
      await db`update cabinets set credentials = ${credentials} where id = ${floor.cabinetId}`
    }
    await floor.remove()
    assert.deepEqual(await floor.here(), [floor.second.external_id])
    assert.equal(floor.there()?.length, 2)
    const [task] = await floor.removals()
    assert.equal(task?.state, 'done')
    assert.match(task?.message ?? '', /убран только здесь.*ключ/i)
  })
}

test('WB is not asked to take an order out, and there is no task', async () => {
  const floor = await filled(wb)
  const before = wb.calls().length
  await floor.remove()
  assert.equal(wb.calls().length, before)
  assert.equal(floor.there()?.length, 2)
  assert.deepEqual(await floor.removals(), [])
})

test('all sums hold', async () => {
  assert.deepEqual((await audit(db)).findings, [])
})
