import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newId } from '../../src/kernel/ids.ts'
import { openClient } from '../support/client.ts'
import { sharedService } from '../support/service.ts'
import { good, nobody, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

/**
 * Every path of the staff API that names a thing of another warehouse answers as it does for one that does not
 * exist. A collection without a row here fails.
 */
const service = await sharedService()
const { db } = service
const [admin, stranger, floor] = await Promise.all([
  staffClient(service, 'administrator'),
  staffClient(service, 'manager'),
  openFloor(service, { A: 5 }),
])
const { manager, worker, client, cabinet } = floor
const [mine, theirs] = ['OTHERS-MINE', 'OTHERS-THEIRS'] as const
for (const code of [mine, theirs]) good(await admin.post('/warehouses', { code, name: code }), 201)
good(await admin.put(`/users/${stranger.userId}/warehouses`, { warehouse_codes: [mine] }))
await db`update clients set warehouse_code = ${theirs} where id = ${client}`

const idOf = async (path: string, body: object, by = manager) =>
  good<{ id: string }>(await by.post(path, body), 201).id
const [ordered] = await floor.orders({ 'others-1': 'A' })
assert.ok(ordered)
const shipment = await floor.filled([ordered])
const items = [{ barcode: 'A', name: 'A', qty: 1 }]
const returned = await idOf('/returns', { client_id: client }, worker)
const exception = good<{ id: string }>(
  await worker.post(`/returns/${returned}/scans`, {
    ...{ scan_id: 'late', code: 'no such goods', condition: 'sellable' },
    queued_at: '2026-11-20T11:59:00+03:00',
  }),
  202,
).id
const webhook = newId()
await db`
  insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
  values (${client}, ${webhook}, 'https://example.com/', '{receipt.created}', '\\x00', now())`
const station = { warehouse_code: theirs, name: 'Станция', formats: ['58x40'] }
const sticker = { kind: 'order-sticker', object_id: ordered.id }

/** A thing of the other warehouse in each collection. */
const things: Readonly<Record<string, string>> = {
  clients: client,
  cabinets: cabinet,
  keys: await idOf(`/clients/${client}/keys`, { name: 'Интеграция' }),
  orders: ordered.id,
  shipments: shipment.id,
  'picking-tasks': shipment.picking_task_id ?? '',
  receipts: await idOf(`/clients/${client}/receipts`, { items }),
  returns: returned,
  counts: await idOf('/counts', { client_id: client, scope: {} }),
  boxes: await idOf('/boxes', { client_id: client }, worker),
  pallets: await idOf('/pallets', { client_id: client }, worker),
  locations: await idOf('/locations', { warehouse_code: theirs, code: 'OTHERS-1' }),
  exceptions: exception,
  webhooks: webhook,
  'print-stations': await idOf('/print-stations', station),
  'print-jobs': await idOf('/print-jobs', sticker, worker),
  warehouses: theirs,
}

/** Papers are named by kind and by what they are printed from. */
const papers = {
  receipt: things.receipts,
  return: things.returns,
  count: things.counts,
  shipment: things.shipments,
  'picking-task': things['picking-tasks'],
}

/** What lies in no warehouse. */
const ofNoWarehouse = ['users', 'devices', 'exports']

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const document = (await (await fetch(`${service.baseUrl}/staff/openapi.json`)).json()) as Document
const collectionOf = (path: string) => path.split('/')[3] ?? ''
const named = Object.entries(document.paths).filter(
  ([path]) => path.includes('{') && !ofNoWarehouse.includes(collectionOf(path)),
)

test('the table has a thing of every collection whose things a path names', () => {
  const collections = new Set(named.map(([path]) => collectionOf(path)))
  collections.delete('documents')
  assert.deepEqual([...collections].toSorted(), Object.keys(things).toSorted())
})

const calls = openClient(service.baseUrl, stranger.token, false)

async function refusal(method: string, path: string, { requestBody }: Operation) {
  const [type] = Object.keys(requestBody?.content ?? {})
  const body = type === undefined ? {} : { body: '{}', headers: { 'Content-Type': type } }
  const { status, code, message } = await calls.call(path, {
    method: method.toUpperCase(),
    ...body,
  })
  return { status, code, message }
}

/** A path with this thing, and unknown things inside of it. */
const filled = (path: string, thing: string) =>
  path.replace(/\{(?:id|code)\}/, thing).replace(/\{\w+\}/g, nobody)

for (const [path, operations] of named) {
  const places =
    collectionOf(path) === 'documents'
      ? Object.entries(papers).map(([kind, id]) => [path.replace('{kind}', kind), id] as const)
      : [[path, things[collectionOf(path)]] as const]
  for (const [place, thing] of places) {
    suite(place, () => {
      for (const [method, operation] of Object.entries(operations)) {
        test(`${method} answers as for a thing that does not exist`, async () => {
          assert.ok(thing)
          const foreign = await refusal(method, filled(place, thing), operation)
          assert.deepEqual([foreign.status, foreign.code], [404, 'not_found'])
          assert.deepEqual(foreign, await refusal(method, filled(place, nobody), operation))
        })
      }
    })
  }
}
