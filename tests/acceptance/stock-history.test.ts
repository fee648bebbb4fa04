import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, type Client } from '../support/client.ts'
import { count, moment, object, optional, orNull, text } from '../support/shape.ts'
import { openTarget, readAll } from '../support/target.ts'
import { stockShape } from './resources.ts'

/** The stock of a past moment, as an accountant asks for it. */

const target = await openTarget({ SANDBOX_ROBOT: 'off' })
/** Nothing happens in it. */
const calm = await target.sandbox()

const pastShape = object({
  barcode: text,
  article: optional(text),
  name: text,
  quantity: count,
  available: count,
  in_question: count,
  updated_at: orNull(moment),
})

const pastOf = (client: Client, at: string, query: Readonly<Record<string, string>> = {}) =>
  readAll(client, '/v1/stock-history', { at, ...query }, pastShape)

async function stockOf(client: Client) {
  const items = await readAll(client, '/v1/stock', {}, stockShape)
  return items.map(({ barcode, article, name, quantity, available, in_question }) => ({
    barcode,
    ...(article === undefined ? {} : { article }),
    name,
    quantity,
    available,
    in_question,
  }))
}

const withoutTimes = (items: Awaited<ReturnType<typeof pastOf>>) =>
  items.map(({ updated_at: _, ...item }) => item)

/** The moment of the last movement. */
async function momentOf(client: Client): Promise<string> {
  const items = await readAll(client, '/v1/stock', {}, stockShape)
  const last = Math.max(...items.map(({ updated_at }) => Date.parse(updated_at)))
  return new Date(last).toISOString()
}

test('the stock of now is that of the list, page by page', async () => {
  const stock = await stockOf(calm)
  const now = await momentOf(calm)
  assert.deepEqual(withoutTimes(await pastOf(calm, now)), stock)
  assert.deepEqual(withoutTimes(await pastOf(calm, now, { limit: '5' })), stock)
  const [some] = stock
  const found = await pastOf(calm, now, { barcode: some?.barcode ?? '' })
  assert.deepEqual(withoutTimes(found), [some])
})

test('what comes later changes nothing of a moment', async () => {
  const client = await target.sandbox()
  const [before, at] = [await stockOf(client), await momentOf(client)]
  for (const name of ['receipt_completed', 'goods_in_question', 'empty_stock']) {
    const played = await client.post(`/v1/sandbox/triggers/${name}`)
    assert.equal(played.status, 200, played.text)
  }
  const after = await stockOf(client)
  assert.notDeepEqual(after, before)
  const past = withoutTimes(await pastOf(client, at))
  const known = new Set(before.map(({ barcode }) => barcode))
  assert.deepEqual(
    past.filter(({ barcode }) => known.has(barcode)),
    before,
  )
  for (const { quantity, in_question } of past.filter(({ barcode }) => !known.has(barcode))) {
    assert.deepEqual([quantity, in_question], [0, 0], 'goods that were not there yet')
  }
})

test('the beginning of the month of a sandbox has fewer movements than its end', async () => {
  const now = Date.parse(await momentOf(calm))
  const month = await pastOf(calm, new Date(now - 20 * 24 * 3_600_000).toISOString())
  assert.ok(month.some(({ quantity }) => quantity > 0))
  for (const { updated_at } of month) {
    assert.ok(updated_at === null || Date.parse(updated_at) <= now - 20 * 24 * 3_600_000)
  }
  assert.notDeepEqual(withoutTimes(month), await stockOf(calm))
})

test('a moment that is missing, in the future or before the ledger is refused by its name', async () => {
  for (const query of ['', '?at=', '?at=x', '?at=2999-01-01', '?at=2020-01-01']) {
    assertRefused(await calm.get(`/v1/stock-history${query}`), 'bad_request', 'at')
  }
  const early = await calm.get('/v1/stock-history?at=2020-01-01')
  const [, beginning = ''] = /начинается (\S+):/.exec(early.message) ?? []
  const first = await pastOf(calm, beginning)
  assert.ok(first.some(({ updated_at }) => updated_at === beginning))
})

test('a cursor holds for its moment alone', async () => {
  const at = await momentOf(calm)
  const { body } = await calm.get(`/v1/stock-history?at=${at}&limit=2`)
  const { next_cursor: cursor } = body as { next_cursor: string }
  const earlier = new Date(Date.parse(at) - 1).toISOString()
  assertRefused(await calm.get(`/v1/stock-history?at=${earlier}&cursor=${cursor}`), 'bad_cursor')
})
