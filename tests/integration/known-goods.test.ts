import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '../../src/db/migrate.ts'
import { perform } from '../../src/db/work.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { ReceiptDraftItem } from '../../src/receipts/draft.ts'
import { findReceipt } from '../../src/receipts/queries.ts'
import { registerDelivery } from '../../src/receipts/register.ts'
import { requestReceipt } from '../../src/receipts/request.ts'
import { confirmReceipt } from '../../src/receipts/verbs.ts'
import { testDatabase } from '../support/database.ts'
import { openScene } from '../support/syncing.ts'
import { makeClient } from '../support/warehouse.ts'

/** Goods on sale need no name in a delivery: their cards have it. */
const scene = await openScene()
const { db, wb, ozon } = scene

type Item = Omit<ReceiptDraftItem, 'honest_mark'>
const request = (clientId: string, goods: readonly Item[], cabinetId?: string) =>
  perform(db, systemClock, 'test', async (work) => {
    const requester = { clientId, keyId: newId(), requestId: newId() }
    const items = goods.map((item) => ({ ...item, honest_mark: false }))
    const cabinet = cabinetId === undefined ? {} : { cabinet_id: cabinetId }
    return (await requestReceipt(work, requester, { ...cabinet, items })).receipt
  })
const register = (clientId: string, items: readonly Item[]) =>
  perform(db, systemClock, 'test', async (work) => {
    const id = await registerDelivery(work, clientId, { source: 'manual', items })
    return findReceipt(work.tx, clientId, id)
  })
const productsOf = async (clientId: string) => [
  ...(await db`
    select barcode, name, article from products where client_id = ${clientId} order by barcode`),
]

/** Longer than an index takes, which compresses what it can. */
const incompressible = (length: number) =>
  randomBytes(length).toString('base64url').slice(0, length)

test('what a card tells, a delivery may leave out', async () => {
  const { account, clientId, cabinetId } = await scene.connect(wb)
  wb.addCard(account, { article: 'TEA', name: 'Чай', barcodes: ['KG-1', 'KG-2'] })
  await scene.sync()
  const receipt = await request(clientId, [
    { barcode: 'KG-1', qty: 1 },
    { barcode: 'KG-2', name: 'Чай в коробке', article: 'BOX', qty: 2 },
  ])
  const named = receipt.items?.map(({ barcode, name, article }) => ({ barcode, name, article }))
  const expected = [
    { barcode: 'KG-1', name: 'Чай', article: 'TEA' },
    { barcode: 'KG-2', name: 'Чай в коробке', article: 'BOX' },
  ]
  assert.deepEqual(named, expected)
  assert.deepEqual(await productsOf(clientId), [], 'a card alone makes no goods of the warehouse')
  await perform(db, systemClock, 'test', (work) => confirmReceipt(work, clientId, receipt.id))
  assert.deepEqual(await productsOf(clientId), expected)
  // What the warehouse knows goes before what the card tells later.
  await db`update marketplace_cards set name = 'Кофе' where cabinet_id = ${cabinetId}`
  const [again] = (await register(clientId, [{ barcode: 'KG-1', qty: 1 }]))?.items ?? []
  assert.deepEqual([again?.name, again?.article], ['Чай', 'TEA'])
})

test('of two cards the one of the cabinet that is named counts', async () => {
  const first = await scene.connect(wb)
  const second = await scene.connect(ozon, { clientId: first.clientId })
  wb.addCard(first.account, { article: 'W', name: 'Из WB', barcodes: ['KG-3'] })
  ozon.addCard(second.account, { article: 'O', name: 'Из OZON', barcodes: ['KG-3'] })
  await scene.sync()
  for (const [{ cabinetId }, name] of [
    [first, 'Из WB'],
    [second, 'Из OZON'],
  ] as const) {
    const { items } = await request(first.clientId, [{ barcode: 'KG-3', qty: 1 }], cabinetId)
    assert.equal(items?.[0]?.name, name)
  }
})

test('whether units need codes is told by the card, until the warehouse says otherwise', async () => {
  const first = await scene.connect(wb)
  const { clientId } = first
  const second = await scene.connect(ozon, { clientId })
  wb.addCard(first.account, { barcodes: ['KG-6'], honestMark: true })
  wb.addCard(first.account, { barcodes: ['KG-7'] })
  wb.addCard(first.account, { barcodes: ['KG-8'], honestMark: true })
  // OZON's cards do not say.
  ozon.addCard(second.account, { barcodes: ['KG-6'], name: 'Из OZON' })
  await scene.sync()
  const delivery = (cabinetId?: string) =>
    perform(db, systemClock, 'test', (work) => {
      const items = ['KG-6', 'KG-7'].map((barcode) => ({ barcode, qty: 1 }))
      const cabinet = cabinetId === undefined ? {} : { cabinetId }
      return registerDelivery(work, clientId, { source: 'manual', ...cabinet, items })
    })
  for (const cabinetId of [undefined, first.cabinetId, second.cabinetId]) {
    await assert.rejects(delivery(cabinetId), /с маркировкой — KG-6, без неё — KG-7/)
  }
  await db`
    insert into products (client_id, barcode, name, name_folded, created_at)
    values (${clientId}, 'KG-6', 'Чай', 'чай', now())`
  await db`insert into stock_balances (client_id, barcode, updated_at) values (${clientId}, 'KG-6', now())`
  await delivery()
  const marked = await perform(db, systemClock, 'test', (work) =>
    registerDelivery(work, clientId, { source: 'manual', items: [{ barcode: 'KG-8', qty: 1 }] }),
  )
  const [line] = (await findReceipt(db, clientId, marked))?.items ?? []
  assert.equal(line?.honest_mark, undefined)
  const [product] = await db`
    select honest_mark from products where client_id = ${clientId} and barcode = 'KG-8'`
  assert.deepEqual({ ...product }, { honest_mark: true })
})

test('cards from before are indexed without what is no barcode, and are told of marking once more', async () => {
  const { db: old } = await testDatabase({ empty: true })
  const all = new URL('../../migrations/', import.meta.url)
  const before = mkdtempSync(join(tmpdir(), 'sklad-migrations-'))
  after(() => rmSync(before, { recursive: true }))
  for (const name of readdirSync(all)) {
    if (name < '0013') copyFileSync(new URL(name, all), join(before, name))
  }
  await migrate(old, before)
  const { id, cabinets } = await makeClient(old, ['WB', 'OZON'])
  const barcodes = ['KG-8', incompressible(4_000), 'x'.repeat(64), 'KG-8', 'y'.repeat(65)]
  for (const cabinetId of cabinets) {
    await old`
      insert into marketplace_cards (client_id, cabinet_id, item_id, barcodes, name)
      values (${id}, ${cabinetId}, 1, ${barcodes}, 'Чай'), (${id}, ${cabinetId}, 2, '{}', 'Кофе')`
    await old`
      insert into cabinet_syncs (client_id, cabinet_id, connected_at, next_at, cards_mark, cards_at)
      values (${id}, ${cabinetId}, now(), now(), 'mark', now())`
  }
  await migrate(old)
  const indexed = await old<{ barcode: string }[]>`
    select distinct barcode from card_barcodes order by barcode`
  assert.deepEqual(
    indexed.map(({ barcode }) => barcode),
    ['KG-8', 'x'.repeat(64)],
  )
  const due = await old`
    select k.marketplace from cabinet_syncs s join cabinets k on k.id = s.cabinet_id
    where s.cards_mark is null and s.cards_at is null`
  assert.deepEqual([...due], [{ marketplace: 'WB' }])
})

test('a barcode that no delivery could have keeps no card out, and no order', async () => {
  const { account, cabinetId } = await scene.connect(wb)
  const long = incompressible(4_000)
  const { itemId, article } = wb.addCard(account, { barcodes: [long, 'KG-9'] })
  const lines = [{ itemId, article, barcode: long, quantity: 1 }]
  wb.addOrder(account, { lines, raw: { skus: [long] } })
  await scene.sync()
  const [card] = await db`select barcodes from marketplace_cards where cabinet_id = ${cabinetId}`
  assert.deepEqual(card?.barcodes, ['KG-9'])
  const [order] = await db`select barcode from orders where cabinet_id = ${cabinetId}`
  assert.equal(order?.barcode, 'KG-9')
  assert.deepEqual(scene.logged(), [])
})

test('a card of another seller, or without a name, or that has lost the barcode, tells nothing', async () => {
  const { account, clientId, cabinetId } = await scene.connect(wb)
  const other = await scene.connect(wb)
  const card = wb.addCard(account, { article: 'A', name: 'Чай', barcodes: ['KG-4'] })
  await scene.sync()
  const refused = (client: string) =>
    assert.rejects(
      request(client, [{ barcode: 'KG-4', qty: 1 }]),
      /items\[0\]\.name: товар KG-4 складу ещё не известен/,
    )
  await refused(other.clientId)
  const own = db`cabinet_id = ${cabinetId} and item_id = ${card.itemId}`
  await db`update marketplace_cards set name = item_id::text where ${own}`
  await refused(clientId)
  await db`update marketplace_cards set name = 'Чай', barcodes = '{KG-5}' where ${own}`
  await refused(clientId)
  const [item] = (await register(clientId, [{ barcode: 'KG-5', qty: 1 }]))?.items ?? []
  assert.equal(item?.name, 'Чай')
  await db`delete from marketplace_cards where ${own}`
  assert.deepEqual([...(await db`select from card_barcodes where cabinet_id = ${cabinetId}`)], [])
})
