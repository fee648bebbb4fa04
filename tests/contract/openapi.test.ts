import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setSwitch } from '../../src/platform/process/switches.ts'
import {
  type Answer,
  assertRefused,
  type Client,
  newSandbox,
  openClient,
} from '../support/client.ts'
import {
  type DeclaredApi,
  type DeclaredSchema,
  declaredAnswers,
} from '../support/declared-answers.ts'
import { openReceiver } from '../support/receiver.ts'
import { addLiveClient, emptySandbox, sharedService, startService } from '../support/service.ts'

/**
 * Compares the service with its own OpenAPI document. Every operation has a row here, and every parameter
 * a value that the service refuses. The tests bring about every declared answer, and the document must
 * declare every answer that the service gives.
 */

const service = await sharedService()
const live = await addLiveClient(service)
const receiver = await openReceiver()
const subscription = { url: receiver.url, events: ['receipt.created'] }
const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as DeclaredApi
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    id: operation.operationId,
    path,
    method: method.toUpperCase(),
  })),
)
type Described = (typeof operations)[number]

const anonymous = openClient(service.baseUrl)
const [own, stranger] = [await newSandbox(service), await newSandbox(service)]
const reader = openClient(service.baseUrl, live.reading)
const writer = openClient(service.baseUrl, live.writing)

async function subscribe(client: Client): Promise<string> {
  const { body } = await client.post('/v1/webhooks', subscription)
  return (body as { webhook: { id: string } }).webhook.id
}

async function addReceiver(client: Client): Promise<string> {
  const { body } = await client.post('/v1/sandbox/receivers', { answers: ['204'] })
  return (body as { id: string }).id
}

/** Ids of objects of a client, for the parameters of paths. */
async function objectsOf(client: Client): Promise<Readonly<Record<string, readonly string[]>>> {
  const first = async (path: string, field: string) => {
    const { body } = await client.get(`${path}?limit=1`)
    return (body as { items: Record<string, string>[] }).items[0]?.[field] ?? ''
  }
  const goods = [await first('/v1/stock', 'barcode')]
  const order = [await first('/v1/orders', 'id')]
  const act = [await first('/v1/acts', 'id')]
  const webhook = await subscribe(client)
  const delivery = [webhook, await first(`/v1/webhooks/${webhook}/deliveries`, 'id')]
  return {
    getStockItem: goods,
    getUnitsInQuestion: goods,
    getOrder: order,
    getOrderDetails: order,
    getReceipt: [await first('/v1/receipts', 'id')],
    getShipment: [await first('/v1/shipments', 'id')],
    getReturn: [await first('/v1/returns', 'id')],
    getAct: act,
    getActFile: act,
    getWebhook: [webhook],
    pingWebhook: [webhook],
    listDeliveries: [webhook],
    getDelivery: delivery,
    listDeliveryAttempts: delivery,
    resendDelivery: delivery,
    resendMissedEvents: [webhook],
    deleteWebhook: [await subscribe(client)],
    playSandboxTrigger: ['order_new'],
    getSandboxReceiver: [await addReceiver(client)],
  }
}

const [objects, foreign] = [await objectsOf(own), await objectsOf(stranger)]

interface Row {
  /** Parameters that every call needs. */
  readonly query?: string
  /** By declared status: a call that gets it. */
  readonly succeeds: Readonly<Record<string, (call: Ask) => Promise<Answer>>>
  /** A valid body, in which a test then breaks one field. */
  readonly body?: Readonly<Record<string, unknown>>
  /** By parameter or field of the body: values that the service refuses, and the code. */
  readonly refuses?: Readonly<Record<string, Refusal>>
  /** By code: a call that gets it, besides the codes that `refuses` covers. */
  readonly fails?: Readonly<Record<string, (call: Ask) => Promise<Answer>>>
}
interface Refusal {
  readonly code: string
  readonly values: readonly unknown[]
}

/** Calls the operation of the row. */
type Ask = (asked: {
  readonly client?: Client
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}) => Promise<Answer>

const plainly = (ask: Ask) => ask({})
const badText: Refusal = { code: 'bad_request', values: ['%00', '%zz', '%ff'] }
const badTime: Refusal = {
  code: 'bad_request',
  values: ['', 'abc', '2026-02-30', '2026-01-01T00:00'],
}
const badLimit: Refusal = { code: 'bad_request', values: ['', '1.5', 'abc'] }
const badCursor: Refusal = { code: 'bad_cursor', values: ['', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA'] }
const badEnum: Refusal = { code: 'bad_request', values: ['', 'abc', 'new', 'wb'] }
const window = { created_from: badTime, created_to: badTime }
const ofCharges = {
  ...{ from: badTime, to: badTime, period: badTime },
  ...{ service: badText, source: badText },
}
const paging = { limit: badLimit, cursor: badCursor }

const line = { barcode: 'К-1', name: 'Товар', qty: 1, honest_mark: false }
const refusedField = (...values: unknown[]): Refusal => ({ code: 'validation_error', values })
let made = 0
const newRef = () => `договор-${made++}`

async function whileOff(ask: Ask): Promise<Answer> {
  await setSwitch(service.db, 'webhooks', false)
  const answer = await ask({})
  await setSwitch(service.db, 'webhooks', true)
  return answer
}
const sandboxOnly = { sandbox_only: (ask: Ask) => ask({ client: reader }) }
async function toDisabled(ask: Ask): Promise<Answer> {
  await service.db`update webhook_subscriptions set disabled_at = now()`
  const answer = await ask({})
  await service.db`update webhook_subscriptions set disabled_at = null`
  return answer
}
const webhooksOff = { webhooks_unavailable: whileOff }

const rows: Readonly<Record<string, Row>> = {
  getMe: { succeeds: { 200: plainly } },
  listStock: {
    succeeds: {
      200: plainly,
      304: (ask) => ask({ headers: { 'If-None-Match': '*' } }),
    },
    refuses: { barcode: badText, search: badText, words: badText, selection: badEnum, ...paging },
  },
  listStockHistory: {
    query: `at=${new Date().toISOString()}`,
    succeeds: { 200: plainly },
    refuses: { at: badTime, barcode: badText, search: badText, ...paging },
  },
  listLots: {
    succeeds: { 200: plainly },
    refuses: { barcode: badText, state: badEnum, ...paging },
  },
  getStockItem: { succeeds: { 200: plainly } },
  getUnitsInQuestion: { succeeds: { 200: plainly } },
  listOrders: {
    succeeds: { 200: (ask) => ask({ query: 'limit=1000' }) },
    refuses: {
      marketplace: badEnum,
      status: badEnum,
      shipment_id: badText,
      barcode: badText,
      external_id: badText,
      words: badText,
      ...window,
      ...paging,
    },
  },
  getOrder: { succeeds: { 200: plainly } },
  getOrderDetails: { succeeds: { 200: plainly } },
  listReceipts: {
    succeeds: { 200: plainly },
    refuses: { status: badEnum, external_ref: badText, ...window, ...paging },
  },
  getReceipt: { succeeds: { 200: plainly } },
  createReceipt: {
    succeeds: {
      201: (ask) => ask({ client: writer, body: { external_ref: newRef(), items: [line] } }),
      200: async (ask) => {
        const call = { client: writer, body: { external_ref: newRef(), items: [line] } }
        await ask(call)
        return ask(call)
      },
    },
    body: { items: [line] },
    refuses: {
      cabinet_id: refusedField('x', 1),
      external_ref: refusedField('x'.repeat(65), 1),
      comment: refusedField('x'.repeat(501), 1),
      planned_date: refusedField('x', 1),
      items: refusedField([], null, 'x', undefined),
      'items[].barcode': refusedField('', 'x'.repeat(65), 1, null, undefined),
      'items[].name': refusedField(1, null, 'x'.repeat(501), undefined),
      'items[].article': refusedField(1, 'x'.repeat(501)),
      'items[].qty': refusedField(0, 100_001, 1.5, '1', null, undefined),
      'items[].honest_mark': refusedField('true', 1, null, undefined),
    },
    fails: {
      bad_request: (ask) => ask({ body: 'abc' }),
      cabinet_required: (ask) => ask({ body: { items: [line] } }),
      mixed_marking: (ask) =>
        ask({ body: { items: [line, { ...line, barcode: 'К-2', honest_mark: true }] } }),
      write_disabled: (ask) => ask({ client: reader, body: { items: [line] } }),
      warehouse_unavailable: async (ask) => {
        await service.db`update warehouses set intake_open = false where mode = 'live'`
        const answer = await ask({ client: writer, body: { items: [line] } })
        await service.db`update warehouses set intake_open = true`
        return answer
      },
    },
  },
  listShipments: {
    succeeds: { 200: plainly },
    refuses: { external_id: badText, marketplace: badEnum, status: badEnum, ...window, ...paging },
  },
  listReturns: {
    succeeds: { 200: plainly },
    refuses: { status: badEnum, ...window, ...paging },
  },
  getReturn: { succeeds: { 200: plainly } },
  getShipment: { succeeds: { 200: plainly } },
  getMetrics: { succeeds: { 200: plainly }, refuses: { from: badTime, to: badTime } },
  listGoods: {
    succeeds: { 200: plainly },
    refuses: { is_set: badEnum, barcode: badText, ...paging },
  },
  listCharges: {
    succeeds: { 200: plainly },
    refuses: { ...ofCharges, ...paging },
  },
  sumCharges: { succeeds: { 200: plainly }, refuses: ofCharges },
  listActs: { succeeds: { 200: plainly }, refuses: paging },
  getAct: { succeeds: { 200: plainly } },
  getActFile: { succeeds: { 200: plainly }, refuses: { format: badEnum } },
  createWebhook: {
    succeeds: { 201: (ask) => ask({ body: subscription }) },
    body: { url: 'https://example.com/hook', events: ['receipt.created'] },
    refuses: {
      url: refusedField('', 'x', 'http://example.com/', 'https://127.0.0.1/', 1, null, undefined),
      events: refusedField([], ['webhook.ping'], ['x'], [1], 'receipt.created', null, undefined),
      description: refusedField('x'.repeat(201), 1),
    },
    fails: {
      validation_error: (ask) => ask({ body: {} }),
      bad_request: (ask) => ask({ body: 'abc' }),
      webhook_url_unverified: async (ask) => {
        receiver.reply = () => 500
        const answer = await ask({ body: subscription })
        receiver.reply = () => 200
        return answer
      },
      webhook_limit: async (ask) => {
        const client = await emptySandbox(service)
        for (let n = 0; n < 10; n++) await ask({ client, body: subscription })
        return ask({ client, body: subscription })
      },
      ...webhooksOff,
    },
  },
  listWebhooks: { succeeds: { 200: plainly }, fails: webhooksOff },
  getWebhook: { succeeds: { 200: plainly }, fails: webhooksOff },
  pingWebhook: { succeeds: { 202: plainly }, fails: webhooksOff },
  listDeliveries: {
    succeeds: { 200: plainly },
    refuses: { status: badEnum, ...paging },
    fails: webhooksOff,
  },
  getDelivery: { succeeds: { 200: plainly }, fails: webhooksOff },
  listDeliveryAttempts: { succeeds: { 200: plainly }, fails: webhooksOff },
  resendDelivery: {
    succeeds: { 202: plainly },
    fails: { bad_request: toDisabled, ...webhooksOff },
  },
  resendMissedEvents: {
    succeeds: { 202: (ask) => ask({ body: { since: '2026-11-01' } }) },
    body: { since: '2026-11-01' },
    refuses: {
      since: refusedField('', 'x', 1, null, undefined),
      until: refusedField('x', 1, '2026-02-30'),
      status: refusedField('PENDING', 1),
    },
    fails: { bad_request: (ask) => ask({ body: 'abc' }), ...webhooksOff },
  },
  deleteWebhook: { succeeds: { 204: plainly }, fails: webhooksOff },
  listEvents: {
    succeeds: { 200: plainly },
    refuses: {
      after: badCursor,
      types: { code: 'bad_request', values: ['', 'abc', 'webhook.ping'] },
      wait: badLimit,
      limit: badLimit,
    },
  },
  createSandboxKey: { succeeds: { 201: plainly } },
  resetSandbox: {
    succeeds: { 200: async (ask) => ask({ client: await emptySandbox(service) }) },
    fails: sandboxOnly,
  },
  advanceSandbox: {
    succeeds: { 200: (ask) => ask({ body: { hours: 1 } }) },
    body: { hours: 1 },
    refuses: { hours: refusedField(0, 169, 1.5, 'x', null, undefined) },
    fails: { ...sandboxOnly, bad_request: (ask) => ask({ body: 'abc' }) },
  },
  createSandboxReceiver: {
    succeeds: { 201: (ask) => ask({ body: { answers: ['500'] } }) },
    body: { answers: ['500'] },
    refuses: { answers: refusedField([], ['600'], ['timeouts'], [500], '500', null, undefined) },
    fails: {
      ...sandboxOnly,
      bad_request: (ask) => ask({ body: 'abc' }),
      webhook_limit: async (ask) => {
        const client = await emptySandbox(service)
        for (let n = 0; n < 5; n++) await ask({ client, body: { answers: ['500'] } })
        return ask({ client, body: { answers: ['500'] } })
      },
    },
  },
  getSandboxReceiver: { succeeds: { 200: plainly }, fails: sandboxOnly },
  playSandboxTrigger: {
    succeeds: { 200: plainly },
    fails: { ...sandboxOnly, not_found: () => askerOfTrigger('x')({}) },
  },
}

/** Triggers are the same for everybody. */
function askerOfTrigger(name: string): Ask {
  const operation = operations.find(({ id }) => id === 'playSandboxTrigger')
  assert.ok(operation)
  return askerOf(operation, [name])
}

test('every operation has a row, and every row an operation', () => {
  assert.deepEqual(Object.keys(rows).sort(), operations.map(({ id }) => id).sort())
})

/** The messages that came, by operation and code. */
const answered = new Map<string, Map<string, Set<string>>>()

const assertDeclared = declaredAnswers(document)

function assertPromised(operation: Described, answer: Answer): void {
  assertDeclared(operation, answer)
  if (answer.code === undefined) return
  const messages = answered.get(operation.id) ?? new Map<string, Set<string>>()
  messages.set(answer.code, (messages.get(answer.code) ?? new Set()).add(answer.message))
  answered.set(operation.id, messages)
}

const unknownId = '01a1fcc9-0000-7000-8000-000000000000'

function askerOf(operation: Described, ids = objects[operation.id] ?? []): Ask {
  let at = 0
  const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++] ?? ''))
  return async ({ client = own, query, ...call }) => {
    const needed = rows[operation.id]?.query
    const always = needed && query?.startsWith(`${needed.split('=')[0]}=`) ? undefined : needed
    const sent = [always, query].filter((part) => part !== undefined).join('&')
    const answer = await client.call(sent === '' ? path : `${path}?${sent}`, {
      method: operation.method,
      ...call,
    })
    assertPromised(operation, answer)
    return answer
  }
}

/** Fields of a body by their paths: `items`, `items[].qty`. */
function fieldsOf(schema: DeclaredSchema, path = ''): string[] {
  const { properties, items } = resolved(schema)
  if (items !== undefined) return fieldsOf(items, `${path}[]`)
  return Object.entries(properties ?? {}).flatMap(([name, inner]) => {
    const field = path === '' ? name : `${path}.${name}`
    return [field, ...fieldsOf(inner, field)]
  })
}

function resolved(schema: DeclaredSchema): DeclaredSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

/** The valid body with one wrong field. */
function spoiled(good: Row['body'], field: string, value: unknown): unknown {
  const [outer, inner] = field.split('[].')
  if (inner !== undefined) return { items: [{ ...line, [inner]: value }] }
  return { ...good, [outer ?? '']: value }
}

for (const operation of operations) {
  suite(`${operation.method} ${operation.path}`, () => {
    const row = rows[operation.id] ?? { succeeds: {} }
    const ask = askerOf(operation)
    const sender = operation.path.startsWith('/v1/sandbox/') ? own : writer
    const isOpen = operation.security.length === 0

    test('answers with every success that it declares', async () => {
      const promised = Object.keys(operation.responses).filter((status) => status < '400')
      assert.deepEqual(Object.keys(row.succeeds), promised)
      for (const [status, succeed] of Object.entries(row.succeeds)) {
        assert.equal((await succeed(ask)).status, Number(status))
      }
    })

    test(isOpen ? 'needs no key' : 'needs a key that is known and not revoked', async () => {
      const junk = ['x', live.reading.slice(0, -1), `${live.reading.slice(0, -1)}!`]
      const clients = [anonymous, ...junk.map((key) => openClient(service.baseUrl, key))]
      const revoked = openClient(service.baseUrl, live.revoked)
      if (isOpen) {
        for (const client of [...clients, revoked]) assert.ok((await ask({ client })).status < 300)
        return
      }
      for (const client of clients) assertRefused(await ask({ client }), 'unauthorized')
      assertRefused(await ask({ client: revoked }), 'key_revoked')
    })

    const names = (operation.parameters ?? []).filter((each) => each.in === 'query')
    const body = operation.requestBody?.content['application/json']
    const fields = body === undefined ? [] : fieldsOf(body.schema)

    test('has a refused value for every parameter and field', () => {
      const promised = [...names.map((each) => each.name), ...fields]
      assert.deepEqual(Object.keys(row.refuses ?? {}).sort(), promised.sort())
    })

    for (const [name, { code, values }] of Object.entries(row.refuses ?? {})) {
      test(`refuses a bad ${name}`, async () => {
        for (const value of values) {
          const answer = fields.includes(name)
            ? await ask({ client: sender, body: spoiled(row.body, name, value) })
            : await ask({ query: `${name}=${value}` })
          assertRefused(answer, code, code === 'bad_cursor' ? undefined : name.replace('[]', '[0]'))
        }
      })
    }

    if (operation.path.includes('{') && operation.id !== 'playSandboxTrigger') {
      test('answers alike for an object of another client and an unknown one', async () => {
        const good = row.body === undefined ? {} : { body: row.body }
        const none = await askerOf(operation, [unknownId, unknownId])(good)
        const theirs = ['getStockItem', 'getUnitsInQuestion'].includes(operation.id)
          ? await ask({ client: reader })
          : await askerOf(operation, foreign[operation.id])(good)
        for (const answer of [none, theirs]) assertRefused(answer, 'not_found')
        assert.equal(none.message, theirs.message)
      })
    }

    for (const [code, fail] of Object.entries(row.fails ?? {})) {
      test(`answers ${code}`, async () => assertRefused(await fail(ask), code))
    }
  })
}

test('every operation is limited', async () => {
  const strict = await startService({
    RATE_LIMIT_BURST: '1',
    RATE_LIMIT_PER_MINUTE: '1',
    SANDBOX_KEY_BURST: '1',
    SANDBOX_KEYS_PER_HOUR: '1',
  })
  const { reading } = await addLiveClient(strict)
  const spent = openClient(strict.baseUrl, reading, false)
  for (const operation of operations) {
    const path = operation.path.replace(/\{\w+\}/g, 'x')
    const calls = ['/v1/me', path].map((each) => [each, each === path ? operation.method : 'GET'])
    if (operation.security.length === 0) calls.unshift([path, operation.method])
    const answers: Answer[] = []
    for (const [each = '', method = ''] of calls) answers.push(await spent.call(each, { method }))
    const last = answers.at(-1)
    assert.ok(last)
    assertRefused(last, 'rate_limited')
    assertPromised(operation, last)
  }
})

/** The declared errors of an operation except internal: the code and the message of its example. */
function declaredErrors({ responses }: Described): [code: string, message: string][] {
  return Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([, { content }]) => Object.entries(content?.['application/json']?.examples ?? {}))
    .filter(([code]) => code !== 'internal')
    .map(([code, example]) => [
      code,
      (example as { value: { error: { message: string } } }).value.error.message,
    ])
}

test('every declared error code except internal occurred', () => {
  for (const operation of operations) {
    const promised = declaredErrors(operation).map(([code]) => code)
    const came = [...(answered.get(operation.id)?.keys() ?? [])]
    assert.deepEqual(came.sort(), promised.sort(), operation.id)
  }
})

test('the message in the example of every error is one that the operation answered', () => {
  // The seconds to wait differ.
  const plain = (text: string) => text.replace(/через \d+ с$/, 'через N с')
  const unheard = operations.flatMap((operation) =>
    declaredErrors(operation)
      .filter(([code, message]) => {
        const came = [...(answered.get(operation.id)?.get(code) ?? [])]
        return !came.map(plain).includes(plain(message))
      })
      .map((error) => [operation.id, ...error]),
  )
  assert.deepEqual(unheard, [])
})
