import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Role } from '../../src/identity/staff/roles.ts'
import { paragraphOf } from '../../web/console/paragraphs.ts'
import { paths as consolePaths, pathOf } from '../../web/console/paths.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, cutOff, desktop, intercept, phone } from './browser.ts'
import { openConsole as openConsoleOf } from './console-page.ts'
import { done, type Made } from './console-world.ts'

/** What stays around every page of the console: menu, tabs, scope, questions about what was typed. */

const service = await startService()
const root = await staffClient(service, 'administrator')

const openConsole = (role: Role, path?: string, viewport = desktop) =>
  openConsoleOf(root, service.baseUrl, role, path, { viewport })

/** A client with a receipt. */
async function addClient(): Promise<Made & { readonly name: string }> {
  const name = `ООО ${randomUUID().slice(0, 8)}`
  const { id } = await done<Made>(root.post('/clients', { name }))
  const items = [{ barcode: '4600000000017', name: 'Кружка', qty: 3 }]
  await done(root.post(`/clients/${id}/receipts`, { items }))
  return { id, name }
}

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Разделы', exact: true })

test('a few rooms hold all pages: the menu says what waits, tabs lead through a room, the title names the page', async () => {
  const { id } = await addClient()
  const { page, faults } = await openConsole('manager')
  const menu = menuOf(page)
  assert.ok((await menu.getByRole('link').count()) <= 9)
  await done(root.post('/receipts/walk-in', { client_id: id, scan_id: randomUUID() }))
  await menu.getByRole('link', { name: 'Товары' }).click()
  await page.getByRole('heading', { name: 'Остатки', level: 1 }).waitFor()
  await menu.getByRole('link', { name: 'Приёмка ждёт: 1', exact: true }).click()
  const tabs = page.getByRole('navigation', { name: 'Раздел «Приёмка»', exact: true })
  await tabs.getByRole('link', { name: 'Приёмки ждёт: 1', exact: true }).waitFor()
  await tabs.getByRole('link', { name: 'Заявки продавцов', exact: true }).click()
  await page.getByRole('heading', { name: 'Заявки продавцов', level: 1 }).waitFor()
  assert.equal(await page.title(), 'Заявки продавцов · Sklad')
  await menu.locator('[aria-current]', { hasText: 'Приёмка' }).waitFor()
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('the menu of a phone opens over the page, fits, and Escape gives the page back', async () => {
  const { page, faults } = await openConsole('worker', '/staff/app/receipts', phone)
  const button = page.getByRole('button', { name: 'Меню', exact: true })
  await button.click()
  await menuOf(page).getByRole('link', { name: 'Хранение' }).waitFor()
  await assertFitsWidth(page)
  await assertAccessible(page, 'open menu')
  await page.keyboard.press('Escape')
  await menuOf(page).waitFor({ state: 'hidden' })
  await page.locator('button:focus', { hasText: 'Меню' }).waitFor()
  await page.keyboard.press('Enter')
  await menuOf(page).getByRole('link', { name: 'Настройки' }).click()
  await page.getByRole('heading', { name: 'Склады', level: 1 }).waitFor()
  assert.equal(await menuOf(page).isVisible(), false)
  assert.equal(await page.getByRole('link', { name: 'Клиенты' }).count(), 0)
  assert.deepEqual(faults, [])
})

test('a chosen client stays from page to page and after a reload, until all are shown again', async () => {
  const [mine, other] = [await addClient(), await addClient()]
  const { page, faults } = await openConsole('manager')
  const receipts = page.getByRole('region', { name: 'Приёмки', exact: true })
  const row = (name: string) => receipts.getByRole('row').filter({ hasText: name })
  await page.getByRole('button', { name: 'Показано: Все клиенты', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Что показывать', exact: true })
  await question.getByRole('combobox', { name: 'Клиент' }).fill(mine.name)
  await question.getByRole('option', { name: mine.name }).click()
  await assertAccessible(page, 'question')
  await question.getByRole('button', { name: 'Готово', exact: true }).click()
  await page.waitForURL(new RegExp(`client_id=${mine.id}`))
  await page.getByRole('button', { name: `Показано: ${mine.name}`, exact: true }).waitFor()
  await menuOf(page).getByRole('link', { name: 'Приёмка ждёт' }).waitFor({ state: 'detached' })
  await menuOf(page).getByRole('link', { name: 'Приёмка' }).click()
  await row(mine.name).waitFor()
  assert.equal(await row(other.name).count(), 0)
  await page.goto('/staff/app/receipts?status=EXPECTED')
  await page.waitForURL(new RegExp(`status=EXPECTED&client_id=${mine.id}`))
  await row(mine.name).waitFor()
  // A link to another client's list shows what it says, and changes nothing.
  await page.goto(`/staff/app/receipts?client_id=${other.id}`)
  await row(other.name).waitFor()
  await menuOf(page).getByRole('link', { name: 'Заказы и отгрузки' }).click()
  await page.waitForURL(new RegExp(`orders\\?client_id=${mine.id}`))
  await page.getByRole('button', { name: 'Показывать всё', exact: true }).click()
  await page.waitForURL(/\/orders$/)
  await page.goto('/staff/app/receipts')
  await row(other.name).waitFor()
  await row(mine.name).waitFor()
  assert.deepEqual(faults, [])
})

test('resetting the filters of a list shows everything again, on the other lists too', async () => {
  const [mine, other] = [await addClient(), await addClient()]
  const { page, faults } = await openConsole('manager')
  await page.getByRole('button', { name: 'Показано: Все клиенты', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Что показывать', exact: true })
  await question.getByRole('combobox', { name: 'Клиент' }).fill(mine.name)
  await question.getByRole('option', { name: mine.name }).click()
  await page.keyboard.press('Escape')
  await menuOf(page).getByRole('link', { name: 'Приёмка' }).click()
  await page.getByRole('link', { name: 'Сбросить', exact: true }).click()
  await page.getByRole('row').filter({ hasText: other.name }).waitFor()
  await page.getByRole('button', { name: 'Показано: Все клиенты', exact: true }).waitFor()
  await menuOf(page).getByRole('link', { name: 'Возвраты' }).click()
  await page.waitForURL(/\/returns$/)
  assert.deepEqual(faults, [])
})

test('a form beside a list takes the keyboard, Escape closes it, and what was typed is not lost without a question', async () => {
  const { page, faults } = await openConsole('administrator', '/staff/app/receipts')
  await menuOf(page).getByRole('link', { name: 'Клиенты' }).click()
  await page.getByRole('link', { name: 'Завести клиента', exact: true }).click()
  const name = page.getByRole('form').getByLabel('Название')
  await page.locator('aside input:focus').waitFor()
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
  await page.locator('a:focus', { hasText: 'Завести клиента' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('aside input:focus').waitFor()
  await page.keyboard.type('ООО «Недописанное»')
  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?', exact: true })
  const stay = async () => {
    await question.getByRole('button', { name: 'Остаться', exact: true }).click()
    await question.waitFor({ state: 'hidden' })
    assert.equal(await name.inputValue(), 'ООО «Недописанное»')
  }
  await page.keyboard.press('Escape')
  await assertAccessible(page, 'question')
  await stay()
  await menuOf(page).getByRole('link', { name: 'Товары' }).click()
  await stay()
  await page.goBack()
  await stay()
  await page.getByRole('button', { name: 'Выйти', exact: true }).click()
  await stay()
  assert.match(page.url(), /clients\?form=new$/)
  const closing = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const asked = await closing
  assert.equal(asked.type(), 'beforeunload')
  await asked.dismiss()
  assert.equal(await name.inputValue(), 'ООО «Недописанное»')
  await menuOf(page).getByRole('link', { name: 'Товары' }).click()
  await question.getByRole('button', { name: 'Уйти', exact: true }).click()
  await page.getByRole('heading', { name: 'Остатки', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Клиенты', level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('what is saved or given up asks nothing', async () => {
  const { page, faults } = await openConsole('administrator', '/staff/app/clients?form=new')
  const name = page.getByRole('form').getByLabel('Название')
  await name.fill('ООО «Передумали»')
  await page.getByRole('link', { name: 'Отмена', exact: true }).click()
  await name.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Завести клиента', exact: true }).click()
  await name.fill('ООО «Записали»')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ООО «Записали»', level: 1 }).waitFor()
  await menuOf(page).getByRole('link', { name: 'Товары' }).click()
  await page.getByRole('heading', { name: 'Остатки', level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('a question about what was typed goes away once the service has it, and the page goes on', async () => {
  const { page, faults } = await openConsole('administrator', '/staff/app/clients?form=new')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/staff/v1/clients', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await page.getByRole('form').getByLabel('Название').fill('ООО «Медленное»')
  await page.keyboard.press('Enter')
  await menuOf(page).getByRole('link', { name: 'Товары' }).click()
  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?', exact: true })
  await question.waitFor()
  answer()
  await question.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Остатки', level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('a page that did not open names its request and copies the number, and a lost connection is past with the next answer', async () => {
  const { page, faults } = await openConsole('administrator', '/staff/app/clients?form=new')
  const restore = await cutOff(page, '**/staff/v1/clients')
  await page.getByRole('form').getByLabel('Название').fill('ООО «Без связи»')
  await page.keyboard.press('Enter')
  const lost = page.getByText('Нет связи со складом: проверьте сеть', { exact: true })
  await lost.waitFor()
  restore()
  await page.getByRole('button', { name: 'Показано: Все клиенты', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Что показывать', exact: true })
  await question.getByRole('combobox', { name: 'Клиент' }).fill('ООО')
  await lost.waitFor({ state: 'detached' })
  await intercept(page, '**/staff/v1/orders/*', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': 'request-7' },
      json: { error: { code: 'internal', message: 'Внутренняя ошибка', request_id: 'request-7' } },
    }),
  )
  await page.goto(`/staff/app/orders/${randomUUID()}`)
  await page.getByRole('heading', { name: 'Не открылось', level: 1 }).waitFor()
  await page.getByText('Номер запроса для поддержки: request-7').waitFor()
  await page.getByText('request-7', { exact: true }).click()
  assert.equal(await page.evaluate(() => String(getSelection())), 'request-7')
  await page.goto(`/staff/app/receipts/${randomUUID()}`)
  await page.getByRole('heading', { name: 'Такого здесь нет', level: 1 }).waitFor()
  await page.getByText('Номер запроса для поддержки').waitFor()
  assert.deepEqual(faults, [])
})

test('the theme is chosen, and stands before anything is painted', async () => {
  const { page, faults } = await openConsole('manager')
  const colour = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await colour()
  const theme = page.getByRole('combobox', { name: 'Тема', exact: true })
  await theme.selectOption({ label: 'Тёмная' })
  const dark = await colour()
  assert.notEqual(dark, light)
  await assertAccessible(page, 'dark')
  // Without the scripts of the page: what stands then was set before them.
  const restore = await cutOff(page, '**/assets/console-*.js')
  await page.goto('/staff/app', { waitUntil: 'domcontentloaded' })
  assert.equal(await colour(), dark)
  restore()
  await page.reload()
  await theme.waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await theme.selectOption({ label: 'Светлая' })
  assert.equal(await colour(), light)
  await theme.selectOption({ label: 'Тема: авто' })
  assert.equal(await colour(), dark)
  assert.deepEqual(faults, [])
})

test('the question mark opens help with the paragraph of the page and the keys, and each page has one', async () => {
  for (const path of Object.values(consolePaths)) {
    assert.ok(paragraphOf(path.replace(':id', 'one')), path)
  }
  assert.match(paragraphOf(pathOf('order', 'one')) ?? '', /^Один заказ/)
  const { page, faults } = await openConsole('manager', '/staff/app/orders')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Справка', exact: true })
  await help.getByText('Заказы всех кабинетов', { exact: false }).waitFor()
  await help.getByText('поиск в списке', { exact: true }).waitFor()
  await assertAccessible(page, 'help')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await page.getByRole('searchbox').first().focus()
  await page.keyboard.press('?')
  assert.equal(await help.isVisible(), false)
  assert.deepEqual(faults, [])
})
