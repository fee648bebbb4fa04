import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PrintJob, PrintStation } from '../../src/documents/printing/view.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, openPage, phone, plainHttp } from './browser.ts'

const service = await startService()
const floor = await openFloor(service, { A: 3 })
const { manager, worker, warehouse_code } = floor
const administrator = await staffClient(service, 'administrator')
const password = 'верный пароль у принтера'
const draft = { login: 'printer', role: 'worker', password }
good(await administrator.post('/users', draft), 201)

test('the page beside a printer prints what a handheld asks for, and says why it could not', async () => {
  const station = good<PrintStation>(
    await manager.post('/print-stations', {
      warehouse_code,
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

/** Counts what is printed, and shows a PDF as Chrome does: its viewer is a page that embeds the file. */
async function watchPrinting(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })
    window.print = () => {
      const top = window.top as Window & { printed?: string[] }
      const shown = document.querySelector('embed')?.type ?? document.contentType
      top.printed = [...(top.printed ?? []), shown]
    }
  })
  return () => page.evaluate(() => (window as Window & { printed?: string[] }).printed ?? [])
}

test('an enrolled station prints without a person, until it is revoked, and reaches nothing else', async () => {
  const formats = ['58x40']
  const station = good<PrintStation>(
    await manager.post('/print-stations', { warehouse_code, name: 'Без входа', formats }),
    201,
  )
  const { id, code } = good<{ id: string; code: string }>(
    await manager.post('/devices', {
      name: 'Компьютер у ворот',
      purpose: 'STATION',
      warehouse_code,
    }),
    201,
  )
  const [order] = await floor.orders({ 'kiosk-alone': 'A' })
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto('/staff/print')
  await page.getByRole('button', { name: 'Зарегистрировать станцию' }).click()
  await page.getByLabel('Код от менеджера').fill(code)
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Без входа' }).click()
  const state = page.getByRole('status').getByText('Ждёт заданий')
  await state.waitFor()
  const sizeOf = (shown: ReturnType<Page['locator']>) =>
    shown.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  assert.ok((await sizeOf(state)) >= 64)
  assert.ok((await sizeOf(page.locator('.clock'))) >= 120)
  await assertAccessible(page)
  const wanted = { kind: 'order-sticker', object_id: order?.id, station_id: station.id }
  const job = good<PrintJob>(await worker.post('/print-jobs', wanted), 201)
  await page.getByRole('listitem').filter({ hasText: 'kiosk-alone' }).waitFor()
  assert.equal(good<PrintJob>(await worker.get(`/print-jobs/${job.id}`)).status, 'PRINTED')
  for (const path of ['/staff/v1/orders', '/staff/v1/today', '/staff/v1/users'])
    assert.equal((await page.request.get(path)).status(), 403, path)

  good(await manager.post(`/devices/${id}/revoke`))
  await page.reload()
  await page.getByText('Эту станцию отозвали').waitFor()
  await page.getByLabel('Пароль').waitFor()
  assert.deepEqual(faults, [])
})

test('a PDF of A4 pages reaches the printer of a browser that shows PDF, once', async () => {
  const station = good<PrintStation>(
    await manager.post('/print-stations', {
      warehouse_code,
      name: 'Документы',
      formats: ['58x40', 'A4'],
    }),
    201,
  )
  const orders = await floor.orders({ 'kiosk-a4': 'A' })
  const { id: shipment } = await floor.filled(orders)
  const { page, faults } = await openPage(service.baseUrl)
  const printed = await watchPrinting(page)
  const papers: string[] = []
  await page.route('**/print-jobs/*/content', async (route) => {
    const paper = await route.fetch({
      url: `${service.baseUrl}/staff/v1/documents/shipment/${shipment}?format=pdf`,
    })
    assert.equal(paper.headers()['content-type'], 'application/pdf')
    papers.push((await paper.body()).toString('latin1'))
    const body = '<!doctype html><title>PDF</title><embed type="application/pdf">'
    await route.fulfill({ contentType: 'text/html', body })
  })
  await page.goto('/staff/print')
  await page.getByLabel('Логин').fill('printer')
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Документы' }).click()
  await page.getByRole('status').getByText('Ждёт заданий').waitFor()
  const wanted = { kind: 'shipment', object_id: shipment, station_id: station.id }
  const { id } = good<PrintJob>(await worker.post('/print-jobs', wanted), 201)
  await page.getByRole('heading', { name: 'Напечатано', exact: true }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Акт' }).waitFor()
  assert.deepEqual(await printed(), ['application/pdf'])
  assert.equal(good<PrintJob>(await worker.get(`/print-jobs/${id}`)).status, 'PRINTED')
  const [paper = ''] = papers
  assert.equal(papers.length, 1)
  assert.match(paper, /^%PDF-/)
  assert.match(paper, /\/MediaBox \[0 0 595\.28 841\.89\]/)
  assert.deepEqual(faults, [])
})
