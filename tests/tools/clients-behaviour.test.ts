import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { Document, Operation, Schema } from '../../scripts/sdk-types.ts'
import { deliveryHeaders } from '../../src/exchange/webhooks/signature.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { confirmReceipt } from '../../src/warehouse/receipts/verbs.ts'
import { newSandboxKey, openClient } from '../support/client.ts'
import {
  type ClientCall,
  type ClientUnderTest,
  type Outcome,
  openClients,
} from '../support/clients/clients.ts'
import { openFaultyFront } from '../support/faulty-front.ts'
import { sharedService } from '../support/service.ts'

/** The clients for integrators in all languages, by one table: what each calls, and what it does when something fails. */

interface Behaviour {
  readonly title: string
  readonly method: string
  readonly arguments?: readonly string[]
  readonly fields?: Readonly<Record<string, unknown>>
  /** The fields are a request for a receipt of this reference. */
  readonly announces?: string | null
  readonly options?: Readonly<Record<string, unknown>>
  readonly take?: number
  readonly settings?: Partial<ClientCall>
  /** Of the next requests: `tests/support/faulty-front.ts` explains them. */
  readonly faults?: readonly string[]
  readonly before?: 'old receipt'
  readonly afterLoss?: 'confirm'
  readonly error?: object
  /** Fields of the answer. */
  readonly answer?: object
  readonly differentItems?: number
  /** Requests, with {id} for the id of the answer. */
  readonly sent?: readonly string[]
  readonly requests?: number
  /** Not compared where it is absent. */
  readonly pausesMs?: readonly number[]
  /** How many receipts have the reference in the end; without a reference, how many there are more than before. */
  readonly receipts?: number
}

interface Signature {
  readonly title: string
  readonly body?: string
  readonly signedWith?: string
  /** A setting with one secret where it is absent. */
  readonly secrets?: readonly string[]
  /** Sent instead of the signed body. */
  readonly sent?: string
  /** Seconds since the attempt was signed. */
  readonly ageSeconds?: number
  readonly toleranceSeconds?: number
  readonly headers?: Readonly<Record<string, string | null>>
  readonly lowerCase?: true
  /** Of the refusal. */
  readonly code?: string
}

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
const table = read('sdk/behaviours.json') as {
  readonly operations: Readonly<Record<string, string>>
  readonly calls: readonly Behaviour[]
  readonly signatures: readonly Signature[]
}
const document = read('openapi/public.json') as Document
const service = await sharedService()
const front = await openFaultyFront(service.baseUrl)
const { baseUrl } = front
const items = [{ barcode: 'CLIENT-1', name: 'Товар', qty: 1, honest_mark: false }]

/** A sandbox of its own for each language: references come again. */
async function openSandbox() {
  const key = await newSandboxKey(service)
  const seller = openClient(service.baseUrl, key)
  const { cabinets } = (await seller.get('/v1/me')).body as { cabinets: { id: string }[] }
  await seller.get('/v1/events?after=latest')
  return { key, seller, cabinet_id: cabinets[0]?.id ?? '' }
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>

async function confirm(body: string): Promise<void> {
  const { id } = JSON.parse(body) as { id: string }
  const [row] = await service.db<{ client_id: string }[]>`
    select client_id from receipts where id = ${id}`
  await perform(service.db, systemClock, { kind: 'service' }, (work) =>
    confirmReceipt(work, row?.client_id ?? '', id),
  )
}

async function announce({ seller, cabinet_id }: Sandbox, external_ref?: string) {
  const { body } = await seller.post('/v1/receipts', { cabinet_id, external_ref, items })
  return body as { id: string }
}

for (const client of await openClients()) {
  suite(`the client: ${client.language}`, { skip: client.missing }, async () => {
    const sandbox = client.missing === false ? await openSandbox() : undefined
    if (sandbox === undefined) return

    // Guarantee (sdk): The clients of all languages have every call of the document, with all parameters.
    test('makes every call of the document, with all of its parameters', async () => {
      const operations = operationsOf(document)
      assert.deepEqual(
        Object.keys(table.operations).toSorted(),
        operations.map(({ operationId }) => operationId).toSorted(),
      )
      for (const operation of operations) await callsAsDocumented(client, operation)
    })

    for (const behaviour of table.calls) {
      // Guarantee (sdk): The clients of all languages do the same when something fails, and announce a receipt once.
      test(behaviour.title, () => behaves(client, sandbox, behaviour))
    }

    for (const signature of table.signatures) {
      test(`a signature: ${signature.title}`, () => checks(client, signature))
    }

    test('an error names the request and says what is wrong', async () => {
      front.script([])
      const call = { key: sandbox.key, baseUrl, method: 'orders.get', arguments: ['none'] }
      const { error } = await client.call(call)
      assert.match(error?.requestId ?? '', /^[0-9a-f-]{36}$/)
      assert.match(error?.message ?? '', /[а-я]/)
    })

    test('changes of stock come only when there are some', async () => {
      front.script([])
      const call = { key: sandbox.key, baseUrl, method: 'stock.changes' }
      const first = await client.call({ ...call, fields: { limit: 3 } })
      const { etag, items } = first.result as { etag: string; items: object[] }
      assert.equal(items.length, 3)
      const second = await client.call({ ...call, fields: { since: etag, limit: 3 } })
      assert.equal(second.result ?? undefined, undefined)
      const third = await client.call({ ...call, fields: { since: '"old"', limit: 3 } })
      assert.equal((third.result as { etag: string }).etag, etag)
    })

    test('all goods of a past moment come once', async () => {
      const { body } = await sandbox.seller.get('/v1/receipts?status=RECEIVED&limit=1')
      const { items } = body as { items: { completed_at: string }[] }
      front.script([])
      const fields = { at: items[0]?.completed_at, limit: 10 }
      const call = { key: sandbox.key, baseUrl, method: 'stock.allHistory', fields }
      const { result } = await client.call(call)
      const barcodes = (result as { barcode: string }[]).map(({ barcode }) => barcode)
      assert.equal(new Set(barcodes).size, barcodes.length)
      assert.equal(front.sent.length, Math.ceil(barcodes.length / 10))
      assert.ok(front.sent.length > 1)
    })

    test('the bill adds up, and its act is a file, whichever way an answer fails', async () => {
      const call = { key: sandbox.key, baseUrl }
      front.script(['pass', 'cut'])
      const all = await client.call({ ...call, method: 'charges.all', fields: { limit: 500 } })
      const charges = all.result as { amount: string }[]
      const sum = charges.reduce((kopecks, { amount }) => kopecks + Math.round(+amount * 100), 0)
      const { result } = await client.call({ ...call, method: 'charges.summary' })
      assert.equal(Math.round(Number((result as { amount: string }).amount) * 100), sum)
      const [act] = (await client.call({ ...call, method: 'acts.all' })).result as { id: string }[]
      front.script(['lose', '502', 'page'])
      const file = { ...call, method: 'acts.file', arguments: [act?.id ?? ''] }
      assert.equal((await client.call(file)).error?.code, 'unexpected_answer')
      front.script(['cut', 'internal'])
      const pdf = (await client.call(file)).result as { begins: string; bytes: number }
      assert.equal(pdf.begins, Buffer.from('%PD').toString('hex'))
      assert.ok(pdf.bytes > 1000)
      const rows = await client.call({ ...file, fields: { format: '1c' } })
      assert.equal((rows.result as { begins: string }).begins, 'efbbbf')
    })

    test('a held poll of the feed has time beyond the timeout', async () => {
      front.script([])
      const call = { key: sandbox.key, baseUrl, method: 'events.list', retries: 0 }
      const end = await client.call({ ...call, fields: { after: 'latest' } })
      const { next_after, nextAfter } = end.result as Record<string, string>
      const fields = { after: next_after ?? nextAfter, types: 'order.status_changed', wait: 1 }
      const { result, error } = await client.call({ ...call, fields, timeoutMs: 800 })
      assert.equal(error, undefined)
      assert.deepEqual((result as { items: object[] }).items, [])
    })

    // Guarantee (sdk): The clients' stream continues after any event, in all languages.
    test('the stream continues after any event, within a page too, and over what fails meanwhile', async () => {
      const own = await openSandbox()
      for (let count = 0; count < 5; count++) await announce(own)
      const fields = { limit: 3, types: ['receipt.created'] }
      const call = { key: own.key, baseUrl, method: 'events.stream', retries: 0 }
      front.script(['pass', 'cut', '429:1', '502'])
      const all = idsOf(await client.call({ ...call, fields, take: 5 }))
      assert.equal(new Set(all.map(([id]) => id)).size, 5)
      for (const [index, [, after]] of all.slice(0, 4).entries()) {
        const rest = await client.call({ ...call, fields: { ...fields, after }, take: 4 - index })
        assert.deepEqual(
          idsOf(rest).map(([id]) => id),
          all.slice(index + 1).map(([id]) => id),
        )
      }
    })
  })
}

async function behaves(
  client: ClientUnderTest,
  sandbox: Sandbox,
  behaviour: Behaviour,
): Promise<void> {
  const { method, announces, settings, faults = [], sent, error, answer } = behaviour
  if (behaviour.before === 'old receipt') {
    const old = await announce(sandbox, announces ?? undefined)
    await confirm(JSON.stringify(old))
    await service.db`update receipts set created_at = created_at - interval '30 days' where id = ${old.id}`
  }
  const before = announces === null ? await receiptsOf(sandbox) : 0
  front.script(faults, behaviour.afterLoss === 'confirm' ? confirm : undefined)
  const fields = announces === undefined ? behaviour.fields : draftOf(sandbox, announces)
  const outcome = await client.call({
    key: sandbox.key,
    baseUrl,
    method,
    ...(behaviour.arguments === undefined ? {} : { arguments: behaviour.arguments }),
    ...(fields === undefined ? {} : { fields }),
    ...(behaviour.options === undefined ? {} : { options: behaviour.options }),
    ...(behaviour.take === undefined ? {} : { take: behaviour.take }),
    ...settings,
  })
  if (error === undefined) assert.equal(outcome.error, undefined, JSON.stringify(outcome.error))
  else assert.partialDeepStrictEqual({ ...outcome.error }, error)
  if (answer !== undefined) assert.partialDeepStrictEqual(outcome.result, answer)
  const { id = '{id}' } = (outcome.result ?? {}) as { id?: string }
  if (sent !== undefined) {
    const made = front.sent.map((line) => inOrder(line.replace(id, '{id}')))
    assert.deepEqual(made, sent.map(inOrder))
  }
  if (behaviour.pausesMs !== undefined) assert.deepEqual(outcome.pausesMs, behaviour.pausesMs)
  if (behaviour.requests !== undefined) assert.equal(front.sent.length, behaviour.requests)
  if (behaviour.differentItems !== undefined) {
    const barcodes = (outcome.result as { barcode: string }[]).map(({ barcode }) => barcode)
    assert.equal(barcodes.length, behaviour.differentItems)
    assert.equal(new Set(barcodes).size, behaviour.differentItems)
  }
  if (behaviour.receipts !== undefined) {
    assert.equal((await receiptsOf(sandbox, announces ?? undefined)) - before, behaviour.receipts)
  }
}

/** How many have the reference; all for none. */
async function receiptsOf({ seller }: Sandbox, external_ref?: string): Promise<number> {
  const filter = external_ref === undefined ? '' : `?external_ref=${external_ref}`
  const { body } = await seller.get(`/v1/receipts${filter}`)
  return (body as { total: number }).total
}

/** The order of parameters is the client's own. */
function inOrder(line: string): string {
  const [call = '', query = ''] = line.split('?')
  return `${call}?${query.split('&').toSorted().join('&')}`
}

function draftOf({ cabinet_id }: Sandbox, external_ref: string | null) {
  return external_ref === null ? { cabinet_id, items } : { cabinet_id, external_ref, items }
}

const moment = 1_790_000_000

async function checks(client: ClientUnderTest, signature: Signature): Promise<void> {
  const { body = '{"id":"event-1"}', signedWith = 'newer', secrets = 'newer', code } = signature
  const signed = deliveryHeaders({
    eventId: 'event-1',
    eventType: 'receipt.created',
    deliveryHeaderId: 'delivery-1',
    timestamp: moment,
    secret: signedWith,
    body: Buffer.from(body),
  })
  const given = Object.entries({ ...signed, ...signature.headers }).flatMap(([name, value]) =>
    value === null ? [] : [[signature.lowerCase ? name.toLowerCase() : name, value]],
  )
  const { result, error } = await client.verify({
    body: signature.sent ?? body,
    headers: Object.fromEntries(given),
    secret: secrets,
    now: moment + (signature.ageSeconds ?? 0),
    ...(signature.toleranceSeconds === undefined
      ? {}
      : { toleranceSeconds: signature.toleranceSeconds }),
  })
  assert.equal(error?.code, code)
  if (code === undefined) assert.deepEqual(result, JSON.parse(body))
}

function idsOf({ result, error }: Outcome): [string, string][] {
  assert.equal(error, undefined, JSON.stringify(error))
  return (result as [{ id: string }, string][]).map(([{ id }, position]) => [id, position])
}

interface Described extends Operation {
  readonly method: string
  readonly path: string
}

function operationsOf({ paths }: Document): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
}

/** The call sends what the document describes: every part of the path, every parameter of the query, every field of the body. */
async function callsAsDocumented(client: ClientUnderTest, operation: Described): Promise<void> {
  const { operationId, method, path, parameters = [], requestBody } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, sampleOf(schema)] as const)
  const fields = Object.fromEntries([...query, ...bodyFields(requestBody)])
  front.script(['page'])
  const call = {
    key: 'svc_test_x',
    baseUrl,
    method: table.operations[operationId] ?? '',
    retries: 0,
  }
  const { error } = await client.call({
    ...call,
    arguments: names.map((name) => `а/${name}`),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  })
  assert.equal(error?.code, 'unexpected_answer', `${operationId}: ${error?.message}`)
  const [sent = ''] = front.sent
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`а/${name}`))
  const url = new URL(sent.slice(sent.indexOf(' ') + 1), baseUrl)
  assert.equal(sent.split(' ')[0], method.toUpperCase(), operationId)
  assert.equal(url.pathname, at, operationId)
  assert.deepEqual(
    Object.fromEntries(url.searchParams),
    Object.fromEntries(query.map(([name, value]) => [name, String(value)])),
    operationId,
  )
  const body = front.bodies.at(-1)
  assert.deepEqual(
    body === '' ? {} : JSON.parse(body ?? ''),
    Object.fromEntries(bodyFields(requestBody)),
    operationId,
  )
}

function bodyFields(requestBody: Operation['requestBody']): (readonly [string, unknown])[] {
  const schema = requestBody?.content?.['application/json']?.schema
  if (schema === undefined) return []
  const { properties = {} } = resolved(schema)
  return Object.entries(properties).map(([name, of]) => [name, sampleOf(of)])
}

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  return document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}
}

/** A value of the schema's type. */
function sampleOf(schema: Schema): unknown {
  const { type, enum: values, items: item, properties = {} } = resolved(schema)
  if (values !== undefined) return values[0]
  if (type === 'integer') return 7
  if (type === 'boolean') return true
  if (type === 'array') return [sampleOf(item ?? {})]
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, sampleOf(of)]))
  return 'а б&+'
}
