import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cabinetState, openScene, ordersOf } from '../support/sync-scene.ts'

/** The message that a seller reads about a key that the marketplace knows but that lacks a right. */
const scene = await openScene()
const { db, wb, ozon } = scene

async function stateOf(cabinetId: string) {
  const [row] = await db<[{ refused: boolean }]>`
    select credentials_refused as refused from cabinet_syncs where cabinet_id = ${cabinetId}`
  return { error: (await cabinetState(db, cabinetId)).sync_error ?? '', refused: row.refused }
}

test('sync_error names a key for another host and a key that lacks the right for one part', async () => {
  const { cabinetId } = await scene.connect(ozon)
  const refusal = (message: string) => ({ status: 403, body: { code: 7, message } })
  const restricted = refusal('Api-Key is restricted to specific IP addresses')
  for (const [path, refused] of [
    ['/v1/roles', true],
    ['/product/', false],
  ] as const) {
    ozon.failNext(100, restricted, path)
    await scene.sync()
    ozon.heal()
    const state = await stateOf(cabinetId)
    assert.equal(state.refused, refused)
    assert.match(state.error, /OZON разрешён только для других IP-адресов/)
  }
  ozon.failNext(100, refusal('Api-Key is missing a required role for the method'), '/product/')
  await scene.sync()
  ozon.heal()
  const state = await stateOf(cabinetId)
  assert.equal(state.refused, false)
  assert.match(state.error, /не хватает прав: выпустите новый со всеми правами/)
})

test('sync_error names an account that is closed to us, which stops the run and leaves the key alone', async () => {
  const { cabinetId, account } = await scene.connect(ozon)
  for (const [message, words] of [
    ['Offer not signed', /пока он не примет оферту: примите её в кабинете OZON/],
    ['client is blocked', /OZON заблокировал продавца/],
  ] as const) {
    ozon.failNext(100, { status: 403, body: { code: 7, message, details: [] } }, '/v3/product/list')
    const before = ozon.calls().length
    await db`update cabinet_syncs set cards_at = null where cabinet_id = ${cabinetId}`
    await scene.sync()
    ozon.heal()
    const made = ozon.calls().slice(before)
    assert.ok(made.some(({ path }) => path === '/v3/product/list'))
    assert.ok(
      !made.some((call) => call.account === account.id && call.path.includes('/posting/')),
      'the run stops',
    )
    const state = await stateOf(cabinetId)
    assert.equal(state.refused, false)
    assert.match(state.error, words)
  }
})

test('a call that must be paid for fails its part alone, and an ended call is named in the log', async () => {
  const { cabinetId, account } = await scene.connect(ozon)
  const fails = [
    { status: 402, body: { code: 9, message: 'payment' } },
    { status: 400, body: { code: 9, message: 'obsolete method cannot be used' } },
  ]
  for (const [at, words] of [/доступ не оплачен/, /сервис нужно обновить/].entries()) {
    scene.warned()
    ozon.failNext(100, fails[at] ?? { status: 500 }, '/v2/product/info/stocks-by-warehouse/fbs')
    ozon.addCard(account, { barcodes: ['4600000000017'] })
    const before = ozon.calls().length
    await db`update cabinet_syncs set cards_at = null where cabinet_id = ${cabinetId}`
    await scene.sync()
    ozon.heal()
    assert.ok(
      ozon
        .calls()
        .slice(before)
        .some(({ path }) => path === '/v4/posting/fbs/list'),
    )
    assert.match((await stateOf(cabinetId)).error, words)
  }
  const call = '/v2/product/info/stocks-by-warehouse/fbs'
  assert.deepEqual(scene.warned(), [{ cabinet: cabinetId, call }])
})

test('one refused call is named with what it was for, and all else goes on', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  const card = wb.addCard(account)
  await scene.sync()
  const { synced_at } = await cabinetState(db, cabinetId)
  const since = synced_at?.replace(/^(\d+)-(\d+)-(\d+)T(\d+:\d+).*$/, 'с $3.$2.$1 $4')
  const warehouse = { id: Number(wb.ownWarehouse), name: 'Склад FBS' }
  wb.setStock(account, { itemId: card.itemId, warehouse, quantity: 3 })
  for (const [status, reason] of [
    [404, /\. WB отказал \(код 404\).*\. Остальное обновляется$/],
    [403, /\. Ключу доступа WB не хватает прав.*\. Остальное обновляется$/],
  ] as const) {
    const number = wb.addOrder(account)
    wb.failNext(100, { status }, '/api/v3/stocks')
    await scene.sync()
    wb.heal()
    const { error, refused } = await stateOf(cabinetId)
    assert.ok(error.startsWith(`Остатки маркетплейса не обновляются ${since}. `), error)
    assert.match(error, reason)
    assert.equal(refused, false)
    const stored = await ordersOf(db, cabinetId)
    assert.ok(stored.some(({ external_id }) => external_id === number))
  }
})

test('sync_error of a key without any needed right does not call the key unknown', async () => {
  const { cabinetId } = await scene.connect(wb)
  const body = { title: 'access denied', detail: 'token scope is not allowed', code: '1 2' }
  wb.failNext(100, { status: 403, body }, '/warehouses')
  await scene.sync()
  wb.heal()
  const state = await stateOf(cabinetId)
  assert.equal(state.refused, true)
  assert.match(state.error, /WB не хватает прав/)
})

// Guarantee (marketplaces): A key that was stored unchecked is compared with all other accounts before anything is read with it.
test('a key that was stored unchecked is compared with other accounts by the first run, which reads nothing else', async () => {
  for (const fake of [wb, ozon]) {
    const first = await scene.connect(fake)
    fake.addOrder(first.account)
    await scene.sync()
    const second = await scene.connect(fake)
    await scene.giveKey(second, first.account)
    const before = fake.calls().length
    await scene.sync()
    const state = await stateOf(second.cabinetId)
    assert.match(state.error, /этот аккаунт уже подключён у другого клиента/)
    assert.equal(state.refused, true)
    assert.deepEqual(await ordersOf(db, second.cabinetId), [])
    assert.equal((await cabinetState(db, first.cabinetId)).sync_error, null)
    const lists = fake
      .calls()
      .slice(before)
      .filter((call) => call.account === first.account.id)
      .filter(({ path }) => /orders\/new|posting\/fbs\/list/.test(path))
    assert.equal(lists.length, 1)
    // Free again: the next run begins by itself.
    await db`update cabinets set active = false where id = ${first.cabinetId}`.affected()
    await scene.sync()
    assert.deepEqual(await stateOf(second.cabinetId), { error: '', refused: false })
    assert.equal((await ordersOf(db, second.cabinetId)).length, 1)
  }
})

// Guarantee (marketplaces): An account that two cabinets name is read for one of them.
test('of two cabinets whose keys were stored unchecked one gets the account', async () => {
  const [one, two] = [await scene.connect(ozon), await scene.connect(ozon)]
  await scene.giveKey(two, one.account)
  ozon.addOrder(one.account)
  await scene.sync()
  const orders = await Promise.all([one, two].map(({ cabinetId }) => ordersOf(db, cabinetId)))
  assert.deepEqual(orders.map(({ length }) => length).toSorted(), [0, 1])
  const states = await Promise.all([one, two].map(({ cabinetId }) => stateOf(cabinetId)))
  assert.deepEqual(states.map(({ refused }) => refused).toSorted(), [false, true])
})
