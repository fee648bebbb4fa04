import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support/service.ts'
import { openSandbox } from './account-scene.ts'
import { assertWellMade, openPage } from './browser.ts'

/** The seller's business in the account: curves, sales and days of cover, to the last unit those of its API. */

const service = await startService({
  RATE_LIMIT_BURST: '1000000',
  SANDBOX_KEY_BURST: '1000000',
  ACCOUNT_RATE_LIMIT_BURST: '1000000',
  SANDBOX_ROBOT: 'off',
})

type Units = Readonly<Record<'ordered' | 'cancelled' | 'shipped' | 'returned', number>>

/** What the account's API answers to the session of the page. */
function answerOf<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (asked) => (await fetch(`/account/v1${asked}`)).json(), path)
}

const numberOf = (text: string) => Number(text.replaceAll(/[^\d-]/g, ''))

const totalOf = async (page: Page, title: string) =>
  numberOf(
    await page.locator('.chart', { hasText: title }).locator('figcaption strong').innerText(),
  )

const settled = (page: Page) => page.locator('main:not(:has([aria-busy]))').waitFor()

test('the overview draws what was ordered, shipped, received and came back, beside the days before', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  const ordered = page.getByRole('slider', { name: 'Заказано единиц', exact: true })
  await ordered.locator('canvas').waitFor()
  const { items } = await answerOf<{ items: (Units & { received: number })[] }>(page, '/flow')
  for (const [title, of] of [
    ['Заказано единиц', 'ordered'],
    ['Отгружено единиц', 'shipped'],
    ['Принято единиц', 'received'],
    ['Вернулось единиц', 'returned'],
  ] as const) {
    assert.equal(
      await totalOf(page, title),
      items.reduce((sum, slot) => sum + slot[of], 0),
      title,
    )
  }
  await ordered.press('End')
  const last = items.at(-1)?.ordered
  assert.match((await ordered.getAttribute('aria-valuetext')) ?? '', new RegExp(`: ${last}(,|$)`))
  await assertWellMade(page)
  await page.getByRole('link', { name: 'Сегодня', exact: true }).click()
  await page
    .locator('.chart tbody tr:nth-child(24):last-child')
    .first()
    .waitFor({ state: 'attached' })
  assert.deepEqual(faults, [])
})

test('the overview counts the stock to act on, and each number opens its list', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  const summary = await answerOf<Record<'out' | 'low' | 'idle', number>>(page, '/cover/summary')
  const shown = (['out', 'low', 'idle'] as const).filter((state) => summary[state] > 0)
  const stock = page.getByRole('region', { name: 'Запас', exact: true })
  await stock.getByRole('link').first().waitFor()
  const rows = stock.getByRole('listitem')
  assert.deepEqual(
    (await rows.allInnerTexts()).map((text) => Number(/\d+/.exec(text)?.[0])),
    shown.map((state) => summary[state]),
  )
  await page.goto('/account/cover?low_days=90')
  await settled(page)
  await page.locator('tbody tr').first().waitFor()
  const list = await answerOf<{ items: { name: string }[]; total: number }>(
    page,
    '/cover?low_days=90',
  )
  const listed = Math.min(50, list.total)
  await page
    .locator('tbody tr')
    .nth(listed - 1)
    .waitFor()
  assert.equal(await page.locator('tbody tr').count(), listed)
  assert.equal(
    (await page.locator('tbody tr').first().getByRole('link').innerText()).trim(),
    list.items[0]?.name,
  )
  await assertWellMade(page)
  assert.deepEqual(faults, [])
})

test('sales by day, product, marketplace and cabinet are those of the API, and are saved as a file', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  for (const [query, asked] of [
    ['', ''],
    ['?marketplace=WB', '?marketplace=WB'],
    ['?compare=no', ''],
  ] as const) {
    await page.goto(`/account/sales${query}`)
    await page.getByRole('heading', { name: 'По кабинетам', exact: true }).waitFor()
    const sales = await answerOf<{ total: Units; cabinets: Units[] }>(page, `/sales${asked}`)
    for (const [title, of] of [
      ['Заказано', 'ordered'],
      ['Отменено', 'cancelled'],
      ['Отгружено', 'shipped'],
      ['Вернулось', 'returned'],
    ] as const) {
      assert.equal(await totalOf(page, title), sales.total[of], `${title} ${query}`)
    }
    const cabinets = page.getByRole('table', { name: 'Продажи по кабинетам', exact: true })
    assert.equal(await cabinets.locator('tbody tr').count(), sales.cabinets.length)
    const said = await page.locator('.chart .quiet', { hasText: 'в прошлом периоде' }).count()
    if (query === '?compare=no') assert.equal(said, 0)
  }
  const goods = page.getByRole('table', { name: 'Продажи по товарам', exact: true })
  await goods.locator('tbody tr').first().waitFor()
  await assertWellMade(page)
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV', exact: true }).click()
  assert.match((await file).suggestedFilename(), /^продажи-.*\.csv$/)
  assert.deepEqual(faults, [])
})

test('the page of a product draws what was ordered of it, as the sales count it', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  const { items } = await answerOf<{ items: (Units & { barcode: string })[] }>(page, '/sales/goods')
  const [best] = items
  assert.ok(best)
  await page.goto(`/account/stock/${best.barcode}`)
  await page.locator('.chart canvas').first().waitFor()
  assert.equal(await totalOf(page, 'Заказано единиц'), best.ordered)
  assert.equal(await totalOf(page, 'Вернулось единиц'), best.returned)
  await assertWellMade(page)
  assert.deepEqual(faults, [])
})

test('the page of a product answers what there is, how long it lasts, and what moved it', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  const { items } = await answerOf<{ items: { barcode: string; days: number | null }[] }>(
    page,
    '/cover',
  )
  const lasting = items.find(({ days }) => days !== null)
  assert.ok(lasting)
  const { barcode } = lasting
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/account/v1/')) asked.push(request.url())
  })
  await page.goto(`/account/stock/${barcode}`)
  await page.locator('.chart canvas').first().waitFor()
  await settled(page)
  assert.ok(asked.length <= 14, asked.join('\n'))
  const cover = await answerOf<{ bring: number; days: number }>(page, `/stock/${barcode}/cover`)
  const figure = (title: string) =>
    page.locator('.figure-card', { hasText: title }).locator('strong').innerText()
  assert.equal(numberOf(await figure('Хватит на')), cover.days)
  const receipts = await answerOf<{ items: unknown[] }>(page, `/stock/${barcode}/receipts`)
  const rows = (name: string) =>
    page.getByRole('table', { name, exact: true }).locator('tbody tr').count()
  assert.equal(await rows('Приёмки'), receipts.items.length)
  const orders = await answerOf<{ total: number }>(page, `/orders?barcode=${barcode}`)
  assert.equal(await rows('Заказы'), Math.min(5, orders.total))
  const advice = page.getByText(`ривезти ${cover.bring} на 30 дней`)
  assert.equal(await advice.count(), cover.bring > 0 ? 1 : 0)
  await assertWellMade(page)
  await page.getByRole('link', { name: 'Все движения товара', exact: true }).click()
  await page.getByRole('heading', { name: 'Движения товаров', exact: true }).waitFor()
  await page.locator('tbody tr').first().waitFor()
  await assertWellMade(page)
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV', exact: true }).click()
  assert.match((await file).suggestedFilename(), /^движения-.*\.csv$/)
  assert.deepEqual(faults, [])
})
