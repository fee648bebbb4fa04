import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accountUser } from '../support/account.ts'
import { fakePhoto, jpegSegment } from '../support/fake-photo.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { openConsole as openConsoleOf } from './console-page.ts'

/** Photos at what they show, as managers and sellers see them. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const tea = '4600000000017'

async function openScene() {
  const floor = await openFloor(service, { [tea]: 5 })
  const items = [{ barcode: tea, name: 'Чай', qty: 1 }]
  const receipt = good<{ id: string }>(
    await floor.manager.post(`/clients/${floor.client}/receipts`, { items }),
    201,
  )
  const [order] = await floor.orders({ [`shown-${floor.client}`]: tea })
  const batch = good<{ id: string }>(
    await floor.worker.post('/returns', { client_id: floor.client }),
    201,
  )
  const count = good<{ id: string }>(
    await floor.manager.post('/counts', { client_id: floor.client, scope: {} }),
    201,
  )
  const objects = {
    receipts: receipt.id,
    orders: order?.id ?? '',
    returns: batch.id,
    counts: count.id,
  }
  for (const [of, id] of Object.entries(objects)) {
    for (const name of ['one', 'two']) {
      good(await floor.worker.put(`/${of}/${id}/photos/${randomUUID()}`, fakePhoto(`${of}${name}`)))
    }
  }
  return { ...floor, objects }
}

const openConsole = async (path: string) =>
  (await openConsoleOf(root, service.baseUrl, 'manager', `/staff/app/${path}`)).page

/** Both photos are shown, and one of them large. */
async function showsPhotos(page: Page, name: string): Promise<void> {
  const photos = page.getByRole('region', { name: 'Фото', exact: true })
  await photos.getByRole('listitem').nth(1).waitFor()
  for (const image of await photos.getByRole('img').all()) {
    await image.evaluate((each: HTMLImageElement) => each.decode())
  }
  await assertAccessible(page, name)
  if (process.env.SHOTS !== undefined) {
    await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
  }
  await photos
    .getByRole('button', { name: /^Картинка: фото/ })
    .first()
    .press('Enter')
  const large = page.getByRole('dialog', { name: /^фото/ })
  await large.getByRole('img').evaluate((each: HTMLImageElement) => each.decode())
  await assertAccessible(page, `${name}, large`)
  await page.keyboard.press('Escape')
  await large.waitFor({ state: 'hidden' })
}

test('managers see photos at the receipt, the order, the return and the count, and remove one', async () => {
  const { objects, manager } = await openScene()
  const page = await openConsole(`receipts/${objects.receipts}`)
  await showsPhotos(page, 'console-receipts')
  for (const room of ['orders', 'returns', 'counts'] as const) {
    await page.goto(`/staff/app/${room}/${objects[room]}`)
    await showsPhotos(page, `console-${room}`)
  }
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await page.goto(`/staff/app/orders/${objects.orders}`)
  const photos = page.getByRole('region', { name: 'Фото', exact: true })
  await photos.getByRole('button', { name: 'Убрать' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Убрать', exact: true }).click()
  await photos.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
  const path = `/orders/${objects.orders}/photos`
  assert.equal(good<{ items: readonly object[] }>(await manager.get(path)).items.length, 1)
})

test('a manager sees the photos of a scan that waits for a decision', async () => {
  const { client, worker } = await openFloor(service, { [tea]: 5 })
  const scan_id = randomUUID()
  const scan = { scan_id, code: tea, condition: 'damaged', client_id: client }
  const queued_at = '2026-11-20T11:59:00+03:00'
  const { id } = good<{ id: string }>(
    await worker.post('/returns/scans', { ...scan, queued_at }),
    202,
  )
  for (const name of ['one', 'two']) {
    const path = `/returns/scans/photos/${randomUUID()}?scan_id=${scan_id}`
    good(await worker.put(path, fakePhoto(`late ${name}`)))
  }
  const page = await openConsole(`exceptions?decide=${id}`)
  await showsPhotos(page, 'console-exception')
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
})

test('a seller sees the photos of its receipt, order and return', async () => {
  const { client, objects } = await openScene()
  const { login } = await accountUser(service, { [client]: 'viewer' })
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, login)
  for (const room of ['receipts', 'orders', 'returns'] as const) {
    await page.goto(`/account/${room}/${objects[room]}`)
    await showsPhotos(page, `account-${room}`)
  }
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  assert.deepEqual(faults, [])
})

test('a manager sees the photos of a ledger entry in the list of movements, and removes one', async () => {
  const { client, manager, worker } = await openFloor(service, { [tea]: 5 })
  const entry_id = `broken-${client}`
  const draft = { barcode: tea, qty: 1, reason: 'DAMAGED', entry_id }
  good(await manager.post(`/clients/${client}/write-offs`, draft), 201)
  const path = `/clients/${client}/stock-entries/${entry_id}/photos`
  good(await worker.put(`${path}/${randomUUID()}`, fakePhoto('broken cup')))
  const page = await openConsole(`movements?client_id=${client}`)
  await page.getByRole('link', { name: 'Фото', exact: true }).click()
  const photos = page.getByRole('region', { name: 'Фото', exact: true })
  await photos.getByRole('button', { name: 'Убрать', exact: true }).waitFor()
  await assertAccessible(page, 'photos of an entry')
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await photos.getByRole('button', { name: 'Убрать', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Убрать', exact: true }).click()
  await page.getByText('Фото у записи нет.').waitFor()
})

/** As a phone makes it: with a position, or larger than the service wants it. */
const camera = {
  name: 'IMG.jpg',
  mimeType: 'image/jpeg',
  buffer: fakePhoto('console camera', {
    notes: [jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 55.7558 37.6173'))],
  }),
}
const wide = { name: 'IMG.png', mimeType: 'image/png', buffer: fakePicture('wide', 3_000) }
const noPhoto = { ...camera, buffer: Buffer.from('no photo') }

/** The photos that the page sends from its next address on, byte by byte as text. */
async function sentPhotos(page: Page): Promise<string[]> {
  const bodies: string[] = []
  await page.exposeFunction('photoIsSent', (text: string) => bodies.push(text))
  await page.addInitScript(() => {
    const send = globalThis.fetch
    globalThis.fetch = async (to, given) => {
      if (given?.body instanceof Blob) {
        const text = new TextDecoder('latin1').decode(await given.body.arrayBuffer())
        await (globalThis as unknown as { photoIsSent(text: string): Promise<void> }).photoIsSent(
          text,
        )
      }
      return send(to, given)
    }
  })
  return bodies
}

interface Movements {
  readonly items: readonly {
    readonly kind: string
    readonly delta: number
    readonly entry_id?: string
    readonly entry_with_photos?: string
  }[]
}

test('a manager writes off a broken unit with its photo, and adds another one to the entry', async () => {
  const { client, manager } = await openFloor(service, { [tea]: 5 })
  const page = await openConsole('receipts')
  const bodies = await sentPhotos(page)
  await page.goto(`/staff/app/stock?client_id=${client}&of=${tea}&form=write-off`)
  const form = page.getByRole('form', { name: 'Списать', exact: true })
  await form.getByLabel('Сколько единиц').fill('1')
  await form.getByLabel('Причина').selectOption({ label: 'Товар повреждён' })
  await form.getByLabel('Фото', { exact: true }).setInputFiles(noPhoto)
  await form.getByText('Это не снимок, выберите фотографию').waitFor()
  await form.getByRole('button', { name: 'Списать', exact: true }).click()
  await form.getByRole('alert').waitFor()
  const entries = async () => {
    const { items } = good<Movements>(await manager.get(`/clients/${client}/movements`))
    return items.filter(({ kind }) => kind === 'write_off')
  }
  assert.deepEqual(await entries(), [], 'nothing is written off without the photo that was wanted')
  await form.getByLabel('Фото', { exact: true }).setInputFiles(camera)
  await form.getByRole('img', { name: 'Выбранное фото' }).waitFor()
  await assertAccessible(page, 'a write-off with its photo')
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await page.setViewportSize(desktop)
  if (process.env.SHOTS !== undefined) {
    await page.screenshot({ path: `${process.env.SHOTS}/console-write-off.png` })
  }
  await form.getByRole('button', { name: 'Списать', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  const [entry, ...others] = await entries()
  assert.deepEqual([entry?.delta, others], [-1, []])
  assert.ok(entry?.entry_id !== undefined && entry.entry_id === entry.entry_with_photos)

  await page.goto(`/staff/app/movements?client_id=${client}`)
  await page.getByRole('link', { name: 'Фото', exact: true }).click()
  const photos = page.getByRole('region', { name: 'Фото', exact: true })
  await photos.getByRole('listitem').waitFor()
  await addPhoto(page, noPhoto)
  await page.getByText('Это не снимок, выберите фотографию').waitFor()
  await addPhoto(page, wide)
  await showsPhotos(page, 'console-entry')
  assert.equal(bodies.length, 2)
  for (const body of bodies) {
    assert.ok(body.startsWith('ÿØ'), 'a JPEG')
    assert.equal(body.includes('Exif') || body.includes('GPS'), false)
  }
})

test('an entry of the ledger without a photo gets its first one in the list of movements', async () => {
  const { client, manager } = await openFloor(service, { [tea]: 5 })
  const draft = { barcode: tea, qty: 1, reason: 'DAMAGED', entry_id: `bare-${client}` }
  good(await manager.post(`/clients/${client}/write-offs`, draft), 201)
  const page = await openConsole(`movements?client_id=${client}`)
  await page.getByRole('link', { name: /^Приложить фото: / }).click()
  await page.getByText('Фото у записи нет.').waitFor()
  await assertAccessible(page, 'an entry without photos')
  await addPhoto(page, camera)
  const photos = page.getByRole('region', { name: 'Фото', exact: true })
  await photos.getByRole('listitem').waitFor()
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
})

test('a manager who corrects the stock of a place adds a photo', async () => {
  const { client, manager, worker } = await openFloor(service, { [tea]: 5 })
  const code = `PHOTO-${client.slice(0, 8)}`
  const place = good<{ id: string }>(
    await root.post('/locations', { warehouse_code: 'MAIN', code }),
    201,
  )
  const put = { scan_id: randomUUID(), client_id: client, barcode: tea, qty: 2 }
  good(await worker.post(`/locations/${place.id}/put`, put))
  const page = await openConsole(`locations/${place.id}?form=correct`)
  const form = page.getByRole('form', { name: 'Исправить остаток здесь', exact: true })
  await form.getByLabel('На сколько изменить').fill('-1')
  await form.getByLabel('Фото', { exact: true }).setInputFiles(camera)
  await form.getByRole('button', { name: 'Исправить', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  const { items } = good<Movements>(await manager.get(`/clients/${client}/movements`))
  const [corrected] = items
  assert.deepEqual([corrected?.kind, corrected?.delta], ['correction', -1])
  const path = `/clients/${client}/stock-entries/${corrected?.entry_with_photos}/photos`
  assert.equal(good<{ items: readonly object[] }>(await manager.get(path)).items.length, 1)
})

async function addPhoto(page: Page, file: typeof camera): Promise<void> {
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Приложить фото', exact: true }).click()
  await (await chosen).setFiles(file)
}
