import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { assertRefused, type Client, newSandbox } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { count, integer, list, moment, object, orNull, read, text } from '../support/shape.ts'
import { readAll } from '../support/target.ts'
import { orderShape, receiptShape, returnShape } from './resources.ts'

/** The bill as a seller's program reads it. */

// Copies of the scenario that are made at two moments differ by the units that were stored over a midnight between.
const clock = new ManualClock(Date.now())
const settings = { SANDBOX_ROBOT: 'off' }
const service = await startService(settings, 'api', undefined, clock)
const money = text
const chargeShape = object({
  period: text,
  day: text,
  service: text,
  service_name: text,
  unit: text,
  quantity: text,
  price: money,
  amount: money,
  tariff: orNull(text),
  source: object({ kind: text, id: text, number: orNull(text), comment: orNull(text) }),
})
const summaryShape = object({
  amount: money,
  services: list(
    object({
      service: text,
      service_name: text,
      unit: text,
      quantity: text,
      amount: money,
      charges: count,
    }),
  ),
  days: list(object({ day: text, amount: money })),
  computed_at: orNull(moment),
})
const actShape = object({
  id: text,
  number: integer,
  period: text,
  day: text,
  amount: money,
  vat_rate: orNull(integer),
  vat: money,
  total: money,
  provider_name: text,
  provider_inn: text,
  client_name: text,
  client_inn: orNull(text),
  made_at: moment,
})

const [mine, stranger] = [await newSandbox(service), await newSandbox(service)]
const chargesOf = (client: Client, query: Readonly<Record<string, string>> = {}) =>
  readAll(client, '/v1/charges', query, chargeShape)
const charges = await chargesOf(mine)
const actsOf = (client: Client) => readAll(client, '/v1/acts', {}, actShape)

async function summaryOf(client: Client, query = '') {
  const answer = await client.get(`/v1/charges/summary${query}`)
  assert.equal(answer.status, 200, answer.text)
  return read(summaryShape, answer.body)
}

const kopecks = (amount: string) => {
  assert.match(amount, /^-?\d+\.\d\d$/)
  return Number(amount.replace('.', ''))
}
const sum = (rows: readonly { readonly amount: string }[]) =>
  rows.reduce((total, { amount }) => total + kopecks(amount), 0)
const quantityOf = (rows: Awaited<ReturnType<typeof chargesOf>>, service: string) =>
  rows
    .filter((row) => row.service === service)
    .reduce((total, { quantity }) => total + Number(quantity), 0)

test('the bill of a sandbox is that of its scenario', async () => {
  const receipts = await readAll(mine, '/v1/receipts', {}, receiptShape)
  const accepted = receipts.reduce((total, { accepted_qty }) => total + accepted_qty, 0)
  assert.equal(quantityOf(charges, 'UNIT_RECEIVED'), accepted)
  const returns = await readAll(mine, '/v1/returns', { limit: '200' }, returnShape)
  const returned = returns.reduce((total, { qty }) => total + qty, 0)
  const conditions = ['RETURN_SELLABLE', 'RETURN_DAMAGED', 'RETURN_UNKNOWN']
  assert.equal(
    conditions.reduce((total, code) => total + quantityOf(charges, code), 0),
    returned,
  )
  const orders = new Set((await readAll(mine, '/v1/orders', {}, orderShape)).map(({ id }) => id))
  const packed = charges.filter((charge) => charge.service === 'ORDER_PACKED')
  assert.ok(packed.length > 100)
  for (const { source } of packed) assert.ok(orders.has(source.id), source.id)
  assert.deepEqual((await audit(service.db)).findings, [])
})

test('pages hold every charge once, in the order of days', async () => {
  assert.deepEqual(await chargesOf(mine, { limit: '97' }), charges)
  const days = charges.map(({ day }) => day)
  assert.deepEqual(days, days.toSorted().reverse())
  const { total } = (await mine.get('/v1/charges?limit=1')).body as { total: number }
  assert.equal(total, charges.length)
})

test('sums are those of the list, by service and by day, from the first day up to the last without it', async () => {
  const whole = await summaryOf(mine)
  assert.equal(kopecks(whole.amount), sum(charges))
  assert.equal(sum(whole.services), sum(charges))
  assert.equal(sum(whole.days), sum(charges))
  const days = whole.days.map(({ day }) => day)
  const [from = '', to = ''] = [days.at(-8), days.at(-3)]
  const within = charges.filter(({ day }) => day >= from && day < to)
  assert.ok(within.some(({ day }) => day === from))
  assert.deepEqual(await chargesOf(mine, { from, to }), within)
  assert.equal(kopecks((await summaryOf(mine, `?from=${from}&to=${to}`)).amount), sum(within))
  assertRefused(await mine.get(`/v1/charges?from=${to}&to=${from}`), 'bad_request', 'from')
  assertRefused(await mine.get('/v1/charges/summary?from=yesterday'), 'bad_request', 'from')
})

test('charges are found by service and by what they are for', async () => {
  const some = charges.find(({ service }) => service === 'ORDER_PACKED')
  assert.ok(some)
  assert.deepEqual(
    await chargesOf(mine, { service: some.service }),
    charges.filter(({ service }) => service === some.service),
  )
  const source = `${some.source.kind}:${some.source.id}`
  const ofOrder = await chargesOf(mine, { source })
  assert.deepEqual(
    ofOrder,
    charges.filter((charge) => charge.source.id === some.source.id),
  )
  assert.ok(ofOrder.length > 0)
  assert.deepEqual(await chargesOf(mine, { service: 'NO_SUCH' }), [])
})

test('an act closes its month with the sum of its charges', async () => {
  const acts = await actsOf(mine)
  assert.ok(acts.length > 0)
  assert.deepEqual(
    acts.map(({ number }) => number),
    acts.map((_, index) => acts.length - index),
  )
  for (const act of acts) {
    assert.deepEqual((await mine.get(`/v1/acts/${act.id}`)).body, act)
    const ofMonth = await chargesOf(mine, { period: act.period })
    assert.ok(ofMonth.length > 0)
    assert.equal(kopecks(act.amount), sum(ofMonth))
    assert.equal(kopecks(act.vat), Math.round((sum(ofMonth) * (act.vat_rate ?? 0)) / 100))
    assert.equal(kopecks(act.total), kopecks(act.amount) + kopecks(act.vat))
    assert.ok(Date.parse(act.made_at) <= Date.now())
  }
})

test('the file of an act is a PDF, a page, or rows for 1C', async () => {
  const [act] = await actsOf(mine)
  const file = `/v1/acts/${act?.id}/file`
  const pdf = await mine.get(file)
  assert.equal(pdf.headers.get('content-type'), 'application/pdf')
  assert.ok(pdf.text.startsWith('%PDF'))
  const page = (await mine.get(`${file}?format=html`)).text
  assert.match(page, new RegExp(`Акт оказанных услуг № ${act?.number}`))
  const rows = await mine.get(`${file}?format=1c`)
  assert.equal(rows.headers.get('content-type'), 'text/csv; charset=utf-8')
  assertRefused(await mine.get(`${file}?format=doc`), 'bad_request', 'format')
})

// Guarantee (billing): A key sees the charges and acts of its own client only.
test('another key sees neither the acts nor the charges', async () => {
  const [act] = await actsOf(mine)
  const charge = charges.find(({ service }) => service === 'ORDER_PACKED')
  for (const end of ['', '/file', '/file?format=1c']) {
    const answer = await stranger.get(`/v1/acts/${act?.id}${end}`)
    assertRefused(answer, 'not_found')
    assertRefused(await mine.get(`/v1/acts/none${end}`), 'not_found')
  }
  const foreign = `/v1/charges?source=order:${charge?.source.id}`
  assert.deepEqual((await stranger.get(foreign)).body, { items: [], total: 0, next_cursor: null })
  const ids = new Set((await chargesOf(stranger)).map(({ source }) => source.id))
  assert.ok(!ids.has(charge?.source.id ?? ''))
  const page = (await mine.get('/v1/charges?limit=1')).body as { next_cursor: string }
  const cursor = encodeURIComponent(page.next_cursor)
  assertRefused(await stranger.get(`/v1/charges?limit=1&cursor=${cursor}`), 'bad_cursor')
})

test('played hours are charged at once, and a reset bills the scenario anew', async () => {
  const client = await newSandbox(service)
  const before = await summaryOf(client)
  const played = await client.post('/v1/sandbox/advance', { hours: 12 })
  assert.equal(played.status, 200, played.text)
  const after = await summaryOf(client)
  const packed = ({ services }: typeof after) =>
    Number(services.find(({ service }) => service === 'ORDER_PACKED')?.quantity)
  assert.ok(packed(after) > packed(before))
  assert.ok(kopecks(after.amount) > kopecks(before.amount))
  assert.deepEqual((await audit(service.db)).findings, [])
  await client.post('/v1/sandbox/reset')
  assert.deepEqual((await summaryOf(client)).amount, before.amount)
  assert.equal((await actsOf(client)).at(-1)?.number, 1)
})
