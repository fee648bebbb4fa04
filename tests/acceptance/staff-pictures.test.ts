import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused, openClient } from '../support/client.ts'
import { fakePhoto, jpegSegment } from '../support/fake-photo.ts'
import { fakeWebp } from '../support/fake-webp.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { sharedService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { at, noon } from '../support/warehouse.ts'

const service = await sharedService()
const { db, baseUrl } = service

const barcode = '4600000000017'
const picture = fakePicture('tea')
const hash = createHash('sha256').update(picture).digest('hex')

interface Pictured {
  readonly barcode?: string
  readonly picture?: string
  readonly picture_uploaded?: boolean
}

async function openGoods(goods = [barcode]) {
  const floor = await openFloor(service, Object.fromEntries(goods.map((each) => [each, 5])))
  const product = `/clients/${floor.client}/products/${barcode}`
  return {
    ...floor,
    product,
    address: `/staff/v1/clients/${floor.client}/pictures/${hash}`,
    upload: (bytes: Uint8Array = picture) => floor.manager.put(`${product}/picture`, bytes),
  }
}

const raw = (token: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } })

test('an uploaded picture is shown with the product, served as it was sent, and can be removed', async () => {
  const { manager, worker, product, address, upload } = await openGoods()
  assert.equal(good<Pictured>(await manager.get(product)).picture, undefined)
  const { picture: named, picture_uploaded: uploaded } = good<Pictured>(await upload())
  assert.deepEqual([named, uploaded], [address, true])
  const answer = await raw(worker.token, address)
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture)
  const shown = Object.fromEntries(
    [
      'content-type',
      'x-content-type-options',
      'content-security-policy',
      'content-disposition',
      'cross-origin-resource-policy',
      'cache-control',
      'etag',
    ].map((name) => [name, answer.headers.get(name)]),
  )
  assert.deepEqual(shown, {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': 'inline',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, max-age=31536000, immutable',
    etag: `"${hash}"`,
  })
  const again = await raw(worker.token, address, { 'If-None-Match': `"${hash}"` })
  assert.deepEqual([again.status, await again.text()], [304, ''])

  assert.equal(good<Pictured>(await manager.delete(`${product}/picture`)).picture, undefined)
  good(await manager.delete(`${product}/picture`))
  const journal = await db<{ action: string; before: object; after: object }[]>`
    select action, before, after from staff_journal
    where action like '%ProductPicture' and object_id = ${barcode}
      and client_id = ${address.split('/')[4] ?? ''} order by id`
  assert.deepEqual(
    journal.map(({ action, before, after }) => [action, before, after]),
    [
      ['putProductPicture', { picture: null }, { picture: hash }],
      ['deleteProductPicture', { picture: hash }, { picture: null }],
    ],
    'a repeat is no change',
  )
})

test('what is no picture, or is too large, is refused in words', async () => {
  const { product, manager, upload } = await openGoods()
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<script>1</script>',
    'GIF89a',
  ]) {
    assertRefused(
      await upload(Buffer.from(text)),
      'validation_error',
      'Поле picture: целая неподвижная картинка JPEG, PNG или WebP до 2 МБ, до 16 млн точек и до 8192 точек по стороне',
    )
  }
  const long = fakePhoto('long', { width: 8193, height: 8 })
  assertRefused(await upload(long), 'validation_error', 'до 8192 точек по стороне')
  assertRefused(await manager.put(`${product}/picture`), 'validation_error')
  const large = Buffer.concat([picture, Buffer.alloc(2 * 1024 * 1024)])
  assertRefused(await upload(large), 'bad_request', /не больше 2097152 байт/)
  assertRefused(await manager.put(`${product}0/picture`, picture), 'not_found')
  assertRefused(await manager.delete(`${product}0/picture`), 'not_found')
})

/** A photo of the goods by a phone: EXIF with the position, a profile with a name, a preview behind the picture. */
const noted = (notes: readonly Buffer[]) =>
  Buffer.concat([fakePhoto('shelf', { notes }), fakePhoto('preview', { notes })])

// Guarantee (pictures): A picture of goods does not say where and with what it was made.
test('an uploaded picture is kept without what the camera noted', async () => {
  const { client, worker, upload } = await openGoods()
  const [xmp, head] = [Buffer.from('<exif:GPSLatitude>55,45.3N'), picture.subarray(0, 33)]
  const text = Buffer.concat([Buffer.from('iTXtXML:com.adobe.xmp\0\0\0\0\0'), xmp])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(text.length - 4)
  sum.writeUInt32BE(crc32(text))
  const chunk = Buffer.concat([Buffer.from('XMP \x1a\0\0\0', 'latin1'), xmp])
  const webp = Buffer.concat([fakeWebp.lossy, chunk])
  webp.writeUInt32LE(webp.length - 8, 4)
  for (const [given, kept] of [
    [noted([jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 55.7558'))]), fakePhoto('shelf')],
    [
      noted([
        jpegSegment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), xmp])),
      ]),
      fakePhoto('shelf'),
    ],
    [Buffer.concat([head, length, text, sum, picture.subarray(33)]), picture],
    [webp, fakeWebp.lossy],
  ] as const) {
    assert.ok(given.includes('55'))
    const { picture: address } = good<Pictured>(await upload(given))
    const answer = await raw(worker.token, address ?? '')
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), kept)
    assert.equal(answer.headers.get('etag'), `"${createHash('sha256').update(kept).digest('hex')}"`)
  }
  const stored =
    await db`select from pictures where client_id = ${client} and (position('55,45' in encode(bytes, 'escape')) > 0 or position('55.75' in encode(bytes, 'escape')) > 0)`
  assert.equal(stored.length, 0)
})

test('a picture that would take a viewer gigabytes, or is only the beginning of one, is refused in words', async () => {
  const { upload } = await openGoods()
  const bomb = Buffer.from(picture)
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
  for (const bytes of [
    bomb,
    fakePhoto('bomb', { width: 65_535, height: 65_535 }),
    fakePhoto('slow', { scans: 1_000 }),
    fakeWebp.moving,
    picture.subarray(0, -20),
    fakePhoto('cut').subarray(0, -2),
    Buffer.from('\xff\xd8\xff\xe0<script>alert(1)</script>', 'latin1'),
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'),
  ]) {
    assertRefused(
      await upload(bytes),
      'validation_error',
      'Поле picture: целая неподвижная картинка',
    )
  }
})

// Guarantee (pictures): Nobody gets a picture of another client.
test("a picture of another client does not exist, by its hash and by the product's barcode", async () => {
  const [one, other] = [await openGoods(), await openGoods()]
  good(await one.upload())
  const path = `/clients/${other.client}/pictures/${hash}`
  assertRefused(await other.manager.get(path), 'not_found')
  for (const odd of [hash.slice(1), hash.toUpperCase(), `${hash}0`, '..', "' or 1=1", '%00']) {
    assertRefused(
      await one.manager.get(`/clients/${one.client}/pictures/${encodeURIComponent(odd)}`),
      'not_found',
    )
  }
  const [mine, theirs] = [
    await accountUser(service, { [one.client]: 'viewer' }),
    await accountUser(service, { [other.client]: 'owner' }),
  ]
  assert.equal((await mine.get(`/pictures/${hash}`)).status, 200)
  assertRefused(await theirs.get(`/pictures/${hash}`), 'not_found')
  assert.deepEqual(good(await theirs.get(`/pictures?barcodes=${barcode}`)), { items: [] })
  const anybody = await fetch(`${baseUrl}${one.address}`)
  assert.equal(anybody.status, 401)
  const elsewhere = await staffClient(service, 'administrator')
  const admin = await staffClient(service, 'administrator')
  good(await admin.post('/warehouses', { code: 'PICTURES', name: 'Другой' }), 201)
  good(await admin.put(`/users/${elsewhere.userId}/warehouses`, { warehouse_codes: ['PICTURES'] }))
  assertRefused(await elsewhere.get(`/clients/${one.client}/pictures/${hash}`), 'not_found')
})

test('answers that name goods name their pictures, and no others do', async () => {
  const plain = '4600000000024'
  const floor = await openGoods([barcode, plain])
  const { manager, worker, client, address } = floor
  good(await floor.upload())
  const pictures = (goods: readonly Pictured[] = []) =>
    Object.fromEntries(goods.map((each) => [each.barcode, each.picture]))
  const expected = { [barcode]: address, [plain]: undefined }

  const itemsOf = async (path: string, by = manager) =>
    good<{ items: readonly Pictured[] }>(await by.get(path)).items
  assert.deepEqual(pictures(await itemsOf(`/clients/${client}/products`)), expected)
  assert.deepEqual(pictures(await itemsOf(`/clients/${client}/stock`)), expected)

  const [one, two] = await floor.orders({ 'p-1': barcode, 'p-2': plain })
  assert.ok(one && two)
  const listed = good<{ items: readonly { lines: readonly Pictured[] }[] }>(
    await worker.get(`/orders?client_id=${client}`),
  ).items.flatMap(({ lines }) => lines)
  assert.deepEqual(pictures(listed), expected)
  assert.equal((await floor.order(one.id)).lines[0]?.picture, address)
  const opened = await floor.open()
  const waiting = good<{ items: readonly { lines: readonly Pictured[] }[] }>(
    await worker.get(`/shipments/${opened.id}/waiting-orders`),
  ).items.flatMap(({ lines }) => lines)
  assert.deepEqual(pictures(waiting), expected)
  const task = await floor.task(await floor.filled([one, two]))
  assert.deepEqual(pictures(task.lines), expected)

  const items = [barcode, plain].map((each) => ({ barcode: each, name: each, qty: 1 }))
  const receipt = good<{ id: string }>(
    await manager.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  assert.deepEqual(pictures(await itemsOf(`/receipts/${receipt.id}`, worker)), expected)
  const started = good<{ items: Pictured[] }>(await worker.post(`/receipts/${receipt.id}/start`))
  assert.deepEqual(pictures(started.items), expected)

  const key = await at(db, noon, (work) =>
    issueApiKey(work, client, { name: '1С', receiptsEnabled: true }),
  )
  const seller = openClient(baseUrl, key.key)
  for (const path of [
    '/v1/stock',
    `/v1/stock/${barcode}`,
    '/v1/orders',
    `/v1/receipts/${receipt.id}`,
  ]) {
    const { status, text } = await seller.get(path)
    assert.deepEqual([status, text.includes('picture')], [200, false], path)
  }
})

test('the account shows pictures of its own goods, and a page of them does not meet the limit', async () => {
  const { client, upload } = await openGoods()
  good(await upload())
  const viewer = await accountUser(service, { [client]: 'viewer' })
  const { items } = good<{ items: readonly Pictured[] }>(
    await viewer.get(`/pictures?barcodes=x,${barcode},${barcode},`),
  )
  assert.deepEqual(items, [{ barcode, picture: `/account/v1/pictures/${hash}` }])
  assert.deepEqual(good(await viewer.get('/pictures')), { items: [] })
  for (let each = 0; each < 100; each += 1) {
    assert.equal((await viewer.get(`/pictures/${hash}`)).status, 200)
  }
  good(await viewer.get('/stock'))
})
