import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSandboxAccount } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { sharedService } from '../support/service.ts'

/** What the account knows of one product: how long it lasts, its receipts, its movements. */

const service = await sharedService()
const { account } = await openSandboxAccount(service)

async function read<T>(path: string): Promise<T> {
  const answer = await account.get(path)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body as T
}

/** All rows of a list. */
async function allOf<T>(path: string): Promise<T[]> {
  const items: T[] = []
  const sign = path.includes('?') ? '&' : '?'
  for (let cursor = ''; ; ) {
    const page = await read<{ items: T[]; next_cursor: string | null }>(
      `${path}${sign}limit=100${cursor && `&cursor=${cursor}`}`,
    )
    items.push(...page.items)
    if (page.next_cursor === null) return items
    cursor = page.next_cursor
  }
}

interface Stock {
  readonly barcode: string
  readonly quantity: number
  readonly in_question: number
  readonly available: number
}
interface Movement {
  readonly id: number
  readonly barcode: string
  readonly kind: string
  readonly words: string
  readonly delta: number
  readonly question_delta: number
  readonly reason: string | null
  readonly document: { readonly kind: string; readonly id: string; readonly title: string } | null
}

const stock = await allOf<Stock>('/stock')

// Guarantee (account): The movements that a seller sees of a product add up to its stock.
test('the movements of each product add up to its stock, with the documents that made them', async () => {
  const movements = await allOf<Movement>('/movements')
  for (const { barcode, quantity, in_question } of stock) {
    const own = movements.filter((movement) => movement.barcode === barcode)
    const sum = (of: 'delta' | 'question_delta') => own.reduce((all, each) => all + each[of], 0)
    assert.deepEqual([sum('delta'), sum('question_delta')], [quantity, in_question], barcode)
    const asked = await allOf<Movement>(`/movements?barcode=${barcode}`)
    assert.deepEqual(
      asked.map(({ id }) => id),
      own.map(({ id }) => id),
    )
  }
  assert.ok(movements.every(({ words, reason }) => words !== '' && !/[A-Z]_/.test(reason ?? '')))
  const paths = { receipt: 'receipts', shipment: 'shipments', return_batch: 'returns' }
  for (const kind of ['receipt', 'shipment', 'return_batch'] as const) {
    const document = movements.find((each) => each.document?.kind === kind)?.document
    assert.ok(document, kind)
    const { text } = await account.get(`/${paths[kind]}/${document.id}`)
    assert.ok(text.includes(JSON.stringify(document.title)), text)
  }
  const { text } = await account.get('/exports/movements?kind=shipment&format=csv')
  const shipped = movements.filter(({ kind }) => kind === 'shipment')
  assert.equal(text.trim().split('\r\n').length, shipped.length + 1)
  assertRefused(await account.get('/movements?kind=x'), 'bad_request', 'kind')
  assertRefused(await account.get('/movements?from=2026-02-02&to=2026-02-01'), 'bad_request', 'to')
})

test('how long a product lasts is what the list of cover says, and how many to bring what its search says', async () => {
  const covered = await allOf<{ barcode: string; a_day: number; days: number | null }>('/cover')
  assert.ok(covered.some(({ days }) => days !== null))
  for (const { barcode, available } of stock) {
    const path = `/stock/${encodeURIComponent(barcode)}/cover`
    const cover = await read<Record<string, number | null>>(path)
    const { items } = await read<{ items: { barcode: string; bring: number }[] }>(
      `/goods?search=${encodeURIComponent(barcode)}`,
    )
    const listed = covered.find((each) => each.barcode === barcode)
    assert.deepEqual(
      [cover.available, cover.a_day, cover.days, cover.bring],
      [available, listed?.a_day ?? 0, listed?.days ?? null, items[0]?.bring],
      barcode,
    )
  }
})

test('the receipts of a product are those whose lines have it', async () => {
  const receipts = await allOf<{ id: string }>('/receipts')
  const whole = await Promise.all(
    receipts.map(({ id }) =>
      read<{ id: string; items: { barcode: string; accepted_qty: number }[] }>(`/receipts/${id}`),
    ),
  )
  for (const { barcode } of stock.slice(0, 5)) {
    const { items } = await read<{ items: { id: string; accepted_qty: number }[] }>(
      `/stock/${barcode}/receipts`,
    )
    const expected = whole.flatMap(({ id, items }) =>
      items.flatMap((item) => (item.barcode === barcode ? [[id, item.accepted_qty]] : [])),
    )
    assert.deepEqual(
      items.map(({ id, accepted_qty }) => [id, accepted_qty]),
      expected.slice(0, 20),
      barcode,
    )
  }
})

test('goods that are none, and goods of another client, have nothing of this', async () => {
  const { account: other } = await openSandboxAccount(service)
  const cursor = ((await other.get('/movements?limit=1')).body as { next_cursor: string })
    .next_cursor
  assertRefused(await account.get(`/movements?limit=1&cursor=${cursor}`), 'bad_cursor')
  const mine = new Set((await allOf<Movement>('/movements')).map((each) => each.document?.id))
  const { items } = (await other.get('/movements?limit=200')).body as { items: Movement[] }
  assert.ok(items.every(({ document }) => document === null || !mine.has(document.id)))
  for (const path of ['/stock/nothing/cover', '/stock/nothing/receipts', '/stock/%00/cover']) {
    assertRefused(await account.get(path), 'not_found')
  }
})
