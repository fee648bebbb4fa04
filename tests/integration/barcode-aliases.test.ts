import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transaction } from '../../src/platform/db/connection.ts'
import { perform, type Work, workAt } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { mergeProducts } from '../../src/warehouse/merging/merge.ts'
import { nameGoodsAlso } from '../../src/warehouse/orders/goods.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { findReceipt } from '../../src/warehouse/receipts/queries.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { requestReceipt } from '../../src/warehouse/receipts/request.ts'
import { confirmReceipt, startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { openWalkIn } from '../../src/warehouse/receipts/walk-in.ts'
import { putProduct } from '../../src/warehouse/stock/new-products.ts'
import { openScene } from '../support/sync-scene.ts'
import { meanwhile } from '../support/waiting.ts'
import { makeClient } from '../support/warehouse.ts'

/** A GTIN is written with 12, 13 or 14 digits, and goods of one GTIN are one product. */
const [upc, ean, gtin] = ['036000291452', '0036000291452', '00036000291452']

const { db, wb, ...scene } = await openScene()

const writing = <T>(run: (work: Work) => Promise<T>) =>
  perform(db, systemClock, { kind: 'service' }, run)
const register = (clientId: string, barcode: string) => (work: Work) =>
  registerReceipt(work, clientId, { source: 'manual', items: [{ barcode, name: 'Плед', qty: 5 }] })
const requesting =
  (clientId: string, barcodes: readonly string[], externalRef?: string) => (work: Work) =>
    requestReceipt(
      work,
      { clientId, keyId: newId(), requestId: newId() },
      {
        ...(externalRef === undefined ? {} : { external_ref: externalRef }),
        items: barcodes.map((barcode) => ({ barcode, name: 'Плед', qty: 1, honest_mark: false })),
      },
    )
const request = (...draft: Parameters<typeof requesting>) => writing(requesting(...draft))
const productsOf = async (clientId: string) => {
  const rows = await db<{ barcode: string }[]>`
    select barcode from products where client_id = ${clientId} order by barcode`
  return rows.map(({ barcode }) => barcode)
}
const linesOf = async (clientId: string, receipt: string) => {
  const rows = await db<{ barcode: string }[]>`
    select barcode from receipt_items where client_id = ${clientId} and receipt_id = ${receipt} order by line`
  return rows.map(({ barcode }) => barcode)
}

test('goods in any spelling come to the product that was first', async () => {
  const { id: client } = await makeClient(db)
  await writing(register(client, ean))
  const second = await writing(register(client, upc))
  const third = await request(client, [gtin])
  await writing((work) => confirmReceipt(work, client, third.receipt.id))
  const put = await writing((work) => putProduct(work, client, { barcode: gtin, name: 'Шаль' }))
  assert.deepEqual(put, { barcode: ean, outcome: 'changed' })
  assert.deepEqual(await productsOf(client), [ean])
  assert.deepEqual(await linesOf(client, second), [ean])
  assert.deepEqual(await linesOf(client, third.receipt.id), [ean])
})

test('a repeat in another spelling is the same request', async () => {
  const { id: client } = await makeClient(db)
  const first = await request(client, [ean], 'REF')
  const again = await request(client, [gtin], 'REF')
  assert.deepEqual(again, { receipt: first.receipt, created: false, ignored: [] })
})

test('two spellings in one receipt are refused, with the place of the second', async () => {
  const { id: client } = await makeClient(db)
  await assert.rejects(request(client, [ean, 'X', upc]), {
    code: 'validation_error',
    message: /items\[2\]\.barcode: 036000291452 — тот же товар, что 0036000291452/,
  })
})

test('two barcodes of one product in one receipt are refused, but not in a repeat of a request', async () => {
  const { id: client } = await makeClient(db)
  for (const barcode of ['OWN', 'ALSO']) await writing(register(client, barcode))
  const first = await request(client, ['OWN', 'ALSO'], 'REF')
  await writing((work) => mergeProducts(work, client, { from: 'ALSO', into: 'OWN' }))
  assert.deepEqual(await linesOf(client, first.receipt.id), ['OWN'])
  const again = await request(client, ['OWN', 'ALSO'], 'REF')
  assert.deepEqual([again.receipt.id, again.created], [first.receipt.id, false])
  const refusal = (place: string) => ({
    code: 'validation_error',
    message: new RegExp(`${place}: ALSO — тот же товар, что OWN`),
  })
  await assert.rejects(request(client, ['OWN', 'ALSO']), refusal('items\\[1\\].barcode'))
  const items = ['OWN', 'ALSO'].map((barcode) => ({ barcode, qty: 1 }))
  const registering = (rows: readonly object[]) =>
    writing((work) =>
      registerReceipt(work, client, {
        source: 'file',
        items: items.map((item, n) => ({ ...item, ...rows[n] })),
      }),
    )
  await assert.rejects(registering([]), refusal('items\\[1\\].barcode'))
  await assert.rejects(registering([{ row: 2 }, { row: 3 }]), refusal('строка 3, .*'))
})

test('a request that comes at once with a merging has one line for both products, or is refused', async () => {
  const merge = (clientId: string) => (work: Work) =>
    mergeProducts(work, clientId, { from: 'ALSO', into: 'OWN' })
  const begun = (run: (work: Work) => Promise<unknown>) => (tx: Transaction) =>
    run(workAt(tx, systemClock.now(), { kind: 'service' }))
  const { id: client } = await makeClient(db)
  for (const barcode of ['OWN', 'ALSO']) await writing(register(client, barcode))
  const first = await meanwhile(db, begun(requesting(client, ['OWN', 'ALSO'], 'REF')), () =>
    writing(merge(client)),
  )
  assert.ok(first.waited)
  const [receipt] = await db<{ id: string }[]>`
    select id from receipts where client_id = ${client} and external_ref = 'REF'`
  assert.deepEqual(await linesOf(client, receipt?.id ?? ''), ['OWN'])

  const { id: other } = await makeClient(db)
  for (const barcode of ['OWN', 'ALSO']) await writing(register(other, barcode))
  const second = await meanwhile(db, begun(merge(other)), () => request(other, ['ALSO']))
  assert.ok(second.waited)
  assert.deepEqual(await linesOf(other, second.answer.receipt.id), ['OWN'])
})

// Guarantee (catalogue): All spellings of one GTIN are one product.
test('of two transactions that bring one GTIN in two spellings, the second finds the product of the first', async () => {
  const { id: client } = await makeClient(db)
  const { answer: second, waited } = await meanwhile(
    db,
    (tx) => register(client, ean)(workAt(tx, systemClock.now(), { kind: 'service' })),
    () => writing(register(client, gtin)),
  )
  assert.ok(waited)
  assert.deepEqual(await productsOf(client), [ean])
  assert.deepEqual(await linesOf(client, second), [ean])
})

test('of new goods and another barcode of a product that come at once, the second waits and finds the first', async () => {
  for (const code of ['SUP-1', upc]) {
    const { id: client } = await makeClient(db)
    await writing(register(client, 'OWN'))
    const add = (work: Work) => nameGoodsAlso(work, { clientId: client, barcode: 'OWN' }, code)
    const { answer: receipt, waited } = await meanwhile(
      db,
      (tx) => add(workAt(tx, systemClock.now(), { kind: 'service' })),
      () => writing(register(client, code)),
    )
    assert.ok(waited)
    assert.deepEqual(await productsOf(client), ['OWN'])
    assert.deepEqual(await linesOf(client, receipt), ['OWN'])

    const other = await makeClient(db)
    await writing(register(other.id, 'OWN'))
    const refused = meanwhile(
      db,
      (tx) => register(other.id, code)(workAt(tx, systemClock.now(), { kind: 'service' })),
      () => writing((work) => nameGoodsAlso(work, { clientId: other.id, barcode: 'OWN' }, code)),
    )
    await assert.rejects(refused, { code: 'conflict', message: /уже у другого товара/ })
    assert.deepEqual(await productsOf(other.id), [code, 'OWN'].toSorted())
  }
})

test('a file, a request of the seller and a scan of unlisted goods take the other barcode', async () => {
  const { id: client } = await makeClient(db)
  await writing(register(client, 'OWN'))
  await writing((work) => nameGoodsAlso(work, { clientId: client, barcode: 'OWN' }, upc))
  const { receipt } = await request(client, [gtin])
  await writing((work) => confirmReceipt(work, client, receipt.id))
  assert.deepEqual(await linesOf(client, receipt.id), ['OWN'])
  const { id } = await writing((work) => openWalkIn(work, client, {}))
  const scan = { scanId: 's', barcode: ean, name: 'Неизвестное' }
  const counted = await writing((work) => countScan(work, client, id, scan, 'optional'))
  assert.deepEqual([counted.barcode, counted.name], ['OWN', 'Плед'])
  assert.deepEqual(await productsOf(client), ['OWN'])
})

test('a request that waits takes the product that came meanwhile', async () => {
  const { id: client } = await makeClient(db)
  const { receipt } = await request(client, [gtin])
  await writing(register(client, ean))
  await writing((work) => confirmReceipt(work, client, receipt.id))
  await writing((work) => startReceiving(work, client, receipt.id))
  assert.deepEqual(await productsOf(client), [ean])
  const scan = { scanId: 's', barcode: gtin }
  await writing((work) => countScan(work, client, receipt.id, scan, 'optional'))
  const counted = await findReceipt(db, client, receipt.id)
  assert.deepEqual(
    counted?.items?.map(({ barcode, accepted_qty }) => [barcode, accepted_qty]),
    [[ean, 1]],
  )
})

test('goods that nobody announced are the product that lies there', async () => {
  const { id: client } = await makeClient(db)
  await writing(register(client, ean))
  const { id } = await writing((work) => openWalkIn(work, client, {}))
  const scan = { scanId: 's', barcode: gtin, name: 'Неизвестное' }
  const counted = await writing((work) => countScan(work, client, id, scan, 'optional'))
  assert.deepEqual([counted.barcode, counted.name], [ean, 'Плед'])
  assert.deepEqual(await productsOf(client), [ean])
})

test('a card names goods that a receipt writes in another spelling', async () => {
  const { account, clientId } = await scene.connect(wb)
  wb.addCard(account, { article: 'PLED', name: 'Плед шерстяной', barcodes: [ean] })
  await scene.sync()
  const id = await writing((work) =>
    registerReceipt(work, clientId, { source: 'manual', items: [{ barcode: gtin, qty: 1 }] }),
  )
  const receipt = await findReceipt(db, clientId, id)
  assert.deepEqual(
    receipt?.items?.map(({ name, article }) => [name, article]),
    [['Плед шерстяной', 'PLED']],
  )
})
