import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import {
  deleteStaleMarketplaceStock,
  type ReportedStock,
  recordMarketplaceStock,
  replaceMarketplaceStock,
} from '../../src/warehouse/stock/marketplace-stock.ts'
import type { StockItem } from '../../src/warehouse/stock/view.ts'
import { openClient } from '../support/client.ts'
import type { Fake } from '../support/marketplaces/fake.ts'
import { startService } from '../support/service.ts'
import { cabinetState, openScene } from '../support/sync-scene.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

/** The figures that marketplaces report by product number, as /v1/stock shows them by barcode. */
const service = await startService()
const scene = await openScene({ db: service.db })
const { db, wb, ozon } = scene
const barcode = '4600000000017'
const other = '4600000000024'
const north = { id: 7001, name: 'Север' }
const south = { id: 7002, name: 'Юг' }

async function openShelf(clientId: string) {
  await stockUp(db, clientId, { [barcode]: 10, [other]: 10 })
  const { key } = await perform(db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, clientId, { name: 'Учётная система', receiptsEnabled: false }),
  )
  const client = openClient(service.baseUrl, key)
  const figuresOf = (item: StockItem | undefined) =>
    (item?.marketplace_stock ?? []).map(({ marketplace, warehouse_id, warehouse_name, quantity }) =>
      [marketplace, warehouse_id, warehouse_name, quantity].filter(Boolean).join(' '),
    )
  return {
    client,
    /** The figures of a barcode; the list and the single read must agree. */
    async shown(code = barcode) {
      const one = await client.get(`/v1/stock/${code}`)
      const list = (await client.get(`/v1/stock?barcode=${code}`)).body as { items: StockItem[] }
      assert.deepEqual(list.items, [one.body])
      return figuresOf(list.items[0])
    },
  }
}

/** A client with a connected cabinet in which these numbers have the barcode. */
async function openCards(fake: Fake, itemIds: readonly number[]) {
  const connected = await scene.connect(fake, { warehouses: null })
  const { account } = connected
  for (const itemId of itemIds) {
    fake.addCard(account, { itemId, article: `A-${itemId}`, barcodes: [barcode] })
  }
  const tell = (itemId: number, warehouse: typeof north, quantity: number) =>
    fake.setStock(account, { itemId, warehouse, quantity })
  return { ...connected, ...(await openShelf(connected.clientId)), tell }
}

for (const fake of [wb, ozon]) {
  const name = fake.marketplace

  test(`cards that share a barcode show the sum of their figures, also after a repeated report: ${name}`, async () => {
    const { shown, tell } = await openCards(fake, [11, 12])
    tell(11, north, 5)
    tell(12, north, 3)
    tell(11, south, 2)
    tell(12, south, 0)
    await scene.sync()
    assert.deepEqual(await shown(), [`${name} 7001 Север 8`, `${name} 7002 Юг 2`])
    await scene.sync()
    assert.deepEqual(await shown(), [`${name} 7001 Север 8`, `${name} 7002 Юг 2`])
    tell(12, north, 1)
    await scene.sync()
    assert.deepEqual(await shown(), [`${name} 7001 Север 6`, `${name} 7002 Юг 2`])
  })

  test(`the sum covers all pages: ${name}`, async () => {
    const { shown, tell, clientId, cabinetId } = await openCards(fake, [11, 5000])
    await db`
      insert into marketplace_cards (client_id, cabinet_id, item_id, barcodes, name)
      select ${clientId}, ${cabinetId}, n, array['between ' || n], 'Между'
      from generate_series(100, 1300) n`
    fake.pagesOf(1)
    tell(11, north, 5)
    tell(200, north, 9)
    tell(5000, north, 3)
    await scene.sync()
    fake.heal()
    assert.deepEqual(await shown(), [`${name} 7001 Север 8`])
  })

  test(`a card with a new barcode takes its figure along at once: ${name}`, async () => {
    const { shown, tell, account, cabinetId } = await openCards(fake, [11, 12])
    tell(11, north, 5)
    tell(12, north, 3)
    await scene.sync()
    fake.addCard(account, { itemId: 12, article: 'A-12', barcodes: [other] })
    await db`update cabinet_syncs set cards_at = null, cards_cursor = null where cabinet_id = ${cabinetId}`
    // With an unreadable figure the list is incomplete, so the run deletes no figures.
    tell(11, south, 2 ** 31)
    await scene.sync()
    assert.match((await cabinetState(db, cabinetId)).sync_error ?? '', /amount|free_stock/)
    assert.deepEqual(await shown(), [`${name} 7001 Север 5`])
    assert.deepEqual(await shown(other), [`${name} 7001 Север 3`])
  })
}

test('numbers of one OZON product share their units, which count once', async () => {
  const { shown, tell, account } = await openCards(ozon, [4001])
  for (const itemId of [2001, 3001]) {
    ozon.addCard(account, { itemId, article: 'OLD', barcodes: [barcode] })
  }
  tell(2001, north, 5)
  tell(3001, north, 5)
  tell(4001, north, 2)
  tell(3001, south, 4)
  ozon.pagesOf(1)
  await scene.sync()
  assert.deepEqual(await shown(), ['OZON 7001 Север 7', 'OZON 7002 Юг 4'])
  tell(3001, north, 0)
  await scene.sync()
  ozon.heal()
  assert.deepEqual(await shown(), ['OZON 7001 Север 7', 'OZON 7002 Юг 4'])
})

test('a figure is as old as its request', async () => {
  for (const fake of [wb, ozon]) {
    const { cabinetId, account, tell } = await openCards(fake, [11])
    tell(11, north, 5)
    const before = fake.calls().length
    fake.latency(20)
    await scene.sync()
    fake.heal()
    // Cabinets of other tests may be due as well.
    const calls = fake
      .calls()
      .slice(before)
      .filter((call) => call.account === account.id)
    const [first, last] = [calls.at(0), calls.findLast(({ path }) => /stocks/.test(path))]
    const [row] = await db<{ synced_at: string }[]>`
      select synced_at from marketplace_stock where cabinet_id = ${cabinetId}`
    const syncedAt = Date.parse(row?.synced_at ?? '')
    assert.ok(first && last)
    assert.ok(syncedAt > first.at && syncedAt <= last.at)
  }
})

test('each cabinet shows its own figures, also with shared barcodes, with or without a split by warehouse', async () => {
  const { id: clientId, cabinets } = await makeClient(db, ['WB', 'WB', 'OZON'])
  const { shown } = await openShelf(clientId)
  const tell = (index: number, figures: readonly ReportedStock[]) =>
    at(db, noon, (work) => replaceMarketplaceStock(work, clientId, cabinets[index] ?? '', figures))
  await tell(
    0,
    [11, 12].map((itemId) => ({ barcode, itemId, quantity: 3, warehouse: north })),
  )
  await tell(1, [{ barcode, itemId: 11, quantity: 1, warehouse: north }])
  await tell(
    2,
    [11, 12].map((itemId) => ({ barcode, itemId, quantity: 4 })),
  )
  // Cabinets that were created at the same moment have no defined order.
  const figures = ['OZON 8', 'WB 7001 Север 1', 'WB 7001 Север 6']
  assert.deepEqual((await shown()).toSorted(), figures)
})

test('an older report overwrites no part of a sum, and a part that is no longer reported leaves it', async () => {
  const { id: clientId, cabinets } = await makeClient(db)
  const [cabinetId = ''] = cabinets
  const { client, shown } = await openShelf(clientId)
  const tell = (when: number, itemId: number, quantity: number) =>
    at(db, when, (work) =>
      recordMarketplaceStock(work, clientId, cabinetId, [
        { barcode, itemId, quantity, warehouse: north },
      ]),
    )
  await tell(noon, 11, 5)
  await tell(noon + 1000, 12, 3)
  await tell(noon - 1000, 11, 50)
  await tell(noon, 12, 30)
  assert.deepEqual(await shown(), ['WB 7001 Север 8'])
  // A sum is as old as its oldest figure.
  const { body } = await client.get(`/v1/stock/${barcode}`)
  const [figure] = (body as StockItem).marketplace_stock
  assert.equal(figure?.synced_at, '2026-11-20T12:00:00.000+03:00')
  await at(db, noon + 1000, (work) => deleteStaleMarketplaceStock(work, clientId, cabinetId))
  assert.deepEqual(await shown(), ['WB 7001 Север 3'])
})

test('a poll gets 304 until one of the figures in a sum has changed', async () => {
  const { id: clientId, cabinets } = await makeClient(db)
  const { client } = await openShelf(clientId)
  const tell = (itemId: number, quantity: number) =>
    at(db, noon, (work) =>
      recordMarketplaceStock(work, clientId, cabinets[0] ?? '', [{ barcode, itemId, quantity }]),
    )
  await tell(11, 5)
  await tell(12, 3)
  const etag = (await client.get('/v1/stock')).headers.get('ETag') ?? ''
  const poll = () => client.get('/v1/stock', { 'If-None-Match': etag })
  assert.equal((await poll()).status, 304)
  await tell(12, 4)
  assert.equal((await poll()).status, 200)
})

for (const fake of [wb, ozon]) {
  const name = fake.marketplace

  test(`goods of which a cabinet shows units are listed before any arrived, and a card once: ${name}`, async () => {
    const [shownOnly, second, unsold] = ['4600000000901', '4600000000902', '4600000000903']
    const { client, tell, account, clientId } = await openCards(fake, [11])
    const before = (await client.get('/v1/stock?limit=1')).body as { total: number }
    const etag = (await client.get('/v1/stock')).headers.get('ETag') ?? ''
    fake.addCard(account, { itemId: 21, name: 'Плед', barcodes: [shownOnly, second] })
    fake.addCard(account, { itemId: 22, name: 'Плед', barcodes: [unsold] })
    tell(21, north, 4)
    tell(22, north, 0)
    await scene.sync()
    const listed: StockItem[] = []
    let cursor: string | null = null
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`
      const page = (await client.get(`/v1/stock?limit=1${next}`)).body as {
        items: StockItem[]
        total: number
        next_cursor: string | null
      }
      assert.equal(page.total, before.total + 1)
      listed.push(...page.items)
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.equal(listed.length, before.total + 1)
    const item = listed.find((each) => each.barcode === shownOnly)
    assert.deepEqual(
      [item?.name, item?.quantity, item?.marketplace_stock.map(({ quantity }) => quantity)],
      ['Плед', 0, [4]],
    )
    assert.equal((await client.get('/v1/stock', { 'If-None-Match': etag })).status, 200)

    // The goods arrive under the card's other barcode: the figure follows them, and is shown once.
    await stockUp(db, clientId, { [second]: 3 })
    await scene.sync()
    const figures = async (code: string) =>
      ((await client.get(`/v1/stock/${code}`)).body as StockItem).marketplace_stock.length
    assert.deepEqual([await figures(shownOnly), await figures(second)], [0, 1])
    assert.equal((await client.get(`/v1/stock/${unsold}`)).status, 404)
  })
}

test('goods that only an observed cabinet shows are not listed', async () => {
  const { clientId, account } = await scene.connect(wb, { warehouses: null, shipments: 'observe' })
  const { client } = await openShelf(clientId)
  wb.addCard(account, { itemId: 31, name: 'Плед', barcodes: ['4600000000904'] })
  wb.setStock(account, { itemId: 31, warehouse: north, quantity: 4 })
  await scene.sync()
  assert.equal((await client.get('/v1/stock/4600000000904')).status, 404)
})
