import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cabinetsInNeed } from '../../src/warehouse/clients/cabinets-in-need.ts'
import { cabinetsOfToday } from '../../src/warehouse/clients/today-cabinets.ts'
import { type Connected, cabinetState, openScene, ordersOf } from '../support/sync-scene.ts'

/** OZON's keys live for three months, and a new one is made by hand. */
const scene = await openScene()
const { db, ozon } = scene
const day = 24 * 3_600_000

/** What the manager and the seller read of the key. */
async function warnings({ clientId, cabinetId }: Connected) {
  const today = await cabinetsOfToday(db, db`c.id = ${clientId}`)
  const sellers = await cabinetsInNeed(db, clientId)
  const ofManager = today.items.find(({ cabinet_id }) => cabinet_id === cabinetId)
  const ofSeller = sellers.find(({ id }) => id === cabinetId)
  return [ofManager, ofSeller].map((shown) => [
    shown?.problems ?? [],
    shown?.credentials_expire_at && Date.parse(shown.credentials_expire_at),
  ])
}

const nextDay = (cabinetId: string) =>
  db`update cabinet_syncs set access_at = access_at - interval '1 day' where cabinet_id = ${cabinetId}`

test('a key that ends within 21 days is shown to the manager and to the seller, asked about daily', async () => {
  const cabinet = await scene.connect(ozon)
  const { account, cabinetId } = cabinet
  await scene.sync()
  assert.deepEqual(await warnings(cabinet), [
    [[], undefined],
    [[], undefined],
  ])
  const end = Date.now() + 20 * day
  ozon.endKey(account, end)
  await scene.sync()
  assert.deepEqual((await warnings(cabinet))[0], [[], undefined], 'it is not asked in every run')
  await nextDay(cabinetId)
  await scene.sync()
  const expected = [['credentials_expiring'], end]
  assert.deepEqual(await warnings(cabinet), [expected, expected])
  ozon.endKey(account, Date.now() + 22 * day)
  await nextDay(cabinetId)
  await scene.sync()
  assert.deepEqual((await warnings(cabinet))[1], [[], undefined])
})

test('a day on which OZON does not name the end of a key keeps what its entry named', async () => {
  const cabinet = await scene.connect(ozon)
  const { cabinetId } = cabinet
  const end = Date.now() + 10 * day
  await db`
    update cabinets set credentials_end = ${new Date(end).toISOString()} where id = ${cabinetId}`
  ozon.failNext(1, { status: 400 }, '/v1/roles')
  await scene.sync()
  const expected = [['credentials_expiring'], end]
  assert.deepEqual(await warnings(cabinet), [expected, expected])
})

test('a new key of the account goes on where the former one ended', async () => {
  const cabinet = await scene.connect(ozon)
  const { account, cabinetId } = cabinet
  const first = ozon.addOrder(account)
  await scene.sync()
  const progress = async () => {
    const [row] = await db`
      select y.orders_from, y.shipments_from, y.cards_at, y.returns_at, y.connected_at,
        k.own_warehouses, k.history_since
      from cabinets k join cabinet_syncs y on y.cabinet_id = k.id where k.id = ${cabinetId}`
    return row
  }
  const before = await progress()
  ozon.endKey(account, Date.now())
  const second = ozon.addOrder(account)
  await scene.sync()
  assert.match((await cabinetState(db, cabinetId)).sync_error ?? '', /не принимает ключ доступа/)
  await scene.giveKey(cabinet, ozon.renewKey(account))
  const kept = await progress()
  assert.deepEqual({ ...kept, returns_at: null }, { ...before, returns_at: null })
  await scene.sync()
  assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
  const numbers = (await ordersOf(db, cabinetId)).map(({ external_id }) => external_id)
  assert.deepEqual(numbers.toSorted(), [first, second].toSorted())
  assert.deepEqual((await progress())?.own_warehouses, before?.own_warehouses)
})

test('the end of a new key is shown at once, before the next run', async () => {
  const cabinet = await scene.connect(ozon)
  await scene.sync()
  const end = Date.now() + 5 * day
  await db`
    update cabinets set credentials_at = now() + interval '1 second', credentials_rights = '{Admin}',
      credentials_end = ${new Date(end).toISOString()}
    where id = ${cabinet.cabinetId}`
  assert.deepEqual((await warnings(cabinet))[0], [['credentials_expiring'], end])
})
