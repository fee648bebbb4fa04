import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, phone } from './browser.ts'
import { openConsole as openConsoleOf } from './console-page.ts'
import { done, type Made } from './console-world.ts'
import { password } from './handheld-page.ts'

const service = await startService(undefined, 'api', async () => (await testDatabase()).db)
const { db } = service
const root = await staffClient(service, 'administrator')
await done(root.post('/warehouses', { code: 'MSK', name: 'Складочная, 1' }))

const openConsole = (path: string) =>
  openConsoleOf(root, service.baseUrl, 'manager', `/staff/app/${path}`)

async function addClient(): Promise<{ readonly id: string; readonly cabinet: string }> {
  const { id } = await done<Made>(root.post('/clients', { name: `ООО ${randomUUID()}` }))
  const draft = { marketplace: 'WB', name: 'Основной' }
  const cabinet = await done<Made>(root.post(`/clients/${id}/cabinets`, draft))
  return { id, cabinet: cabinet.id }
}

/** Receipts that their client has asked for and nobody has confirmed yet. */
async function addRequests(client: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    const items = [{ barcode: '4600000000017', name: 'Кружка', qty: n }]
    const { id } = await done<Made>(
      root.post(`/clients/${client}/receipts`, { items, external_ref: randomUUID() }),
    )
    await db`update receipts set status = 'PENDING_CONFIRMATION', source = 'api' where id = ${id}`
  }
}

/** The list asks again, as it does every twenty seconds while it is seen. */
async function refresh(page: Page, path: string): Promise<void> {
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.url().includes(`/staff/v1/${path}?`) && response.status() < 400,
    ),
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  ])
  await answer.finished()
}

const many = await addClient()
const manyOrders = 100_000
await db`
  insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, announced_status,
    marketplace_status, status_changed_at, created_at)
  select ${many.id}, gen_random_uuid(), ${many.cabinet}, 'WB', 'N-' || n, 'NEW', 'NEW', 'NEW', now(),
    now() - n * interval '1 second'
  from generate_series(1, ${manyOrders}) n`
await db`
  insert into order_lines (client_id, order_id, line, article, quantity)
  select client_id, id, 1, external_id, 1 from orders where client_id = ${many.id}`
await db`analyze orders, order_lines`

// Guarantee (console): A list of 100,000 rows pages without a jump.
test('a list of 100,000 rows pages without a jump, with one page of rows, and back is back', async () => {
  const { page, faults } = await openConsole(`orders?client_id=${many.id}`)
  const list = page.getByRole('region', { name: 'Заказы', exact: true })
  await list.getByRole('link', { name: 'N-1', exact: true }).waitFor()
  const pages = page.getByRole('navigation', { name: 'Страницы списка', exact: true })
  await pages.getByText('1–50 из 100\u202F000', { exact: true }).waitFor()
  const heights = await page.evaluateHandle(() => {
    const seen: number[] = []
    const watch = new MutationObserver(() => seen.push(document.documentElement.scrollHeight))
    watch.observe(document.body, { childList: true, subtree: true })
    return seen
  })
  const before = await page.evaluate(() => document.documentElement.scrollHeight)
  for (const first of ['N-51', 'N-101', 'N-151']) {
    await pages.getByRole('link', { name: 'Дальше', exact: true }).click()
    await list.getByRole('link', { name: first, exact: true }).waitFor()
    assert.equal(await list.locator('tbody tr').count(), 50)
    assert.equal(await list.evaluate((frame) => frame.scrollTop), 0)
  }
  const seen = await heights.jsonValue()
  assert.ok(seen.length > 0)
  const jumps = seen.filter((height) => Math.abs(height - before) > 20)
  assert.deepEqual(jumps, [], `${before} px before`)
  await page.goBack()
  await list.getByRole('link', { name: 'N-101', exact: true }).waitFor()
  await page.reload()
  await list.getByRole('link', { name: 'N-101', exact: true }).waitFor()
  await pages.getByRole('link', { name: 'В начало', exact: true }).click()
  await list.getByRole('link', { name: 'N-1', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

// Guarantee (console): A list that refreshes keeps its place, the chosen rows and the keyboard's row.
test('a list refreshes and keeps place, choice and the row of the keyboard', async () => {
  const { id } = await addClient()
  await addRequests(id, 40)
  const { page, faults } = await openConsole(`receipts?client_id=${id}`)
  const list = page.getByRole('region', { name: 'Приёмки', exact: true })
  const rows = list.locator('tbody tr')
  await rows.nth(39).waitFor()
  const row = rows.nth(30)
  const name = await row.getByRole('link').first().innerText()
  const same = list.getByRole('row').filter({ hasText: name })
  await row.getByRole('checkbox').check()
  await row.getByRole('link').first().focus()
  const place = (await same.boundingBox())?.y ?? 0
  await addRequests(id, 3)
  await refresh(page, 'receipts')
  await rows.nth(42).waitFor()
  assert.ok(await same.getByRole('checkbox').isChecked())
  assert.equal(await page.locator('tbody :focus').innerText(), name)
  const moved = ((await same.boundingBox())?.y ?? 0) - place
  assert.ok(Math.abs(moved) <= 1, `${moved} px`)
  await page.getByText('Выбрано: 1', { exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('chosen requests are confirmed together, with how far it is, and a refused one is named', async () => {
  const { id } = await addClient()
  await addRequests(id, 4)
  const { page, faults } = await openConsole(`receipts?client_id=${id}`)
  const list = page.getByRole('region', { name: 'Приёмки', exact: true })
  await list.locator('tbody tr').nth(3).waitFor()
  const refused = await list.locator('tbody tr').nth(2).getByRole('link').first().innerText()
  await list.getByLabel('Выбрать все строки', { exact: true }).check()
  let tried = 0
  let go = () => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route('**/confirm', async (route) => {
    tried += 1
    if (tried === 3) await gate
    if (tried !== 3) return route.continue()
    const json = { error: { code: 'conflict', message: 'Уже отменена', request_id: 'r' } }
    return route.fulfill({ status: 409, json })
  })
  await page.getByRole('button', { name: 'Подтвердить', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Подтвердить', exact: true }).click()
  await dialog.getByText('Сделано 2 из 4', { exact: true }).waitFor()
  await assertAccessible(page, 'in the middle')
  go()
  await page.getByText('Готово: 3 из 4', { exact: true }).waitFor()
  const notice = page.getByRole('alert').filter({ hasText: 'Не получилось' })
  await notice.getByText(`${refused}: Уже отменена`, { exact: true }).waitFor()
  const confirmed = list.getByRole('row').filter({ hasText: 'Ожидается на складе' })
  await confirmed.nth(2).waitFor()
  assert.equal(await confirmed.count(), 3)
  assert.deepEqual(faults, [])
})

test('one box checks and unchecks all orders that may join a shipment, and none is asked for', async () => {
  const { id, cabinet } = await addClient()
  const barcode = '4600000000017'
  await done(root.put(`/clients/${id}/products/${barcode}`, { name: 'Кружка' }))
  const { items } = await done<{ items: { code: string }[] }>(root.get('/reasons?kind=correction'))
  const found = { barcode, delta: 3, reason: items[0]?.code }
  await done(root.post(`/clients/${id}/corrections`, found))
  const orders = ['Z-1', 'Z-2', 'Z-3'].map((external_id) => ({
    cabinet_id: cabinet,
    external_id,
    barcode,
  }))
  await done(root.post(`/clients/${id}/orders`, orders))
  const draft = { cabinet_id: cabinet, external_id: randomUUID() }
  const shipment = await done<Made>(root.post('/shipments', draft))
  const { page, faults } = await openConsole(`shipments/${shipment.id}?form=fill`)
  const form = page.getByRole('form', { name: 'Добавить заказы', exact: true })
  const all = form.getByLabel('Все заказы', { exact: false })
  await form.getByText('отмечено 3 из 3', { exact: true }).waitFor()
  assert.ok(await all.isChecked())
  await form.getByLabel('Z-2', { exact: false }).uncheck()
  await form.getByText('отмечено 2 из 3', { exact: true }).waitFor()
  assert.ok(await all.evaluate((box: HTMLInputElement) => box.indeterminate && !box.checked))
  await assertAccessible(page, 'some of all')
  await all.check()
  await form.getByText('отмечено 3 из 3', { exact: true }).waitFor()
  await all.uncheck()
  await form.getByText('отмечено 0 из 3', { exact: true }).waitFor()
  const add = form.getByRole('button', { name: 'Добавить', exact: true })
  await add.click()
  await form.getByText('Отметьте хотя бы один заказ', { exact: true }).waitFor()
  await form.getByLabel('Z-3', { exact: false }).check()
  await add.click()
  await page.getByText('Заказы добавлены', { exact: true }).waitFor()
  const joined = await done<{ orders: { external_id: string }[] }>(
    root.get(`/shipments/${shipment.id}`),
  )
  assert.deepEqual(
    joined.orders.map(({ external_id }) => external_id),
    ['Z-3'],
  )
  assert.deepEqual(faults, [])
})

test('a session that ends in the midst of a bulk action is renewed over it, and the action goes on', async () => {
  const { id } = await addClient()
  await addRequests(id, 4)
  const { page, faults } = await openConsole(`receipts?client_id=${id}`)
  const list = page.getByRole('region', { name: 'Приёмки', exact: true })
  await list.locator('tbody tr').nth(3).waitFor()
  await list.getByLabel('Выбрать все строки', { exact: true }).check()
  let tried = 0
  await page.route('**/confirm', async (route) => {
    tried += 1
    if (tried !== 3) return route.continue()
    await page.context().clearCookies()
    const headers = { ...route.request().headers(), cookie: '' }
    return route.continue({ headers })
  })
  await page.getByRole('button', { name: 'Подтвердить', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Подтвердить 4 заявки?', exact: true })
  await question.getByRole('button', { name: 'Подтвердить', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Сессия закончилась', exact: true })
  await again.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Готово: 4 из 4', { exact: true }).waitFor()
  assert.equal(tried, 5)
  const confirmed = list.getByRole('row').filter({ hasText: 'Ожидается на складе' })
  await confirmed.nth(3).waitFor()
  assert.deepEqual(faults, [])
})

test('a view is saved with its filters and columns, opens from another one, and is removed', async () => {
  const { page, faults, user } = await openConsole(`orders?client_id=${many.id}&status=NEW`)
  const list = page.getByRole('region', { name: 'Заказы', exact: true })
  await list.getByRole('link', { name: 'N-1', exact: true }).waitFor()
  const menu = page.getByRole('button', { name: 'Вид списка', exact: true })
  await menu.click()
  await page.getByLabel('Собран', { exact: true }).uncheck()
  await list
    .getByRole('columnheader', { name: 'Собран', exact: true })
    .waitFor({ state: 'detached' })
  await page.getByLabel('Название вида', { exact: true }).fill('Новые <b>без</b> сборки')
  await page.keyboard.press('Enter')
  const named = { name: 'Новые <b>без</b> сборки', exact: true } as const
  const view = page.locator('.menu').getByRole('link', named)
  await view.waitFor()
  await assertAccessible(page, 'the menu')
  const above = page.getByRole('navigation', { name: 'Сохранённые виды', exact: true })
  await above.locator('[aria-current=page]').waitFor()
  await page.goto('/staff/app/orders?status=CANCELLED')
  await page.getByText('Заказов не нашли', { exact: false }).waitFor()
  await menu.click()
  await view.click()
  await list.getByRole('link', { name: 'N-1', exact: true }).waitFor()
  await view.waitFor({ state: 'hidden' })
  assert.equal(await list.getByRole('columnheader', { name: 'Собран', exact: true }).count(), 0)
  // It stands above its list and in the palette, not above others, and not for another user.
  await page.goto('/staff/app/receipts')
  await page.getByRole('heading', { name: 'Приёмки', level: 1 }).waitFor()
  assert.equal(await above.count(), 0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /команда/ }).fill('без</b> сбор')
  await page.getByRole('option', { name: /сохранённый вид/ }).click()
  await above.getByRole('link', named).waitFor()
  const others = await page.evaluate(() => Object.keys(localStorage))
  assert.deepEqual(others, [`views of ${user.login}`])
  await menu.click()
  await page
    .getByRole('button', { name: 'Удалить вид «Новые <b>без</b> сборки»', exact: true })
    .click()
  await view.waitFor({ state: 'detached' })
  await page.locator('.toast').getByRole('button', { name: 'Отменить', exact: true }).click()
  await above.getByRole('link', named).waitFor()
  assert.deepEqual(faults, [])
})

const exportMsMax = 120_000
const unlimited = -1
const slowBytesPerSecond = 20_000

/** Files come slowly: what is seen meanwhile does not depend on the machine. Returns what sets another speed. */
async function slowNetwork(page: Page): Promise<(bytesPerSecond: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const limit = async (bytesPerSecond: number) => {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: unlimited,
    })
  }
  await limit(slowBytesPerSecond)
  return limit
}

test('an export says how much has come, can be stopped, renews an ended session and has every row', async () => {
  const { page, faults } = await openConsole(`orders?client_id=${many.id}`)
  const csv = page.getByRole('link', { name: 'CSV', exact: true })
  const limitSpeed = await slowNetwork(page)
  await csv.click()
  await page.getByRole('button', { name: 'Прервать', exact: true }).click()
  await csv.waitFor()
  await page.context().clearCookies()
  await csv.click()
  const again = page.getByRole('dialog', { name: 'Сессия закончилась', exact: true })
  await again.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText(/^Получено [\d,]+ МБ$/).waitFor()
  await assertAccessible(page, 'while it comes')
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  const saved = page.waitForEvent('download', { timeout: exportMsMax })
  await limitSpeed(unlimited)
  const file = await saved
  assert.match(file.suggestedFilename(), /^orders-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  assert.equal(text.trimEnd().split('\n').length, manyOrders + 1)
  await csv.waitFor()
  await page.goto(`/staff/app/orders?client_id=${many.id}&status=CANCELLED`)
  const book = page.waitForEvent('download', { timeout: exportMsMax })
  await page.getByRole('link', { name: 'Excel', exact: true }).click()
  const bytes = await readFile(await (await book).path())
  assert.equal(bytes.subarray(0, 2).toString(), 'PK')
  assert.deepEqual(faults, [])
})

test('a period that ends before it begins is marked at its filter on every page that has one', async () => {
  const { page, faults } = await openConsole('')
  const pages = ['returns', 'orders', 'movements', 'journal/changes', 'shifts', 'figures']
  for (const path of pages) {
    await page.goto(`/staff/app/${path}?from=2026-12-05&to=2026-12-01`)
    await page.getByText('исправьте отмеченный фильтр').first().waitFor()
    await page.locator('.filters .problem', { hasText: 'конца периода' }).waitFor()
    const wrong = page.locator('main [aria-invalid=true]')
    assert.equal(await wrong.getAttribute('name'), 'from', path)
    assert.equal(await wrong.inputValue(), '2026-12-05', path)
  }
  assert.deepEqual(faults, [])
})
