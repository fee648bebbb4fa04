import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../src/db/work.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { ReceiptDraftItem } from '../../src/receipts/draft.ts'
import { findReceipt } from '../../src/receipts/queries.ts'
import { registerDelivery } from '../../src/receipts/register.ts'
import { requestReceipt } from '../../src/receipts/request.ts'
import { confirmReceipt } from '../../src/receipts/verbs.ts'
import { openScene } from '../support/syncing.ts'

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
