import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eventually } from '../support/faults.ts'
import { addLiveClient, sharedService } from '../support/service.ts'

/** The MCP server as a client calls it: messages of JSON-RPC over HTTP. */

const service = await sharedService()
const keys = await addLiveClient(service)
const other = await addLiveClient(service)

interface Answer {
  readonly error?: { readonly code: unknown; readonly message: string }
  readonly result?: {
    readonly serverInfo?: { readonly name: string }
    readonly tools?: readonly Tool[]
    readonly isError?: boolean
    readonly content?: readonly { readonly text: string }[]
  }
}

interface Tool {
  readonly name: string
  readonly description: string
  readonly annotations: { readonly readOnlyHint: boolean }
  readonly inputSchema: {
    readonly type: string
    readonly properties: Readonly<Record<string, { readonly maximum?: number }>>
  }
}

async function send(
  key: string | undefined,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-06-18',
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify(message),
  })
  const text = await response.text()
  const [, streamed = text] = /^data: (.*)$/m.exec(text) ?? []
  return { response, answer: JSON.parse(streamed) as Answer }
}

const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const initialize = call('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

/** The texts that a tool answers. */
async function use(key: string, name: string, given: object = {}) {
  const { answer } = await send(key, call('tools/call', { name, arguments: given }))
  assert.ok(answer.result, JSON.stringify(answer))
  const [first = '', ...more] = (answer.result.content ?? []).map(({ text }) => text)
  return { first, more, isError: answer.result.isError }
}

async function sandboxKey(): Promise<string> {
  const response = await fetch(`${service.baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  return ((await response.json()) as { key: string }).key
}

const testKey = await sandboxKey()

test('a client meets the server, and the tools with their schemas', async () => {
  const { answer } = await send(testKey, initialize)
  assert.equal(answer.result?.serverInfo?.name, 'sklad')
  const listed = (await send(testKey, call('tools/list'))).answer.result?.tools ?? []
  const writes = listed.filter(({ annotations }) => !annotations.readOnlyHint)
  assert.deepEqual(
    writes.map(({ name }) => name),
    ['create_receipt'],
  )
  for (const name of ['stock', 'orders', 'receipts', 'shipments', 'returns', 'events']) {
    const list = listed.find((tool) => tool.name === `list_${name}`)
    assert.equal(list?.inputSchema.properties.limit?.maximum, 50, name)
  }
  assert.ok(listed.some(({ name }) => name === 'get_metrics'))
})

test('a page is bounded, and says how to go on', async () => {
  const first = await use(testKey, 'list_orders', { limit: 1000 })
  const page = JSON.parse(first.first) as { items: { id: string }[]; next_cursor: string }
  assert.equal(page.items.length, 50)
  assert.match(first.more.join(), new RegExp(`повторите с cursor="${page.next_cursor}"`))
  const second = await use(testKey, 'list_orders', { limit: 1, cursor: page.next_cursor })
  const next = JSON.parse(second.first) as { items: { id: string }[] }
  assert.ok(!page.items.some(({ id }) => id === next.items[0]?.id))
})

test('a receipt is announced in the sandbox, and its event read', async () => {
  await use(testKey, 'list_events', { after: 'latest' })
  const me = JSON.parse((await use(testKey, 'get_me')).first) as { cabinets: { id: string }[] }
  const draft = {
    cabinet_id: me.cabinets[0]?.id,
    external_ref: 'MCP-1',
    items: [{ barcode: '2000000010014', qty: 3, honest_mark: false }],
  }
  const made = JSON.parse((await use(testKey, 'create_receipt', draft)).first) as { id: string }
  const read = JSON.parse((await use(testKey, 'get_receipt', { id: made.id })).first)
  assert.equal(read.expected_qty, 3)
  assert.match((await use(testKey, 'list_events')).first, /"receipt\.created"/)
})

suite('the rules of the API', () => {
  test('errors come in its words', async () => {
    for (const [name, given, said] of [
      ['get_order', { id: 'none' }, /^not_found: /],
      ['list_orders', { status: 'SOLD' }, /^bad_request: .*status/],
      ['list_orders', { limit: 'many' }, /^bad_request: .*limit/],
      ['create_receipt', {}, /^validation_error: .*items/],
    ] as const) {
      const { first, isError } = await use(testKey, name, given)
      assert.ok(isError, name)
      assert.match(first, said)
    }
  })

  test('what the tools do not know is named', async () => {
    const unknown = await use(testKey, 'drop_stock')
    assert.ok(unknown.isError)
    assert.match(unknown.first, /drop_stock; есть: get_me, list_stock/)
    const { more } = await use(testKey, 'list_stock', { limit: 1, colour: 'red' })
    assert.match(more.join(), /не учтены: colour/)
  })

  test('a key that may only read announces nothing', async () => {
    const items = [{ barcode: '1', name: 'Плед', qty: 1, honest_mark: false }]
    const { first, isError } = await use(keys.reading, 'create_receipt', { items })
    assert.ok(isError)
    assert.match(first, /^write_disabled: /)
  })

  test('nothing of another client is shown', async () => {
    const items = [{ barcode: '1', name: 'Плед', qty: 1, honest_mark: false }]
    const made = JSON.parse((await use(keys.writing, 'create_receipt', { items })).first)
    const { first } = await use(other.reading, 'get_receipt', { id: made.id })
    assert.match(first, /^not_found: /)
    assert.equal(JSON.parse((await use(other.reading, 'list_receipts')).first).total, 0)
  })

  test('a wrong, revoked or missing key gets 401 for every message', async () => {
    const list = call('tools/call', { name: 'list_stock', arguments: {} })
    const unknown = call('tools/call', { name: 'drop_stock' })
    for (const message of [initialize, call('tools/list'), list, unknown]) {
      for (const [key, code] of [
        ['svc_live_none', 'unauthorized'],
        [keys.revoked, 'key_revoked'],
        [undefined, 'unauthorized'],
      ] as const) {
        const { response, answer } = await send(key, message)
        assert.equal(response.status, 401)
        assert.equal(response.headers.get('WWW-Authenticate'), 'Bearer')
        assert.equal(answer.error?.code, code)
      }
    }
  })

  test('each message is one call in the journal, under its own path', async () => {
    const { writing } = await addLiveClient(service)
    const { key } = JSON.parse((await use(writing, 'get_me')).first)
    await use(writing, 'list_shipments')
    await send(writing, initialize)
    const calls = () => service.db`
      select path, ip from call_journal where key_id = ${key.id} order by path`
    await eventually('the journal is written', async () => (await calls()).length > 2)
    const ip = '127.0.0.1'
    const paths = ['/v1/me', '/v1/me', '/v1/shipments']
    assert.deepEqual(
      [...(await calls())],
      paths.map((path) => ({ path, ip })),
    )
  })
})

test('a page of another site reaches nothing', async () => {
  const { response } = await send(testKey, initialize, { Origin: 'http://rebound.example' })
  assert.equal(response.status, 403)
})

test('several messages at once, no JSON and other methods are refused', async () => {
  const { response } = await send(testKey, [call('tools/list'), call('tools/list')])
  assert.equal(response.status, 400)
  for (const method of ['GET', 'DELETE']) {
    const refused = await fetch(`${service.baseUrl}/mcp`, { method })
    assert.equal(refused.status, 405)
    assert.equal(refused.headers.get('Allow'), 'POST')
  }
})
