import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startService } from '../support/service.ts'
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

test('a manager finds, filters, confirms, opens and prints receipts by keys alone', async () => {
  const client = await addRequests(3)
  const login = `manager-${randomUUID().slice(0, 8)}`
  await done(root.post('/users', { login, role: 'manager', password }))
  const { page, faults } = await openPage(service.baseUrl)
  const { keyboard } = page
  await page.goto('/staff/app')
  await page.locator('[name=login]:focus').waitFor()
  await keyboard.type(login)
  await keyboard.press('Tab')
  await keyboard.type(password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Что ждёт сегодня', level: 1 }).waitFor()

  await keyboard.press('Control+k')
  await page.locator('dialog[open] input:focus').waitFor()
  await keyboard.type('Приёмки')
  await page.getByRole('option', { name: /Приёмки/ }).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Приёмки', level: 1 }).waitFor()

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
  await page.getByText('Выбрано: 3 строки', { exact: true }).waitFor()
  await keyboard.press('Shift+Tab')
  await keyboard.press('Shift+Tab')
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
