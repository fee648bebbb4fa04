import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StockCount } from '../../src/warehouse/counts/view.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { placeOrders, startCount, startReceipt } from './handheld-floor.ts'
import { figure, openHandheld, queueIsEmpty, sentence } from './handheld-page.ts'
import { scan } from './scanner.ts'

/** A worker's whole day on one handheld, whose network goes away in the midst of every work and comes back. */

const service = await startService()
const root = await staffClient(service, 'administrator')
const [tea, cup] = [ean13('460123460001'), ean13('460123460002')]
const place = 'WORK-1'

async function scanAll(page: Page, code: string, figures: readonly string[]): Promise<void> {
  for (const shown of figures) {
    await scan(page, code)
    await figure(page, shown)
  }
}

/** What the worker does without network waits through a reload of the page, and is sent afterwards. */
async function withoutNetwork(page: Page, waiting: number, work: () => Promise<void>) {
  await queueIsEmpty(page)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.context().setOffline(true)
  await work()
  await page.getByText(`В очереди: ${waiting}`, { exact: true }).waitFor()
  await page.reload()
  await page.getByText(`В очереди: ${waiting}`, { exact: true }).waitFor()
  await page.context().setOffline(false)
  await queueIsEmpty(page)
}

async function receive(page: Page, floor: Floor): Promise<void> {
  const { id } = await startReceipt(floor, tea)
  await page.goto(`/staff/scan/receiving/${id}`)
  await page.getByText('0 из 10', { exact: true }).waitFor()
  await scanAll(page, tea, ['1 из 10', '2 из 10', '3 из 10', '4 из 10'])
  const rest = ['5 из 10', '6 из 10', '7 из 10', '8 из 10', '9 из 10', '10 из 10']
  await withoutNetwork(page, rest.length, () => scanAll(page, tea, rest))
  await page.getByRole('button', { name: 'Завершить приёмку', exact: true }).click()
  await page.getByRole('button', { name: 'Завершить', exact: true }).click()
  await page.getByText('Приёмка завершена. Принята', { exact: false }).waitFor()
  assert.equal(good<StaffReceipt>(await floor.worker.get(`/receipts/${id}`)).accepted_qty, 10)
}

async function unitsAtPlace(floor: Floor): Promise<number> {
  return good<{ units: number }>(await floor.worker.get(`/locations/${place}`)).units
}

async function putAway(page: Page, floor: Floor): Promise<void> {
  const { warehouse_code } = floor
  good(await root.post('/locations', { warehouse_code, code: place }), 201)
  await page.goto('/staff/scan/units')
  await page.locator('.place', { hasText: 'Место' }).waitFor()
  await scan(page, place)
  await sentence(page, 'Теперь товар')
  await page.getByText('Россыпью ничего не лежит').waitFor()
  await scanAll(page, tea, ['1', '2'])
  await withoutNetwork(page, 2, () => scanAll(page, tea, ['3', '4']))
  assert.equal(await unitsAtPlace(floor), 4)
}

async function pick(page: Page, floor: Floor) {
  const orders = await placeOrders(floor, { W1: { [tea]: 2 }, W2: { [cup]: 1 } })
  const shipment = await floor.filled(orders)
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByText(place).first().waitFor()
  await scan(page, place)
  await sentence(page, `Место ${place}`)
  await scanAll(page, tea, ['1 из 2'])
  await withoutNetwork(page, 2, async () => {
    await scan(page, tea)
    await sentence(page, 'Заказ W1 собран')
    await scan(page, cup)
    await sentence(page, 'Заказ W2 собран')
  })
  assert.equal((await floor.task(shipment)).packed_count, 2)
  assert.equal(await unitsAtPlace(floor), 2)
  return shipment
}

async function check(page: Page, shipment: string): Promise<void> {
  await page.goto('/staff/scan')
  await page.getByRole('link', { name: 'Проверить упаковку', exact: true }).click()
  await page.getByText('Отсканируйте этикетку заказа или номер отгрузки').waitFor()
  await scan(page, shipment)
  await page.getByText('Проверено 0 из 2').waitFor()
  await scan(page, 'W1')
  await sentence(page, 'Заказ W1. Сканируйте, что в посылке')
  await scanAll(page, tea, ['1 из 2'])
  await withoutNetwork(page, 1, async () => {
    await scan(page, tea)
    await sentence(page, 'Заказ W1 проверен')
  })
  await scan(page, 'W2')
  await sentence(page, 'Заказ W2. Сканируйте')
  await scan(page, cup)
  await sentence(page, 'Заказ W2 проверен. Вся отгрузка проверена')
  await queueIsEmpty(page)
}

async function takeBack(page: Page, floor: Floor): Promise<void> {
  await page.goto('/staff/scan')
  await page.getByRole('link', { name: 'Принять возврат', exact: true }).click()
  await page.getByText('сканируйте любой код с единицы').waitFor()
  await page.getByRole('button', { name: 'Годен', exact: true }).click()
  await withoutNetwork(page, 1, async () => {
    await scan(page, 'W2')
    await sentence(page, 'Годен: W2')
  })
  const { items } = good<{ items: { came_qty: number }[] }>(
    await floor.manager.get(`/returns?client_id=${floor.client}`),
  )
  assert.deepEqual(
    items.map(({ came_qty: came }) => came),
    [1],
  )
}

async function count(page: Page, floor: Floor): Promise<void> {
  const id = await startCount(floor, { locations: [place] })
  await page.goto(`/staff/scan/counting/${id}`)
  await page.getByText('Обойдено мест: 0 из 1').waitFor()
  await scan(page, place)
  await sentence(page, 'Считайте товар')
  await scanAll(page, tea, ['1'])
  await withoutNetwork(page, 1, () => scanAll(page, tea, ['2']))
  await page.getByRole('button', { name: 'Место готово', exact: true }).click()
  await page.getByText('Все места посчитаны').waitFor()
  good(await floor.manager.post(`/counts/${id}/review`))
  const { lines = [] } = good<StockCount>(await floor.manager.get(`/counts/${id}`))
  assert.deepEqual(
    lines.map(({ barcode, counted, difference }) => [barcode, counted, difference]),
    [[tea, 2, 0]],
  )
}

// Guarantee (handheld): A day's work with a network that comes and goes arrives whole and once.
test('a day of receiving, putting away, picking, checking, returns and a count arrives once, with the network cut in each', async () => {
  const floor = await openFloor(service, { [cup]: 4 })
  const { page, faults } = await openHandheld(root, service.baseUrl)
  await receive(page, floor)
  await putAway(page, floor)
  const shipment = await pick(page, floor)
  await check(page, shipment.external_id ?? '')
  const { lines = [] } = await floor.task(shipment)
  assert.ok(lines.every(({ checked, qty }) => checked === qty))
  good(await floor.worker.post(`/shipments/${shipment.id}/close`, {}))
  await takeBack(page, floor)
  await count(page, floor)
  assert.deepEqual(await floor.stock(tea), [8, 0])
  assert.deepEqual(await floor.stock(cup), [4, 0])
  const { items: exceptions } = good<{ items: unknown[] }>(await root.get('/exceptions'))
  assert.deepEqual(exceptions, [])
  assert.deepEqual((await audit(service.db)).findings, [])
  assert.deepEqual(faults, [])
})
