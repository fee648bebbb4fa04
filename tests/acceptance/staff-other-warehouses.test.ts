import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newId } from '../../src/platform/kernel/ids.ts'
import { openClient } from '../support/client.ts'
import { fakePhoto } from '../support/fake-photo.ts'
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
  staffClient(service, 'administrator'),
  openFloor(service, { A: 5 }),
])
const { manager, worker, client, cabinet } = floor
const [mine, theirs] = ['OTHERS-MINE', 'OTHERS-THEIRS'] as const
for (const code of [mine, theirs]) good(await admin.post('/warehouses', { code, name: code }), 201)
good(await admin.put(`/users/${stranger.userId}/warehouses`, { warehouse_codes: [mine] }))
await db`update clients set warehouse_code = ${theirs} where id = ${client}`

const idOf = async (path: string, body: object, by = manager, status = 201) =>
  good<{ id: string }>(await by.post(path, body), status).id
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
const report = { scan_id: 'missing', order_id: ordered.id, reason: 'EMPTY_LOCATION' }
good(await worker.post(`/picking-tasks/${shipment.picking_task_id}/not-found`, report))
const { misses } = await floor.task(shipment)
const webhook = newId()
await db`
  insert into webhook_subscriptions (client_id, id, url, events, secret, created_at)
  values (${client}, ${webhook}, 'https://example.com/', '{receipt.created}', '\\x00', now())`
const station = { warehouse_code: theirs, name: 'Станция', formats: ['58x40'] }
const sticker = { kind: 'order-sticker', object_id: ordered.id }

/** A worker of the other warehouse, and a handheld that somebody who works there has added. */
const [other, neighbour] = [
  await staffClient(service, 'worker'),
  await staffClient(service, 'manager'),
]
for (const { userId } of [other, neighbour]) {
  good(await admin.put(`/users/${userId}/warehouses`, { warehouse_codes: [theirs] }))
}
const device = await idOf('/devices', { name: 'Терминал' }, neighbour)

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
  misses: misses?.[0]?.id ?? '',
  webhooks: webhook,
  'print-stations': await idOf('/print-stations', station),
  'print-jobs': await idOf('/print-jobs', sticker, worker),
  warehouses: theirs,
  users: other.userId,
  devices: device,
  'list-views': await idOf(
    '/list-views',
    { list: 'orders', name: 'Вид', query: '' },
    neighbour,
    200,
  ),
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
const ofNoWarehouse = ['exports']

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
        // Guarantee (staff): What belongs to another warehouse answers like something that does not exist.
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

suite('a body or a query that names a thing of another warehouse', () => {
  /** Calls of somebody who works in another warehouse, with the id that they name. */
  const named: readonly (readonly [string, string, string, (id: string) => object])[] = [
    ['a client', client, '/boxes', (client_id) => ({ client_id })],
    ['a client', client, '/pallets', (client_id) => ({ client_id })],
    ['a client', client, '/returns', (client_id) => ({ client_id })],
    ['a client', client, '/receipts/walk-in', (client_id) => ({ client_id })],
    ['a client', client, '/counts', (client_id) => ({ client_id, scope: {} })],
    [
      'a client',
      client,
      '/labels/goods',
      (client_id) => ({ client_id, items: [{ barcode: 'A' }] }),
    ],
    [
      'a client',
      client,
      '/returns/scans',
      (client_id) => ({ scan_id: 's', code: 'A', condition: 'sellable', client_id }),
    ],
    ['a box', things.boxes ?? '', '/counts', (box) => ({ scope: { boxes: [box] } })],
    ['a location', things.locations ?? '', '/counts', (at) => ({ scope: { locations: [at] } })],
    ['a cabinet', cabinet, '/shipments', (cabinet_id) => ({ cabinet_id })],
    ...Object.entries({
      'order-sticker': things.orders,
      'shipment-stickers': things.shipments,
      'box-label': things.boxes,
      'pallet-label': things.pallets,
      'location-label': things.locations,
      ...papers,
    }).map(
      ([kind, id]) =>
        [kind, id ?? '', '/print-jobs', (object_id: string) => ({ kind, object_id })] as const,
    ),
  ]
  const asked = async (path: string, body: object) => {
    const { status, code, message } = await stranger.post(path, body)
    return { status, code, message }
  }
  for (const [what, id, path, body] of named) {
    test(`${what} at ${path} answers as for one that does not exist`, async () => {
      const foreign = await asked(path, body(id))
      assert.deepEqual([foreign.status, foreign.code], [400, 'validation_error'])
      assert.deepEqual(foreign, await asked(path, body(nobody)))
    })
  }

  test('a code that only goods of others have is not known', async () => {
    const scan = { scan_id: 'code', code: 'A', condition: 'sellable' }
    const { status, message } = await stranger.post('/returns/scans', scan)
    assert.deepEqual([status, /не знают кода/.test(message)], [400, true], message)
  })

  // Guarantee (photos): Nobody adds a photo to what came back in another warehouse.
  test('a returned unit that is named by its scan alone has no photo from elsewhere', async () => {
    const own = await idOf('/clients', { name: 'ООО «Свой возврат»', warehouse_code: mine }, admin)
    const came = async (client_id: string, scan_id: string) => {
      const scan = { scan_id, client_id, code: 'A', condition: 'damaged' }
      const late = { ...scan, queued_at: '2026-11-20T11:59:00+03:00' }
      return good<{ id: string }>(await admin.post('/returns/scans', late), 202).id
    }
    const shot = (scanId: string) =>
      stranger.put(`/returns/scans/photos/${newId()}?scan_id=${scanId}`, fakePhoto(scanId))
    const kept = await came(client, 'theirs')
    await came(client, 'both')
    const ofBoth = await came(own, 'both')
    const { status, code, message } = await shot('theirs')
    const unknown = await shot('nobody has it')
    assert.deepEqual([status, code, message], [404, 'not_found', unknown.message])
    good(await shot('both'))
    const photosOf = async (id: string) =>
      good<{ items: unknown[] }>(await admin.get(`/exceptions/${id}/photos`)).items.length
    assert.deepEqual([await photosOf(kept), await photosOf(ofBoth)], [0, 1])
    const path = `/returns/scans/photos/${newId()}?scan_id=theirs`
    good(await other.put(path, fakePhoto('from there')))
    assert.equal(await photosOf(kept), 1)
  })

  test('a location, a station or a box of it is none for the own things', async () => {
    const own = await idOf('/clients', { name: 'ООО «Свой»', warehouse_code: mine }, admin)
    const box = await idOf('/boxes', { client_id: own }, stranger)
    const placed = async (location_id: string) => {
      const { code, message } = await stranger.post(`/boxes/${box}/place`, { location_id })
      return [code, message.replace(location_id, '')]
    }
    assert.deepEqual(await placed(things.locations ?? ''), await placed(nobody))
    assert.deepEqual(await placed('OTHERS-1'), await placed('OTHERS-2'))
    const printed = async (station_id: string) => {
      const draft = { kind: 'box-label', object_id: box, station_id }
      const { code, message } = await stranger.post('/print-jobs', draft)
      return [code, message]
    }
    assert.deepEqual(await printed(things['print-stations'] ?? ''), await printed(nobody))
    const at = await idOf('/locations', { warehouse_code: mine, code: 'MINE-1' }, stranger)
    const stood = async (sscc: string) => {
      const { code, message } = await stranger.post(`/locations/${at}/place`, {
        sscc,
        scan_id: 's',
      })
      return [code, message.replace(sscc, '')]
    }
    const [number] = await db<{ sscc: string }[]>`
      select sscc from storage_numbers where object_id = ${things.boxes ?? ''}`
    assert.deepEqual(await stood(number?.sscc ?? ''), await stood('00046000000000000018'))
  })

  test('a code of a location is the one of the own warehouse', async () => {
    const at = await idOf('/locations', { warehouse_code: mine, code: 'OTHERS-1' }, stranger)
    assert.equal(good<{ id: string }>(await stranger.get('/locations/OTHERS-1')).id, at)
    assert.equal((await admin.get('/locations/OTHERS-1')).code, 'conflict')
  })

  test('a task is given to nobody who does not see it', async () => {
    const path = `/picking-tasks/${things['picking-tasks']}/take-over`
    const given = async (user_id: string) => {
      const { code, message } = await neighbour.post(path, { user_id })
      return [code, message]
    }
    assert.deepEqual(await given(stranger.userId), await given(nobody))
    assert.equal((await given(nobody))[0], 'validation_error')
    good(await neighbour.post(path, { user_id: other.userId }))
    good(await admin.put(`/users/${other.userId}/warehouses`, { warehouse_codes: [mine] }))
    const task = good<{ claim: unknown }>(await neighbour.get(path.replace('/take-over', '')))
    assert.equal(task.claim, null, 'who no longer works there holds nothing there')
    good(await admin.put(`/users/${other.userId}/warehouses`, { warehouse_codes: [theirs] }))
  })

  test('users and handhelds of others are in no list', async () => {
    const ids = async (path: string) =>
      good<{ items: { id: string }[] }>(await stranger.get(`${path}?limit=200`)).items.map(
        ({ id }) => id,
      )
    const users = await ids('/users')
    assert.deepEqual([users.includes(other.userId), users.includes(admin.userId)], [false, true])
    assert.ok(!(await ids('/devices')).includes(device))
    const own = await idOf('/devices', { name: 'Свой терминал' }, stranger)
    assert.ok((await ids('/devices')).includes(own))
  })
})

test('lists show the clients of one warehouse, and refuse a warehouse of others', async () => {
  const lists = [
    ...['receipts', 'orders', 'shipments', 'picking-tasks', 'misses', 'returns', 'counts'],
    ...['expected-returns', 'exceptions', 'boxes', 'pallets', 'movements', 'cabinets', 'today'],
    ...['counters', 'today/flow', 'today/curve'],
  ]
  interface Listed {
    readonly total: number
  }
  for (const list of lists) {
    const path = `/${list}?warehouse_code=`
    const [here, elsewhere] = [
      await manager.get(path + theirs),
      await manager.get(`${path}${mine}&client_id=${client}`),
    ]
    assert.equal(here.status, 200, `${list}: ${here.text}`)
    assert.equal(elsewhere.status, 200, `${list}: ${elsewhere.text}`)
    const ofClient = await manager.get(`/${list}?client_id=${client}`)
    if ((here.body as Partial<Listed> | undefined)?.total !== undefined) {
      assert.equal((here.body as Listed).total, (ofClient.body as Listed).total, list)
      assert.equal((elsewhere.body as Listed).total, 0, list)
    }
    assert.equal((await stranger.get(path + theirs)).status, 403, list)
  }
  for (const list of ['orders', 'receipts', 'movements'] as const) {
    const rowsOf = async (code: string) => {
      const path = `/staff/v1/exports/${list}?format=csv&client_id=${client}&warehouse_code=${code}`
      const headers = { authorization: `Bearer ${manager.token}` }
      const file = await fetch(service.baseUrl + path, { headers })
      return (await file.text()).trim().split('\n').length - 1
    }
    assert.ok((await rowsOf(theirs)) > 0, list)
    assert.equal(await rowsOf(mine), 0, list)
  }
})
