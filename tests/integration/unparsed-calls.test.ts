import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/faults.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { addLiveClient, startService } from '../support/service.ts'

const service = await startService()
const { db, baseUrl } = service
const { writing } = await addLiveClient(service)
const good = rawRequest('GET /v1/me', writing)

interface Call {
  readonly method: string
  readonly path: string
  readonly ip: string
  readonly status: number
  readonly known: boolean
}

/** The journal's entry of a refused request, by the id that its answer shows. */
async function entryOf(bytes: string): Promise<Call> {
  const answer = await sendRaw(baseUrl, '', Buffer.from(bytes))
  assert.equal(answer.status, 400, answer.text)
  const id = answer.headers.get('X-Request-Id')
  const find = () => db<Call[]>`
    select method, path, ip, status, key_id is not null as known from call_journal
    where request_id = ${id}`
  await eventually('the call is journalled', async () => (await find()).length > 0)
  const [entry, ...others] = await find()
  assert.ok(entry)
  assert.equal(others.length, 0)
  return { ...entry }
}

const refused = { ip: '127.0.0.1', status: 400, known: true }

// Guarantee (journal): A request that is no valid HTTP is in the journal of calls.
test('a request that the parser refuses is in the call journal as far as it is known', async () => {
  const get = (path: string) => good.replace('/v1/me', path)
  const pairs: readonly (readonly [bytes: string, method: string, path: string])[] = [
    [get('/v1/stock?search=плед'), 'GET', '/v1/stock'],
    [get('/v1/stock/плед'), 'GET', '/v1/stock/плед'],
    [get('http://sklad.test/v1/orders?x=ё'), 'GET', '/v1/orders'],
    [good.replace('Connection', 'X Y: 1\r\nConnection'), 'GET', '/v1/me'],
    [get(`/v1/${'x'.repeat(20_000)}`), 'GET', `/v1/${'x'.repeat(996)}…`],
    [get('/v1/x\u0000'), 'GET', '/v1/x\ufffd'],
  ]
  for (const [bytes, method, path] of pairs) {
    assert.deepEqual(await entryOf(bytes), { method, path, ...refused })
  }
  const nothing = { method: '-', path: '-', ...refused, known: false }
  assert.deepEqual(await entryOf('hello\r\n\r\n'), nothing)
})

test('a call with a wrong Host is in the call journal with its key', async () => {
  for (const bytes of [
    good.replace('Connection', 'Host: other.test\r\nConnection'),
    good.replace('Host: sklad.test\r\n', ''),
  ]) {
    assert.deepEqual(await entryOf(bytes), { method: 'GET', path: '/v1/me', ...refused })
  }
})

test('a bad chunk of a call that is served adds no second entry', async () => {
  const head = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
  const bytes = rawRequest('POST /v1/receipts', writing, head, 'zz\r\n\r\n')
  const id = (await sendRaw(baseUrl, '', bytes)).headers.get('X-Request-Id')
  await entryOf('hello\r\n\r\n')
  const entries = () => db<{ known: boolean }[]>`
    select key_id is not null as known from call_journal
    where path = '/v1/receipts' or request_id = ${id}`
  await eventually('the call is journalled', async () => (await entries()).length > 0)
  assert.deepEqual(
    (await entries()).map(({ known }) => known),
    [true],
  )
})

test('requests of the staff API are in no journal of calls', async () => {
  const before = await count()
  await sendRaw(baseUrl, '', Buffer.from(good.replace('/v1/me', '/staff/v1/users?x=ё')))
  await entryOf('hello\r\n\r\n')
  assert.equal(await count(), before + 1)
})

async function count(): Promise<number> {
  const [row] = await db<[{ n: number }]>`select count(*)::int as n from call_journal`
  return row.n
}
