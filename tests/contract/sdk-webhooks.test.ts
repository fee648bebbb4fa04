import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { deliveryHeaders, newSecret } from '../../src/exchange/webhooks/signature.ts'
import { signedExample } from '../../src/http/public/examples.ts'
import { installClient } from '../support/installed-client.ts'

/** The check of signatures and the handlers of the installed client, with headers as the service makes them. */

const { folder, module } = await installClient()
const { SkladError, verifyWebhook, webhookHandler } = module
const nodeEntry = join(folder, 'node_modules/@sklad/client/dist/node.js')
const { fastifyWebhooks, nodeWebhookHandler } = (await import(
  pathToFileURL(nodeEntry).href
)) as typeof import('../../sdk/typescript/src/node.ts')

const moment = 1_790_000_000
const now = () => moment * 1000
const [secret, other] = [newSecret(), newSecret()]

function signed(given: { body?: string; secret?: string; type?: string; at?: number } = {}) {
  const { body = bodyOf('event-1'), type = 'receipt.completed', at = moment } = given
  const headers = deliveryHeaders({
    eventId: 'event-1',
    eventType: type,
    deliveryHeaderId: 'delivery-1',
    timestamp: at,
    secret: given.secret ?? secret,
    body: Buffer.from(body),
  })
  return { body, headers }
}

function bodyOf(id: string, type = 'receipt.completed'): string {
  return JSON.stringify({
    id,
    type,
    occurred_at: '2026-11-20T15:00:00.000+03:00',
    data: { number: 'Плед' },
  })
}

/** The code of the error that a request is refused with. */
async function refusal(request: Parameters<typeof verifyWebhook>[0]): Promise<string> {
  const error = await verifyWebhook(request).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof SkladError, String(error))
  return error.code
}

suite('verifyWebhook', () => {
  test('accepts bytes in every form, and headers in every form', async () => {
    const { body, headers } = signed()
    const bytes = new TextEncoder().encode(body)
    for (const given of [body, bytes, bytes.buffer, Buffer.from(body)]) {
      const event = await verifyWebhook({ body: given, headers, secret, now })
      assert.deepEqual(event, JSON.parse(body))
    }
    const entries = Object.entries(headers)
    for (const given of [
      new Headers(headers),
      Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])),
      Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), [value]])),
    ]) {
      assert.equal((await verifyWebhook({ body, headers: given, secret, now })).id, 'event-1')
    }
  })

  test('agrees with the example of the guide', async () => {
    const example = signedExample('webhook.ping')
    const headers = {
      'X-SVC-Timestamp': String(example.timestamp),
      'X-SVC-Signature': example.signature,
    }
    const at = () => Number(example.timestamp) * 1000
    const { body } = example
    const event = await verifyWebhook({ body, headers, secret: example.secret, now: at })
    assert.equal(event.type, 'webhook.ping')
  })

  test('accepts any of several secrets, and none of another or of no secret', async () => {
    const request = signed({ secret: other })
    assert.equal((await verifyWebhook({ ...request, secret: [secret, other], now })).id, 'event-1')
    assert.equal(await refusal({ ...request, secret, now }), 'signature_mismatch')
    const unsigned = { ...request, now }
    assert.equal(await refusal({ ...unsigned, secret: [] }), 'signature_mismatch')
    assert.equal(await refusal({ ...unsigned, secret: '' }), 'signature_mismatch')
    const { missing } = JSON.parse('{}') as { missing: string }
    assert.equal(await refusal({ ...unsigned, secret: missing }), 'signature_mismatch')
  })

  test('refuses every changed byte of the body, the time and the signature', async () => {
    const { body, headers } = signed()
    const bytes = Buffer.from(body)
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8((changed[index] ?? 0) ^ 1, index)
      assert.equal(await refusal({ body: changed, headers, secret, now }), 'signature_mismatch')
    }
    const later = { ...headers, 'X-SVC-Timestamp': String(moment + 1) }
    assert.equal(await refusal({ body, headers: later, secret, now }), 'signature_mismatch')
    const zero = { ...headers, 'X-SVC-Signature': `sha256=${'0'.repeat(64)}` }
    assert.equal(await refusal({ body, headers: zero, secret, now }), 'signature_mismatch')
  })

  test('refuses a time that is further away than the tolerance, in either direction', async () => {
    for (const at of [moment - 301, moment + 301]) {
      assert.equal(await refusal({ ...signed({ at }), secret, now }), 'signature_stale')
      const request = { ...signed({ at }), secret, now, toleranceSeconds: 400 }
      assert.equal((await verifyWebhook(request)).id, 'event-1')
    }
    const request = { ...signed(), secret, now, toleranceSeconds: Number.NaN }
    assert.equal(await refusal(request), 'signature_stale')
  })

  test('refuses headers that are missing, doubled or no signature', async () => {
    const { body, headers } = signed()
    for (const [name, value] of [
      ['X-SVC-Signature', undefined],
      ['X-SVC-Signature', ''],
      ['X-SVC-Signature', 'sha256='],
      ['X-SVC-Signature', headers['X-SVC-Signature']?.toUpperCase()],
      ['X-SVC-Signature', [headers['X-SVC-Signature'], headers['X-SVC-Signature']]],
      ['X-SVC-Timestamp', undefined],
      ['X-SVC-Timestamp', '1e9'],
      ['X-SVC-Timestamp', ' 1'],
    ] as const) {
      const given = { ...headers, [name]: value } as Record<string, string>
      assert.equal(await refusal({ body, headers: given, secret, now }), 'signature_missing')
    }
  })

  test('refuses signed bytes that are no JSON, and a body that was parsed', async () => {
    assert.equal(await refusal({ ...signed({ body: 'no' }), secret, now }), 'body_invalid')
    const parsed = JSON.parse(bodyOf('event-1'))
    const { headers } = signed()
    assert.equal(await refusal({ headers, body: parsed, secret, now }), 'body_invalid')
  })
})

type Options = Parameters<typeof webhookHandler>[0]
type Send = (request: ReturnType<typeof signed>, method?: string) => Promise<number>

/** Each way to receive, as a function that sends a request to it. */
const ways: Readonly<
  Record<string, (options: Options) => Promise<{ send: Send; close(): unknown }>>
> = {
  async 'fetch-style'(options) {
    const handler = webhookHandler(options)
    const send: Send = async ({ body, headers }, method = 'POST') => {
      const init = method === 'POST' ? { method, headers, body } : { method, headers }
      return (await handler(new Request('http://localhost/hook', init))).status
    }
    return { send, close: () => {} }
  },
  async Node(options) {
    const server = createServer(nodeWebhookHandler(options)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { send: sender(`http://127.0.0.1:${port}/hook`), close: () => server.close() }
  },
  async Fastify(options) {
    const app = Fastify()
    app.post('/json', async ({ body }) => ({ parsed: typeof body }))
    await app.register(fastifyWebhooks({ path: '/hook', ...options }))
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const beside = await fetch(`${address}/json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
    assert.deepEqual(await beside.json(), { parsed: 'object' }, 'other routes parse JSON as before')
    return { send: sender(`${address}/hook`), close: () => app.close() }
  },
}

function sender(url: string): Send {
  return async ({ body, headers }, method = 'POST') => {
    const init = method === 'POST' ? { method, headers, body } : { method, headers }
    const response = await fetch(url, init)
    await response.body?.cancel()
    return response.status
  }
}

function memory() {
  const ids = new Set<string>()
  return {
    ids,
    has: async (id: string) => ids.has(id),
    add: async (id: string) => void ids.add(id),
  }
}

for (const [way, open] of Object.entries(ways)) {
  test(`${way}: an event is handled once, remembered after it was handled, and again if that failed`, async (t) => {
    const store = memory()
    const handled: string[] = []
    const errors: unknown[] = []
    let broken = true
    const { send, close } = await open({
      secret: [other, secret],
      store,
      now,
      handle(event) {
        assert.equal(store.ids.has(event.id), false)
        if (broken) throw new Error('no database')
        handled.push(event.id)
      },
      onError: (error) => errors.push(error),
    })
    t.after(close)
    assert.equal(await send(signed()), 500)
    assert.equal(errors.length, 1)
    broken = false
    assert.equal(await send(signed()), 204)
    assert.equal(await send(signed({ secret: other })), 204, 'a repeat, signed anew')
    assert.deepEqual(handled, ['event-1'])

    assert.equal(await send(signed({ body: bodyOf('event-2'), secret: newSecret() })), 401)
    const tampered = { ...signed({ body: bodyOf('event-2') }), body: bodyOf('event-3') }
    assert.equal(await send(tampered), 401)
    assert.deepEqual(handled, ['event-1'])
  })

  test(`${way}: a ping is answered with any signature and never handled`, async (t) => {
    const handle = () => assert.fail('a ping was handled')
    const { send, close } = await open({ secret, store: memory(), now, handle })
    t.after(close)
    const body = bodyOf('ping-1', 'webhook.ping')
    const ping = { body, type: 'webhook.ping' }
    assert.equal(await send(signed({ ...ping, secret: newSecret() })), 204)
    assert.equal(await send(signed(ping)), 204)
    const disguised = signed({ type: 'webhook.ping', secret: newSecret() })
    assert.equal(await send(disguised), 204, 'answered, and not handled')
    assert.ok([404, 405].includes(await send(signed(), 'GET')))
  })

  test(`${way}: equal events at the same time are handled once, and a failing store answers 500`, async (t) => {
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const handled: string[] = []
    const store = memory()
    const { send, close } = await open({
      secret,
      store,
      now,
      async handle({ id }) {
        handled.push(id)
        arrived.resolve()
        if (id === 'event-1') await gate
      },
    })
    t.after(close)
    const first = send(signed())
    await arrived.promise
    const second = send(signed())
    // What comes later is through, so the second has come as far as it can.
    assert.equal(await send(signed({ body: bodyOf('event-2') })), 204)
    openGate()
    assert.deepEqual(await Promise.all([first, second]), [204, 204])
    assert.deepEqual(handled, ['event-1', 'event-2'])
    store.has = () => Promise.reject(new Error('no database'))
    assert.equal(await send(signed({ body: bodyOf('event-9') })), 500)
  })
}

test('a body that is no event any more is refused before it is read whole', async (t) => {
  const { send, close } = await (ways.Node as NonNullable<typeof ways.Node>)({
    secret,
    store: memory(),
    now,
    handle: () => assert.fail('handled'),
  })
  t.after(close)
  const body = 'x'.repeat(10 * 1024 * 1024 + 1)
  const answer = await send({ ...signed(), body }).catch(() => 413)
  assert.equal(answer, 413)
})

suite('a body that something before the handler has read', () => {
  const asked = async (before: (request: IncomingMessage) => Promise<unknown>) => {
    const errors: unknown[] = []
    const handler = nodeWebhookHandler({
      secret,
      store: memory(),
      now,
      handle: () => {},
      onError: (error) => errors.push(error),
    })
    const server = createServer(async (request, response) => {
      await handler(Object.assign(request, { body: await before(request) }), response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const given = { method: 'POST', ...signed({ type: 'webhook.ping' }) }
      const response = await fetch(`http://127.0.0.1:${port}`, given)
      return { status: response.status, text: await response.text(), errors }
    } finally {
      server.close()
    }
  }

  test('as express.json() does: the answer and onError say so, even to a ping', async () => {
    const { status, text, errors } = await asked(json)
    assert.equal(status, 500)
    assert.match(text, /прочитано до обработчика.*express\.json\(\)/)
    assert.deepEqual(errors.map(codeOf), ['body_already_read'])
  })

  test('as express.raw() does: its bytes are taken', async () => {
    assert.equal((await asked(buffer)).status, 204)
  })

  test('with fetch: the answer and onError say so', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const handler = webhookHandler({ secret, store: memory(), now, handle: () => {}, onError })
    const request = new Request('http://localhost/hook', { method: 'POST', ...signed() })
    await request.json()
    const response = await handler(request)
    assert.equal(response.status, 500)
    assert.match(await response.text(), /прочитано до обработчика/)
    assert.deepEqual(errors.map(codeOf), ['body_already_read'])
  })
})

function codeOf(error: unknown): string {
  assert.ok(error instanceof SkladError, String(error))
  return error.code
}
