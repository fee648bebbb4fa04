import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { openPage } from './browser.ts'
import { done } from './console-world.ts'

const service = await startService()
const root = await staffClient(service, 'administrator')
const password = 'верный пароль менеджера'
const tabsMax = 80

/** Requests of a client that nobody has confirmed. */
async function addRequests(count: number): Promise<string> {
  const name = `ООО Клавиша ${randomUUID().slice(0, 8)}`
  const { id } = await done<{ id: string }>(root.post('/clients', { name }))
  for (let n = 0; n < count; n += 1) {
    const items = [{ barcode: '4600000000017', name: 'Кружка', qty: 2 }]
    const draft = { items, external_ref: randomUUID() }
    await done(root.post(`/clients/${id}/receipts`, draft))
  }
  await service.db`
    update receipts set status = 'PENDING_CONFIRMATION', source = 'api' where client_id = ${id}`
  return name
}

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`the keyboard does not reach ${wanted}`)
}

/** A new manager signs in; the first page is open. */
async function signInByKeys() {
  const login = `manager-${randomUUID().slice(0, 8)}`
  await done(root.post('/users', { login, role: 'manager', password }))
  const opened = await openPage(service.baseUrl)
  const { keyboard } = opened.page
  await opened.page.goto('/staff/app')
  await opened.page.locator('[name=login]:focus').waitFor()
  await keyboard.type(login)
  await keyboard.press('Tab')
  await keyboard.type(password)
  await keyboard.press('Enter')
  await opened.page.getByRole('heading', { name: 'Что ждёт сегодня', level: 1 }).waitFor()
  return opened
}

async function openByKeys(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] input:focus').waitFor()
  await page.keyboard.type(title)
  await page.getByRole('option', { name: new RegExp(title) }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}

test('a manager finds, filters, confirms, opens and prints receipts by keys alone', async () => {
  const client = await addRequests(3)
  const { page, faults } = await signInByKeys()
  const { keyboard } = page
  await openByKeys(page, 'Приёмки')

  await tabTo(page, page.getByRole('combobox', { name: 'Клиент', exact: true }))
  await keyboard.type(client)
  await page.getByRole('option', { name: client }).waitFor()
  await keyboard.press('Enter')
  const list = page.getByRole('region', { name: 'Приёмки', exact: true })
  const rows = list.locator('tbody tr')
  await rows.nth(2).waitFor()
  await page.waitForURL(/client_id=/)
  await tabTo(page, page.getByRole('combobox', { name: 'Состояние', exact: true }))
  await keyboard.press('ArrowDown')
  await page.waitForURL(/status=PENDING_CONFIRMATION/)
  await rows.nth(2).waitFor()

  await tabTo(page, list.getByLabel('Выбрать все строки', { exact: true }))
  await keyboard.press('Space')
  await page.getByText('Выбрано: 3', { exact: true }).waitFor()
  // Back over the list, and over the button that takes the choice away.
  for (let n = 0; n < 3; n += 1) await keyboard.press('Shift+Tab')
  await page.locator('button:focus', { hasText: 'Подтвердить' }).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Подтвердить 3 заявки?', exact: true }).waitFor()
  await page.locator('dialog[open] button:focus', { hasText: 'Подтвердить' }).waitFor()
  await keyboard.press('Enter')
  await page.getByText('Готово: 3 из 3', { exact: true }).waitFor()

  await page.getByText('Приёмок не нашли', { exact: false }).waitFor()
  await tabTo(page, page.getByRole('combobox', { name: 'Состояние', exact: true }))
  await keyboard.press('ArrowDown')
  await page.waitForURL(/status=EXPECTED/)
  await rows.nth(2).waitFor()
  await tabTo(page, list)
  await keyboard.press('j')
  await page.locator('tbody a:focus').waitFor()
  await keyboard.press('j')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
  const paper = page
    .context()
    .waitForEvent('request', (request) => request.url().includes('/staff/v1/documents/receipt/'))
  await tabTo(page, page.getByRole('link', { name: 'Акт', exact: true }))
  await keyboard.press('Enter')
  await paper
  await page.bringToFront()
  await tabTo(page, page.getByRole('button', { name: 'Отменить', exact: true }))
  await keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: /^Отменить R-/ })
  await question.waitFor()
  await keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await page.locator('button:focus', { hasText: 'Отменить' }).waitFor()
  assert.deepEqual(faults, [])
})

/** A cabinet with an order to pick, whose goods lie at two places, and a scan that came before its receipt began. */
async function openScene() {
  const goods = ean13('460000000301')
  const floor = await openFloor(service, { [goods]: 2 })
  const { client, manager, worker, warehouse_code } = floor
  for (const code of ['KEY-1', 'KEY-2']) {
    await done(manager.post('/locations', { warehouse_code, code }))
    const put = { scan_id: code, client_id: client, barcode: goods, qty: 1 }
    await done(worker.post(`/locations/${code}/put`, put))
  }
  const [order] = await floor.orders({ 'KEY-ORDER': goods })
  const items = [{ barcode: goods, qty: 1 }]
  const { id } = await done<{ id: string }>(manager.post(`/clients/${client}/receipts`, { items }))
  const queued = { queued_at: new Date().toISOString(), queued_by: worker.login }
  const scan = { scan_id: 'late', barcode: goods, qty: 1, ...queued }
  assert.equal((await worker.post(`/receipts/${id}/scans`, scan)).status, 202)
  await done(worker.post(`/receipts/${id}/start`))
  /** The picker stands before an empty place. */
  const findNothing = async () => {
    const { shipment_id: shipment } = await floor.order(order?.id ?? '')
    const { picking_task_id: task } = good<{ picking_task_id: string }>(
      await worker.get(`/shipments/${shipment}`),
    )
    const { items: reasons } = good<{ items: { code: string }[] }>(
      await worker.get('/reasons?kind=not_found'),
    )
    const report = { order_id: order?.id, reason: reasons[0]?.code, location_id: 'KEY-1' }
    good(await worker.post(`/picking-tasks/${task}/not-found`, report))
  }
  return { findNothing }
}

test('a manager makes the shipment of the day, decides a miss and takes a late scan by keys alone, from signing in on', async () => {
  const { findNothing } = await openScene()
  const { page, faults } = await signInByKeys()
  await page.evaluate(() => addEventListener('pointerdown', () => console.error('a pointer')))

  await press(page, page.getByRole('link', { name: /^Собрать отгрузку WB/ }))
  await press(page, page.getByRole('button', { name: 'Открыть: 1 заказ', exact: true }))
  await page.getByText('Отгрузка открыта: 1 заказ', { exact: true }).waitFor()

  await findNothing()
  await openByKeys(page, 'Что ждёт сегодня')
  await press(page, page.getByRole('link', { name: /^Другое место/ }))
  await page.locator('form select:focus').waitFor()
  await press(page, page.getByRole('form').getByRole('button', { name: 'Решить', exact: true }))
  await page.getByText('KEY-ORDER: взять в другом месте', { exact: true }).waitFor()

  await openByKeys(page, 'Что ждёт сегодня')
  const accept = page.getByRole('button', { name: 'Принять скан', exact: true })
  await press(page, accept)
  const question = page.getByRole('dialog', { name: 'Принять скан?', exact: true })
  await question.waitFor()
  await page.locator('dialog[open] button:focus', { hasText: 'Принять скан' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Скан принят', { exact: true }).waitFor()
  await accept.waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})
