import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PrintJob, PrintStation } from '../../src/printing/view.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, openPage, phone, plainHttp } from './browser.ts'

const service = await startService()
const floor = await openFloor(service, { A: 3 })
const { manager, worker } = floor
const administrator = await staffClient(service, 'administrator')
const password = 'верный пароль у принтера'
const draft = { login: 'printer', role: 'worker', password }
good(await administrator.post('/users', draft), 201)

test('the page beside a printer prints what a handheld asks for, and says why it could not', async () => {
  const [own] = await service.db<{ warehouse_code: string }[]>`
    select warehouse_code from clients where id = ${floor.client}`
  const station = good<PrintStation>(
    await manager.post('/print-stations', {
      warehouse_code: own?.warehouse_code,
      name: 'Упаковка 1',
      formats: ['58x40', 'A4'],
    }),
    201,
  )
  const [order, other] = await floor.orders({ 'kiosk-1': 'A', 'kiosk-2': 'A' })
  assert.ok(order && other)
  const { page, faults } = await openPage(plainHttp(service.baseUrl), { viewport: phone })
  await page.goto('/staff/print')
  await page.getByLabel('Логин').fill('printer')
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Упаковка 1' }).click()
  await page.getByRole('status').getByText('Ждёт заданий').waitFor()
  await assertAccessible(page)
  await assertFitsWidth(page)

  const ask = async (id: string, kind = 'order-sticker') => {
    const wanted = { kind, object_id: id, station_id: station.id }
    return good<PrintJob>(await worker.post('/print-jobs', wanted), 201).id
  }
  const statusOf = async (id: string) =>
    good<PrintJob>(await worker.get(`/print-jobs/${id}`)).status
  const printed = await ask(order.id)
  const first = page.getByRole('listitem').filter({ hasText: 'kiosk-1' })
  await first.waitFor()
  assert.equal(await statusOf(printed), 'PRINTED')
  const label = await page.frameLocator('iframe').locator('img').getAttribute('src')
  assert.match(Buffer.from(label?.split(',')[1] ?? '', 'base64').toString(), /kiosk-1/)

  await page.reload()
  await page.getByRole('heading', { name: 'Упаковка 1' }).waitFor()
  const lost = await ask(other.id)
  await page.getByRole('listitem').filter({ hasText: 'kiosk-2' }).waitFor()
  await service.db`update print_jobs set object_id = ${station.id} where id = ${lost}`
  await page.getByRole('button', { name: 'Ещё раз' }).click()
  await page.getByText('Заказ не найден').waitFor()
  assert.equal(await statusOf(lost), 'FAILED')
  await assertAccessible(page)

  // What failed is shown to whoever opens the page, and printed again.
  await service.db`update print_jobs set object_id = ${other.id} where id = ${lost}`
  await page.reload()
  await page.getByRole('heading', { name: 'Не напечатано' }).waitFor()
  await page.getByRole('button', { name: 'Ещё раз' }).click()
  await page.getByRole('heading', { name: 'Не напечатано' }).waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Напечатано', exact: true }).waitFor()
  assert.equal(await statusOf(lost), 'PRINTED')

  const { id: shipment } = await floor.filled([order])
  const act = await ask(shipment, 'shipment')
  await page.getByRole('listitem').filter({ hasText: 'Акт' }).waitFor()
  assert.equal(await statusOf(act), 'PRINTED')
  await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()

  await page.route('**/content', (route) =>
    route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.4' }),
  )
  const pdf = await ask(other.id)
  await page.getByText('браузер станции не показывает PDF').waitFor()
  assert.equal(await statusOf(pdf), 'FAILED')
  await page.getByRole('link', { name: 'Открыть' }).first().waitFor()
  assert.deepEqual(faults, [])
})
