import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import type { ReceiptDraftItem } from '../../src/warehouse/receipts/draft.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { requestReceipt } from '../../src/warehouse/receipts/request.ts'
import { confirmReceipt } from '../../src/warehouse/receipts/verbs.ts'
import { openScene } from '../support/sync-scene.ts'

/** Receipts of goods that are on sale need no names: the cards have them. */
const scene = await openScene()
const { db, wb, ozon } = scene

type Item = Omit<ReceiptDraftItem, 'honest_mark'>
const request = (clientId: string, goods: readonly Item[], cabinetId?: string) =>
  perform(db, systemClock, { kind: 'service' }, async (work) => {
    const requester = { clientId, keyId: newId(), requestId: newId() }
    const items = goods.map((item) => ({ ...item, honest_mark: false }))
    const cabinet = cabinetId === undefined ? {} : { cabinet_id: cabinetId }
    return (await requestReceipt(work, requester, { ...cabinet, items })).receipt
  })
const register = (clientId: string, items: readonly Item[]) =>
  perform(db, systemClock, { kind: 'service' }, async (work) => {
    const id = await registerReceipt(work, clientId, { source: 'manual', items })
    return findReceipt(work.tx, clientId, id)
  })
const productsOf = async (clientId: string) => [
  ...(await db`
    select barcode, name, article from products where client_id = ${clientId} order by barcode`),
]

/** Longer than an index entry can be, and too random to be compressed. */
const incompressible = (length: number) =>
  randomBytes(length).toString('base64url').slice(0, length)

test('a receipt takes missing names, articles and marking from cards', async () => {
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
  await perform(db, systemClock, { kind: 'service' }, (work) =>
    confirmReceipt(work, clientId, receipt.id),
  )
  assert.deepEqual(await productsOf(clientId), expected)
  // The warehouse's own product has precedence over a card that changes later.
  await db`update marketplace_cards set name = 'Кофе' where cabinet_id = ${cabinetId}`
  const [again] = (await register(clientId, [{ barcode: 'KG-1', qty: 1 }]))?.items ?? []
  assert.deepEqual([again?.name, again?.article], ['Чай', 'TEA'])
})

test('of two cards the card of the named cabinet counts', async () => {
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

test('a card decides whether units need marking codes until the warehouse has the product', async () => {
  const first = await scene.connect(wb)
  const { clientId } = first
  const second = await scene.connect(ozon, { clientId })
  wb.addCard(first.account, { barcodes: ['KG-6'], honestMark: true })
  wb.addCard(first.account, { barcodes: ['KG-7'] })
  wb.addCard(first.account, { barcodes: ['KG-8'], honestMark: true })
  // OZON's cards do not say whether goods need marking codes.
  ozon.addCard(second.account, { barcodes: ['KG-6'], name: 'Из OZON' })
  await scene.sync()
  const delivery = (cabinetId?: string) =>
    perform(db, systemClock, { kind: 'service' }, (work) => {
      const items = ['KG-6', 'KG-7'].map((barcode) => ({ barcode, qty: 1 }))
      const cabinet = cabinetId === undefined ? {} : { cabinetId }
      return registerReceipt(work, clientId, { source: 'manual', ...cabinet, items })
    })
  for (const cabinetId of [undefined, first.cabinetId, second.cabinetId]) {
    await assert.rejects(delivery(cabinetId), /с маркировкой — KG-6, без неё — KG-7/)
  }
  await db`
    insert into products (client_id, barcode, name, name_folded, created_at)
    values (${clientId}, 'KG-6', 'Чай', 'чай', now())`
  await db`insert into stock_balances (client_id, barcode, updated_at) values (${clientId}, 'KG-6', now())`
  await delivery()
  const marked = await perform(db, systemClock, { kind: 'service' }, (work) =>
    registerReceipt(work, clientId, { source: 'manual', items: [{ barcode: 'KG-8', qty: 1 }] }),
  )
  const [line] = (await findReceipt(db, clientId, marked))?.items ?? []
  assert.equal(line?.honest_mark, undefined)
  const [product] = await db`
    select honest_mark from products where client_id = ${clientId} and barcode = 'KG-8'`
  assert.deepEqual({ ...product }, { honest_mark: true })
})

test('a card with a barcode too long for a receipt is stored, and so is its order', async () => {
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

test('a card of another seller, without a name, or that has lost the barcode names no goods', async () => {
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
