import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCabinet } from '../../src/warehouse/clients/cabinet-queries.ts'
import { cabinetState, openScene, ordersOf } from '../support/sync-scene.ts'

/** What people read about a call that the marketplace refuses, and about a key that the marketplace knows but that lacks a right. */
const scene = await openScene()
const { db, wb, ozon } = scene

async function stateOf(cabinetId: string) {
  const [row] = await db<[{ refused: boolean }]>`
    select credentials_refused as refused from cabinet_syncs where cabinet_id = ${cabinetId}`
  return { error: (await cabinetState(db, cabinetId)).sync_error ?? '', refused: row.refused }
}

/** What the cabinet lacks though it is synced, and how often its last runs failed. */
async function lacksOf({ clientId, cabinetId }: { clientId: string; cabinetId: string }) {
  const cabinet = await findCabinet(db, clientId, cabinetId)
  const [{ failures }] = await db<[{ failures: number }]>`
    select failures from cabinet_syncs where cabinet_id = ${cabinetId}`
  return { lacks: cabinet?.lacks ?? [], error: cabinet?.sync_error, failures }
}

test('sync_error names a key for another host, which is no refusal of one call alone', async () => {
  const connected = await scene.connect(ozon)
  const { cabinetId } = connected
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
  const { lacks } = await lacksOf(connected)
  assert.match(lacks[0]?.reason ?? '', /не хватает прав: выпустите новый со всеми правами/)
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

test('a call that must be paid for costs its part alone, and an ended call is named in the log', async () => {
  const connected = await scene.connect(ozon)
  const { cabinetId, account } = connected
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
    const { lacks, error } = await lacksOf(connected)
    assert.equal(error, undefined)
    assert.match(lacks[0]?.reason ?? '', words)
    assert.equal(lacks[0]?.withdrawn, at === 1)
  }
  const call = '/v2/product/info/stocks-by-warehouse/fbs'
  assert.deepEqual(scene.warned(), [{ cabinet: cabinetId, call }])
})

test('a secondary call that is refused is no failure: all else goes on, and the cabinet says what is missing', async () => {
  const connected = await scene.connect(wb)
  const { cabinetId, account } = connected
  const card = wb.addCard(account)
  await scene.sync()
  const warehouse = { id: Number(wb.ownWarehouse), name: 'Склад FBS' }
  wb.setStock(account, { itemId: card.itemId, warehouse, quantity: 3 })
  const refusals = [
    [{ status: 404 }, /^WB отказал \(код 404\)/],
    [{ status: 403 }, /^Ключу доступа WB не хватает прав/],
    [{ status: 403, body: { status: 403 } }, /^Ключу доступа не хватает прав на часть данных/],
    [
      { status: 403, body: { title: 'forbidden', detail: 'base token is not allowed' } },
      /^WB не даёт этих данных по ключу такого типа/,
    ],
  ] as const
  let since: string | undefined
  for (const [refusal, reason] of refusals) {
    const before = await cabinetState(db, cabinetId)
    const number = wb.addOrder(account)
    wb.failNext(100, refusal, '/api/v3/stocks')
    await scene.sync()
    wb.heal()
    const { lacks, error, failures } = await lacksOf(connected)
    const [lack] = lacks
    assert.deepEqual([lacks.length, error, failures], [1, undefined, 0])
    assert.deepEqual([lack?.what, lack?.withdrawn], ['Остатки маркетплейса', false])
    assert.match(lack?.reason ?? '', reason)
    since ??= lack?.since
    assert.equal(lack?.since, since)
    assert.ok(((await cabinetState(db, cabinetId)).synced_at ?? '') > (before.synced_at ?? ''))
    assert.equal((await stateOf(cabinetId)).refused, false)
    const stored = await ordersOf(db, cabinetId)
    assert.ok(stored.some(({ external_id }) => external_id === number))
  }
  await scene.sync()
  assert.deepEqual((await lacksOf(connected)).lacks, [])
})

test('a call that is unknown for a day is shown as withdrawn, logged once, and asked for a few times an hour', async () => {
  const connected = await scene.connect(wb)
  const { cabinetId, account } = connected
  wb.setStock(account, {
    itemId: wb.addCard(account).itemId,
    warehouse: { id: Number(wb.ownWarehouse), name: 'Склад FBS' },
    quantity: 3,
  })
  wb.failNext(100, { status: 404 }, '/api/v3/stocks')
  const asked = () => wb.calls().filter(({ path }) => path.startsWith('/api/v3/stocks')).length
  await scene.sync()
  scene.warned()
  assert.equal((await lacksOf(connected)).lacks[0]?.withdrawn, false)
  const before = asked()
  await db`update cabinet_syncs set next_at = now(), stock_at = null where cabinet_id = ${cabinetId}`
  await scene.syncing().runOnce()
  assert.equal(asked(), before)
  await db`
    update cabinet_syncs set lacks = jsonb_set(lacks, '{0,since}', '"2026-01-01T00:00:00+03:00"')
    where cabinet_id = ${cabinetId}`
  for (let run = 0; run < 2; run++) await scene.sync()
  wb.heal()
  assert.equal(asked(), before + 2)
  const { lacks, failures } = await lacksOf(connected)
  assert.deepEqual([lacks[0]?.withdrawn, failures], [true, 0])
  const call = `/api/v3/stocks/${wb.ownWarehouse}`
  assert.deepEqual(scene.warned(), [{ cabinet: cabinetId, call }])
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

// Guarantee (marketplaces): Nothing is read with an unchecked key before its account is compared with all others.
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
