import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { openCutProxy } from '../support/cut-proxy.ts'
import { fakePhoto, jpegSegment } from '../support/fake-photo.ts'
import { eventually } from '../support/faults.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { openPage, phone } from './browser.ts'
import { startReceipt } from './handheld-floor.ts'
import { addWorker, figure, look, queueIsEmpty, signIn } from './handheld-page.ts'
import { scan } from './scanner.ts'

const service = await startService()
const { db } = service
const administrator = await staffClient(service, 'administrator')
const tea = ean13('460123450001')
const floor = await openFloor(service, { [tea]: 3 })

interface Photo {
  readonly photo: string
  readonly scan_id: string | null
}

/** As a camera makes it: larger than the service wants it, and with a position. */
const camera = {
  name: 'IMG.jpg',
  mimeType: 'image/jpeg',
  buffer: fakePhoto('camera', {
    notes: [jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 55.7558 37.6173'))],
  }),
}
const wide = { name: 'IMG.png', mimeType: 'image/png', buffer: fakePicture('wide', 3_000) }

async function openReceiving(baseUrl: string, receipt: StaffReceipt) {
  const { login } = await addWorker(administrator)
  const opened = await openPage(baseUrl, { viewport: phone })
  const { page } = opened
  await page.goto('/staff/scan')
  await signIn(page, login)
  await page.getByRole('link', { name: receipt.number }).click()
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  return { ...opened, login }
}

async function shoot(page: Page, file = camera, name: string | RegExp = /^Фото/): Promise<void> {
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name }).click()
  await (await chosen).setFiles(file)
}

const photosOf = async (path: string) =>
  good<{ items: readonly Photo[] }>(await administrator.get(`${path}/photos`)).items

async function bytesOf({ photo }: Photo): Promise<Buffer> {
  const answer = await fetch(service.baseUrl + photo, {
    headers: { Authorization: `Bearer ${administrator.token}` },
  })
  return Buffer.from(await answer.arrayBuffer())
}

test('photos of a receipt are scaled on the device, and keep nothing of what the camera wrote', async () => {
  const receipt = await startReceipt(floor, tea)
  const { page, faults } = await openReceiving(service.baseUrl, receipt)
  await scan(page, tea)
  await figure(page, '1 из 10')
  for (const file of [camera, wide]) {
    const sent = page.waitForResponse((answer) => answer.url().includes('/photos/'))
    await shoot(page, file)
    assert.equal((await sent).status(), 200)
    await page.getByText('Фото отправлены').waitFor()
  }
  await look(page, 'photo-receiving')
  const path = `/receipts/${receipt.id}`
  const photos = await photosOf(path)
  assert.equal(photos.length, 2)
  const [first, second] = await Promise.all(photos.map(bytesOf))
  assert.equal(first?.includes('GPS'), false)
  assert.deepEqual(sidesOf(first), [8, 8])
  assert.deepEqual(sidesOf(second), [1600, 1600])
  assert.ok(photos.every(({ scan_id: scanId }) => scanId !== null))
  await shoot(page, { ...camera, buffer: Buffer.from('no photo') })
  await page.getByText('Это не снимок: сфотографируйте ещё раз').waitFor()
  assert.deepEqual(faults, [])
})

// Guarantee (handheld): Photos and scans wait on the device without network; photos leave after the scans.
test('a damaged return is photographed without network; scans leave first, the photo follows', async () => {
  const [order] = await floor.orders({ 'photo-return': tea })
  const shipment = await floor.filled(order === undefined ? [] : [order])
  good(
    await floor.pick(shipment.picking_task_id, { scan_id: '1', order_id: order?.id, barcode: tea }),
  )
  good(await floor.worker.post(`/shipments/${shipment.id}/close`, {}))
  const { login } = await addWorker(administrator)
  const proxy = await openCutProxy(service.baseUrl)
  const { page, faults } = await openPage(proxy.baseUrl, { viewport: phone })
  await page.goto('/staff/scan')
  await signIn(page, login)
  await page.getByRole('link', { name: 'Принять возврат' }).click()
  await page.getByRole('button', { name: 'Повреждён' }).click()
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') calls.push('photo')
    if (request.url().endsWith('/returns/scans')) calls.push('scan')
  })
  proxy.silence()
  await scan(page, order?.external_id ?? '')
  await page.getByText('В очереди: 1').waitFor()
  await shoot(page)
  await page.getByText('ждут отправки: 1 снимок').waitFor()
  assert.equal(calls.includes('photo'), false)
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByText(`1 снимок, ${login}`).waitFor()
  await look(page, 'photo-waiting')
  proxy.revive()
  await queueIsEmpty(page)
  await page.getByText(`1 снимок, ${login}`).waitFor({ state: 'hidden' })
  assert.deepEqual([calls[0], calls.at(-1)], ['scan', 'photo'])
  const { items } = good<{ items: readonly { id: string }[] }>(
    await administrator.get(`/returns?client_id=${floor.client}`),
  )
  assert.equal((await photosOf(`/returns/${items[0]?.id}`)).length, 1)
  assert.deepEqual((await audit(db)).findings, [])
  assert.deepEqual(faults, [])
})

/** The handheld without network, at the returns of the day, and the photos that it sends from then on. */
async function openReturns() {
  const { login } = await addWorker(administrator)
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.goto('/staff/scan')
  await signIn(page, login)
  await page.getByRole('link', { name: 'Принять возврат' }).click()
  await page.getByRole('button', { name: 'Повреждён' }).click()
  const photos: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') photos.push(request.url())
  })
  await page.context().setOffline(true)
  const connect = () => page.context().setOffline(false)
  return { page, faults, connect, photos }
}

async function shipUnit({ orders, filled, pick, worker }: Floor, barcode: string) {
  const number = `shipped-${randomUUID()}`
  const [order] = await orders({ [number]: barcode })
  const shipment = await filled(order === undefined ? [] : [order])
  good(await pick(shipment.picking_task_id, { scan_id: number, order_id: order?.id, barcode }))
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))
}

interface Items {
  readonly items: readonly { readonly id: string }[]
}
const onlyOf = async (path: string) => {
  const { items } = good<Items>(await administrator.get(path))
  assert.equal(items.length, 1, path)
  return items[0]?.id ?? ''
}

test('a return that came too late is photographed without network: the photo stands at the exception, then at the return', async () => {
  const vase = ean13('460123450077')
  const own = await openFloor(service, { [vase]: 2 })
  const { page, faults, connect, photos } = await openReturns()
  await scan(page, vase)
  await page.getByText('В очереди: 1').waitFor()
  await shoot(page)
  await page.getByText('ждут отправки: 1 снимок').waitFor()
  // Nothing of it has left the warehouse, so the service refuses what the device has kept.
  await connect()
  await page.getByText('Скан передан менеджеру').waitFor()
  await page.getByRole('button', { name: 'Понятно' }).click()
  const exception = await onlyOf(`/exceptions?client_id=${own.client}`)
  await untilPhotoOf(`/exceptions/${exception}`)
  assert.equal(photos.length, 1)

  await shipUnit(own, vase)
  const decision = { decision: 'accepted', comment: 'Нашли заказ' }
  good(await own.manager.post(`/exceptions/${exception}/resolve`, decision))
  const batch = await onlyOf(`/returns?client_id=${own.client}`)
  assert.equal((await photosOf(`/returns/${batch}`)).length, 1)
  assert.equal((await photosOf(`/exceptions/${exception}`)).length, 1, 'shown with both')
  assert.deepEqual((await audit(db)).findings, [])
  assert.deepEqual(faults, [])
})

// Guarantee (handheld): A photo of a unit of unknown owner waits, and belongs to the unit that is taken in.
test('a photo waits until the worker has said whose the unit is, and is of its return then', async () => {
  const cup = ean13('460123450078')
  const [mine, theirs] = [
    await openFloor(service, { [cup]: 2 }),
    await openFloor(service, { [cup]: 2 }),
  ]
  await db`update clients set name = 'ООО «Венера»' where id = ${theirs.client}`
  for (const each of [mine, theirs]) await shipUnit(each, cup)
  const { page, faults, connect, photos } = await openReturns()
  await scan(page, cup)
  await page.getByText('В очереди: 1').waitFor()
  await shoot(page)
  await page.getByText('ждут отправки: 1 снимок').waitFor()
  await connect()
  const question = page.getByRole('dialog', { name: 'Чей это товар?' })
  await question.waitFor()
  await look(page, 'photo-whose')
  // A reload while the question is open loses neither.
  await page.reload()
  await question.waitFor()
  assert.deepEqual(photos, [], 'it waits for the answer')
  await question.getByRole('button', { name: 'ООО «Венера»' }).click()
  await question.waitFor({ state: 'hidden' })
  await queueIsEmpty(page)
  const batch = await onlyOf(`/returns?client_id=${theirs.client}`)
  await untilPhotoOf(`/returns/${batch}`)
  assert.equal(photos.length, 1)
  assert.deepEqual(await theirs.stock(cup), [2, 0])
  assert.deepEqual((await audit(db)).findings, [])
  assert.deepEqual(faults, [])
})

test('a photo of a unit of which the worker does not say whose it is, is said to be refused', async () => {
  const bowl = ean13('460123450079')
  for (const each of [1, 2]) await openFloor(service, { [bowl]: each })
  const { page, connect, photos } = await openReturns()
  await scan(page, bowl)
  await page.getByText('В очереди: 1').waitFor()
  await shoot(page)
  await page.getByText('ждут отправки: 1 снимок').waitFor()
  await connect()
  const question = page.getByRole('dialog', { name: 'Чей это товар?' })
  await question.getByRole('button', { name: 'Отмена', exact: true }).click()
  await question.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByText('Фото не принято. Скан возврата не принят').waitFor()
  assert.equal(photos.length, 1)
})

/** Photos leave behind the scans, and no page says when one has come. */
async function untilPhotoOf(path: string): Promise<void> {
  await eventually(`a photo of ${path}`, async () => (await photosOf(path)).length === 1)
}

test('a photo that waits outlives a reload, and another worker may send it', async () => {
  const receipt = await startReceipt(floor, tea)
  const { page, login } = await openReceiving(service.baseUrl, receipt)
  await page.route('**/photos/*', (route) => route.abort())
  await shoot(page)
  await page.getByText('ждут отправки: 1 снимок').waitFor()
  await page.goto('/staff/scan')
  await page.getByText(`1 снимок, ${login}`).waitFor()
  await page.getByRole('button', { name: 'Выйти или сменить сотрудника' }).click()
  const other = await addWorker(administrator)
  await page.unroute('**/photos/*')
  await signIn(page, other.login)
  await page.getByText(`1 снимок, ${login}`).waitFor()
  assert.equal((await photosOf(`/receipts/${receipt.id}`)).length, 0)
  await page.getByRole('button', { name: 'Отправить от моего имени' }).click()
  await page.getByText(`1 снимок`).waitFor({ state: 'hidden' })
  assert.equal((await photosOf(`/receipts/${receipt.id}`)).length, 1)
})

test('a device that is full says so, and scanning goes on', async () => {
  const receipt = await startReceipt(floor, tea)
  const { page, faults } = await openReceiving(service.baseUrl, receipt)
  await page.evaluate(() => {
    navigator.storage.estimate = async () => ({ quota: 60_000_000, usage: 59_000_000 })
  })
  await shoot(page)
  await page.getByText('Память терминала заполнена, фото не сохранено').waitFor()
  await scan(page, tea)
  await figure(page, '1 из 10')
  await queueIsEmpty(page)
  assert.equal((await photosOf(`/receipts/${receipt.id}`)).length, 0)
  assert.deepEqual(faults, [])
})

test('a photo that the service refuses is said on the first page, once', async () => {
  const receipt = await startReceipt(floor, tea)
  const { page } = await openReceiving(service.baseUrl, receipt)
  await db`
    insert into photos
      (client_id, id, kind, object_id, hash, bytes, size, taken_at, created_at, created_by, keep_until)
    select ${floor.client}, gen_random_uuid(), 'receipt', ${receipt.id}, sha256(n::text::bytea),
      n::text::bytea, octet_length(n::text), now(), now(), 'staff', now() + interval '1 day'
    from generate_series(1, 60) n`
  await shoot(page)
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByText('Фото не принято. Здесь уже 60 фото').waitFor()
  await page.getByRole('button', { name: 'Понятно' }).click()
  await page.getByText('Фото не принято').waitFor({ state: 'hidden' })
})

test('a photo of a client that has too many for today lets those of others pass, and waits', async () => {
  const full = await openFloor(service, { [ean13('460123450080')]: 1 })
  await db`
    insert into photos
      (client_id, id, kind, object_id, hash, bytes, size, taken_at, created_at, created_by, keep_until)
    select ${full.client}, gen_random_uuid(), 'receipt', gen_random_uuid()::text, sha256(n::text::bytea),
      n::text::bytea, octet_length(n::text), now(), now(), 'staff', now() + interval '1 day'
    from generate_series(1, 1000) n`
  const { id } = await startReceipt(full, tea)
  const other = await startReceipt(floor, tea)
  const { page } = await openReceiving(service.baseUrl, other)
  const open = (receipt: string) => page.locator(`a[href$="/receiving/${receipt}"]`).click()
  const back = () => page.getByRole('link', { name: 'Назад' }).click()
  await back()
  await open(id)
  const refused = page.waitForResponse((answer) => answer.status() === 429)
  await shoot(page)
  await refused
  await page.getByText('ждут отправки: 1 снимок').waitFor()
  await back()
  await open(other.id)
  await shoot(page)
  await untilPhotoOf(`/receipts/${other.id}`)
  await back()
  await page.getByText('1 снимок').waitFor()
  await db`delete from photos where client_id = ${full.client}`
  await page.reload()
  await untilPhotoOf(`/receipts/${id}`)
})

/** From the frame of a JPEG. */
function sidesOf(bytes: Buffer | undefined): readonly number[] {
  if (bytes === undefined) return []
  const at = bytes.indexOf(Buffer.of(0xff, 0xc0))
  return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
}
