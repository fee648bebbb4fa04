import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accountUser } from '../support/account.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { goTo, signIn as signInSeller } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, isShown, openPage, phone } from './browser.ts'
import { openConsole as openConsoleOf } from './console-page.ts'
import { placeOrders } from './handheld-floor.ts'
import { openHandheld } from './handheld-page.ts'

/** Pictures of goods, as people see them: uploaded on the console, shown there, in the account and on the handheld. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const [tea, cup] = ['4600000000017', '4600000000024'] as const
const file = { name: 'чай.png', mimeType: 'image/png', buffer: fakePicture('tea', 300) }

const openConsole = (path: string) =>
  openConsoleOf(root, service.baseUrl, 'manager', `/staff/app/${path}`)

/** Goods with a picture, and goods without. */
async function openPictured() {
  const floor = await openFloor(service, { [tea]: 5, [cup]: 5 })
  good(await floor.manager.put(`/clients/${floor.client}/products/${tea}/picture`, file.buffer))
  return floor
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('a manager uploads a picture of a product, sees it large, and removes it', async () => {
  const { client } = await openFloor(service, { [tea]: 5, [cup]: 5 })
  const { page, faults } = await openConsole(`clients/${client}?tab=products&product=${tea}`)
  const section = page.getByRole('region', { name: 'Картинка товара', exact: true })
  await section.getByText('Картинки нет').waitFor()
  const wrong = { name: 'чай.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') }
  await section.getByLabel('Загрузить картинку', { exact: true }).setInputFiles(wrong)
  await section.getByText('картинка JPEG, PNG или WebP до 2 МБ').waitFor()
  await section.getByLabel('Загрузить картинку', { exact: true }).setInputFiles(file)
  await section.getByText('Картинку загрузил склад.').waitFor()
  await isShown(section.getByRole('img', { name: `Товар ${tea}` }))
  await page.reload()
  await isShown(rowOf(page, tea).getByRole('img'))
  assert.equal(await rowOf(page, cup).getByRole('img').count(), 0)
  await assertAccessible(page, 'with a picture')

  await rowOf(page, tea)
    .getByRole('button', { name: /^Картинка/ })
    .click()
  const large = page.getByRole('dialog', { name: `Товар ${tea}`, exact: true })
  await isShown(large.getByRole('img'))
  await assertAccessible(page, 'with the large picture')
  await page.keyboard.press('Escape')
  await large.waitFor({ state: 'hidden' })
  await rowOf(page, tea)
    .getByRole('button', { name: /^Картинка/ })
    .press('Enter')
  await large.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await large.waitFor({ state: 'hidden' })

  await section.getByRole('button', { name: 'Убрать загруженную', exact: true }).click()
  await section.getByText('Картинки нет').waitFor()
  assert.deepEqual(faults, [])
})

test('lists of stock, orders, shipments and receipts show pictures beside the goods', async () => {
  const floor = await openPictured()
  const [order, other] = await placeOrders(floor, { 'pic-1': { [tea]: 1 }, 'pic-2': { [cup]: 1 } })
  assert.ok(order && other)
  const shipment = await floor.filled([order, other])
  const items = [tea, cup].map((barcode) => ({ barcode, name: `Товар ${barcode}`, qty: 1 }))
  const receipt = good<{ id: string }>(
    await floor.manager.post(`/clients/${floor.client}/receipts`, { items }),
    201,
  )
  const { page, faults } = await openConsole(`stock?client_id=${floor.client}`)
  for (const [path, withIt, without] of [
    [`stock?client_id=${floor.client}`, tea, cup],
    [`orders?client_id=${floor.client}`, 'pic-1', 'pic-2'],
    [`shipments/${shipment.id}`, 'pic-1', 'pic-2'],
    [`receipts/${receipt.id}`, tea, cup],
  ] as const) {
    await page.goto(`/staff/app/${path}`)
    await isShown(rowOf(page, withIt).getByRole('img'))
    assert.equal(await rowOf(page, without).getByRole('img').count(), 0, path)
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      await assertFitsWidth(page)
      await assertAccessible(page, path)
    }
  }
  await page.goto(`/staff/app/orders/${order.id}`)
  await isShown(rowOf(page, tea).getByRole('img'))
  await page.setViewportSize(desktop)
  await page.goto(`/staff/app/stock?client_id=${floor.client}`)
  await rowOf(page, tea)
    .getByRole('button', { name: /^Картинка/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Закрыть', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).searchParams.get('of'), null, 'the row did not open')
  assert.deepEqual(faults, [])
})

test('the account shows pictures in the stock and at the goods', async () => {
  const { client } = await openPictured()
  const { login } = await accountUser(service, { [client]: 'viewer' })
  const { page, faults } = await openPage(service.baseUrl)
  await signInSeller(page, login)
  await goTo(page, 'Остатки')
  await isShown(rowOf(page, tea).locator('img'))
  assert.equal(await rowOf(page, cup).locator('img').count(), 0)
  await assertAccessible(page, 'the stock')
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await page.setViewportSize(desktop)
  await rowOf(page, tea).getByRole('link').click()
  await page.getByRole('button', { name: /^Картинка/ }).click()
  await isShown(page.getByRole('dialog').getByRole('img'))
  await assertAccessible(page, 'the goods')
  assert.deepEqual(faults, [])
})

test('whoever picks and receives sees the goods, and works on where the picture does not load', async () => {
  const floor = await openPictured()
  const [order] = await placeOrders(floor, { 'hand-1': { [tea]: 1 } })
  assert.ok(order)
  const shipment = await floor.filled([order])
  const items = [{ barcode: tea, name: 'Чай', qty: 1 }]
  const receipt = good<{ id: string }>(
    await floor.manager.post(`/clients/${floor.client}/receipts`, { items }),
    201,
  )
  const { page, faults } = await openHandheld(root, service.baseUrl)
  const picking = `/staff/scan/picking/${shipment.picking_task_id}`
  await page.goto(picking)
  await isShown(page.locator('.goods img'))
  await assertFitsWidth(page)
  await assertAccessible(page, 'picking')
  await page.goto(`/staff/scan/receiving/${receipt.id}`)
  await isShown(page.locator('.lines img'))
  await assertFitsWidth(page)
  await page.route('**/pictures/*', (route) => route.abort())
  await page.goto(picking)
  await page.locator('.goods').waitFor()
  await page.locator('.goods img').waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})
