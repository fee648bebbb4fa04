import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { day as dayMs, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { accountUser } from '../support/account.ts'
import { fakePhoto } from '../support/fake-photo.ts'
import { fakePicture } from '../support/marketplaces/fake-picture.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { signIn } from './account-scene.ts'
import { isShown, openPage } from './browser.ts'
import { placeOrders, startReceipt } from './handheld-floor.ts'
import { figure, look, openHandheld, queueIsEmpty, sentence } from './handheld-page.ts'
import { scan } from './scanner.ts'

/** A worker's day with goods as they are: dates, pictures, sets, and a photo of what came back broken. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const [tea, cup, kit] = [ean13('460765430001'), ean13('460765430002'), ean13('460765430003')]

/** A date so many days from today: as a code has it, as a worker types it and as people read it. */
function inDays(days: number) {
  const date = moscowDate(Date.now() + days * dayMs)
  const [year = '', month, day] = date.split('-')
  const shown = `${day}.${month}.${year}`
  return { date, shown, typed: shown, code: `${year.slice(2)}${month}${day}` }
}
const [near, far] = [inDays(90), inDays(400)]

async function openGoods() {
  const floor = await openFloor(service, { [cup]: 4 })
  const { client, manager } = floor
  const product = (barcode: string) => `/clients/${client}/products/${barcode}`
  good(await manager.put(product(tea), { name: 'Чай' }), 201)
  good(await manager.put(`${product(tea)}/lots`, { warn_days: 100 }))
  for (const barcode of [tea, cup]) {
    good(await manager.put(`${product(barcode)}/picture`, fakePicture(barcode, 300)))
  }
  good(await manager.put(product(kit), { name: 'Чайный набор' }), 201)
  const parts = [tea, cup].map((barcode) => ({ barcode, qty: 1 }))
  good(await manager.put(`${product(kit)}/parts`, { parts }))
  return floor
}

test('dated goods are received, put away, picked, put together and come back broken; the seller sees all of it', async () => {
  const floor = await openGoods()
  const { client, worker, warehouse_code } = floor
  const { page, faults } = await openHandheld(root, service.baseUrl)

  const receipt = await startReceipt(floor, tea)
  await page.goto(`/staff/scan/receiving/${receipt.id}`)
  await page.getByText('0 из 10', { exact: true }).waitFor()
  await scan(page, tea)
  const dialog = page.getByRole('dialog', { name: 'Чай', exact: true })
  await dialog.getByLabel('Срок годности', { exact: true }).fill(far.typed)
  await page.keyboard.press('Enter')
  await figure(page, '1 из 10')
  await scan(page, tea)
  await figure(page, '2 из 10')
  for (const units of [3, 4]) {
    await scan(page, `]C1010${tea}17${near.code}10L5`)
    await figure(page, `${units} из 10`)
  }
  await queueIsEmpty(page)

  for (const code of ['DAY-A', 'DAY-B']) {
    good(await root.post('/locations', { warehouse_code, code }), 201)
    await page.goto('/staff/scan/units')
    await page.locator('.place', { hasText: 'Место' }).waitFor()
    await scan(page, code)
    await sentence(page, 'Теперь товар')
    await page.getByText('Россыпью ничего не лежит').waitFor()
    for (const units of ['1', '2']) {
      await scan(page, tea)
      await figure(page, units)
    }
    await queueIsEmpty(page)
  }

  const shipment = await floor.filled(
    await placeOrders(floor, { D1: { [tea]: 1 }, D2: { [cup]: 1 } }),
  )
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByText(`Берите со сроком до ${near.shown}`).waitFor()
  await page.getByText('DAY-A').waitFor()
  await isShown(page.locator('.goods img'))
  await isShown(page.getByRole('list', { name: 'Дальше' }).getByRole('img'))
  await look(page, 'day-picking')
  await scan(page, 'DAY-A')
  await scan(page, tea)
  await sentence(page, 'Заказ D1 собран')
  await scan(page, cup)
  await sentence(page, 'Заказ D2 собран')
  await queueIsEmpty(page)
  good(await worker.post(`/shipments/${shipment.id}/close`, {}))

  await page.goto('/staff/scan')
  await page.getByRole('link', { name: 'Принять возврат' }).waitFor()
  await scan(page, kit)
  await page.getByText('Набор, из частей выйдет 3:').waitFor()
  await page.getByRole('button', { name: 'Собрать наборы', exact: true }).click()
  await page.getByLabel('Сколько наборов').fill('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Собрать наборы' }).click()
  await page.getByText('Набор, из частей выйдет 2:').waitFor()
  assert.deepEqual(await floor.stock(kit), [1, 0])

  // What a code is, with the dates of the goods and where they lie: the set took what expires first.
  await scan(page, tea)
  const dates = page.getByRole('list', { name: 'Сроки годности' }).getByRole('listitem')
  await dates
    .filter({ hasText: `до ${far.shown}` })
    .getByText('DAY-B: 2')
    .waitFor()
  assert.equal(await dates.count(), 1)
  await isShown(page.locator('.card img'))
  await look(page, 'day-lots')

  await page.goto('/staff/scan')
  await page.getByRole('link', { name: 'Принять возврат' }).click()
  await page.getByRole('button', { name: 'Повреждён' }).click()
  await page.context().setOffline(true)
  await scan(page, 'D1')
  await page.getByText('В очереди: 1').waitFor()
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^Фото/ }).click()
  const buffer = fakePhoto('broken tea')
  await (await chosen).setFiles({ name: 'IMG.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByText('ждут отправки: 1 снимок').waitFor()
  await look(page, 'day-return')
  await page.context().setOffline(false)
  await queueIsEmpty(page)
  await page.getByText('Фото отправлены').waitFor()
  assert.deepEqual((await audit(service.db)).findings, [])
  assert.deepEqual(faults, [])

  const seller = await accountUser(service, { [client]: 'viewer' })
  const { items: returns } = good<{ items: readonly { id: string }[] }>(
    await seller.get('/returns'),
  )
  const account = await openPage(service.baseUrl)
  await signIn(account.page, seller.login)
  await account.page.goto(`/account/returns/${returns[0]?.id}`)
  const photos = account.page.getByRole('region', { name: 'Фото', exact: true })
  await isShown(photos.getByRole('img').first())
  await account.page.goto('/account/lots')
  const row = (text: string) => account.page.getByRole('row').filter({ hasText: text })
  await row(far.shown).getByText('Годен').waitFor()
  await row(near.shown).getByText('Скоро истечёт').waitFor()
  await account.page.goto(`/account/stock/${kit}`)
  await account.page.getByRole('heading', { name: 'Чайный набор' }).waitFor()
  const lots = good<{ items: readonly { expires_on: string; quantity: number }[] }>(
    await seller.get(`/lots?barcode=${tea}`),
  )
  const [units] = await floor.stock(tea)
  assert.equal(
    lots.items.reduce((sum, { quantity }) => sum + quantity, 0),
    units,
  )
  assert.deepEqual(account.faults, [])
})
