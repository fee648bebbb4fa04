import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listOf, paths } from '../../web/console/paths.ts'
import { accountUser } from '../support/account.ts'
import { openClient } from '../support/client.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { afterReloads, signIn as signInSeller } from './account-scene.ts'
import { openPage } from './browser.ts'
import { openConsole } from './console-page.ts'
import { done, type Made } from './console-world.ts'
import { pickedShipment, startCount } from './handheld-floor.ts'
import { openHandheld } from './handheld-page.ts'

/** What a manager once met in the console and took for something else. */
const service = await startService()
const { db } = service
const root = await staffClient(service, 'administrator')
const open = (path: string) => openConsole(root, service.baseUrl, 'administrator', path)

test('a request is confirmed on its own page, which names the other one with the same goods, and a double click confirms nothing else', async () => {
  const { id: client } = await done<Made>(root.post('/clients', { name: `ООО ${randomUUID()}` }))
  const items = [{ barcode: '4600000000017', name: 'Кружка', qty: 5 }]
  const ask = async () => {
    const { id } = await done<Made>(root.post(`/clients/${client}/receipts`, { items }))
    await db`update receipts set status = 'PENDING_CONFIRMATION', source = 'api' where id = ${id}`
    return done<Made & { number: string }>(root.get(`/receipts/${id}`))
  }
  const [one, other] = [await ask(), await ask()]
  const { page, faults } = await open(listOf(paths.today, { client_id: client }))
  const card = page.getByRole('listitem').filter({ hasText: one.number })
  await card.getByRole('link', { name: `Проверить ${one.number}`, exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Подтвердить' }).count(), 0)
  await card.getByRole('link', { name: `Проверить ${one.number}`, exact: true }).click()
  await page.getByText(`Эти товары заявлены и в ${other.number}`, { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Подтвердить', exact: true }).dblclick()
  await page.getByText('Ожидается', { exact: false }).first().waitFor()
  const statusOf = async ({ id }: Made) =>
    good<{ status: string }>(await root.get(`/receipts/${id}`)).status
  assert.deepEqual(
    [await statusOf(one), await statusOf(other)],
    ['EXPECTED', 'PENDING_CONFIRMATION'],
  )
  assert.deepEqual(faults, [])
})

/** How far the colour of a place is from that of an empty one. */
function strengthOf(page: Page, name: RegExp): Promise<number> {
  return page.getByRole('link', { name }).evaluate((place) => {
    const channels = (each: Element) =>
      (getComputedStyle(each).backgroundColor.match(/\d+/g) ?? []).map(Number)
    const free = channels(document.querySelector('a.place.free') ?? place)
    return channels(place).reduce((sum, each, n) => sum + Math.abs(each - (free[n] ?? 0)), 0)
  })
}

test('the fuller a place is, the stronger is its colour on the map, in the light and in the dark', async () => {
  const warehouse_code = `M-${randomUUID().slice(0, 6)}`
  good(await root.post('/warehouses', { code: warehouse_code, name: 'Карта' }), 201)
  const draft = { name: 'ООО «Карта»', warehouse_code }
  const { id: client } = await done<Made>(root.post('/clients', draft))
  const items = [{ barcode: 'M', name: 'Мяч', qty: 12 }]
  const { id } = await done<Made>(root.post(`/clients/${client}/receipts`, { items }))
  await done(root.post(`/receipts/${id}/start`))
  await done(root.post(`/receipts/${id}/scans`, { scan_id: 'm', barcode: 'M', qty: 12 }))
  await done(root.post(`/receipts/${id}/finish`, { shortages: [] }))
  for (const [code, qty] of [
    ['A-1', 0],
    ['A-2', 2],
    ['A-3', 10],
  ] as const) {
    const place = await done<Made>(root.post('/locations', { warehouse_code, code }))
    const put = { client_id: client, barcode: 'M', qty, scan_id: randomUUID() }
    if (qty > 0) await done(root.post(`/locations/${place.id}/put`, put))
  }
  const { page, faults } = await open(listOf(paths.map, { warehouse_code }))
  await page.getByText('чем ярче цвет, тем больше лежит', { exact: false }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const [some, much] = [
      await strengthOf(page, /^A-2: есть/),
      await strengthOf(page, /^A-3: много/),
    ]
    assert.ok(some > 0 && much > some * 2, `${colorScheme}: ${some}, ${much}`)
  }
  await page.keyboard.press('?')
  await page
    .getByRole('dialog')
    .getByText('чем ярче место, тем оно полнее', { exact: false })
    .waitFor()
  assert.deepEqual(faults, [])
})

test('a call that went well stands under a word that blames nobody', async () => {
  const { id: client } = await done<Made>(root.post('/clients', { name: 'ООО «Вызов»' }))
  const { key } = await done<{ key: string }>(root.post(`/clients/${client}/keys`, { name: '1С' }))
  assert.equal((await openClient(service.baseUrl, key).get('/v1/me')).status, 200)
  const { page, faults } = await open(listOf(paths.calls, { client_id: client }))
  const row = page.getByRole('row', { name: '/v1/me' })
  await afterReloads(page, row)
  await page.getByRole('columnheader', { name: 'Ответ', exact: true }).waitFor()
  await row.getByText('200').waitFor()
  assert.equal(await page.getByText('Что не так').count(), 0)
  assert.deepEqual(faults, [])
})

const [tea, cup] = [ean13('460000000401'), ean13('460000000402')]

test('a shipment is opened without a number, which Sklad gives, of a cabinet that is picked here', async () => {
  const { client, manager } = await openFloor(service, { [tea]: 1 })
  const elsewhere = { marketplace: 'WB', name: 'Собирают сами', shipments: 'mirrored' }
  good(await manager.post(`/clients/${client}/cabinets`, elsewhere), 201)
  const { page, faults } = await open(listOf(paths.shipments, { client_id: client, form: 'new' }))
  const form = page.getByRole('form', { name: 'Новая отгрузка', exact: true })
  await form.getByLabel('Кабинет', { exact: true }).waitFor()
  assert.equal(await form.getByRole('option', { name: 'WB Собирают сами' }).count(), 0)
  await form.getByRole('button', { name: 'Открыть', exact: true }).click()
  await page.getByRole('heading', { name: /\d\d\.\d\d\.\d\d-1/, level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('who closes a shipment is asked first, and reads how many parcels were checked', async () => {
  const floor = await openFloor(service, { [tea]: 2 })
  const shipment = await pickedShipment(floor, { 'open-1': { [tea]: 1 }, 'open-2': { [tea]: 1 } })
  const { lines = [] } = await floor.task(shipment)
  const check = { scan_id: 'one', order_id: lines[0]?.order_id, code: tea }
  good(await floor.worker.post(`/shipments/${shipment.id}/checks`, check))
  const name = `Закрыть отгрузку ${shipment.external_id}?`
  const { page, faults } = await open(`/staff/app/shipments/${shipment.id}`)
  const handheld = await openHandheld(root, service.baseUrl)
  await handheld.page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  for (const [surface, button, no] of [
    [page, 'Закрыть', 'Не надо'],
    [handheld.page, 'Закрыть отгрузку', 'Отмена'],
  ] as const) {
    await surface.getByRole('button', { name: button, exact: true }).click()
    const question = surface.getByRole('dialog', { name, exact: true })
    await question.getByText('2 заказа уедут', { exact: false }).waitFor()
    await question.getByText('Упаковка проверена у 1 из 2 посылок', { exact: true }).waitFor()
    await question.getByRole('button', { name: no, exact: true }).click()
    await question.waitFor({ state: 'hidden' })
  }
  const { status } = good<{ status: string }>(await root.get(`/shipments/${shipment.id}`))
  assert.equal(status, 'ASSEMBLING')
  assert.deepEqual([...faults, ...handheld.faults], [])
})

test('units that are missing and units that came beyond stand beside each other: console, handheld, account', async () => {
  const { client, manager, worker } = await openFloor(service, { X: 1 })
  const items = [tea, cup].map((barcode) => ({ barcode, name: `Товар ${barcode}`, qty: 3 }))
  const { id, number } = await done<Made & { number: string }>(
    manager.post(`/clients/${client}/receipts`, { items }),
  )
  await done(worker.post(`/receipts/${id}/start`))
  for (const [barcode, qty] of [
    [tea, 2],
    [cup, 4],
  ] as const) {
    await done(worker.post(`/receipts/${id}/scans`, { scan_id: barcode, barcode, qty }))
  }
  const handheld = await openHandheld(root, service.baseUrl)
  await handheld.page.goto(`/staff/scan/receiving/${id}`)
  await handheld.page.getByText('6 из 6, не хватает 1, сверх заявки 1', { exact: false }).waitFor()
  const { items: reasons } = good<{ items: { code: string }[] }>(
    await root.get('/reasons?kind=shortage'),
  )
  const shortages = [{ barcode: tea, reason: reasons[0]?.code }]
  await done(worker.post(`/receipts/${id}/finish`, { shortages }))

  const { page, faults } = await open(listOf(paths.receipts, { client_id: client }))
  await page.getByRole('row').filter({ hasText: number }).getByText('−1 +1').waitFor()
  await page.getByRole('link', { name: number, exact: true }).click()
  const seller = await accountUser(service, { [client]: 'viewer' })
  const account = await openPage(service.baseUrl)
  await signInSeller(account.page, seller.login)
  await account.page.goto(`/account/receipts/${id}`)
  for (const surface of [page, account.page]) {
    for (const term of ['Не хватает', 'Сверх заявки']) {
      await surface.locator('.facts > div', { hasText: new RegExp(`^${term}\\s*1$`) }).waitFor()
    }
  }
  assert.deepEqual([...faults, ...handheld.faults, ...account.faults], [])
})

test('a count is handed over for review, and nothing says that it could not be', async () => {
  const floor = await openFloor(service, { [tea]: 1 })
  const id = await startCount(floor, { barcodes: [tea] })
  good(await floor.worker.post(`/counts/${id}/scans`, { scan_id: 'one', code: tea, qty: 1 }))
  good(await floor.worker.post(`/counts/${id}/finish`, {}))
  const { page, faults } = await open(`/staff/app/counts/${id}`)
  await page.getByRole('button', { name: 'Отдать на проверку', exact: true }).dblclick()
  await page.locator('.badge', { hasText: 'На проверке' }).first().waitFor()
  assert.equal(await page.getByText('Отдать на проверку', { exact: false }).count(), 0)
  assert.equal(await page.locator('main').getByRole('alert').count(), 0)
  assert.deepEqual(faults, [])
})

test('lines of a count that differ are decided together', async () => {
  const floor = await openFloor(service, { [tea]: 2, [cup]: 2 })
  const id = await startCount(floor, { barcodes: [tea, cup] })
  good(await floor.worker.post(`/counts/${id}/scans`, { scan_id: 'one', code: tea, qty: 1 }))
  good(await floor.manager.post(`/counts/${id}/review`))
  const { page, faults } = await open(`/staff/app/counts/${id}`)
  await page.getByLabel('Выбрать все строки', { exact: true }).check()
  await page.getByRole('button', { name: 'Решить отмеченные', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Решить 2 строки одинаково?', exact: true })
  await question.getByRole('button', { name: 'Решить отмеченные', exact: true }).click()
  await page.getByText('Готово: 2 из 2', { exact: true }).waitFor()
  const lines = page.getByRole('region', { name: 'Строки пересчёта', exact: true }).getByRole('row')
  await lines.filter({ hasText: 'Исправить остаток' }).nth(1).waitFor()
  assert.deepEqual(
    [await floor.stock(tea), await floor.stock(cup)],
    [
      [1, 0],
      [0, 0],
    ],
  )
  assert.deepEqual(faults, [])
})
