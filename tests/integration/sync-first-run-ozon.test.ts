import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'

const scene = await openScene()
const { db, ozon } = scene
const day = 24 * 3_600_000
const daysOfHistory = 30

/** A cabinet whose carriages were made in OZON's cabinet, one a day. */
async function withHistory() {
  const connected = await scene.connect(ozon, { shipments: 'mirrored' })
  const { account } = connected
  const before = ozon.calls().length
  const packed = { supplier: 'delivering', buyer: 'posting_on_way_to_city' }
  for (let ago = daysOfHistory - 1; ago >= 0; ago -= 1) {
    const createdAt = Date.now() - ago * day
    const order = ozon.addOrder(account, { createdAt, status: packed })
    ozon.addShipment(account, { createdAt, closedAt: createdAt, orders: [order] })
  }
  /** How many days ago the asked days of departure were, since the last call. */
  let seen = before
  const daysAsked = () => {
    const calls = ozon.calls().slice(seen)
    seen += calls.length
    return calls
      .filter(({ path }) => path === '/v2/carriage/delivery/list')
      .map(({ body }) => (body as { filter: { departure_date: string } }).filter.departure_date)
      .map((date) => Math.round((Date.now() - Date.parse(date)) / day - 0.5))
  }
  return { ...connected, daysAsked }
}

test('the first run takes in all orders and asks for the carriages of the latest days alone', async () => {
  const { cabinetId, daysAsked } = await withHistory()
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId)).length, daysOfHistory)
  assert.ok(Math.max(...daysAsked()) <= 2)
  assert.ok((await shipmentsOf(db, cabinetId)).length <= 3)
})

test('later runs look back for carriages, some days each, until all are found', async () => {
  const { cabinetId, daysAsked } = await withHistory()
  await scene.sync()
  daysAsked()
  const asked: number[] = []
  for (let runs = 0; runs < 7; runs += 1) {
    await scene.sync()
    const back = daysAsked().filter((ago) => ago > 2)
    assert.ok(back.length <= 6)
    asked.push(...back)
  }
  assert.equal(new Set(asked).size, asked.length)
  assert.equal((await shipmentsOf(db, cabinetId)).length, daysOfHistory)
  await scene.sync()
  assert.deepEqual(
    daysAsked().filter((ago) => ago > 2),
    [],
  )
})

test('an interrupted look back goes on where it stopped', async () => {
  const { cabinetId, daysAsked } = await withHistory()
  await scene.sync()
  await scene.sync()
  const before = (await shipmentsOf(db, cabinetId)).length
  daysAsked()
  await db`update cabinet_syncs set shipments_from = now() where cabinet_id = ${cabinetId}`
  ozon.failNext(99, { status: 503 }, '/v2/carriage/delivery/list')
  await scene.sync()
  const [failed] = daysAsked()
  assert.equal((await shipmentsOf(db, cabinetId)).length, before)
  ozon.heal()
  await scene.sync()
  assert.ok(daysAsked().includes(failed ?? NaN))
  assert.ok((await shipmentsOf(db, cabinetId)).length > before)
})
