import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { day as dayMs, moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { accountUser } from '../support/account.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { goTo } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { openConsole } from './console-page.ts'
import { placeOrders, startReceipt } from './handheld-floor.ts'
import { figure, look, openHandheld, queueIsEmpty, sentence } from './handheld-page.ts'
import { scan } from './scanner.ts'

/** Expiry dates as people see them: switched on, typed at receiving, put away, picked, shown. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const tea = ean13('460123450001')

/** A date so many days from today, as a worker types it and as people read it. */
function inDays(days: number) {
  const date = moscowDate(Date.now() + days * dayMs)
  const [year = '', month, day] = date.split('-')
  return {
    typed: `${day}${month}${year.slice(2)}`,
    shown: `${day}.${month}.${year}`,
    code: `${year.slice(2)}${month}${day}`,
  }
}
const [near, far] = [inDays(90), inDays(400)]

test('a worker receives dated goods, puts them away and picks what expires first', async () => {
  const floor = await openFloor(service, { [tea]: 1 })
  const { client, warehouse_code } = floor
  good(await floor.manager.put(`/clients/${client}/products/${tea}/lots`, { warn_days: 100 }))
  const lost = { barcode: tea, delta: -1, reason: 'LOST' }
  good(await floor.manager.post(`/clients/${client}/corrections`, lost), 201)
  const receipt = await startReceipt(floor, tea)
  const { page, faults } = await openHandheld(root, service.baseUrl)
  await page.goto(`/staff/scan/receiving/${receipt.id}`)
  await page.getByText('0 из 10', { exact: true }).waitFor()
  await scan(page, tea)
  const dialog = page.getByRole('dialog', { name: 'Чай', exact: true })
  const date = dialog.getByLabel('Срок годности', { exact: true })
  await date.fill('завтра')
  await page.keyboard.press('Enter')
  await dialog.getByText('это дата вида 31.12.2027').waitFor()
  await look(page, 'receiving-lot')
  await date.fill(far.typed)
  await page.keyboard.press('Enter')
  await figure(page, '1 из 10')
  await page.getByText(`до ${far.shown}`).waitFor()
  await scan(page, tea)
  await figure(page, '2 из 10')
  await look(page, 'receiving-dated')
  // The code of a carton names date and number.
  await scan(page, `]C1010${tea}17${near.code}10L5`)
  await figure(page, '3 из 10')
  await page.getByText(`до ${near.shown}, партия L5`).waitFor()
  await queueIsEmpty(page)

  const place = async (code: string, qty: number) => {
    const answer = await root.post('/locations', { warehouse_code, code })
    const { id } = good<{ id: string }>(answer, 201)
    await page.goto('/staff/scan/units')
    await page.locator('.place', { hasText: 'Место' }).waitFor()
    await scan(page, code)
    await sentence(page, 'Теперь товар')
    await page.getByText('Россыпью ничего не лежит').waitFor()
    for (let n = 0; n < qty; n++) await scan(page, tea)
    await figure(page, String(qty))
    await queueIsEmpty(page)
    return id
  }
  // The first that expires is put away first: the goods on the shelf are those the handheld says.
  await place('LOT-A', 1)
  await place('LOT-B', 2)
  const lots = good<{ items: { expires_on: string; places: { location_code: string }[] }[] }>(
    await floor.worker.get(`/lots?client_id=${client}`),
  )
  assert.deepEqual(
    lots.items.map(({ places }) => places.map(({ location_code }) => location_code)),
    [['LOT-A'], ['LOT-B']],
  )

  const shipment = await floor.filled(await placeOrders(floor, { L1: { [tea]: 1 } }))
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByText('LOT-A').waitFor()
  await page.getByText(`Берите со сроком до ${near.shown}`).waitFor()
  await look(page, 'picking-dated')
  await scan(page, 'LOT-A')
  await scan(page, tea)
  await sentence(page, 'Заказ L1 собран')
  await queueIsEmpty(page)
  const left = good<{ items: { picked: number; number: string }[] }>(
    await floor.worker.get(`/lots?client_id=${client}`),
  )
  assert.deepEqual(
    left.items.map(({ number, picked }) => [number, picked]),
    [
      ['L5', 1],
      ['', 0],
    ],
  )
  assert.deepEqual((await audit(service.db)).findings, [])
  assert.deepEqual(faults, [])
})

test('goods that came without a document have their date asked, too', async () => {
  const { client, manager, worker } = await openFloor(service, { [tea]: 1 })
  good(await manager.put(`/clients/${client}/products/${tea}/lots`, {}))
  const { id } = good<{ id: string }>(
    await worker.post('/receipts/walk-in', { client_id: client }),
    201,
  )
  const { page, faults } = await openHandheld(root, service.baseUrl)
  await page.goto(`/staff/scan/receiving/${id}`)
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  await scan(page, tea)
  const dialog = page.getByRole('dialog', { name: `Товар ${tea}`, exact: true })
  await dialog.getByLabel('Срок годности', { exact: true }).fill(far.typed)
  await page.keyboard.press('Enter')
  await figure(page, '1')
  await scan(page, tea)
  await figure(page, '2')
  await queueIsEmpty(page)
  const { items } = good<{ items: { quantity: number }[] }>(
    await worker.get(`/lots?client_id=${client}&state=good`),
  )
  assert.deepEqual(
    items.map(({ quantity }) => quantity),
    [2],
  )
  assert.deepEqual(faults, [])
})

test('a manager switches expiry dates on, corrects a date and sees what expires; so does the seller', async () => {
  const { client } = await openFloor(service, { [tea]: 5 })
  const path = `/staff/app/clients/${client}?tab=products&product=${tea}`
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager', path)
  const section = page.getByRole('region', { name: 'Срок годности товара', exact: true })
  await section.getByText('Срок годности не учитывается.').waitFor()
  await section.getByRole('button', { name: 'Учитывать срок годности', exact: true }).click()
  await section.getByText('срок неизвестен').first().waitFor()
  await section.getByLabel('Верный срок', { exact: true }).fill(inDays(5).typed)
  await section.getByLabel('Сколько единиц', { exact: true }).fill('2')
  await page.keyboard.press('Enter')
  await section
    .getByText(`до ${inDays(5).shown}`)
    .first()
    .waitFor()
  await section.getByText('5 дней').waitFor()
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'a product with lots')
  }
  await page.goto(`/staff/app/lots?client_id=${client}`)
  const row = page.getByRole('row').filter({ hasText: inDays(5).shown })
  await row.getByText('Скоро истечёт').waitFor()
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'lots')
  }
  // The first page names it with its place, and leads to exactly what expires.
  await page.goto(`/staff/app?client_id=${client}`)
  const card = page.getByRole('listitem').filter({ hasText: `до ${inDays(5).shown}` })
  await card.getByText('5 дней').waitFor()
  await card.getByText('без места: 2').waitFor()
  await look(page, 'today-expiring')
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'today with lots')
  }
  await page.getByRole('link', { name: 'Все: 1, Срок годности', exact: true }).click()
  await row.getByText('Скоро истечёт').waitFor()
  assert.equal(await page.getByText('Срок неизвестен', { exact: true }).count(), 1, 'the choice')
  assert.deepEqual(faults, [])

  const seller = await accountUser(service, { [client]: 'viewer' })
  const account = await openPage(service.baseUrl)
  await account.page
    .context()
    .addCookies([
      { name: 'sklad_account', value: seller.cookie.split('=')[1] ?? '', url: service.baseUrl },
    ])
  await account.page.goto('/account')
  await account.page.getByText('У 1 товара истёк или скоро истечёт срок годности').waitFor()
  await account.page.getByRole('link', { name: 'Какие партии и когда', exact: true }).click()
  await account.page
    .getByRole('row')
    .filter({ hasText: inDays(5).shown })
    .waitFor()
  assert.equal(await account.page.getByRole('row').count(), 2)
  await goTo(account.page, 'Сроки годности')
  await account.page
    .getByRole('row')
    .filter({ hasText: inDays(5).shown })
    .waitFor()
  for (const viewport of [phone, desktop]) {
    await account.page.setViewportSize(viewport)
    await assertFitsWidth(account.page)
    await assertAccessible(account.page, 'lots in the account')
  }
  assert.deepEqual(account.faults, [])
})

test('a count asks which date the units at each place have, without network as well', async () => {
  const floor = await openFloor(service, { [tea]: 3 })
  const { client, manager, worker, warehouse_code } = floor
  good(await manager.put(`/clients/${client}/products/${tea}/lots`, {}))
  const locations: string[] = []
  for (const [code, qty] of [
    ['LOT-C', 2],
    ['LOT-D', 1],
  ] as const) {
    const made = await root.post('/locations', { warehouse_code, code })
    const { id } = good<{ id: string }>(made, 201)
    const put = { scan_id: code, client_id: client, barcode: tea, qty }
    good(await worker.post(`/locations/${id}/put`, put))
    locations.push(id)
  }
  const draft = { client_id: client, scope: { locations } }
  const { id } = good<{ id: string }>(await manager.post('/counts', draft), 201)
  good(await manager.post(`/counts/${id}/start`))
  const { page, faults } = await openHandheld(root, service.baseUrl)
  await page.goto(`/staff/scan/counting/${id}`)
  await page.locator('.place', { hasText: 'Место?' }).waitFor()
  const dialog = page.getByRole('dialog', { name: `Товар ${tea}`, exact: true })
  const date = dialog.getByLabel('Срок годности', { exact: true })
  await scan(page, 'LOT-C')
  await scan(page, tea)
  await date.fill('завтра')
  await page.keyboard.press('Enter')
  await dialog.getByText('это дата вида 31.12.2027').waitFor()
  await date.fill(near.typed)
  await look(page, 'counting-lot')
  await page.keyboard.press('Enter')
  await figure(page, '1')
  await page.getByText(`до ${near.shown}`).waitFor()
  await scan(page, tea)
  await figure(page, '2')
  await queueIsEmpty(page)
  // What lies elsewhere may have another date; the handheld asks without network, too, and keeps the answer.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.context().setOffline(true)
  await page.reload()
  await page.locator('.place', { hasText: 'LOT-C' }).waitFor()
  await scan(page, 'LOT-D')
  await scan(page, tea)
  await date.fill(far.typed)
  await page.keyboard.press('Enter')
  await figure(page, '1')
  await page.getByText(`до ${far.shown}`).waitFor()
  await page.getByText('В очереди: 1').waitFor()
  await page.context().setOffline(false)
  await queueIsEmpty(page)
  for (const verb of ['review', 'close']) good(await manager.post(`/counts/${id}/${verb}`))
  const lots = good<{ items: { quantity: number; places: { location_code: string }[] }[] }>(
    await worker.get(`/lots?client_id=${client}`),
  )
  assert.deepEqual(
    lots.items.map(({ quantity, places }) => [quantity, places[0]?.location_code]),
    [
      [2, 'LOT-C'],
      [1, 'LOT-D'],
    ],
  )
  assert.deepEqual(faults, [])
})
