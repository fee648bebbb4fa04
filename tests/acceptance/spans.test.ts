import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSpans } from '../../src/platform/process/open-spans.ts'
import type { Span } from '../../src/platform/process/spans.ts'
import { newSandbox } from '../support/client.ts'
import { openCollector } from '../support/collector.ts'
import { eventually } from '../support/faults.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'

/** Spans as a collector of OpenTelemetry gets them. */

const collector = await openCollector()
const service = await startService(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-house=our%20house, x-key=k=1',
    OTEL_SERVICE_NAME: 'sklad-test',
  },
  'all',
)
const receiver = await openReceiver()
const seller = await newSandbox(service)

const server = 2
const client = 3

test('a request is a span in the trace of its caller, with route, status and request id', async () => {
  const [traceId, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const answer = await seller.get('/v1/orders/nobody', {
    traceparent: `00-${traceId}-${parent}-01`,
  })
  assert.equal(answer.status, 404)
  const span = await collector.find((each) => each.traceId === traceId)
  assert.equal(span.parentSpanId, parent)
  assert.deepEqual([span.name, span.kind, span.status], ['GET /v1/orders/:id', server, undefined])
  assert.deepEqual(span.of, {
    'http.request.method': 'GET',
    'http.route': '/v1/orders/:id',
    'http.response.status_code': '404',
    'error.type': 'not_found',
    'sklad.request_id': answer.headers.get('X-Request-Id'),
  })
  assert.match(span.spanId, /^[0-9a-f]{16}$/)
  assert.ok(BigInt(span.endTimeUnixNano) > BigInt(span.startTimeUnixNano))
  const [resource] = collector.resources
  assert.equal(resource?.['service.name'], 'sklad-test')
  assert.equal(resource?.['sklad.role'], 'all')
  const [request] = collector.requests
  assert.equal(request?.path, '/v1/traces')
  assert.equal(request?.headers['x-house'], 'our house')
  assert.equal(request?.headers['x-key'], 'k=1')
})

test('a request without a trace begins one; probes and what its caller does not record have no span', async () => {
  const unrecorded = '1af7651916cd43dd8448eb211c80319c'
  await seller.get('/v1/stock', { traceparent: `00-${unrecorded}-b7ad6b7169203331-00` })
  await fetch(`${service.baseUrl}/readyz`)
  const { headers } = await seller.get('/v1/me')
  const id = headers.get('X-Request-Id') ?? ''
  const span = await collector.find((each) => each.of['sklad.request_id'] === id)
  assert.match(span.traceId, /^[0-9a-f]{32}$/)
  assert.equal(span.parentSpanId, undefined)
  assert.ok(!collector.spans.some(({ name }) => name.includes('readyz')))
  assert.ok(!collector.spans.some(({ traceId }) => traceId === unrecorded))
})

test('a delivery of a webhook is a span with its event', async () => {
  const subscribed = { url: receiver.url, events: ['receipt.created'] }
  assert.equal((await seller.post('/v1/webhooks', subscribed)).status, 201)
  const me = (await seller.get('/v1/me')).body as { cabinets: { id: string }[] }
  const items = [{ barcode: 'Б-1', name: 'Товар', qty: 1, honest_mark: false }]
  const draft = { cabinet_id: me.cabinets[0]?.id, external_ref: 'span-1', items }
  assert.equal((await seller.post('/v1/receipts', draft)).status, 201)
  await receiver.until((all) => all.some(({ event }) => event.type === 'receipt.created'))
  const event = receiver.requests.find(({ event }) => event.type === 'receipt.created')?.event
  const span = await collector.find((each) => each.of['sklad.event_id'] === event?.id)
  assert.deepEqual([span.name, span.kind], ['POST webhook receipt.created', client])
  assert.equal(span.of['http.response.status_code'], '200')
})

test('a call to a marketplace is a span, also one that nobody answers', async () => {
  const manager = await staffClient(service, 'manager')
  const made = await manager.post('/clients', { name: 'ООО «След»' })
  const { id } = made.body as { id: string }
  const credentials = { client_id: '77', api_key: 'secret-of-a-seller' }
  await manager.post(`/clients/${id}/cabinets`, { marketplace: 'OZON', name: 'След', credentials })
  const span = await collector.find((each) => each.of['sklad.marketplace'] === 'OZON')
  assert.deepEqual([span.kind, span.status], [client, { code: 2 }])
  assert.equal(span.of['error.type'], 'ECONNREFUSED')
  assert.ok(!JSON.stringify(collector.spans).includes('secret-of-a-seller'))
})

const span: Span = { name: 'x', kind: 'server', durationMs: 1, attributes: {}, hasFailed: false }

async function exporterTo(url: string, warnings: unknown[] = []) {
  const settings = { url, headers: {}, serviceName: 'x' }
  const log = { warn: (line: unknown) => void warnings.push(line) }
  const spans = await openSpans(settings, {}, log)
  assert.ok(spans)
  return spans
}

test('a collector that hangs costs a bounded queue, and what does not fit is counted', async () => {
  const hanging = await openCollector()
  hanging.status = undefined
  const spans = await exporterTo(hanging.url)
  for (let n = 0; n < 10_000; n++) spans.record(span)
  // A batch is on its way, and four wait.
  assert.equal(spans.dropped, 10_000 - 5 * 512)
  await eventually('it has one batch', async () => hanging.requests.length === 1)
  await spans.close()
  assert.equal(hanging.requests.length, 1)
  assert.equal(spans.exported, 0)
})

test('a collector that is away or refuses is said once, and its spans are counted', async () => {
  for (const status of [undefined, 503]) {
    const refusing = await openCollector()
    refusing.status = status ?? 200
    const warnings: unknown[] = []
    const spans = await exporterTo(status ? refusing.url : 'http://127.0.0.1:9/v1/traces', warnings)
    for (let n = 0; n < 1_000; n++) spans.record(span)
    await spans.close()
    assert.deepEqual([spans.exported, spans.dropped, warnings.length], [0, 1_000, 1])
  }
})

test('without an endpoint there are no spans', async () => {
  assert.equal(await openSpans(undefined, {}, { warn() {} }), undefined)
})
