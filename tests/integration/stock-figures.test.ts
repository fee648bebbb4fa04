import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { inTransaction, type Transaction } from '../../src/platform/db/connection.ts'
import { workAt } from '../../src/platform/db/work.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { putParts } from '../../src/warehouse/catalogue/sets.ts'
import { putInQuestion, writeOff } from '../../src/warehouse/stock/adjustments.ts'
import { replaceMarketplaceStock } from '../../src/warehouse/stock/marketplace-stock.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { findStockItem, listStock, stockVersion } from '../../src/warehouse/stock/queries.ts'
import { MarketplaceStock } from '../../src/warehouse/stock/view.ts'
import { addBox, placeBox } from '../../src/warehouse/storage/boxes.ts'
import { testDatabase } from '../support/database.ts'
import { meanwhile } from '../support/waiting.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ plansForValues: true })
const everything = { barcode: undefined, search: undefined, selection: undefined }

async function goods(units: Readonly<Record<string, number>>) {
  const client = await makeClient(db, ['WB', 'OZON'])
  await stockUp(db, client.id, units)
  const box = (pallet?: string) => at(db, noon, (work) => addBox(work, client.id, pallet))
  const pallet = async () => {
    const id = newId()
    await db`insert into pallets (client_id, id, created_at) values (${client.id}, ${id}, now())`
    return id
  }
  const put = (boxId: string, ...barcodes: string[]) => db`
    insert into box_contents (client_id, box_id, barcode, quantity)
    select ${client.id}, ${boxId}, b, 1 from unnest(${barcodes}::text[]) b`
  const take = (boxId: string) =>
    db`delete from box_contents where client_id = ${client.id} and box_id = ${boxId}`
  const figures = async (barcode: string) => {
    const { boxes, pallets } = (await findStockItem(db, client.id, barcode)) ?? {}
    return [boxes, pallets]
  }
  return { ...client, box, pallet, put, take, figures }
}

async function assertClean() {
  assert.deepEqual((await audit(db, new ManualClock(noon))).findings, [])
}

test('boxes and pallets are counted as contents come, go and move', async () => {
  const { id, box, pallet, put, take, figures } = await goods({ A: 9, B: 9 })
  const [first, second] = [await pallet(), await pallet()]
  const boxes = [await box(first), await box(first), await box(second), await box()] as const
  for (const each of boxes) await put(each, 'A', 'B')
  assert.deepEqual(await figures('A'), [4, 2])
  await at(db, noon, (work) => placeBox(work, id, boxes[3], first))
  await at(db, noon, (work) => placeBox(work, id, boxes[2], null))
  assert.deepEqual(
    [await figures('A'), await figures('B')],
    [
      [4, 1],
      [4, 1],
    ],
  )
  for (const each of boxes.slice(0, 3)) await take(each)
  assert.deepEqual(await figures('A'), [1, 1])
  await take(boxes[3])
  assert.deepEqual(await figures('B'), [0, 0])
  await assertClean()
})

// Guarantee (stock): The stock list counts boxes right, also when several are filled at once.
test('transactions that put one barcode into boxes at once are all counted', async () => {
  const { id, box, pallet, put, figures } = await goods({ A: 9 })
  const [one, other] = [await box(await pallet()), await box(await pallet())]
  const { waited } = await meanwhile(
    db,
    (tx) => tx`insert into box_contents values (${id}, ${one}, 'A', 1)`,
    () => put(other, 'A'),
  )
  assert.ok(waited)
  assert.deepEqual(await figures('A'), [2, 2])
})

// Guarantee (stock): The stock list counts a box where it stands, also while it is filled.
test('a box that moves while goods are put into it is counted where it comes to stand', async () => {
  const { id, box, pallet, put, figures } = await goods({ A: 9, B: 9 })
  const [boxId, palletId] = [await box(), await pallet()]
  await meanwhile(
    db,
    (tx) => tx`insert into box_contents values (${id}, ${boxId}, 'A', 1)`,
    () => at(db, noon, (work) => placeBox(work, id, boxId, palletId)),
  )
  assert.deepEqual(await figures('A'), [1, 1])
  const next = await box()
  await meanwhile(
    db,
    (tx) => tx`update boxes set pallet_id = ${palletId} where client_id = ${id} and id = ${next}`,
    () => put(next, 'B'),
  )
  assert.deepEqual(await figures('B'), [1, 1])
  await assertClean()
})

// Guarantee (stock): The stock list shows the figure of every cabinet.
test('cabinets that report one barcode at once are both shown, with any name', async () => {
  const { id, cabinets } = await goods({ A: 1 })
  const name = 'Склад "Север"\\\n\u0001\u2028'
  const report = (cabinet: string, quantity: number, warehouse?: { id: number; name: string }) =>
    at(db, noon, (work) =>
      replaceMarketplaceStock(work, id, cabinet, [
        { barcode: 'A', itemId: 1, quantity, ...(warehouse && { warehouse }) },
      ]),
    )
  const [wb = '', ozon = ''] = cabinets
  await meanwhile(
    db,
    (tx) => tx`
      insert into marketplace_stock (client_id, cabinet_id, barcode, item_id, product, quantity, synced_at)
      values (${id}, ${ozon}, 'A', 7, '7', 4, ${'2026-11-20T12:00:00.120+03:00'})`,
    () => report(wb, 5, { id: 507, name }),
  )
  const shown = [
    { marketplace: 'OZON', quantity: 4, synced_at: '2026-11-20T12:00:00.120+03:00' },
    {
      marketplace: 'WB',
      quantity: 5,
      warehouse_id: 507,
      warehouse_name: name,
      synced_at: '2026-11-20T12:00:00.000+03:00',
    },
  ]
  assert.deepEqual((await findStockItem(db, id, 'A'))?.marketplace_stock, shown)
  const page = await listStock(db, id, everything, { limit: 9, after: undefined })
  const fields = Object.keys(MarketplaceStock.properties)
  assert.deepEqual(
    page.items[0]?.marketplace_stock.map((figure) => Object.keys(figure)),
    [fields.filter((field) => !field.startsWith('warehouse_')), fields],
  )
  await at(db, noon + 1, (work) => replaceMarketplaceStock(work, id, wb, []))
  assert.deepEqual((await findStockItem(db, id, 'A'))?.marketplace_stock, shown.slice(0, 1))
  await assertClean()
})

test('figures that come while a cabinet is hidden or shown are as the cabinet is', async () => {
  const { id, cabinets } = await goods({ A: 1 })
  const [wb = ''] = cabinets
  const hide = (tx: Transaction, hidden: boolean) =>
    tx`update cabinets set has_hidden_rows = ${hidden} where client_id = ${id} and id = ${wb}`
  const report = (itemId: number) =>
    at(db, noon, (work) =>
      replaceMarketplaceStock(work, id, wb, [{ barcode: 'A', itemId, quantity: itemId }]),
    )
  const shown = async () =>
    (await findStockItem(db, id, 'A'))?.marketplace_stock.map(({ quantity }) => quantity)
  await meanwhile(
    db,
    (tx) => hide(tx, true),
    () => report(1),
  )
  assert.deepEqual(await shown(), [])
  await meanwhile(
    db,
    (tx) => hide(tx, false),
    () => report(2),
  )
  assert.deepEqual(await shown(), [3])
  await assertClean()
})

async function showingMore(clientId: string, search?: string) {
  const filter = { barcode: undefined, search, selection: 'shows_more' } as const
  const { items, total } = await listStock(db, clientId, filter, { limit: 9, after: undefined })
  assert.equal(total, items.length)
  return items.map(({ barcode }) => barcode)
}

test('goods of which one marketplace shows more than are available are found as figures and stock change', async () => {
  const { id, cabinets } = await goods({ A: 3, B: 3, C: 3 })
  const [wb = '', ozon = ''] = cabinets
  const report = (cabinet: string, now: number, units: Readonly<Record<string, number>>) =>
    at(db, now, (work) => {
      const figures = Object.entries(units).flatMap(([barcode, quantity], n) => [
        { barcode, itemId: 2 * n, quantity: quantity - 1, warehouse: { id: 1 } },
        { barcode, itemId: 2 * n, quantity: 1, warehouse: { id: 2 } },
      ])
      return replaceMarketplaceStock(work, id, cabinet, figures)
    })
  await report(wb, noon, { A: 3, B: 4, D: 1 })
  // Two marketplaces offer the same units: their figures are not added up.
  await report(ozon, noon, { A: 3, C: 2 })
  assert.deepEqual(await showingMore(id), ['B'])
  await at(db, noon, (work) => writeOff(work, id, { barcode: 'A', units: 1, reason: 'LOST' }))
  assert.deepEqual(await showingMore(id), ['A', 'B'])
  assert.deepEqual(await showingMore(id, 'товар b'), ['B'])
  await report(wb, noon + 1, { A: 2, B: 3, D: 1 })
  assert.deepEqual(await showingMore(id), ['A'])
  // Goods that were reported before their first receipt.
  await stockUp(db, id, { D: 1 }, noon + 2)
  await at(db, noon + 3, (work) => writeOff(work, id, { barcode: 'D', units: 1, reason: 'LOST' }))
  assert.deepEqual(await showingMore(id), ['A', 'D'])
  await assertClean()
})

// Guarantee (stock): A set counts as oversold only where more are shown than lie ready and can be put together.
test('a set that its parts allow is not oversold, and what it is made of changes the version of the list', async () => {
  const { id, cabinets } = await goods({ A: 6, B: 9, KIT: 1, ALONE: 1 })
  const compose = (units: number) =>
    at(db, noon, (work) =>
      putParts(work, { clientId: id, barcode: 'KIT' }, [
        { barcode: 'A', qty: units },
        { barcode: 'B', qty: 1 },
      ]),
    )
  const report = (units: number) =>
    at(db, noon, (work) =>
      replaceMarketplaceStock(work, id, cabinets[0] ?? '', [
        { barcode: 'KIT', itemId: 1, quantity: units },
        { barcode: 'ALONE', itemId: 2, quantity: 2 },
      ]),
    )
  await report(4)
  assert.deepEqual(await showingMore(id), ['ALONE', 'KIT'], 'no set yet')
  const before = await stockVersion(db, id)
  await compose(2)
  assert.ok((await stockVersion(db, id)) > before)
  // One lies ready, and six units of A make three.
  assert.deepEqual(await showingMore(id), ['ALONE'])
  await report(5)
  assert.deepEqual(await showingMore(id), ['ALONE', 'KIT'])
  await compose(1)
  assert.deepEqual(await showingMore(id), ['ALONE'])
  await at(db, noon, (work) => putInQuestion(work, id, { barcode: 'B', units: 6, reason: 'COUNT' }))
  assert.deepEqual(await showingMore(id), ['ALONE', 'KIT'])
  await assertClean()
})

test('a report waits for goods that begin meanwhile, and goods for a report', async () => {
  const { id, cabinets } = await goods({ A: 1 })
  const [wb = ''] = cabinets
  const begin = (tx: Transaction, barcode: string) =>
    registerProducts(workAt(tx, noon, { kind: 'service' }), id, [{ barcode, name: barcode }])
  const report = (tx: Transaction, barcode: string, itemId: number) => tx`
    insert into marketplace_stock (client_id, cabinet_id, barcode, item_id, product, quantity, synced_at)
    values (${id}, ${wb}, ${barcode}, ${itemId}, ${String(itemId)}, 5, now())`
  const first = await meanwhile(
    db,
    (tx) => begin(tx, 'B'),
    () => inTransaction(db, (tx) => report(tx, 'B', 1)),
  )
  const second = await meanwhile(
    db,
    (tx) => report(tx, 'C', 2),
    () => inTransaction(db, (tx) => begin(tx, 'C')),
  )
  assert.deepEqual([first.waited, second.waited], [true, true])
  assert.deepEqual(await showingMore(id), ['B', 'C'])
  await assertClean()
})

// Guarantee (stock): The filter of oversold goods finds all of them.
test('a unit that leaves while a report comes is counted', async () => {
  const { id, cabinets } = await goods({ A: 5 })
  const [wb = ''] = cabinets
  const { waited } = await meanwhile(
    db,
    (tx) =>
      writeOff(workAt(tx, noon, { kind: 'service' }), id, {
        barcode: 'A',
        units: 2,
        reason: 'LOST',
      }),
    () =>
      at(db, noon, (work) =>
        replaceMarketplaceStock(work, id, wb, [{ barcode: 'A', itemId: 1, quantity: 4 }]),
      ),
  )
  assert.ok(waited)
  assert.deepEqual(await showingMore(id), ['A'])
  await assertClean()
})

// Guarantee (stock): A page of filtered goods reads as many rows as it shows.
test('a page of selected goods reads as many rows as it shows, however many goods the client has', async () => {
  const { id, cabinets } = await goods({ A: 1 })
  const [wb = ''] = cabinets
  await inTransaction(db, async (tx) => {
    const drafts = Array.from({ length: 3000 }, (_, n) => ({
      barcode: `G${String(n).padStart(5, '0')}`,
      name: `Товар ${n}`,
    }))
    await registerProducts(workAt(tx, noon, { kind: 'service' }), id, drafts)
  })
  await at(db, noon, (work) =>
    replaceMarketplaceStock(work, id, wb, [{ barcode: 'G02999', itemId: 1, quantity: 4 }]),
  )
  assert.deepEqual(await showingMore(id), ['G02999'])
  await db`analyze stock_balances, products`
  const read = await inTransaction(db, async (tx) => {
    const rowsRead = async () => {
      const [row] = await tx<[{ rows: number }]>`
        select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
        where relname in ('stock_balances', 'products', 'stock_figures')`
      return row.rows
    }
    const before = await rowsRead()
    const filter = { barcode: undefined, search: 'товар', selection: 'shows_more' } as const
    await listStock(tx, id, filter, { limit: 9, after: undefined })
    return (await rowsRead()) - before
  })
  assert.ok(read < 30, `${read} rows`)
})
