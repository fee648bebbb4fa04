import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { listOf, paths } from '../../web/console/paths.ts'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { stockUp } from '../support/warehouse.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { addUser, signIn, twoFrames } from './console-page.ts'
import { done, furnish, type Made } from './console-world.ts'

/** The one list of all pages, as people use it. */

const service = await startService(undefined, 'api', async () => (await testDatabase()).db)
const { db } = service
const root = await staffClient(service, 'administrator')
const { login } = await addUser(root, 'administrator')
await done(root.post('/warehouses', { code: 'MSK', name: 'Складочная, 1' }))
const addresses = await furnish(service, root)

async function openConsole(path: string, options?: BrowserContextOptions, as = login) {
  const opened = await openPage(service.baseUrl, options)
  await signIn(opened.page, as, path)
  return opened
}

/** A client with so many orders, the newest first: N-1, N-2, and so on. */
async function addOrders(count: number): Promise<string> {
  const name = `ООО «Длинное название торгового дома ${randomUUID()}»`
  const { id } = await done<Made>(root.post('/clients', { name }))
  const draft = { marketplace: 'WB', name: 'Основной' }
  const cabinet = await done<Made>(root.post(`/clients/${id}/cabinets`, draft))
  await db`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, announced_status,
      marketplace_status, status_changed_at, created_at)
    select ${id}, gen_random_uuid(), ${cabinet.id}, 'WB', 'N-' || n, 'NEW', 'NEW', 'NEW', now(),
      now() - n * interval '1 second'
    from generate_series(1, ${count}) n`
  await db`
    insert into order_lines (client_id, order_id, line, article, quantity)
    select client_id, id, 1, 'Артикул-' || external_id, 1 from orders where client_id = ${id}`
  await db`analyze orders, order_lines`
  return id
}

const listOn = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const pagesOn = (page: Page) =>
  page.getByRole('navigation', { name: 'Страницы списка', exact: true })
const wayOn = (page: Page, name: string) => pagesOn(page).getByRole('link', { name, exact: true })

test('what a list is seldom asked by stands behind a button, which counts what is set, and a link opens it', async () => {
  const { page, faults } = await openConsole(paths.orders)
  const more = page.getByRole('button', { name: /^Ещё фильтры/ })
  const deadline = page.getByLabel('Срок до', { exact: true })
  await more.waitFor()
  assert.equal(await deadline.isVisible(), false)
  await more.press('Enter')
  await deadline.waitFor()
  await page.getByLabel('Маркетплейс', { exact: true }).selectOption('OZON')
  await page.getByRole('button', { name: 'Ещё фильтры 1', exact: true }).press('Enter')
  await deadline.waitFor({ state: 'hidden' })
  assert.equal(await more.getAttribute('aria-expanded'), 'false')
  assert.match(page.url(), /marketplace=OZON/)
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await page.goto(listOf(paths.orders, { deadline: '2026-11-20', lacking: 'any' }))
    await page.getByRole('button', { name: 'Ещё фильтры 2', exact: true }).waitFor()
    assert.equal(await deadline.inputValue(), '2026-11-20')
    await assertAccessible(page, `${viewport.width}`)
    await assertFitsWidth(page)
  }
  assert.deepEqual(faults, [])
})

test('the lists of the day are tables on a small laptop', async () => {
  const options = { viewport: { width: 1280, height: 800 } }
  const { page, faults } = await openConsole(paths.today, options)
  const { orders, shipments, receipts, counts, returns, picking } = paths
  for (const path of [orders, shipments, receipts, counts, returns, picking]) {
    await page.goto(path)
    await page.locator('main:not(:has([aria-busy=true])) tbody tr').first().waitFor()
    assert.equal(await page.locator('.cards').count(), 0, path)
  }
  assert.deepEqual(faults, [])
})

suite('pages of a list', () => {
  test('say which rows they show, lead on, back and to the beginning, and keep the keyboard', async () => {
    const client = await addOrders(120)
    const { page, faults } = await openConsole(listOf(paths.orders, { client_id: client }))
    const list = listOn(page, 'Заказы')
    await pagesOn(page).getByText('1–50 из 120', { exact: true }).waitFor()
    await wayOn(page, 'Дальше').press('Enter')
    await pagesOn(page).getByText('51–100 из 120', { exact: true }).waitFor()
    await list.getByRole('link', { name: 'N-51', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await pagesOn(page).getByText('101–120 из 120', { exact: true }).waitFor()
    assert.equal(await wayOn(page, 'Дальше').getAttribute('aria-disabled'), 'true')
    await page.reload()
    await wayOn(page, 'Назад').click()
    await pagesOn(page).getByText('51–100 из 120', { exact: true }).waitFor()
    await wayOn(page, 'Назад').click()
    await pagesOn(page).getByText('1–50 из 120', { exact: true }).waitFor()
    assert.equal(await wayOn(page, 'Назад').getAttribute('aria-disabled'), 'true')
    await assertAccessible(page)
    assert.deepEqual(faults, [])
  })

  test('have as many rows as the person chose, also on the next visit', async () => {
    const client = await addOrders(120)
    const { page, faults } = await openConsole(listOf(paths.orders, { client_id: client }))
    await wayOn(page, 'Дальше').click()
    await pagesOn(page).getByText('51–100 из 120', { exact: true }).waitFor()
    await page.getByLabel('Строк на странице', { exact: true }).selectOption('25')
    await pagesOn(page).getByText('1–25 из 120', { exact: true }).waitFor()
    assert.equal(await listOn(page, 'Заказы').locator('tbody tr').count(), 25)
    await page.goto(listOf(paths.orders, { client_id: client, status: 'NEW' }))
    await pagesOn(page).getByText('1–25 из 120', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })
})

test('a text that is looked for leaves the keyboard in its field', async () => {
  const client = await addOrders(3)
  const { page, faults } = await openConsole(listOf(paths.orders, { client_id: client }))
  const field = page.getByLabel('Номер заказа', { exact: true })
  await field.fill('N-2')
  await page.keyboard.press('Enter')
  await page.waitForURL('**external_id=N-2**')
  await listOn(page, 'Заказы').getByRole('link', { name: 'N-2', exact: true }).waitFor()
  await page.locator('[name=external_id]:focus').waitFor()
  await page.keyboard.type('2')
  assert.equal(await field.inputValue(), 'N-22')
  await page.goBack()
  await listOn(page, 'Заказы').getByRole('link', { name: 'N-3', exact: true }).waitFor()
  assert.equal(await field.inputValue(), '')
  assert.deepEqual(faults, [])
})

/** Tables whose columns do not fit into their frames. */
function croppedIn(page: Page): Promise<string[]> {
  return page
    .locator('.table-frame')
    .evaluateAll((frames) =>
      frames
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((each) => `${each.getAttribute('aria-label')}: ${each.scrollWidth}`),
    )
}

test('no list and no table is cut at the side on a desktop', async () => {
  const { page, faults } = await openConsole('/staff/app')
  const cropped: string[] = []
  for (const address of addresses) {
    await page.goto(address)
    await page.locator('main h1').first().waitFor()
    await page.locator('main:not(:has([aria-busy=true]))').waitFor()
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(twoFrames)
      for (const each of await croppedIn(page)) cropped.push(`${address} at ${width}: ${each}`)
    }
  }
  assert.deepEqual(cropped, [])
  assert.deepEqual(faults, [])
})

/** Whether all of it lies in the window, as a person sees it. */
async function assertInView(page: Page, part: Locator): Promise<void> {
  const box = await part.boundingBox()
  const width = page.viewportSize()?.width ?? 0
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box))
}

test('on a phone a row is a card with its name, its status and its deadline in view', async () => {
  const client = await addOrders(30)
  await db`update orders set deadline_at = now() + interval '2 hours' where client_id = ${client}`
  const { page, faults } = await openConsole(listOf(paths.orders, { client_id: client }), {
    viewport: phone,
  })
  const list = listOn(page, 'Заказы')
  const card = list.locator('tbody tr').nth(3)
  await card.waitFor()
  for (const part of [
    card.getByRole('link', { name: 'N-4', exact: true }),
    card.getByText('Новый'),
    card
      .getByRole('cell')
      .filter({ has: page.locator('time') })
      .first(),
  ]) {
    await assertInView(page, part)
  }
  assert.deepEqual(await croppedIn(page), [])
  await assertFitsWidth(page)
  await assertAccessible(page)
  await page.setViewportSize(desktop)
  await list.getByRole('columnheader', { name: 'Срок', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('a press on a head orders the list, another turns it around, and a link keeps it', async () => {
  const client = await addOrders(3)
  await db`
    update orders set deadline_at = case external_id when 'N-1' then now() + interval '3 hours'
      when 'N-2' then now() + interval '1 hour' end where client_id = ${client}`
  const { page, faults } = await openConsole(listOf(paths.orders, { client_id: client }))
  const names = async () => {
    await page.locator('main:not(:has([aria-busy=true]))').waitFor()
    return listOn(page, 'Заказы').locator('tbody a').allTextContents()
  }
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await head('Создан').waitFor()
  assert.equal(await head('Создан').getAttribute('aria-sort'), 'descending')
  assert.deepEqual(await names(), ['N-1', 'N-2', 'N-3'])
  await head('Создан').getByRole('link').press('Enter')
  await page.locator('[aria-sort=ascending]').waitFor()
  assert.deepEqual(await names(), ['N-3', 'N-2', 'N-1'])
  await head('Срок').getByRole('link').click()
  await head('Срок').and(page.locator('[aria-sort=ascending]')).waitFor()
  assert.deepEqual(await names(), ['N-2', 'N-1'])
  await page.reload()
  await head('Срок').and(page.locator('[aria-sort=ascending]')).waitFor()
  assert.deepEqual(await names(), ['N-2', 'N-1'])
  assert.deepEqual(faults, [])
})

test('chosen orders of the list leave in a new shipment, and what stays says why', async () => {
  const client = await addOrders(3)
  await stockUp(db, client, { 'Товар-1': 1 })
  await db`
    update order_lines l set barcode = 'Товар-1' from orders o
    where o.client_id = ${client} and l.client_id = o.client_id and l.order_id = o.id
      and o.external_id in ('N-1', 'N-2')`
  await db`
    update orders set deadline_at = now() + interval '1 hour'
    where client_id = ${client} and external_id = 'N-2'`
  const { page, faults } = await openConsole(listOf(paths.orders, { client_id: client }))
  const first = page.getByRole('row', { name: 'N-1' })
  const ship = page.getByRole('button', { name: 'В отгрузку', exact: true })
  await first.waitFor()
  const top = (await first.boundingBox())?.y
  // Nothing is offered before something is chosen, and a choice moves no row.
  assert.equal(await ship.count(), 0)
  for (const name of ['N-1', 'N-2']) {
    await page.getByRole('row', { name }).getByLabel('Выбрать строку').check()
  }
  await page.getByText('Выбрано: 2', { exact: true }).waitFor()
  assert.equal((await first.boundingBox())?.y, top)
  await page.getByRole('button', { name: 'Снять выбор', exact: true }).click()
  await ship.waitFor({ state: 'detached' })
  for (const name of ['N-1', 'N-2']) {
    await page.getByRole('row', { name }).getByLabel('Выбрать строку').check()
  }
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    await assertAccessible(page, `chosen at ${viewport.width}`)
    await assertFitsWidth(page)
  }
  await ship.click()
  const done = page.locator('.toast').filter({ hasText: 'Готово: 1 из 2' })
  await done.waitFor()
  await page.locator('.bulk-place:focus').waitFor()
  await page
    .getByRole('alert')
    .getByText(/^N-1: /)
    .waitFor()
  await page.getByRole('row', { name: 'N-2' }).getByRole('link').nth(1).waitFor()
  assert.deepEqual(
    await db`
      select external_id, shipment_id is not null as leaves from orders where client_id = ${client}
      order by 1`,
    ['N-1', 'N-2', 'N-3'].map((external_id) => ({ external_id, leaves: external_id === 'N-2' })),
  )
  await done.getByRole('button', { name: 'Отменить', exact: true }).click()
  await page.locator('.toast').getByText('Отменено', { exact: true }).waitFor()
  assert.deepEqual(await db`select id from shipments where client_id = ${client}`, [])
  assert.deepEqual(faults, [])
})

test('an order that leaves by the cabinet of its marketplace is not offered a shipment here', async () => {
  const client = await addOrders(1)
  await db`
    update cabinets set shipments = 'mirrored', credentials = ${Buffer.from([0])} where client_id = ${client}`
  const { page, faults } = await openConsole(listOf(paths.orders, { client_id: client }))
  await page.getByRole('checkbox', { name: 'Выбрать строку' }).check()
  const ship = page.getByRole('button', { name: 'В отгрузку', exact: true })
  const why = 'Отгрузки этих кабинетов делают на маркетплейсе'
  assert.equal(await ship.getAttribute('title'), why)
  await listOn(page, 'Заказы').getByRole('link', { name: 'N-1', exact: true }).click()
  await page.getByText('Отгрузки этого кабинета делают на маркетплейсе', { exact: false }).waitFor()
  assert.equal(await ship.count(), 0)
  assert.deepEqual(faults, [])
})

test('a view that is shared is one press away for a colleague, who cannot take it away', async () => {
  const { login: colleague } = await addUser(root, 'manager')
  const own = await openConsole(listOf(paths.orders, { status: 'NEW', sort: 'deadline' }))
  await own.page.getByRole('button', { name: 'Вид списка', exact: true }).click()
  await own.page.getByLabel('Название вида', { exact: true }).fill('Горит')
  await own.page.getByLabel('Показать коллегам', { exact: true }).check()
  await own.page.keyboard.press('Enter')
  const views = (page: Page) => page.getByRole('navigation', { name: 'Сохранённые виды' })
  await views(own.page).getByRole('link', { name: 'Горит', exact: true }).waitFor()

  const { page, faults } = await openConsole(paths.orders, undefined, colleague)
  await views(page).getByRole('link', { name: 'Горит', exact: true }).click()
  await page.waitForURL('**status=NEW&sort=deadline')
  await page.getByRole('button', { name: 'Вид списка', exact: true }).click()
  await page.locator('[popover]').getByText(login, { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Удалить вид «Горит»' }).count(), 0)
  await own.page.getByRole('button', { name: 'Удалить вид «Горит»', exact: true }).click()
  await views(own.page).waitFor({ state: 'detached' })
  await own.page.getByRole('button', { name: 'Отменить', exact: true }).click()
  await views(own.page).getByRole('link', { name: 'Горит', exact: true }).waitFor()
  assert.deepEqual([...own.faults, ...faults], [])
})

test('movements of all clients are read without a choice, by days and by reason', async () => {
  const client = await addOrders(0)
  await stockUp(db, client, { 'Товар-2': 7 })
  const { page, faults } = await openConsole(paths.movements)
  const list = listOn(page, 'Движения')
  await list.locator('tbody').getByText('+7', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Ещё фильтры', exact: true }).click()
  await page.getByLabel('С', { exact: true }).fill('2020-01-01')
  await page.getByLabel('по', { exact: true }).fill('2020-01-02')
  await page.getByText('Движений не нашли', { exact: false }).waitFor()
  await page.getByLabel('по', { exact: true }).fill('')
  await list.locator('tbody').getByText('+7', { exact: true }).first().waitFor()
  await page.setViewportSize(phone)
  const days = [page.getByLabel('С', { exact: true }), page.getByLabel('по', { exact: true })]
  const [from, to] = await Promise.all(days.map((day) => day.boundingBox()))
  assert.equal(from?.y, to?.y, 'the first day and the last stand side by side')
  const card = list.locator('tr').filter({ hasText: 'Товар-2' }).first()
  const [name, barcode] = [
    await card.locator('.name').first().boundingBox(),
    await card.locator('code').boundingBox(),
  ]
  assert.ok(name && barcode && barcode.y >= name.y + name.height / 2, 'the barcode is glued on')
  assert.deepEqual(faults, [])
})
