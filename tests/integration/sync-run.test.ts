import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestSyncRun } from '../../src/exchange/marketplaces/connecting/sync-requests.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { findCabinet } from '../../src/warehouse/clients/cabinet-queries.ts'
import { cabinetState, makeDue, openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'
import { stockUp } from '../support/warehouse.ts'

const scene = await openScene()
const { db, wb, ozon } = scene
const day = 24 * 3_600_000

test('a first sync run takes in thirty days of orders, goods and stock by barcode, from both marketplaces', async () => {
  for (const fake of [wb, ozon]) {
    const { cabinetId, clientId, account } = await scene.connect(fake, {
      warehouses: [fake.ownWarehouse, '7', '8'],
    })
    const card = fake.addCard(account, { barcodes: ['4600000000017', '4600000000024'] })
    await stockUp(db, clientId, { '4600000000024': 5 })
    const line = { itemId: card.itemId, article: card.article, barcode: 'other', quantity: 1 }
    const recent = fake.addOrder(account, { createdAt: Date.now() - 29 * day, lines: [line] })
    const fresh = fake.addOrder(account, { lines: [line] })
    fake.addOrder(account, {
      createdAt: Date.now() - 31 * day,
      lines: [line],
      status:
        fake === wb
          ? { supplier: 'complete', buyer: 'sold' }
          : { supplier: 'delivered', buyer: 'posting_received' },
    })
    fake.setStock(account, {
      itemId: card.itemId,
      warehouse: { id: 7, name: 'Склад 7' },
      quantity: 3,
    })
    fake.setStock(account, {
      itemId: card.itemId,
      warehouse: { id: 8, name: 'Склад 8' },
      quantity: 4,
    })
    await scene.sync()
    const orders = await ordersOf(db, cabinetId)
    assert.deepEqual(
      orders.map(({ external_id }) => external_id),
      [recent, fresh].toSorted(),
    )
    // The warehouse knows the goods by the card's second barcode.
    assert.deepEqual(new Set(orders.map(({ barcode }) => barcode)), new Set(['4600000000024']))
    const { synced_at, sync_error } = await cabinetState(db, cabinetId)
    assert.ok(synced_at !== null)
    assert.equal(sync_error, null)
    const stock = await db`
      select barcode, warehouse_id as id, warehouse_name as name, quantity from marketplace_stock
      where cabinet_id = ${cabinetId} order by warehouse_id`
    assert.deepEqual(
      stock.map((row) => ({ ...row })),
      [
        { barcode: '4600000000024', id: 7, name: 'Склад 7', quantity: 3 },
        { barcode: '4600000000024', id: 8, name: 'Склад 8', quantity: 4 },
      ],
    )
    const [stored] =
      await db`select item_id, name from marketplace_cards where cabinet_id = ${cabinetId}`
    assert.deepEqual({ ...stored }, { item_id: card.itemId, name: card.name })
  }
  assert.deepEqual(scene.logged(), [])
})

test('later runs overlap by an hour and follow each order to its terminal status', async () => {
  const { cabinetId, clientId, account } = await scene.connect(wb)
  const old = wb.addOrder(account, { createdAt: Date.now() - 20 * day })
  const began = Date.now()
  await scene.sync()
  const ended = Date.now()
  const [before] = await ordersOf(db, cabinetId)
  assert.equal(before?.status, 'NEW')
  const asked = wb.calls().length
  await scene.sync()
  const from = wb
    .calls()
    .slice(asked)
    .find(({ path, account: id }) => path === '/api/v3/orders' && id === account.id)
  const [mark] = await db<{ at: string }[]>`
    select orders_from as at from cabinet_syncs where cabinet_id = ${cabinetId}`
  const earlierRun = Number(from?.query.dateFrom) * 1000 + 3_600_000
  assert.ok(began - 1000 < earlierRun && earlierRun <= ended, `${earlierRun}`)
  assert.ok(mark !== undefined)
  wb.setStatus(account, old, { supplier: 'confirm', buyer: 'waiting' })
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.status, 'ASSEMBLING')
  wb.setStatus(account, old, { supplier: 'complete', buyer: 'sorted' })
  await scene.sync()
  wb.setStatus(account, old, { supplier: 'complete', buyer: 'sold' })
  await scene.sync()
  await scene.sync()
  const history = await db`
    select status, supplier_status, buyer_status from order_status_history
    where client_id = ${clientId} order by at, id`
  assert.deepEqual(
    history.map((row) => Object.values(row).join(' ')),
    [
      'NEW new waiting',
      'ASSEMBLING confirm waiting',
      'IN_DELIVERY complete sorted',
      'COMPLETED complete sold',
    ],
  )
  const [order] = await ordersOf(db, cabinetId)
  assert.ok(order?.status_changed_at !== null)
})

test('a failed run gives its reason in Russian, its other parts continue, and the next successful run clears it', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  const number = wb.addOrder(account)
  wb.failNext(100, { status: 500 }, '/content/')
  await scene.sync()
  const failed = await cabinetState(db, cabinetId)
  assert.match(failed.sync_error ?? '', /[а-я]/)
  assert.equal(failed.synced_at, null)
  assert.deepEqual(
    (await ordersOf(db, cabinetId)).map((order) => order.external_id),
    [number],
  )
  wb.heal()
  await scene.sync()
  const good = await cabinetState(db, cabinetId)
  assert.equal(good.sync_error, null)
  assert.ok(good.synced_at !== null)
})

test('a revoked key stops only its cabinet and is shown as refused, and a new key starts a run at once', async () => {
  const bad = await scene.connect(wb)
  const good = await scene.connect(wb)
  await scene.sync()
  wb.refuse(bad.account, 401)
  const number = wb.addOrder(good.account)
  await scene.sync()
  const state = await cabinetState(db, bad.cabinetId)
  assert.match(state.sync_error ?? '', /ключ/i)
  assert.equal((await cabinetState(db, good.cabinetId)).sync_error, null)
  assert.deepEqual(
    (await ordersOf(db, good.cabinetId)).map((order) => order.external_id),
    [number],
  )
  const [row] = await db`
    select credentials_refused as refused, next_at > now() as later from cabinet_syncs
    where cabinet_id = ${bad.cabinetId}`
  assert.deepEqual({ ...row }, { refused: true, later: true })
  wb.refuse(bad.account, undefined)
  // As after a manager's new key: the run is due at once and reads the key's expiry again.
  await db`update cabinets set credentials_at = now() where id = ${bad.cabinetId}`
  const asked = wb.calls().length
  await scene.syncing().runOnce()
  assert.equal((await cabinetState(db, bad.cabinetId)).sync_error, null)
  const own = wb
    .calls()
    .slice(asked)
    .filter(({ account }) => account === bad.account.id)
  assert.equal(own[0]?.path, '/api/v3/warehouses')
})

test('credentials that no secret opens are shown to the seller and are not retried in a loop', async () => {
  const { cabinetId } = await scene.connect(wb)
  await db`update cabinets set credentials = '\\x00'::bytea where id = ${cabinetId}`
  await scene.sync()
  const { sync_error } = await cabinetState(db, cabinetId)
  assert.match(sync_error ?? '', /ключ/i)
  const [row] = await db`select next_at > now() as later, credentials_refused as refused
    from cabinet_syncs where cabinet_id = ${cabinetId}`
  assert.deepEqual({ ...row }, { later: true, refused: true })
  assert.equal(scene.logged().length, 1)
  await db`update cabinets set active = false where id = ${cabinetId}`
})

test('malformed answers and redirects fail the run and change nothing', async () => {
  const { cabinetId, account } = await scene.connect(ozon)
  ozon.addOrder(account)
  ozon.failNext(100, 'malformed', '/posting/')
  await scene.sync()
  assert.match((await cabinetState(db, cabinetId)).sync_error ?? '', /OZON/)
  ozon.heal()
  // Following a redirect would send the credentials to another address.
  ozon.failNext(100, { status: 302, headers: { location: wb.baseUrl } }, '/posting/')
  const asked = wb.calls().length
  await scene.sync()
  assert.match((await cabinetState(db, cabinetId)).sync_error ?? '', /302/)
  const strangers = wb
    .calls()
    .slice(asked)
    .filter(({ headers }) => headers['api-key'] !== undefined)
  assert.deepEqual(strangers, [])
  ozon.heal()
  await scene.sync()
  assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
  assert.equal((await ordersOf(db, cabinetId)).length, 1)
})

test('sync_error names a key that expires soon beside any other failure', async () => {
  const { cabinetId } = await scene.connect(wb)
  await scene.sync()
  await db`
    update cabinet_syncs set credentials_expire_at = '2026-01-07T12:00:00Z'
    where cabinet_id = ${cabinetId}`
  wb.failNext(100, { status: 500 }, '/orders')
  await scene.sync()
  wb.heal()
  assert.match((await cabinetState(db, cabinetId)).sync_error ?? '', /500.*до 07\.01\.2026/)
  await scene.sync()
  assert.equal((await cabinetState(db, cabinetId)).sync_error, null)
})

test('a key that lacks a right is reported as such and not as refused', async () => {
  const { clientId, cabinetId } = await scene.connect(ozon)
  ozon.failNext(100, { status: 403 }, '/product/')
  await scene.sync()
  ozon.heal()
  const cabinet = await findCabinet(db, clientId, cabinetId)
  assert.match(cabinet?.lacks[0]?.reason ?? '', /не хватает прав/)
  const [row] = await db`
    select credentials_refused as refused from cabinet_syncs where cabinet_id = ${cabinetId}`
  assert.equal(row?.refused, false)
})

test('a run requested during another run follows it', async () => {
  const { clientId, cabinetId } = await scene.connect(wb)
  await scene.sync()
  const held = wb.holdNext('/api/v3/orders/new')
  const run = scene.sync()
  await held.reached
  await db.begin((tx) => requestSyncRun(tx, clientId, cabinetId))
  held.release()
  await run
  const [row] = await db`
    select next_at <= now() as due from cabinet_syncs where cabinet_id = ${cabinetId}`
  assert.equal(row?.due, true)
  await scene.sync()
  const [later] = await db`
    select next_at <= now() as due from cabinet_syncs where cabinet_id = ${cabinetId}`
  assert.equal(later?.due, false)
})

test('the first failure is shown while the run still continues', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  wb.failNext(100, { status: 500 }, '/content/')
  const run = scene.sync()
  while ((await wb.called('/api/v3/orders/new')).account !== account.id);
  const { sync_error } = await cabinetState(db, cabinetId)
  await run
  wb.heal()
  assert.match(sync_error ?? '', /500/)
})

test('an order that can’t be parsed is reported and stops nothing else', async () => {
  const { cabinetId, account } = await scene.connect(wb, { shipments: 'mirrored' })
  const good = [wb.addOrder(account), wb.addOrder(account)]
  wb.addOrder(account, { raw: { createdAt: null } })
  const closedAt = Date.now()
  wb.addShipment(account, { orders: good, closedAt })
  await scene.sync()
  const state = await cabinetState(db, cabinetId)
  assert.match(state.sync_error ?? '', /createdAt/)
  assert.equal(state.synced_at, null)
  const known = await ordersOf(db, cabinetId)
  assert.deepEqual(known.map((order) => order.external_id).toSorted(), good.toSorted())
  assert.equal((await shipmentsOf(db, cabinetId))[0]?.status, 'HANDED_OVER')
})

test('an older report overwrites nothing', async () => {
  const { cabinetId, account } = await scene.connect(wb)
  const number = wb.addOrder(account)
  await scene.sync()
  const young = toTimestamp(Date.now() + day)
  await db`update orders set synced_at = ${young} where cabinet_id = ${cabinetId}`
  wb.setStatus(account, number, { supplier: 'confirm', buyer: 'waiting' })
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.status, 'NEW')
})

test('an order whose card arrives later gets the barcode that the warehouse has', async () => {
  const { cabinetId, account, clientId } = await scene.connect(ozon)
  await scene.sync()
  const line = { itemId: 999_001, article: 'NEW-1', barcode: '', quantity: 1 }
  ozon.addOrder(account, { lines: [line] })
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.barcode, null)
  ozon.addCard(account, {
    itemId: 999_001,
    article: 'NEW-1',
    barcodes: ['4600000000123', '4600000000124'],
  })
  // The service does not request new cards again within minutes.
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.barcode, null)
  await db`update cabinet_syncs set cards_at = now() - interval '11 minutes' where cabinet_id = ${cabinetId}`
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.barcode, '4600000000123')
  await stockUp(db, clientId, { '4600000000124': 1 })
  await db`update cabinet_syncs set cards_at = null where cabinet_id = ${cabinetId}`
  await scene.sync()
  assert.equal((await ordersOf(db, cabinetId))[0]?.barcode, '4600000000124')
  const [kept] = await db`
    select l.barcode from order_lines l join orders o on o.client_id = l.client_id and o.id = l.order_id
    where o.cabinet_id = ${cabinetId}`
  assert.equal(kept?.barcode, '4600000000124')
})

test('figures that a cabinet stops showing disappear, and a failed run keeps them', async () => {
  const { cabinetId, account } = await scene.connect(wb, { warehouses: null })
  const { itemId } = wb.addCard(account)
  wb.setStock(account, { itemId, warehouse: { id: 1_001, name: 'А' }, quantity: 3 })
  await scene.sync()
  const stock = () => db`select quantity from marketplace_stock where cabinet_id = ${cabinetId}`
  assert.equal((await stock()).length, 1)
  wb.failNext(100, { status: 400 }, '/api/v3/stocks')
  await scene.sync()
  assert.equal((await stock()).length, 1)
  wb.heal()
  await db`update marketplace_cards set barcodes = '{}' where cabinet_id = ${cabinetId}`
  await scene.sync()
  assert.equal((await stock()).length, 0)
})

test('many runs of many pages duplicate nothing, and unchanged reports write no history', async () => {
  const { cabinetId, clientId, account } = await scene.connect(wb)
  wb.pagesOf(7)
  const numbers = Array.from({ length: 40 }, () => wb.addOrder(account))
  await scene.sync()
  await scene.sync()
  await scene.sync()
  wb.heal()
  const orders = await ordersOf(db, cabinetId)
  assert.deepEqual(
    orders.map((order) => order.external_id),
    numbers.toSorted(),
  )
  const [history] = await db`
    select count(*)::int as n from order_status_history where client_id = ${clientId}`
  assert.equal(history?.n, 40)
  await makeDue(db)
})

// Guarantee (marketplaces): A backlog of orders that is too large for one sync run is read in several.
test('OZON: a backlog that OZON lets nobody read in one run is read in several', async () => {
  await db`update cabinets set active = false`.affected()
  const { cabinetId, account } = await scene.connect(ozon)
  const numbers = [25, 18, 11, 1].map((days) =>
    ozon.addOrder(account, { createdAt: Date.now() - days * day }),
  )
  let runs = 0
  for (; (await cabinetState(db, cabinetId)).synced_at === null; runs += 1) {
    assert.ok(runs < 20, 'a run begins where the last one was refused')
    ozon.pagesOf(1)
    // Each run gets two pages.
    const limited = { status: 429, headers: { 'retry-after': '600' } }
    ozon.failNext(1, limited, '/v4/posting/fbs/list', 2)
    await scene.sync()
    ozon.heal()
    await db`update marketplace_buckets set held_until = 0`.affected()
  }
  assert.ok(runs > 2)
  const read = await ordersOf(db, cabinetId)
  assert.deepEqual(read.map((order) => order.external_id).toSorted(), numbers.toSorted())
})
