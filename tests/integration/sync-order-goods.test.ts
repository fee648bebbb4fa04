import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  misnamedLines,
  selectMisnamed,
} from '../../src/exchange/marketplaces/sync/line-barcodes.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { registerProducts } from '../../src/warehouse/stock/new-products.ts'
import { cabinetState, openScene, ordersOf } from '../support/sync-scene.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

/** Goods of orders in later reports. */
const scene = await openScene()
const { db, wb, ozon } = scene

const linesOf = async (externalId: string) => {
  const rows = await db<{ text: string }[]>`
    select concat_ws(' ', l.article, l.barcode, l.quantity) as text
    from order_lines l join orders o on o.client_id = l.client_id and o.id = l.order_id
    where o.external_id = ${externalId} order by l.line`
  return rows.map(({ text }) => text)
}

const addProduct = (clientId: string, barcode: string) =>
  at(db, noon, (work) => registerProducts(work, clientId, [{ barcode, name: 'Ёлка' }]))
const barcodesOf = async (cabinetId: string) => {
  const orders = await ordersOf(db, cabinetId)
  return orders.map(({ barcode }) => barcode)
}

test('goods reported in another order keep their barcodes', async () => {
  const { account } = await scene.connect(ozon)
  const nameless = ozon.addCard(account, { article: 'A', barcodes: [] })
  const named = ozon.addCard(account, { article: 'B', barcodes: ['BB'] })
  const a = { itemId: nameless.itemId, article: 'A', barcode: '', quantity: 2 }
  const b = { itemId: named.itemId, article: 'B', barcode: 'BB', quantity: 1 }
  const externalId = ozon.addOrder(account, { lines: [a, b] })
  await scene.sync()
  assert.deepEqual(await linesOf(externalId), ['A 2', 'B BB 1'])
  ozon.addOrder(account, { externalId, lines: [b, a] })
  await scene.sync()
  assert.deepEqual(await linesOf(externalId), ['A 2', 'B BB 1'])
})

test('a split posting takes the goods that the latest report names, and these leave', async () => {
  const { account, cabinetId } = await scene.connect(ozon, { shipments: 'mirrored' })
  const [b, c] = ['SPLIT-B', 'SPLIT-C'].map((article) => {
    const { itemId } = ozon.addCard(account, { article, barcodes: [article] })
    return { itemId, article, barcode: article, quantity: 0 }
  })
  assert.ok(b !== undefined && c !== undefined)
  const whole = {
    lines: [
      { ...b, quantity: 5 },
      { ...c, quantity: 2 },
    ],
  }
  const externalId = ozon.addOrder(account, whole)
  await scene.sync()
  const carriage = ozon.addShipment(account, { orders: [externalId] })
  await scene.sync()
  ozon.addOrder(account, { externalId, lines: [{ ...b, quantity: 3 }] })
  await scene.sync()
  assert.deepEqual(await linesOf(externalId), ['SPLIT-B SPLIT-B 3'])
  ozon.addShipment(account, { id: carriage, orders: [externalId], closedAt: Date.now() })
  await scene.sync()
  // A later report does not change what has left.
  ozon.addOrder(account, { externalId, ...whole })
  await scene.sync()
  assert.deepEqual(await linesOf(externalId), ['SPLIT-B SPLIT-B 3'])
  const missing = await db`
    select m.barcode, m.units from shipment_shortages m
    join shipments s on s.client_id = m.client_id and s.id = m.shipment_id
    where s.cabinet_id = ${cabinetId}`
  assert.deepEqual([...missing], [{ barcode: 'SPLIT-B', units: 3 }])
  assert.deepEqual((await audit(db)).findings, [])
})

test('a report may mark the buyer as a company later, and no report takes it back', async () => {
  const b2bOf = async (externalId: string) => {
    const [row] = await db<{ b2b: boolean }[]>`
      select is_b2b as b2b from orders where external_id = ${externalId}`
    return row?.b2b
  }
  for (const fake of [wb, ozon] as const) {
    const { account } = await scene.connect(fake)
    const externalId = fake.addOrder(account)
    for (const [isB2b, shown] of [
      [false, false],
      [true, true],
      [false, true],
    ] as const) {
      fake.addOrder(account, { externalId, isB2b })
      await scene.sync()
      assert.equal(await b2bOf(externalId), shown)
    }
  }
})

test('a supply marks the buyer of its orders as a company', async () => {
  const { account, cabinetId } = await scene.connect(wb, { shipments: 'mirrored' })
  const external_id = wb.addOrder(account, { isB2b: true, raw: { options: null } })
  const b2b = () => db`select external_id, is_b2b from orders where cabinet_id = ${cabinetId}`
  await scene.sync()
  assert.deepEqual([...(await b2b())], [{ external_id, is_b2b: false }])
  wb.addShipment(account, { orders: [external_id] })
  await scene.sync()
  assert.deepEqual([...(await b2b())], [{ external_id, is_b2b: true }])
})

test('an order takes the barcode of its card that the warehouse has', async () => {
  const { account, clientId, cabinetId } = await scene.connect(wb)
  const shown = async () => {
    const rows = await db<{ barcode: string }[]>`
      select barcode from orders where cabinet_id = ${cabinetId} order by external_id`
    return rows.map(({ barcode }) => barcode)
  }
  for (const barcode of ['OWN-1', 'OWN-2']) {
    await addProduct(clientId, barcode)
  }
  const { itemId, article } = wb.addCard(account, { barcodes: ['CARD-1', 'CARD-2'] })
  const line = { article, barcode: '', quantity: 1 }
  wb.addOrder(account, {
    externalId: '7001',
    lines: [{ ...line, itemId }],
    raw: { skus: ['OWN-1'] },
  })
  wb.addOrder(account, {
    externalId: '7002',
    lines: [{ ...line, itemId: 99 }],
    raw: { skus: ['X', 'OWN-2'] },
  })
  wb.addOrder(account, { externalId: '7003', lines: [{ ...line, itemId }], raw: { skus: ['X'] } })
  await scene.sync()
  assert.deepEqual(await shown(), ['OWN-1', 'OWN-2', 'CARD-1'])
  await db`update cabinet_syncs set cards_at = null where cabinet_id = ${cabinetId}`
  await scene.sync()
  assert.deepEqual(await shown(), ['OWN-1', 'OWN-2', 'CARD-1'])
})

test('goods received later give waiting orders their barcode, also in an open mirrored supply', async () => {
  const { account, clientId, cabinetId } = await scene.connect(wb, { shipments: 'mirrored' })
  const lines = [{ itemId: 77, article: 'A', barcode: '', quantity: 1 }]
  const raw = { skus: ['EARLY', 'LATE'] }
  const numbers = ['8001', '8002'].map((externalId) =>
    wb.addOrder(account, { externalId, lines, raw }),
  )
  wb.addShipment(account, { orders: numbers.slice(1) })
  const shown = async () => {
    const rows = await db<{ barcode: string }[]>`
      select barcode from orders where cabinet_id = ${cabinetId} order by external_id`
    return rows.map(({ barcode }) => barcode)
  }
  await scene.sync()
  assert.deepEqual(await shown(), ['EARLY', 'EARLY'])
  await addProduct(clientId, 'LATE')
  await scene.sync()
  assert.deepEqual(await shown(), ['LATE', 'LATE'])
  wb.addCard(account, { itemId: 77, barcodes: ['CARD'] })
  await addProduct(clientId, 'CARD')
  await db`update cabinet_syncs set cards_at = null where cabinet_id = ${cabinetId}`
  await scene.sync()
  assert.deepEqual(await shown(), ['LATE', 'LATE'], 'of goods that have no units none is nearer')
  await stockUp(db, clientId, { CARD: 1 })
  await scene.sync()
  assert.deepEqual(await shown(), ['CARD', 'CARD'])
})

test('goods announced under another barcode take no order from goods in stock', async () => {
  const { account, clientId, cabinetId } = await scene.connect(ozon, {
    warehouses: [ozon.ownWarehouse, '5'],
    shipments: 'mirrored',
  })
  await stockUp(db, clientId, { HERE: 3 })
  const { itemId, article } = ozon.addCard(account, { barcodes: ['OZN-1', 'HERE'] })
  const lines = [{ itemId, article, barcode: '', quantity: 1 }]
  const first = ozon.addOrder(account, { lines })
  const figure = { itemId, warehouse: { id: 5, name: 'Склад' }, quantity: 7 }
  ozon.setStock(account, figure)
  await scene.sync()
  await addProduct(clientId, 'OZN-1')
  await db`update cabinet_syncs set cards_at = null where cabinet_id = ${cabinetId}`
  ozon.addOrder(account, { lines })
  await scene.sync()
  assert.deepEqual(await barcodesOf(cabinetId), ['HERE', 'HERE'])
  const figures = await db<{ barcode: string }[]>`
    select barcode from marketplace_stock where cabinet_id = ${cabinetId}`
  assert.deepEqual(
    figures.map(({ barcode }) => barcode),
    ['HERE'],
  )
  ozon.addShipment(account, { orders: [first], closedAt: Date.now() })
  await scene.sync()
  const [left] = await db`
    select quantity::int from stock_balances where client_id = ${clientId} and barcode = 'HERE'`
  assert.deepEqual({ ...left }, { quantity: 2 })
})

test('goods received under another barcode leave under it, before cards are read again', async () => {
  const { account, clientId, cabinetId } = await scene.connect(ozon, { shipments: 'mirrored' })
  const { itemId, article } = ozon.addCard(account, { barcodes: ['OZN-2', 'EAN-2'] })
  const lines = [{ itemId, article, barcode: '', quantity: 1 }]
  // Later runs do not report it again.
  const order = ozon.addOrder(account, { lines, createdAt: Date.now() - 3 * 24 * 3_600_000 })
  await scene.sync()
  assert.deepEqual(await barcodesOf(cabinetId), ['OZN-2'])
  await stockUp(db, clientId, { 'EAN-2': 5 })
  ozon.addShipment(account, { orders: [order], closedAt: Date.now() })
  await scene.sync()
  assert.deepEqual(await barcodesOf(cabinetId), ['EAN-2'])
  const [left] = await db`
    select quantity::int from stock_balances where client_id = ${clientId} and barcode = 'EAN-2'`
  assert.deepEqual({ ...left }, { quantity: 4 })
})

/** As a card has the barcode, and as the goods are received. */
const spelledGoods = [
  ['4600000000015', '04600000000015'],
  ['0036000291452', '036000291452'],
  ['036000291452', '036000291452'],
  ['00000096385074', '96385074'],
  // No check digit fits: numbers of the seller's own, which differ in their zeros.
  ['4600000000016', '4600000000016'],
  ['4600000000016', '04600000000016'],
] as const

for (const first of ['goods', 'cards'] as const) {
  test(`orders and figures find goods under another spelling of their GTIN: ${first} came first`, async () => {
    const warehouses = [wb.ownWarehouse, '5']
    const { account, clientId, cabinetId } = await scene.connect(wb, { warehouses })
    const order = (cardBarcode: string, at: number) => {
      const { itemId, article } = wb.addCard(account, { barcodes: [cardBarcode] })
      wb.setStock(account, { itemId, warehouse: { id: 5, name: 'Склад' }, quantity: 9 })
      const lines = [{ itemId, article, barcode: '', quantity: 1 }]
      wb.addOrder(account, { externalId: `${at}`, lines, raw: { skus: [cardBarcode] } })
    }
    const receive = () => {
      const received = new Set(spelledGoods.map(([, barcode]) => barcode))
      return stockUp(db, clientId, Object.fromEntries([...received].map((each) => [each, 2])))
    }
    if (first === 'goods') await receive()
    for (const [at, [barcode]] of spelledGoods.entries()) order(barcode, 9100 + at)
    await scene.sync()
    if (first === 'cards') await receive()
    await db`update cabinet_syncs set cards_at = null, stock_at = null where cabinet_id = ${cabinetId}`
    await scene.sync()
    const stored =
      first === 'goods'
        ? ['04600000000015', '036000291452', '036000291452', '96385074']
        : ['4600000000015', '0036000291452', '0036000291452', '00000096385074']
    const own = ['4600000000016', '4600000000016']
    assert.deepEqual(await barcodesOf(cabinetId), [...stored, ...own])
    const figures = await db<{ barcode: string }[]>`
      select distinct barcode from marketplace_stock where cabinet_id = ${cabinetId}`
    assert.deepEqual(new Set(figures.map(({ barcode }) => barcode)), new Set([...stored, ...own]))
    const balances = await db<{ barcode: string; units: number }[]>`
      select barcode, quantity::int as units from stock_balances where client_id = ${clientId}`
    assert.deepEqual(
      new Map(balances.map(({ barcode, units }) => [barcode, units])),
      new Map([...stored, ...own, '04600000000016'].map((barcode) => [barcode, 2])),
    )
  })
}

test('an order gets the barcode that the warehouse has, whatever other orders of the page report', async () => {
  const { id: clientId, cabinets } = await makeClient(db, ['OZON'])
  const [cabinetId = ''] = cabinets
  const report = (...orders: readonly (readonly [externalId: string, barcode: string])[]) =>
    at(db, noon, (work) => {
      const drafts = orders.map(([externalId, barcode]) => {
        const lines = [{ itemId: 55, barcode, quantity: 1 }]
        return { externalId, createdAt: noon, isB2b: false, lines }
      })
      return takeInOrders(work, clientId, cabinetId, drafts, true)
    })
  await report(['BESIDE-1', 'EARLY'])
  await addProduct(clientId, 'LATE')
  await report(['BESIDE-2', 'LATE'])
  assert.equal((await report(['BESIDE-1', 'LATE'], ['BESIDE-2', 'LATE'])).changed, 1)
  assert.deepEqual(await linesOf('BESIDE-1'), ['LATE 1'])
  assert.equal((await report(['BESIDE-1', 'EARLY'], ['BESIDE-2', 'EARLY'])).changed, 0)
})

test('orders that wait for their card get its barcode page by page', async () => {
  const { account, clientId, cabinetId } = await scene.connect(wb)
  const { itemId, article } = wb.addCard(account, { barcodes: ['PAGED'] })
  await scene.sync()
  const drafts = Array.from({ length: 1_002 }, (_, n) => {
    const lines = [{ itemId, article, quantity: 1 }]
    return { externalId: `9${n}`, createdAt: Date.now(), isB2b: false, lines }
  })
  await at(db, Date.now(), (work) => takeInOrders(work, clientId, cabinetId, drafts))
  const pages = await Array.fromAsync(misnamedLines(db, clientId, cabinetId))
  assert.deepEqual(
    pages.map(({ length }) => length),
    [500, 500, 2],
  )
  assert.equal(new Set(pages.flat().map(({ orderId }) => orderId)).size, drafts.length)
  await db`update cabinet_syncs set cards_at = null where cabinet_id = ${cabinetId}`
  await scene.sync()
  const [named] = await db`
    select count(*)::int as orders, count(distinct l.order_id)::int as lines from orders o
    join order_lines l on l.client_id = o.client_id and l.order_id = o.id and l.barcode = o.barcode
    where o.cabinet_id = ${cabinetId} and o.barcode = 'PAGED'`
  assert.deepEqual({ ...named }, { orders: drafts.length, lines: drafts.length })
  assert.deepEqual(await Array.fromAsync(misnamedLines(db, clientId, cabinetId)), [])
})

test('each line is compared with its own card alone, also before the database has statistics', async () => {
  const { id: clientId, cabinets } = await makeClient(db, ['WB'])
  const [cabinetId = ''] = cabinets
  const cards = 20
  const drafts = Array.from({ length: 60 }, (_, n) => ({
    externalId: `7${n}`,
    createdAt: noon,
    isB2b: false,
    lines: [{ itemId: 1 + (n % cards), quantity: 1 }],
  }))
  await at(db, noon, (work) => takeInOrders(work, clientId, cabinetId, drafts))
  await db`
    insert into marketplace_cards (client_id, cabinet_id, item_id, barcodes, name)
    select ${clientId}, ${cabinetId}, n, array['OWN-' || n], 'Товар' from generate_series(1, ${cards}) n`.affected()
  const page = selectMisnamed(db, clientId, cabinetId, { externalId: '', line: 0 })
  const [row] = await db<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
    explain (analyze, format json) ${page}`
  const looks = nodes(row?.['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === 'marketplace_cards',
  )
  const read = looks.map(
    (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  )
  assert.deepEqual(read, [drafts.length])
  assert.equal((await page).length, drafts.length)
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

function nodes(plan: Plan | undefined): Plan[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}

test('an order whose goods can’t be parsed still gets its status', async () => {
  const { account, cabinetId } = await scene.connect(ozon)
  const externalId = ozon.addOrder(account)
  await scene.sync()
  const { itemId, article } = ozon.addCard(account)
  const lines = [{ itemId, article, barcode: '', quantity: 0 }]
  ozon.addOrder(account, { externalId, lines, status: { supplier: 'cancelled', buyer: '' } })
  const unknown = ozon.addOrder(account, { lines })
  await scene.sync()
  const rows = await db`select external_id, status from orders where cabinet_id = ${cabinetId}`
  assert.deepEqual([...rows], [{ external_id: externalId, status: 'CANCELLED' }], unknown)
  assert.match((await cabinetState(db, cabinetId)).sync_error ?? '', /quantity/)
})

test('a card size that can’t be parsed is reported on every run until it parses, and other sizes are read', async () => {
  const { account, cabinetId } = await scene.connect(wb)
  const card = wb.addCard(account, { barcodes: ['SIZE-1'] })
  // Two sizes of one card, of which one has no number: JSON writes NaN as null.
  wb.addCard(account, { nmId: card.nmId, itemId: Number.NaN, barcodes: ['Z'] })
  for (const _run of [1, 2, 3]) {
    await scene.sync()
    assert.match((await cabinetState(db, cabinetId)).sync_error ?? '', /chrtID/)
  }
  const cards = await db`
    select item_id::int as id, barcodes from marketplace_cards where cabinet_id = ${cabinetId}`
  assert.deepEqual([...cards], [{ id: card.itemId, barcodes: ['SIZE-1'] }])
  const [{ failures } = {}] = await db`
    select failures from cabinet_syncs where cabinet_id = ${cabinetId}`
  assert.equal(failures, 0, 'sync runs do not wait for longer')
})
