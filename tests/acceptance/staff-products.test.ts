import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { staffCalls, staffClient } from '../support/staff.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const service = await sharedService()
const { db } = service
const manager = await staffClient(service, 'manager')

interface Product {
  client_id: string
  barcode: string
  name: string
  article?: string
  honest_mark: boolean
  created_at: string
}

async function seller() {
  const { id } = await makeClient(db)
  const path = (barcode: string) => `/clients/${id}/products/${encodeURIComponent(barcode)}`
  return {
    id,
    get: (barcode: string) => manager.get(path(barcode)),
    put: (barcode: string, body: unknown) => manager.put(path(barcode), body),
  }
}

test('the first call creates a product, and every further call replaces it', async () => {
  const { id, get, put } = await seller()
  const first = await put('4600000000017', { name: 'Чайник', article: 'T-1', honest_mark: true })
  assert.equal(first.status, 201, first.text)
  const { created_at, ...made } = first.body as Product
  assert.match(created_at, /\+03:00$/)
  const product = { client_id: id, barcode: '4600000000017', name: 'Чайник', honest_mark: true }
  assert.deepEqual(made, { ...product, article: 'T-1' })
  assert.deepEqual((await get('4600000000017')).body, first.body)

  const second = await put('4600000000017', { name: 'Чайник' })
  assert.equal(second.status, 200)
  assert.deepEqual(second.body, { ...product, created_at })
  const third = await put('4600000000017', { name: 'Чайник 2', article: null, honest_mark: false })
  assert.deepEqual(third.body, { ...product, name: 'Чайник 2', honest_mark: false, created_at })
  assert.equal((await put('4600000000017', { name: 'Чайник 2' })).status, 200)

  const journal = await db`
    select before, after from staff_journal where client_id = ${id} order by id`
  assert.deepEqual(
    journal.map((row) => [row.before, row.after]),
    [
      [null, first.body],
      [first.body, second.body],
      [second.body, third.body],
    ],
  )
})

test('the stock list shows a change at once, also to a poll with an ETag', async () => {
  const { id, put } = await seller()
  await stockUp(db, id, { A: 2 })
  const { key } = await at(db, noon, (work) =>
    issueApiKey(work, id, { name: 'Чтение', receiptsEnabled: false }),
  )
  const reader = openClient(service.baseUrl, key)
  const etag = (await reader.get('/v1/stock')).headers.get('ETag') ?? ''
  const poll = () => reader.get('/v1/stock', { 'If-None-Match': etag })
  assert.equal((await poll()).status, 304)
  await put('A', { name: 'Новое имя' })
  const { items } = (await poll()).body as { items: { name: string; quantity: number }[] }
  assert.deepEqual(
    items.map((item) => [item.name, item.quantity]),
    [['Новое имя', 2]],
  )
  assert.equal((await put('B', { name: 'Ещё один' })).status, 201)
  assert.equal(((await reader.get('/v1/stock/B')).body as { quantity: number }).quantity, 0)
})

test('the path takes any barcode, percent-encoded', async () => {
  const { get, put } = await seller()
  for (const barcode of ['a/b', 'ё ж', '%', '?x=1#y', '..%2f', 'x'.repeat(64), 'щ'.repeat(64)]) {
    const made = await put(barcode, { name: 'Товар' })
    assert.equal(made.status, 201, made.text)
    assert.equal((made.body as Product).barcode, barcode)
    assert.deepEqual((await get(barcode)).body, made.body)
  }
})

test('of many concurrent calls exactly one creates the product', async () => {
  const { id, put } = await seller()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => put('A', { name: `Имя ${n}` })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 9)
  const [row] = await db`
    select count(*)::int as balances from stock_balances where client_id = ${id}`
  assert.equal(row?.balances, 1)
})

test('products are listed by barcode and found by a part of name or article', async () => {
  const { id, put } = await seller()
  for (const [barcode, name, article] of [
    ['b', 'Красный шар', 'R-1'],
    ['a', 'Синий шар', 'B-1'],
    ['C', 'Куб', 'b-2'],
  ]) {
    assert.equal((await put(String(barcode), { name, article })).status, 201)
  }
  const listed = async (filter: string) => {
    const { body, text } = await manager.get(`/clients/${id}/products?${filter}`)
    const page = body as { items: Product[]; total: number; next_cursor: string | null }
    assert.ok(page.items, text)
    return { ...page, barcodes: page.items.map((item) => item.barcode) }
  }
  const first = await listed('limit=2')
  assert.deepEqual(first.barcodes, ['C', 'a'])
  assert.equal(first.total, 3)
  const next = await listed(`limit=2&cursor=${encodeURIComponent(first.next_cursor ?? '')}`)
  assert.deepEqual([next.barcodes, next.next_cursor], [['b'], null])
  assert.deepEqual((await listed('search=ШАР')).barcodes, ['a', 'b'])
  assert.deepEqual((await listed('search=b-')).barcodes, ['C', 'a'])
  for (const text of ['шар красный', 'ШАР r-1', 'ifh rhfcysq', 'b шар красн'])
    assert.deepEqual((await listed(`search=${encodeURIComponent(text)}`)).barcodes, ['b'], text)
  assert.deepEqual((await listed('search=шар куб')).barcodes, [])
  assert.deepEqual((await listed('barcode=C')).barcodes, ['C'])
  assert.deepEqual((await listed('search=%25')).barcodes, [])
})

test('bad input is refused, naming the wrong field', async () => {
  const { id, get, put } = await seller()
  for (const [barcode, body, code, names] of [
    ['A', {}, 'validation_error', 'name'],
    ['A', { name: '' }, 'validation_error', 'name'],
    ['A', { name: 'x'.repeat(501) }, 'validation_error', 'name'],
    ['A', { name: 'a\0' }, 'validation_error', 'name'],
    ['A', { name: '\udfff' }, 'validation_error', 'name'],
    ['A', { name: 'x', article: 5 }, 'validation_error', 'article'],
    ['A', { name: 'x', article: 'x'.repeat(501) }, 'validation_error', 'article'],
    ['A', { name: 'x', honest_mark: 'yes' }, 'validation_error', 'honest_mark'],
    ['A', { name: 'x', barcode: 'B' }, 'bad_request', 'barcode'],
    ['A', [], 'bad_request', undefined],
    ['x'.repeat(65), { name: 'x' }, 'validation_error', 'barcode'],
  ] as const) {
    assertRefused(await put(barcode, body), code, names)
  }
  assertRefused(await get('A'), 'not_found')
  assertRefused(await get('a\0'), 'not_found')
  assertRefused(await put('a\0', { name: 'x' }), 'not_found')
  assertRefused(await manager.get('/clients/x/products/A'), 'not_found')
  assertRefused(await manager.put('/clients/x/products/A', { name: 'x' }), 'not_found')
  const path = `/clients/${id}/products/A`
  const worker = await staffClient(service, 'worker')
  assertRefused(await worker.put(path, { name: 'x' }), 'forbidden')
  assertRefused(await worker.get(path), 'forbidden')
  assertRefused(await staffCalls(service.baseUrl).put(path, { name: 'x' }), 'unauthorized')
})
