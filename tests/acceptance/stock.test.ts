import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoodsItem } from '../../src/warehouse/stock/goods-list.ts'
import { assertRefused } from '../support/client.ts'
import { count, list, moment, object, optional, read, russian, text } from '../support/shape.ts'
import { openTarget, readAll, readPage } from '../support/target.ts'
import { stockShape } from './resources.ts'

const target = await openTarget()
const sandbox = await target.sandbox()
const all = await readAll(sandbox, '/v1/stock', {}, stockShape)

function find(query: Readonly<Record<string, string>>) {
  return readAll(sandbox, '/v1/stock', query, stockShape)
}

test('the list has all products by barcode, in byte order', () => {
  const barcodes = all.map((item) => item.barcode)
  assert.deepEqual(
    barcodes,
    barcodes.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
  assert.equal(new Set(barcodes).size, all.length)
})

test('available is the quantity without the units in question', () => {
  for (const item of all) {
    assert.equal(item.available, item.quantity - item.in_question, item.barcode)
    assert.ok(item.reserved <= item.quantity, item.barcode)
    assert.ok(item.pallets <= item.boxes, item.barcode)
  }
  assert.ok(all.some((item) => item.in_question > 0))
  assert.ok(all.some((item) => item.reserved > 0))
  assert.ok(all.some((item) => item.article === undefined))
})

test('figures of marketplaces are shown, with and without a split by warehouse', () => {
  const mirrored = all.flatMap((item) => item.marketplace_stock)
  assert.ok(mirrored.some((figure) => figure.warehouse_id !== undefined && figure.warehouse_name))
  assert.ok(mirrored.some((figure) => figure.warehouse_id === undefined))
})

test('goods in question, and goods of which a marketplace shows more than are available, are found among all', async () => {
  const own = await target.sandbox()
  for (const name of ['empty_stock', 'empty_stock', 'empty_stock']) {
    assert.equal((await own.post(`/v1/sandbox/triggers/${name}`)).status, 200)
  }
  const findOwn = (query: Readonly<Record<string, string>>) =>
    readAll(own, '/v1/stock', query, stockShape)
  const goods = await findOwn({})
  const { items: sets } = (await own.get('/v1/goods?is_set=true')).body as {
    items: readonly GoodsItem[]
  }
  const allowed = new Map(sets.map((each) => [each.barcode, each.parts_allow ?? 0]))
  const shownMost = ({ marketplace_stock: figures }: (typeof all)[number]) =>
    Math.max(
      ...['WB', 'OZON'].map((marketplace) =>
        figures
          .filter((each) => each.marketplace === marketplace)
          .reduce((sum, { quantity }) => sum + quantity, 0),
      ),
    )
  const selections = {
    in_question: goods.filter(({ in_question: units }) => units > 0),
    shows_more: goods.filter(
      (item) => shownMost(item) > item.available + (allowed.get(item.barcode) ?? 0),
    ),
  }
  for (const [selection, expected] of Object.entries(selections)) {
    const [one] = expected
    assert.ok(one && expected.length > 1 && expected.length < goods.length, selection)
    assert.deepEqual(await findOwn({ selection }), expected)
    assert.deepEqual(await findOwn({ selection, limit: '1' }), expected)
    assert.deepEqual(await findOwn({ selection, barcode: one.barcode }), [one])
    const called = expected.filter(({ name }) => name === one.name)
    assert.deepEqual(await findOwn({ selection, search: one.name }), called)
  }
})

test('one product is shown as in the list', async () => {
  for (const item of all) {
    const { body } = await sandbox.get(`/v1/stock/${encodeURIComponent(item.barcode)}`)
    assert.deepEqual(read(stockShape, body), item)
  }
})

test('a barcode must match exactly, in the path and in the filter', async () => {
  const [item] = all
  assert.ok(item)
  assert.deepEqual(await find({ barcode: item.barcode }), [item])
  for (const other of [
    item.barcode.slice(1),
    `${item.barcode}0`,
    ` ${item.barcode}`,
    'нет такого',
    '%',
  ]) {
    assert.deepEqual(await find({ barcode: other }), [])
    assertRefused(await sandbox.get(`/v1/stock/${encodeURIComponent(other)}`), 'not_found')
  }
  assert.deepEqual(await find({ barcode: '' }), [])
})

test('search finds parts of names and articles in any letter case, with е for ё', async () => {
  const words = ['плед', 'ПЛЕД', 'ёлка', 'а', 'pld-150', 'PLD', 'мл', ' плед ', '«Л', '1', 'и']
  words.push('тёплый', 'теплый', 'ТЕПЛЫЙ', 'те\u0308плый', 'флисовый,')
  const fold = (text: string) => text.normalize('NFC').toLowerCase().replaceAll('ё', 'е')
  for (const word of words) {
    const folded = fold(word).trim()
    const expected = all.filter(
      ({ name, article = '' }) => fold(name).includes(folded) || fold(article).includes(folded),
    )
    assert.deepEqual(await find({ search: word }), expected, word)
  }
  assert.ok((await find({ search: 'теплый' })).length > 0)
  assert.ok((await find({ search: 'ПЛЕД' })).length > 0)
})

test('search takes any spaces, and what was typed in the other layout of the keyboard', async () => {
  const expected = await find({ search: 'плед флис' })
  assert.ok(expected.length > 0)
  for (const search of [
    'плед  флис',
    'плед\u00a0флис',
    ' плед \t флис ',
    'gktl akbc',
    'GKTL\u00a0AKBC',
  ]) {
    assert.deepEqual(await find({ search }), expected, search)
  }
  assert.deepEqual(await find({ search: 'здв-150' }), await find({ search: 'pld-150' }))
})

test('search treats no character as special', async () => {
  for (const search of ['%', '_', 'Плед%', '\\', "'", '.*', '[а-я]']) {
    assert.deepEqual(await find({ search }), [], search)
  }
})

test('an empty search filters nothing, and both filters apply together', async () => {
  for (const search of ['', ' ', '\t\u00a0']) assert.deepEqual(await find({ search }), all)
  const [first, second] = all
  assert.ok(first && second)
  assert.deepEqual(await find({ barcode: first.barcode, search: first.name }), [first])
  assert.deepEqual(await find({ barcode: first.barcode, search: second.name }), [])
})

test('a client without goods has an empty list', async (t) => {
  if (target.live === undefined) return t.skip('no live keys')
  const { body } = await target.client(target.live.reading).get('/v1/stock')
  assert.deepEqual(body, { items: [], total: 0, next_cursor: null })
})

async function etagOf(query = '', client = sandbox): Promise<string> {
  const answer = await client.get(`/v1/stock${query}`)
  assert.equal(answer.status, 200)
  const etag = answer.headers.get('ETag') ?? ''
  assert.match(etag, /^(W\/)?"[\x21\x23-\x7e]+"$/)
  return etag
}

function poll(query: string, tags: string, client = sandbox) {
  return client.get(`/v1/stock${query}`, { 'If-None-Match': tags })
}

test('a poll of unchanged stock gets 304 with the ETag and without a body', async () => {
  const etag = await etagOf()
  assert.equal(await etagOf(), etag)
  const again = await poll('', etag)
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  assert.equal(again.headers.get('ETag'), etag)
})

test('If-None-Match takes weak ETags, a list of them, and a star', async () => {
  const etag = await etagOf()
  const opaque = etag.replace(/^W\//, '')
  for (const tags of [opaque, `W/${opaque}`, `"x", ${opaque}`, `W/"x",W/${opaque} , "y"`, '*']) {
    assert.equal((await poll('', tags)).status, 304, tags)
  }
  for (const tags of ['"x"', `${opaque.slice(0, -2)}"`, 'W/', '', '"*"']) {
    assert.equal((await poll('', tags)).status, 200, tags)
  }
})

test('a tag that a proxy changed, or that lost its quotes, still gets 304', async () => {
  const etag = await etagOf()
  const bare = etag.slice(1, -1)
  const added = ['-gzip', ';gzip', '--gzip', '-br', ';br', '-zstd', '-deflate', '-GZIP']
  const tags = added.flatMap((suffix) => [`"${bare}${suffix}"`, `W/"${bare}${suffix}"`])
  for (const held of [
    ...tags,
    `${etag}-gzip`,
    bare,
    `W/${bare}`,
    `w/${etag}`,
    `'${bare}'`,
    `"x", ${bare}-gzip`,
  ]) {
    assert.equal((await poll('', held)).status, 304, held)
  }
  for (const held of [
    `"${bare}-x"`,
    `"${bare}gzip"`,
    `"x-gzip"`,
    `"-gzip"`,
    `${bare.slice(1)}-gzip`,
  ]) {
    assert.equal((await poll('', held)).status, 200, held)
  }
})

test('an ETag matches the same request alone', async () => {
  const page = readPage(stockShape, (await sandbox.get('/v1/stock?limit=5')).body)
  const queries = [
    '',
    '?limit=5',
    '?limit=6',
    `?limit=5&cursor=${page.next_cursor}`,
    '?search=плед',
  ]
  queries.push(`?barcode=${all[0]?.barcode}`, `?barcode=${all[1]?.barcode}`)
  const tags = await Promise.all(queries.map((query) => etagOf(query)))
  assert.equal(new Set(tags).size, queries.length)
  for (const query of queries.slice(1)) {
    assert.equal((await poll(query, tags[0] ?? '')).status, 200, query)
  }
})

test('a bad request with an ETag is refused', async () => {
  assertRefused(await poll('?limit=x', '*'), 'bad_request', 'limit')
  assertRefused(await poll('?cursor=x', '*'), 'bad_cursor')
})

test('an ETag of one client does not match for another', async () => {
  const other = await target.sandbox()
  assert.equal((await poll('', await etagOf(), other)).status, 200)
})

// Guarantee (stock): Stock that has changed has another ETag.
test('changed stock has another ETag', async () => {
  const changing = await target.sandbox()
  const before = await etagOf('', changing)
  assert.equal((await poll('', before, changing)).status, 304)
  assert.equal((await changing.post('/v1/sandbox/reset')).status, 200)
  assert.equal((await poll('', before, changing)).status, 200)
  assert.notEqual(await etagOf('', changing), before)
})

test('the units in question of goods are listed by reason and add up', async () => {
  const shape = object({
    items: list(
      object({
        reason: text,
        label: russian,
        units: count,
        since: moment,
        receipt_id: optional(text),
      }),
    ),
  })
  assert.ok(all.some(({ in_question: units }) => units > 0))
  for (const { barcode, in_question: units } of all) {
    const answer = await sandbox.get(`/v1/stock/${encodeURIComponent(barcode)}/in-question`)
    const { items } = read(shape, answer.body)
    assert.equal(
      items.reduce((sum, item) => sum + item.units, 0),
      units,
      barcode,
    )
    const moments = items.map(({ since }) => Date.parse(since))
    assert.deepEqual(moments, moments.toSorted())
  }
  assertRefused(await sandbox.get('/v1/stock/nothing/in-question'), 'not_found')
})
