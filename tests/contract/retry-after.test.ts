import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { cancelMove, moveWarehouse } from '../../src/operations/moving/move.ts'
import { setSwitch } from '../../src/platform/process/switches.ts'
import type { Answer } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** Retry-After comes with 429 alone (section Limits), whatever keeps a call from being answered. tests/failover/database-away.test.ts has the database that is away. */

interface Documented {
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>
}
const { paths } = JSON.parse(
  readFileSync(new URL('../../openapi/public.json', import.meta.url), 'utf8'),
) as { paths: Readonly<Record<string, Readonly<Record<string, Documented>>>> }
const documented = Object.values(paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
)

test('the document names Retry-After with 429 alone', () => {
  for (const [status, { headers = {} }] of documented) {
    assert.equal(Object.hasOwn(headers, 'Retry-After'), status === '429', status)
  }
})

const receiver = await openReceiver()
after(() => receiver.close())
const service = await startService({
  RATE_LIMIT_BURST: '1000',
  RATE_LIMIT_PER_MINUTE: '10000',
  SANDBOX_KEY_BURST: '1',
  SANDBOX_KEYS_PER_HOUR: '1',
  WEBHOOK_PRIVATE_TARGETS: 'allow',
})
const { db, baseUrl } = service
const limits = { RATE_LIMIT_BURST: '1', RATE_LIMIT_PER_MINUTE: '1' }
/** One more process, which is strict. */
const strict = await startService(limits, 'api', async () => db)
const warehouse = 'LEAVES'
const cells = { db, other: (await testDatabase()).db, progress: () => {} }

const seen = new Set<string>()
const items = [{ barcode: '4600000000017', name: 'Плед', qty: 1, honest_mark: false }]
const hook = { url: receiver.url, events: ['receipt.created'] }
let keys = { reads: '', writes: '', gone: '' }

before(async () => {
  const admin = await staffClient(service, 'administrator')
  const made = async (path: string, body: object) => {
    const { status, body: given, text } = await admin.post(path, body)
    assert.equal(status, 201, text)
    return given as { id: string; key: string }
  }
  await made('/warehouses', { code: warehouse, name: 'Уедет' })
  const { id } = await made('/clients', { name: 'ООО «Север»', warehouse_code: warehouse })
  await made(`/clients/${id}/cabinets`, { marketplace: 'WB', name: 'Север WB' })
  const issue = (name: string, receipts_enabled: boolean) =>
    made(`/clients/${id}/keys`, { name, receipts_enabled })
  const [reads, writes, gone] = [
    await issue('Чтение', false),
    await issue('1С', true),
    await issue('Отозванный', true),
  ]
  assert.equal((await admin.post(`/keys/${gone.id}/revoke`)).status, 200)
  keys = { reads: reads.key, writes: writes.key, gone: gone.key }
})

/** Makes a call, looks at its header, and keeps its status and code. */
async function look(
  method: string,
  path: string,
  { key, body, headers, at = baseUrl }: Given = {},
): Promise<Response> {
  const own = { ...(key && { 'X-Api-Key': key }), 'Content-Type': 'application/json', ...headers }
  const answer = await fetch(`${at}${path}`, {
    ...{ method, headers: own },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.clone().text()
  const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: { code: string } }
  const said = [answer.status, error?.code].filter((part) => part !== undefined).join(' ')
  seen.add(said)
  assert.equal(answer.headers.has('Retry-After'), answer.status === 429, `${path}: ${said}`)
  return answer
}

interface Given {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: string
}

suite('an answer has Retry-After with 429 alone', () => {
  test('where it does what was asked', async () => {
    const { writes: key } = keys
    const stock = await look('GET', '/v1/stock', { key })
    await look('GET', '/v1/stock', {
      key,
      headers: { 'If-None-Match': stock.headers.get('ETag') ?? '' },
    })
    await look('POST', '/v1/receipts', { key, body: { external_ref: '1', items } })
    const made = (await (await look('POST', '/v1/webhooks', { key, body: hook })).json()) as {
      webhook: { id: string }
    }
    await look('POST', `/v1/webhooks/${made.webhook.id}/ping`, { key })
    await look('DELETE', `/v1/webhooks/${made.webhook.id}`, { key })
  })

  test('where the caller has to change something', async () => {
    const { reads, writes: key, gone } = keys
    await look('GET', '/v1/me')
    await look('GET', '/v1/me', { key: gone })
    await look('GET', '/v1/nowhere', { key })
    await look('GET', '/v1/receipts?limit=x', { key })
    await look('GET', '/v1/receipts?cursor=x', { key })
    await look('POST', '/v1/receipts', { key, body: { items: [] } })
    await look('POST', '/v1/receipts', { key: reads, body: { external_ref: '2', items } })
    await look('POST', '/v1/sandbox/reset', { key })
    receiver.reply = () => 500
    await look('POST', '/v1/webhooks', { key, body: hook })
    receiver.reply = () => 200
    // The client of the tests looks at the header, too.
    const refused: Answer = await sendRaw(
      baseUrl,
      '/v1/me',
      rawRequest('GET /v1/me', key, 'Content-Length: x\r\n'),
    )
    seen.add(`${refused.status} unparsed`)
  })

  test('where an operator has switched webhooks off', async () => {
    await setSwitch(db, 'webhooks', false)
    await look('GET', '/v1/webhooks', { key: keys.writes })
    await setSwitch(db, 'webhooks', true)
  })

  test('where there were too many calls', async () => {
    const { reads: key } = keys
    for (let call = 0; call < 3; call += 1) await look('GET', '/v1/me', { key, at: strict.baseUrl })
    for (let call = 0; call < 3; call += 1) await look('POST', '/v1/sandbox/keys')
  })

  test('where a move of the warehouse holds its writes, and after it has moved', async () => {
    const { writes: key } = keys
    const writes = async () => {
      await look('POST', '/v1/receipts', { key, body: { external_ref: '3', items } })
      await look('POST', '/v1/webhooks', { key, body: hook })
    }
    const move = { warehouse, otherCode: 'CAME' }
    const heldAlone = {
      ...cells,
      progress(line: string) {
        if (line === 'held: writes of the warehouse are refused') throw new Error('broken off')
      },
    }
    await assert.rejects(moveWarehouse(heldAlone, move), /broken off/)
    seen.delete('201')
    await writes()
    assert.ok(!seen.has('201'), 'nothing was held')
    assert.ok(seen.delete('502 warehouse_unavailable') && seen.delete('500 internal'))
    await cancelMove(cells, warehouse)
    await writes()
    await moveWarehouse(cells, move)
    await writes()
    await look('GET', '/v1/stock', { key })
  })

  test('and these were all statuses that the document has', () => {
    const statuses = new Set([...seen].map((each) => each.split(' ')[0]))
    assert.deepEqual(
      [...new Set(documented.map(([status]) => status))].filter((status) => !statuses.has(status)),
      [],
    )
    for (const said of ['502 warehouse_unavailable', '500 internal', '503 webhooks_unavailable']) {
      assert.ok(seen.has(said), said)
    }
  })
})
