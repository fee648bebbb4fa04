import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { changeCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { cabinetState, openScene, ordersOf } from '../support/sync-scene.ts'

/** A cabinet's only FBS warehouse is chosen by the sync run, unless something changes meanwhile. */
const scene = await openScene()
const { db, wb, ozon, box } = scene

/** A cabinet without a choice, whose first sync run has been sent the list of warehouses and waits for it. */
async function openWaiting() {
  const cabinet = await scene.connect(ozon, { warehouses: null })
  const order = ozon.addOrder(cabinet.account)
  const held = ozon.holdNext('/warehouse/list')
  const run = scene.sync()
  await held.reached
  return {
    ...cabinet,
    order,
    async goOn() {
      held.release()
      await run
    },
  }
}

async function choiceOf(cabinetId: string) {
  const [row] = await db<{ own: string[] | null }[]>`
    select own_warehouses as own from cabinets where id = ${cabinetId}`
  return row?.own
}

const numbersOf = async (cabinetId: string) =>
  (await ordersOf(db, cabinetId)).map(({ external_id }) => external_id)

const journalled = (cabinetId: string) =>
  db`select from staff_journal where object_id = ${cabinetId} and actor = 'service'`

test('the only warehouse of credentials that were replaced meanwhile is not chosen', async () => {
  const at = await openWaiting()
  const other = ozon.account()
  const order = ozon.addOrder(other)
  await scene.giveKey(at, other)
  await at.goOn()
  assert.deepEqual([await choiceOf(at.cabinetId), await numbersOf(at.cabinetId)], [null, []])
  await scene.sync()
  assert.deepEqual(await numbersOf(at.cabinetId), [order])
})

test('what a manager chose meanwhile stays', async () => {
  const at = await openWaiting()
  await perform(db, systemClock, { kind: 'service' }, (work) =>
    changeCabinet(work, box, at.clientId, at.cabinetId, { warehouses: ['7'] }),
  )
  await at.goOn()
  await scene.sync()
  assert.deepEqual([await choiceOf(at.cabinetId), await numbersOf(at.cabinetId)], [['7'], []])
  assert.equal((await journalled(at.cabinetId)).length, 0)
})

test('a run that lost its lease to another process chooses nothing', async () => {
  const at = await openWaiting()
  await db`
    update cabinet_syncs set lease = gen_random_uuid() where cabinet_id = ${at.cabinetId}`
  await at.goOn()
  assert.deepEqual([await choiceOf(at.cabinetId), await numbersOf(at.cabinetId)], [null, []])
})

test('orders that were read before the choice do not keep older ones of the warehouse away', async () => {
  const { cabinetId, clientId, account } = await scene.connect(ozon)
  const day = 24 * 3_600_000
  const stored = ozon.addOrder(account)
  await scene.sync()
  await perform(db, systemClock, { kind: 'service' }, (work) =>
    changeCabinet(work, box, clientId, cabinetId, { warehouses: ['7'] }),
  )
  const older = ozon.addOrder(account, { createdAt: Date.now() - 3 * day })
  await scene.sync()
  await perform(db, systemClock, { kind: 'service' }, (work) =>
    changeCabinet(work, box, clientId, cabinetId, { warehouses: null }),
  )
  await scene.sync()
  assert.deepEqual(await numbersOf(cabinetId), [stored, older].toSorted())
  assert.deepEqual(await choiceOf(cabinetId), [ozon.ownWarehouse])
  assert.equal((await journalled(cabinetId)).length, 1)
})

test('while no warehouse is chosen, returns of orders that are not stored are not expected', async () => {
  const { cabinetId, account } = await scene.connect(ozon, { warehouses: null })
  const number = ozon.addOrder(account)
  const card = ozon.addCard(account)
  const warehouse = { id: 7, name: 'Север' }
  ozon.setStock(account, { itemId: card.itemId, warehouse, quantity: 1 })
  const changedAt = Date.now() - 3_600_000
  ozon.setReturn(account, { id: 71, postingNumber: number, state: 'MovingToSeller', changedAt })
  await scene.sync()
  const expected = () =>
    db`select external_id, order_id from expected_returns where cabinet_id = ${cabinetId}`
  assert.deepEqual([...(await expected())], [])
  await db`
    update cabinets set own_warehouses = ${[ozon.ownWarehouse]} where id = ${cabinetId}`
  await scene.sync()
  assert.equal((await expected()).length, 1)
})

const delivering = {
  WB: [{ id: 1, name: 'DBS', officeId: 1, cargoType: 1, deliveryType: 2 }],
  OZON: { warehouses: [{ warehouse_id: 1, name: 'Своя доставка', is_rfbs: true }] },
}
for (const fake of [wb, ozon] as const) {
  const path = fake === wb ? '/api/v3/warehouses' : '/warehouse/list'
  test(`${fake.marketplace}: without an FBS warehouse the seller reads what to do, and the one that he makes is chosen`, async () => {
    const { cabinetId, account } = await scene.connect(fake, { warehouses: null })
    const order = fake.addOrder(account)
    fake.failNext(9, { status: 200, body: delivering[fake.marketplace] }, path)
    await scene.sync()
    fake.heal()
    const { sync_error } = await cabinetState(db, cabinetId)
    assert.match(sync_error ?? '', /нет склада FBS.*создайте такой склад в кабинете/)
    assert.deepEqual(await numbersOf(cabinetId), [])
    await scene.sync()
    assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
    assert.deepEqual(await numbersOf(cabinetId), [order])
  })
}
