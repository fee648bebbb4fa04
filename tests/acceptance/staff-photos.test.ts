import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { photosOfObjectMax } from '../../src/warehouse/photos/photos.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { fakePhoto, jpegSegment } from '../support/fake-photo.ts'
import { eventually } from '../support/faults.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { sharedService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'

const service = await sharedService()
const { db, baseUrl } = service

interface Photo {
  readonly id: string
  readonly photo: string
  readonly scan_id: string | null
  readonly taken_at: string
  readonly created_by: string
}
interface Photos {
  readonly items: readonly Photo[]
}

/** A movement, as far as photos go. */
interface Entry {
  readonly entry_id?: string
  readonly entry_with_photos?: string
}

const barcode = '4600000000017'
const items = [{ barcode, name: 'Чай', qty: 1 }]

async function openReceipt() {
  const floor = await openFloor(service, { [barcode]: 5 })
  const { client, manager } = floor
  const { id } = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  return { ...floor, receipt: id, photos: `/receipts/${id}/photos` }
}

function fillWithPhotos(client: string, kind: string, object: string, count: number) {
  return db`
    insert into photos
      (client_id, id, kind, object_id, hash, bytes, size, taken_at, created_at, created_by, keep_until)
    select ${client}, gen_random_uuid(), ${kind}, ${object}, sha256(n::text::bytea), n::text::bytea,
      octet_length(n::text), now(), now(), 'staff', now() + interval '1 day'
    from generate_series(1, ${count}::int) n`
}

const listed = (list: Photos) => list.items.map(({ id }) => id)

test('a photo is kept with its receipt without what the camera noted, and its repetition changes nothing', async () => {
  const { client, worker, photos, receipt } = await openReceipt()
  const notes = [jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 55.7558 37.6173'))]
  const sent = fakePhoto('one', { notes })
  const id = randomUUID()
  const query = 'taken_at=2026-11-20T09:00:00%2B03:00&scan_id=scan-1'
  const made = good<Photo>(await worker.put(`${photos}/${id}?${query}`, sent))
  assert.deepEqual(
    [made.id, made.scan_id, made.photo, made.created_by],
    [id, 'scan-1', `/staff/v1/clients/${client}/photos/${id}`, `staff:${worker.userId}`],
  )
  const again = good<Photo>(await worker.put(`${photos}/${id}?${query}`, sent))
  const anew = good<Photo>(await worker.put(`${photos}/${randomUUID()}`, fakePhoto('one')))
  assert.deepEqual([again, anew], [made, made])
  assertRefused(await worker.put(`${photos}/${id}`, fakePhoto('two')), 'conflict')
  assert.deepEqual(good<Photos>(await worker.get(photos)).items, [made])

  const answer = await fetch(`${baseUrl}${made.photo}`, {
    headers: { Authorization: `Bearer ${worker.token}` },
  })
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), fakePhoto('one'))
  assert.equal(answer.headers.get('content-type'), 'image/jpeg')
  assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox")
  const journal = await db<{ action: string; after: object }[]>`
    select action, after from staff_journal
    where client_id = ${client} and object_id = ${receipt} and action like '%Photo' order by id`
  assert.deepEqual(
    journal.map(({ action, after }) => [action, after]),
    [['putReceiptPhoto', { photo: id, taken_at: made.taken_at }]],
  )
})

test('a photo belongs to a receipt, a return, an order, a count or an entry of the ledger', async () => {
  const { client, manager, worker, orders, receipt } = await openReceipt()
  const [order] = await orders({ 'photo-1': barcode })
  const { id: batch } = good<{ id: string }>(
    await worker.post('/returns', { client_id: client }),
    201,
  )
  const { id: count } = good<{ id: string }>(
    await manager.post('/counts', { client_id: client, scope: {} }),
    201,
  )
  const entry = { barcode, qty: 1, reason: 'DAMAGED', entry_id: 'damage-1' }
  good(await manager.post(`/clients/${client}/write-offs`, entry), 201)
  for (const object of [
    `/receipts/${receipt}`,
    `/returns/${batch}`,
    `/orders/${order?.id}`,
    `/counts/${count}`,
    `/clients/${client}/stock-entries/damage-1`,
  ]) {
    const id = randomUUID()
    good(await worker.put(`${object}/photos/${id}`, fakePhoto('same')))
    assert.deepEqual(listed(good(await worker.get(`${object}/photos`))), [id], object)
    const [written] = good<{ items: readonly Entry[] }>(
      await manager.get(`/clients/${client}/movements?kind=write_off`),
    ).items
    const shown = object.endsWith('damage-1') ? 'damage-1' : undefined
    assert.deepEqual([written?.entry_id, written?.entry_with_photos], ['damage-1', shown])
    assertRefused(await worker.delete(`${object}/photos/${id}`), 'forbidden')
    assertRefused(await manager.delete(`${object}/photos/${randomUUID()}`), 'not_found')
    assert.equal((await manager.delete(`${object}/photos/${id}`)).status, 204)
    assert.deepEqual(listed(good(await worker.get(`${object}/photos`))), [])
    assertRefused(await worker.get(`/clients/${client}/photos/${id}`), 'not_found')
  }
  const unknown = `/clients/${client}/stock-entries/damage-2/photos/${randomUUID()}`
  assertRefused(await worker.put(unknown, fakePhoto('same')), 'not_found')
})

test('a returned unit that was scanned without a batch gets its photo by the scan', async () => {
  const { client, worker, orders, filled, pick } = await openReceipt()
  const scan = { scan_id: randomUUID(), code: barcode, condition: 'damaged', client_id: client }
  const path = `/returns/scans/photos/${randomUUID()}?scan_id=${scan.scan_id}`
  assertRefused(await worker.put(path, fakePhoto('box')), 'not_found')
  const [order] = await orders({ 'photo-back': barcode })
  const shipment = await filled(order === undefined ? [] : [order])
  const picked = { scan_id: '1', order_id: order?.id, barcode }
  good(await pick(shipment.picking_task_id, picked))
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  const came = good<{ return_id: string }>(await worker.post('/returns/scans', scan))
  const made = good<Photo>(await worker.put(path, fakePhoto('box')))
  assert.equal(made.scan_id, scan.scan_id)
  assert.deepEqual(listed(good(await worker.get(`/returns/${came.return_id}/photos`))), [made.id])
})

async function shippedUnit(scene: Floor, number: string, shipped = barcode) {
  const { worker, orders, filled, pick } = scene
  const [order] = await orders({ [number]: shipped })
  const shipment = await filled(order === undefined ? [] : [order])
  good(
    await pick(shipment.picking_task_id, { scan_id: '1', order_id: order?.id, barcode: shipped }),
  )
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
}

test('a scan that two clients may own leaves its number free: with the owner it is taken in, and its photo finds it', async () => {
  const code = '4600000000024'
  const [one, other] = [
    await openFloor(service, { [code]: 2 }),
    await openFloor(service, { [code]: 2 }),
  ]
  await shippedUnit(one, 'photo-of-one', code)
  const scan = { scan_id: randomUUID(), code, condition: 'damaged' }
  const path = `/returns/scans/photos/${randomUUID()}?scan_id=${scan.scan_id}`
  for (const late of [{}, queued]) {
    const asked = await one.worker.post('/returns/scans', { ...scan, ...late })
    assertRefused(asked, 'validation_error', 'client_id')
    assertRefused(await one.worker.put(path, fakePhoto('whose')), 'not_found')
  }
  const owned = { ...scan, client_id: one.client }
  const came = good<{ return_id: string }>(await one.worker.post('/returns/scans', owned))
  const made = good<Photo>(await one.worker.put(path, fakePhoto('whose')))
  assert.deepEqual(listed(good(await one.worker.get(`/returns/${came.return_id}/photos`))), [
    made.id,
  ])
  assert.deepEqual(
    [await one.stock(code), await other.stock(code)],
    [
      [2, 0],
      [2, 0],
    ],
  )
})

/** Other files have clients of their own in this database. */
async function assertTrue(client: string) {
  const { findings } = await audit(db)
  assert.deepEqual(
    findings.filter((finding) => finding.client === client),
    [],
  )
}

const queued = { queued_at: '2026-11-20T11:59:00+03:00' }
const decide = (decision: string) => ({ decision, comment: 'Нашли' })

// Guarantee (photos): A photo of a scan that became an exception stays with it, and with the unit once it is accepted.
test('a returned unit whose scan became an exception keeps its photo, which follows it into the batch', async () => {
  const scene = await openReceipt()
  const { client, manager, worker } = scene
  const scan_id = randomUUID()
  const scan = { scan_id, code: barcode, condition: 'damaged', client_id: client, ...queued }
  // Nothing has been shipped yet, so nothing can come back.
  const kept = good<{ id: string }>(await worker.post('/returns/scans', scan), 202)
  const [first, late] = [randomUUID(), randomUUID()]
  const put = (id: string, name: string) =>
    worker.put(`/returns/scans/photos/${id}?scan_id=${scan_id}`, fakePhoto(name))
  const photos = `/exceptions/${kept.id}/photos`
  const made = good<Photo>(await put(first, 'first'))
  assert.deepEqual(good<Photo>(await put(first, 'first')), made, 'a repetition changes nothing')
  assert.deepEqual(listed(good(await manager.get(photos))), [first])
  await assertTrue(client)

  await shippedUnit(scene, 'photo-exception')
  good(await manager.post(`/exceptions/${kept.id}/resolve`, decide('accepted')))
  assert.deepEqual(good<Photo>(await put(first, 'first')), made)
  good(await put(late, 'late'))
  const { items } = good<{ items: readonly { id: string }[] }>(
    await worker.get(`/returns?client_id=${client}`),
  )
  const ofBatch = good<Photos>(await worker.get(`/returns/${items[0]?.id}/photos`))
  assert.deepEqual(listed(ofBatch).toSorted(), [first, late].toSorted())
  assert.deepEqual(listed(good(await manager.get(photos))), listed(ofBatch), 'shown with both')
  assert.equal((await manager.delete(`${photos}/${late}`)).status, 204)
  assert.deepEqual(listed(good(await manager.get(photos))), [first])
  await assertTrue(client)
})

test('a photo stays with an exception that is not accepted, and what the batch has no room for', async () => {
  const scene = await openReceipt()
  const { client, manager, worker } = scene
  const keep = async () => {
    const scan_id = randomUUID()
    const scan = { scan_id, code: barcode, condition: 'damaged', client_id: client, ...queued }
    const { id } = good<{ id: string }>(await worker.post('/returns/scans', scan), 202)
    const photo = randomUUID()
    const path = `/returns/scans/photos/${photo}?scan_id=${scan_id}`
    good(await worker.put(path, fakePhoto(scan_id)))
    return { id, photo }
  }
  const [dismissed, accepted] = [await keep(), await keep()]
  good(await manager.post(`/exceptions/${dismissed.id}/resolve`, decide('dismissed')))
  await shippedUnit(scene, 'photo-full')
  await shippedUnit(scene, 'photo-fuller')
  const scan = { scan_id: randomUUID(), code: barcode, condition: 'sellable', client_id: client }
  const { return_id: batch } = good<{ return_id: string }>(
    await worker.post('/returns/scans', scan),
  )
  await fillWithPhotos(client, 'return', batch, photosOfObjectMax)
  good(await manager.post(`/exceptions/${accepted.id}/resolve`, decide('accepted')))
  for (const { id, photo } of [dismissed, accepted]) {
    assert.deepEqual(listed(good(await manager.get(`/exceptions/${id}/photos`))), [photo])
  }
  await db`delete from photos where client_id = ${client}`
})

test('a photo of a late scan at receiving, of a batch, of a count or of a checked parcel is kept at the object and shown with the exception', async () => {
  const { client, manager, worker, orders, filled, pick } = await openReceipt()
  const { id: receipt } = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  good(await worker.post(`/receipts/${receipt}/start`))
  good(await worker.post(`/receipts/${receipt}/scans`, { scan_id: 'in time', barcode }))
  good(await worker.post(`/receipts/${receipt}/finish`))
  const batch = good<{ id: string }>(await worker.post('/returns', { client_id: client }), 201)
  good(await worker.post(`/returns/${batch.id}/finish`))
  const count = good<{ id: string }>(
    await manager.post('/counts', { client_id: client, scope: {} }),
    201,
  )
  good(await manager.post(`/counts/${count.id}/cancel`))
  const late = { scan_id: 'late', ...queued }
  for (const [object, scan] of [
    [`/receipts/${receipt}`, { ...late, barcode }],
    [`/returns/${batch.id}`, { ...late, code: barcode, condition: 'damaged' }],
    [`/counts/${count.id}`, { ...late, code: barcode, qty: 1 }],
  ] as const) {
    const kept = good<{ id: string }>(await worker.post(`${object}/scans`, scan), 202)
    const id = randomUUID()
    good(await worker.put(`${object}/photos/${id}?scan_id=late`, fakePhoto('late')))
    good(await worker.put(`${object}/photos/${randomUUID()}`, fakePhoto('of the whole')))
    assert.deepEqual(listed(good(await manager.get(`/exceptions/${kept.id}/photos`))), [id], object)
  }
  const [order] = await orders({ 'photo-check': barcode })
  const shipment = await filled(order === undefined ? [] : [order])
  good(await pick(shipment.picking_task_id, { scan_id: '1', order_id: order?.id, barcode }))
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
  good(await worker.put(`/orders/${order?.id}/photos/${randomUUID()}`, fakePhoto('parcel')))
})

// Guarantee (photos): Nobody gets a photo of another client.
test('a photo of another client does not exist', async () => {
  const [one, other] = [await openReceipt(), await openReceipt()]
  const id = randomUUID()
  good(await one.worker.put(`${one.photos}/${id}`, fakePhoto('mine')))
  assertRefused(await other.worker.get(`/clients/${other.client}/photos/${id}`), 'not_found')
  assertRefused(await other.manager.delete(`${other.photos}/${id}`), 'not_found')
  for (const odd of ['..', '%00', "' or 1=1", id.toUpperCase(), `${id}0`]) {
    const path = `/clients/${one.client}/photos/${encodeURIComponent(odd)}`
    assertRefused(await one.worker.get(path), 'not_found')
  }
  // The same bytes, and the same id, are another photo there.
  const theirs = good<Photo>(await other.worker.put(`${other.photos}/${id}`, fakePhoto('mine')))
  assert.equal(theirs.photo, `/staff/v1/clients/${other.client}/photos/${id}`)
})

test('what is no photo is refused in words and leaves nothing', async () => {
  const { worker, photos } = await openReceipt()
  const put = (bytes?: Uint8Array, id: string = randomUUID(), query = '') =>
    worker.put(`${photos}/${id}${query}`, bytes)
  const words = /^Поле photo: целый снимок JPEG до 2 МБ/
  for (const bytes of [
    fakePicture('one'),
    Buffer.from('<svg/>'),
    fakePhoto('one').subarray(0, -2),
    fakePhoto('one', { width: 65_535, height: 65_535 }),
    undefined,
  ]) {
    assertRefused(await put(bytes), 'validation_error', words)
  }
  const large = Buffer.concat([fakePhoto('one'), Buffer.alloc(2 * 1024 * 1024)])
  assertRefused(await put(large), 'bad_request', /не больше 2097152 байт/)
  assertRefused(await put(fakePhoto('one'), 'x'), 'bad_request', /photo/)
  assertRefused(await put(fakePhoto('one'), randomUUID(), '?taken_at=x'), 'bad_request')
  assertRefused(await put(fakePhoto('one'), randomUUID(), '?scan_id='), 'bad_request')
  assert.deepEqual(listed(good(await worker.get(photos))), [])
})

test('a device whose clock is ahead took its photo now', async () => {
  const { worker, photos } = await openReceipt()
  const query = '?taken_at=2126-01-01T00:00:00Z'
  good(await worker.put(`${photos}/${randomUUID()}${query}`, fakePhoto('late')))
  const [row] = await db<{ same: boolean }[]>`
    select taken_at = created_at as same from photos order by created_at desc, id desc limit 1`
  assert.equal(row?.same, true)
})

test('an object, and a client in a day, have so many photos and no more', async () => {
  const { client, worker, photos, receipt } = await openReceipt()
  const fill = (object: string, count: number) => fillWithPhotos(client, 'receipt', object, count)
  await fill(receipt, photosOfObjectMax)
  assertRefused(
    await worker.put(`${photos}/${randomUUID()}`, fakePhoto('more')),
    'conflict',
    `Здесь уже ${photosOfObjectMax} фото, больше приложить нельзя`,
  )
  await db`delete from photos where client_id = ${client}`
  await fill(randomUUID(), 1_000)
  const refused = await worker.put(`${photos}/${randomUUID()}`, fakePhoto('more'))
  assertRefused(refused, 'rate_limited', /^За день у клиента уже 1.000 фото/)
  await db`delete from photos where client_id = ${client}`
})

// Guarantee (photos): A process holds the bodies of at most eight photos.
test('endless bodies hold the places of eight photos alone, and of many at once none is lost or kept twice', async () => {
  const { worker, photos } = await openReceipt()
  const hanging = await Promise.all(Array.from({ length: 8 }, () => hang(photos, worker.token)))
  const refused = await worker.put(`${photos}/${randomUUID()}`, fakePhoto('one'))
  assertRefused(refused, 'unavailable', 'Сейчас принимаются другие фото: повторите позже')
  assert.equal(refused.headers.get('retry-after'), '2')
  for (const each of hanging) each.destroy()

  const names = Array.from({ length: 40 }, (_, n) => `many-${n}`)
  await Promise.all(names.flatMap((name) => [name, name]).map((name) => send(name)))
  assert.equal(good<Photos>(await worker.get(photos)).items.length, names.length)
  const kept = await db<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from photos where object_id = ${photos.split('/')[2] ?? ''}`
  const expected = names.map((name) => createHash('sha256').update(fakePhoto(name)).digest('hex'))
  assert.deepEqual(kept.map(({ hash }) => hash).toSorted(), expected.toSorted())

  async function send(name: string): Promise<void> {
    const id = randomUUID()
    for (;;) {
      const answer = await worker.put(`${photos}/${id}`, fakePhoto(name))
      if (answer.status === 200) return
      assert.equal(answer.status, 503, answer.text)
    }
  }
})

// Guarantee (photos): Photos of a client never wait for those of another client.
test('photos of a client whose photos are locked wait without connections, and those of others pass', async () => {
  const [one, other] = [await openReceipt(), await openReceipt()]
  const waiting = async () => {
    const [row] = await db<[{ count: number }]>`
      select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
        and (classid::bigint << 32 | objid::bigint) = hashtextextended(${`photos ${one.client}`}, 0)`
    return row.count
  }
  const free = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`photos ${one.client}`}, 0))`
    locked.resolve()
    await free.promise
  })
  await locked.promise
  const names = ['a', 'b', 'c', 'd']
  const sent = names.map((name) => one.worker.put(`${one.photos}/${randomUUID()}`, fakePhoto(name)))
  await eventually('one waits', async () => (await waiting()) > 0)
  good(await other.worker.put(`${other.photos}/${randomUUID()}`, fakePhoto('passes')))
  assert.equal(await waiting(), 1)
  free.resolve()
  await holding
  for (const answer of await Promise.all(sent)) good(answer)
  assert.equal(good<Photos>(await one.worker.get(one.photos)).items.length, names.length)
})

/** A body that is announced and never ends: resolves when the service has begun to read it. */
function hang(photos: string, token: string) {
  return new Promise<{ destroy(): void }>((resolve, reject) => {
    const call = httpRequest(`${baseUrl}/staff/v1${photos}/${randomUUID()}`, {
      method: 'PUT',
      agent: false,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'image/jpeg',
        'Content-Length': 1_000_000,
        Expect: '100-continue',
      },
    })
    call.on('continue', () => resolve(call))
    call.on('error', reject)
    call.flushHeaders()
  })
}

// Guarantee (photos): A seller reads photos of its own receipts, returns and orders only, without anybody's name.
test('a seller reads the photos of its own receipts alone', async () => {
  const [one, other] = [await openReceipt(), await openReceipt()]
  const id = randomUUID()
  const { taken_at } = good<Photo>(await one.worker.put(`${one.photos}/${id}`, fakePhoto('own')))
  const seller = await accountUser(service, { [one.client]: 'viewer' })
  const shown = good<{ items: readonly (Photo & { created_at: string })[] }>(
    await seller.get(one.photos),
  ).items
  const photo = `/account/v1/photos/${id}`
  assert.deepEqual(shown, [{ id, photo, taken_at, created_at: shown[0]?.created_at }])
  const headers = { Cookie: seller.cookie }
  const answer = await fetch(baseUrl + photo, { headers })
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), fakePhoto('own'))

  const stranger = await accountUser(service, { [other.client]: 'owner' })
  assertRefused(await stranger.get(one.photos), 'not_found')
  assertRefused(await stranger.get(`/photos/${id}`), 'not_found')
  assertRefused(await stranger.get('/photos/x'), 'not_found')
  const count = good<{ id: string }>(
    await one.manager.post('/counts', { client_id: one.client, scope: {} }),
    201,
  )
  const ofCount = randomUUID()
  good(await one.worker.put(`/counts/${count.id}/photos/${ofCount}`, fakePhoto('count')))
  assertRefused(await seller.get(`/photos/${ofCount}`), 'not_found')
})
