import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { openCutProxy } from '../support/cut-proxy.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, intercept, openPage, phone, plainHttp } from './browser.ts'
import { startReceipt } from './handheld-floor.ts'
import { addWorker, figure, queueIsEmpty, sentence, signIn, understand } from './handheld-page.ts'
import { scan as scanCode } from './scanner.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const floor = await openFloor(service, { X: 1 })
const tea = ean13('460123450001')

async function accepted({ id }: StaffReceipt): Promise<number> {
  return good<StaffReceipt>(await administrator.get(`/receipts/${id}`)).accepted_qty
}

/** The receipt on the screen of a worker who has signed in. */
async function openReceiving(baseUrl: string, receipt: StaffReceipt, login: string) {
  const opened = await openPage(baseUrl, { viewport: phone })
  const { page } = opened
  await page.goto('/staff/scan')
  await signIn(page, login)
  await page.getByRole('link', { name: receipt.number }).click()
  await isOpen(page)
  return opened
}

async function isOpen(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
}

const scan = (page: Page, code = tea) => scanCode(page, code)

// Guarantee (handheld): The handheld opens without network and keeps its scans on disk.
test('a Wi-Fi that swallows everything: the page opens, scans wait on disk, and leave when it is back', async () => {
  const receipt = await startReceipt(floor, tea)
  const { login } = await addWorker(administrator)
  const proxy = await openCutProxy(service.baseUrl)
  const { page, faults } = await openReceiving(proxy.baseUrl, receipt, login)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText('Нет связи, работайте дальше').waitFor()
  await page.context().setOffline(false)
  await page.reload()
  await isOpen(page)
  proxy.silence()
  await scan(page)
  await scan(page)
  await figure(page, '2 из 10')
  await page.reload()
  await page.getByText('В очереди: 2').waitFor()
  await page.getByText('2 из 10').first().waitFor()
  await page.getByRole('link', { name: 'Назад' }).click()
  const waiting = page.getByRole('region', { name: 'Ждёт отправки' })
  await waiting.getByText(`${login} · приёмка`).waitFor()
  await waiting.getByText('с сегодня').waitFor()
  await waiting.getByText('2 скана').waitFor()
  await waiting.getByText('Чай × 2').waitFor()
  await assertAccessible(page)
  proxy.revive()
  await waiting.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: `Продолжить: приёмка ${receipt.number}` }).click()
  await isOpen(page)
  await scan(page)
  await figure(page, '3 из 10')
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 3)
  assert.deepEqual(faults, [])
})

test('a session that ends among scans loses none, and whoever signs in in another tab signs in here', async () => {
  const receipt = await startReceipt(floor, tea)
  const { login, id } = await addWorker(administrator)
  const { page, faults } = await openReceiving(service.baseUrl, receipt, login)
  await scan(page)
  await figure(page, '1 из 10')
  await queueIsEmpty(page)
  await service.db`delete from staff_sessions where user_id = ${id}`
  await scan(page)
  const dialog = page.getByRole('dialog', { name: 'Войдите снова' })
  await dialog.getByText('Сканы сохранены: 1').waitFor()
  await scan(page)
  await dialog.getByText('Сканы сохранены: 2').waitFor()
  // Whoever looks at the goods scans into the field for the password.
  const field = dialog.getByLabel('Пароль')
  await dialog.locator('[name=password]:focus').waitFor()
  await field.fill('начало')
  await scan(page)
  await dialog.getByText('Сканы сохранены: 3').waitFor()
  assert.equal(await field.inputValue(), 'начало')
  await assertAccessible(page)
  const other = await page.context().newPage()
  await other.goto('/staff/scan')
  await signIn(other, login)
  await dialog.waitFor({ state: 'hidden' })
  await queueIsEmpty(page)
  await figure(page, '4 из 10')
  assert.equal(await accepted(receipt), 4)
  assert.deepEqual(faults, [])
})

test('a scan whose answer is lost, then breaks off, is sent again after ten seconds and counts once', async () => {
  const receipt = await startReceipt(floor, tea)
  const { login } = await addWorker(administrator)
  const { page, faults } = await openReceiving(service.baseUrl, receipt, login)
  // Ten seconds pass when the test says so.
  await page.evaluate(() => {
    const { timeout } = AbortSignal
    AbortSignal.timeout = (ms) => {
      if (ms > 10_000) return timeout.call(AbortSignal, ms)
      const patience = new AbortController()
      addEventListener('ten-seconds', () => patience.abort(new DOMException('', 'TimeoutError')))
      return patience.signal
    }
  })
  const swallowed = Promise.withResolvers<void>()
  let sent = 0
  await intercept(page, '**/scans', async (route) => {
    sent += 1
    if (sent > 2) return route.fallback()
    const response = await route.fetch()
    if (sent === 1) return swallowed.resolve()
    const whole = await response.text()
    await route.fulfill({ response, body: whole.slice(0, whole.length / 2) })
  })
  await scan(page)
  await swallowed.promise
  await page.getByText('В очереди: 1').waitFor()
  await page.evaluate(() => dispatchEvent(new Event('ten-seconds')))
  await queueIsEmpty(page)
  await figure(page, '1 из 10')
  assert.equal(sent, 3)
  assert.equal(await accepted(receipt), 1)
  assert.deepEqual(faults, [])
})

test('the first page shows its buttons together with its lists: nothing moves under a finger', async () => {
  const receipt = await startReceipt(floor, tea)
  const { login } = await addWorker(administrator)
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  const lists = Promise.withResolvers<void>()
  await intercept(page, '**/staff/v1/counts*', async (route) => {
    await lists.promise
    await route.fallback()
  })
  await page.goto('/staff/scan')
  await signIn(page, login)
  const waiting = page.getByRole('status').filter({ hasText: 'Загружаем задания…' })
  await waiting.waitFor()
  assert.ok(((await waiting.boundingBox())?.height ?? 0) > 200, 'cards have their room')
  const leave = page.getByRole('button', { name: 'Выйти или сменить сотрудника' })
  assert.equal(await leave.count(), 0)
  lists.resolve()
  await leave.waitFor()
  assert.equal(await page.getByRole('link', { name: receipt.number }).count(), 1)
  assert.deepEqual(faults, [])
})

test('undo without network takes the scan back, and of a scan that came too late nothing is left to undo', async () => {
  const receipt = await startReceipt(floor, tea)
  const { login } = await addWorker(administrator)
  const { page, faults } = await openReceiving(service.baseUrl, receipt, login)
  const context = page.context()
  await context.setOffline(true)
  await scan(page)
  await figure(page, '1 из 10')
  await scan(page)
  await figure(page, '2 из 10')
  await page.getByRole('button', { name: 'Отменить: Чай' }).click()
  await figure(page, '1')
  await page.getByText('В очереди: 3').waitFor()
  await context.setOffline(false)
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 1)
  await scan(page)
  await figure(page, '2 из 10')
  await queueIsEmpty(page)
  await page.reload()
  await page.getByRole('button', { name: 'Отменить: Чай' }).click()
  await figure(page, '1')
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 1)

  await context.setOffline(true)
  await scan(page)
  await figure(page, '2 из 10')
  await page.getByRole('button', { name: 'Отменить: Чай' }).click()
  await figure(page, '1')
  const shortages = [{ barcode: tea, reason: 'NOT_DELIVERED' }]
  good(await floor.worker.post(`/receipts/${receipt.id}/finish`, { shortages }))
  await context.setOffline(false)
  await sentence(page, 'Скан передан менеджеру')
  await queueIsEmpty(page)
  await understand(page)
  await page.locator('.sentence', { hasText: 'Принята с расхождением' }).waitFor()
  assert.equal(await accepted(receipt), 1)
  assert.deepEqual(faults, [])
})

test('without HTTPS two tabs send each scan once, and the page says what it lacks', async () => {
  const receipt = await startReceipt(floor, tea)
  const { login } = await addWorker(administrator)
  const { page, faults } = await openReceiving(plainHttp(service.baseUrl), receipt, login)
  assert.equal(await page.evaluate(() => isSecureContext), false)
  await page.getByText('Без HTTPS').waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await isOpen(other)
  const sent: string[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/scans')) sent.push(String(request.postDataJSON().scan_id))
  })
  for (const tab of [page, other, page, other]) await scan(tab)
  for (const tab of [page, other]) {
    await tab.locator('.lines', { hasText: '4 из 10' }).waitFor()
    await queueIsEmpty(tab)
  }
  assert.equal(await accepted(receipt), 4)
  assert.equal(sent.length, 4)
  await other.close()

  // A task that was never opened opens from what the browser has kept.
  const script = await (await fetch(`${service.baseUrl}/staff/scan/worker.js`)).text()
  const files = [...new Set(script.match(/\/assets\/[\w.-]+/g))]
  await page.waitForFunction((wanted) => {
    const loaded = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
    return wanted.every((file) => loaded.includes(file))
  }, files)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('link', { name: 'Разместить' }).click()
  await page.getByText('Отсканируйте номер короба или паллеты').waitFor()
  assert.deepEqual(faults, [])
})

test('a scan that the disk does not take alarms, and the next one counts', async () => {
  const receipt = await startReceipt(floor, tea)
  const { login } = await addWorker(administrator)
  const { page, faults } = await openReceiving(service.baseUrl, receipt, login)
  await page.evaluate(() => {
    const { add } = IDBObjectStore.prototype
    IDBObjectStore.prototype.add = () => {
      IDBObjectStore.prototype.add = add
      throw new DOMException('the disk is full', 'QuotaExceededError')
    }
  })
  await scan(page)
  await sentence(page, 'Не записано')
  await scan(page)
  await figure(page, '1 из 10')
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 1)
  assert.equal(faults.length, 1)
})

test('the sums of all that was scanned agree', async () => {
  assert.deepEqual((await audit(service.db)).findings, [])
})
