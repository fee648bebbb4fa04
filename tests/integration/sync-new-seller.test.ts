import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { makeSecretBox } from '../../src/platform/kernel/secret-box.ts'
import { connectCabinet, recordSeller } from '../../src/warehouse/clients/cabinets.ts'
import {
  isSealedSeller,
  resealCredentials,
  sealSeller,
} from '../../src/warehouse/clients/credentials.ts'
import { cabinetState, openScene, ordersOf, shipmentsOf } from '../support/sync-scene.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

/** The history of a cabinet starts with its first sync run, and again with the key of another seller. */
const scene = await openScene()
const { db, wb, ozon, box } = scene
const hour = 3_600_000
const day = 24 * hour

for (const fake of [wb, ozon] as const) {
  test(`${fake.marketplace}: the key of another seller starts the cabinet again, another key of the same seller continues`, async () => {
    const cabinet = await scene.connect(fake, { shipments: 'mirrored' })
    const { cabinetId, account: wrong } = cabinet
    const foreign = fake.addCard(wrong, { updatedAt: Date.now() - 20 * day })
    await scene.sync()
    const right = fake.account()
    const card = fake.addCard(right, { updatedAt: Date.now() - 20 * day })
    const [barcode = ''] = card.barcodes
    const line = { itemId: card.itemId, article: card.article, barcode, quantity: 1 }
    const orders = [10 * day, 3 * hour, hour / 6].map((ago) =>
      fake.addOrder(right, { createdAt: Date.now() - ago, lines: [line] }),
    )
    const createdAt = Date.now() - 5 * day
    const left = fake.addShipment(right, { orders: [], createdAt, closedAt: createdAt + hour })
    await scene.giveKey(cabinet, right)
    await scene.sync()
    const found = await ordersOf(db, cabinetId)
    assert.deepEqual(found.map(({ external_id }) => external_id).toSorted(), orders.toSorted())
    for (const order of found) assert.equal(order.barcode, barcode)
    assert.deepEqual(
      (await shipmentsOf(db, cabinetId)).map(({ external_id }) => external_id),
      [left],
    )
    const cards = await db<{ id: number }[]>`
      select item_id as id from marketplace_cards where cabinet_id = ${cabinetId}`
    assert.deepEqual([...cards], [{ id: card.itemId }], `without ${foreign.itemId}`)
    assert.equal((await cabinetState(db, cabinetId)).sync_error, null)

    const marks = () => db`
      select connected_at, orders_from, shipments_from, cards_at from cabinet_syncs
      where cabinet_id = ${cabinetId}`
    const [before] = await marks()
    const calls = fake.calls().length
    await scene.giveKey(cabinet, right)
    await scene.sync()
    const [after] = await marks()
    assert.deepEqual(after?.connected_at, before?.connected_at)
    assert.deepEqual(after?.cards_at, before?.cards_at)
    const asked = fake.calls().slice(calls)
    assert.ok(!asked.some(({ path }) => /cards|product\/info\/list/.test(path)))
  })
}

test('the former seller’s data are deleted page by page, and a crash in between mixes no data of two sellers', async () => {
  const cabinet = await scene.connect(wb)
  const { clientId, cabinetId } = cabinet
  const formerly = wb.addCard(cabinet.account, { itemId: 1 })
  await scene.sync()
  const own = db`client_id = ${clientId} and cabinet_id = ${cabinetId}`
  await db`
    insert into marketplace_cards (client_id, cabinet_id, item_id, barcodes, name)
    select ${clientId}, ${cabinetId}, n, array['F-' || n], 'Чужое' from generate_series(2, 1500) n`
  await db`
    insert into marketplace_stock
      (client_id, cabinet_id, barcode, item_id, product, warehouse_id, quantity)
    select ${clientId}, ${cabinetId}, 'F-' || n, n, n, 0, 1 from generate_series(1, 1500) n`
  await db.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
    create trigger refuse before delete on marketplace_cards
      for each row when (old.item_id = 1500) execute function refuse();`)
  const left = async () => {
    const [row] = await db<{ cards: number; figures: number; seller: Buffer }[]>`
      select (select count(*)::int from marketplace_cards where ${own}) as cards,
        (select count(*)::int from marketplace_stock where ${own}) as figures, seller
      from cabinets where id = ${cabinetId}`
    return { ...row, seller: box.open(row?.seller ?? Buffer.alloc(0), cabinetId) }
  }
  const { seller } = await left()
  const right = wb.account()
  const card = wb.addCard(right)
  wb.addOrder(right)
  await scene.giveKey(cabinet, right)
  await scene.sync()
  assert.match(scene.logged().join(), /crash/)
  assert.deepEqual(await ordersOf(db, cabinetId), [], 'before it is known whose they are')
  assert.deepEqual(await left(), { cards: 500, figures: 500, seller })
  // The former seller returns: deleted data are reported again, and nothing else starts again.
  await scene.giveKey(cabinet, cabinet.account)
  await scene.sync()
  const [again] = await db`
    select name from marketplace_cards where ${own} and item_id = ${formerly.itemId}`
  assert.equal(again?.name, formerly.name)
  await db.unsafe('drop trigger refuse on marketplace_cards')
  await scene.giveKey(cabinet, right)
  await scene.sync()
  const ids = await db<{ id: number }[]>`
    select item_id as id from marketplace_cards where ${own}`
  assert.deepEqual([...ids], [{ id: card.itemId }])
  assert.deepEqual(await left(), { cards: 1, figures: 0, seller: right.id })
})

// Guarantee (marketplaces): The database names no account of a seller at a marketplace.
test('the database names no account of a seller', async () => {
  const connected = await Promise.all([scene.connect(wb), scene.connect(ozon)])
  await scene.sync()
  for (const { cabinetId, account } of connected) {
    const rows = await db<{ text: string; seller: Buffer }[]>`
      select k::text || s::text as text, k.seller from cabinets k
      join cabinet_syncs s on s.client_id = k.client_id and s.cabinet_id = k.id
      where k.id = ${cabinetId}`
    const [{ text, seller } = assert.fail('no sync')] = rows
    const { credentials } = account
    const named = 'client_id' in credentials ? credentials.client_id : account.id
    assert.ok(!text.includes(named) && !seller.includes(named))
    assert.equal(box.open(seller, cabinetId), named)
  }
})

test('resealing seals the seller of a cabinet as well as its credentials', async () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const client = await makeClient(db, [])
  const id = await at(db, noon, async (work) => {
    const before = makeSecretBox([old])
    const credentials = { client_id: '777', api_key: 'x' }
    const draft = { marketplace: 'OZON', name: 'OZON', credentials } as const
    const made = await connectCabinet(work, before, client.id, draft)
    await recordSeller(work, client.id, made, sealSeller(before, made, '777'))
    return made
  })
  const unreadable = async (keys: Buffer[]) => {
    const resealed = await resealCredentials(db, makeSecretBox(keys))
    return resealed.unreadable.filter(({ cabinet }) => cabinet === id)
  }
  assert.deepEqual(await unreadable([randomBytes(32)]), [{ client: client.id, cabinet: id }])
  assert.deepEqual(await unreadable([fresh, old]), [])
  const [{ seller } = assert.fail('no cabinet')] = await db<{ seller: Buffer }[]>`
    select seller from cabinets where id = ${id}`
  assert.ok(isSealedSeller(makeSecretBox([fresh]), id, seller, '777'))
  assert.ok(!isSealedSeller(makeSecretBox([fresh]), id, seller, '778'))
  assert.ok(!isSealedSeller(makeSecretBox([old]), id, seller, '777'))
})

test('a first sync run requests thirty days from WB in one window', async () => {
  const { account } = await scene.connect(wb)
  await scene.sync()
  const asked = wb
    .calls()
    .filter(({ path, account: id }) => path === '/api/v3/orders' && id === account.id)
  const spans = asked.map(({ query }) => Number(query.dateTo) - Number(query.dateFrom))
  assert.equal(spans.length, 1)
  // The window leaves room for the time until the call reaches WB.
  assert.ok(spans.every((span) => span > 29.9 * 86_400 && span < 30 * 86_400 - 30))
})

test('the history of a cabinet without orders begins with its first sync run', async () => {
  for (const fake of [wb, ozon] as const) {
    const { clientId } = await scene.connect(fake)
    await scene.sync()
    const [{ since } = {}] = await db<{ since: string | null }[]>`
      select history_since as since from cabinets where client_id = ${clientId}`
    assert.notEqual(since, null)
  }
})
