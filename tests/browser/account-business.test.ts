import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startService } from '../support/service.ts'
import { openSandbox } from './account-scene.ts'
import { assertWellMade, openPage } from './browser.ts'

/** The seller's business in the account: curves, sales and days of cover, to the last unit those of its API. */

const service = await startService({
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
  assert.match(
    (await ordered.getAttribute('aria-valuetext')) ?? '',
    new RegExp(`: пока ${last}(,|$)`),
  )
  await assertWellMade(page)
  await page.getByRole('link', { name: 'Сегодня', exact: true }).click()
  await page
    .locator('.chart tbody tr:nth-child(24):last-child')
    .first()
    .waitFor({ state: 'attached' })
  assert.deepEqual(faults, [])
})

interface DrawnText {
  readonly text: string
  readonly x: number
  readonly y: number
  /** Numbers of the axis of values end at it; labels of the axis of time are centred. */
  readonly isCentred: boolean
}

/** In the page: keeps what is written on each canvas since it was last cleared. */
function keepDrawnTexts(): void {
  const drawn = new WeakMap<HTMLCanvasElement, DrawnText[]>()
  const { prototype } = CanvasRenderingContext2D
  const { clearRect, fillText } = prototype
  prototype.clearRect = function (...area) {
    drawn.set(this.canvas, [])
    return clearRect.apply(this, area)
  }
  prototype.fillText = function (text, x, y) {
    drawn.get(this.canvas)?.push({ text, x, y, isCentred: this.textAlign === 'center' })
    return fillText.call(this, text, x, y)
  }
  Object.assign(globalThis, { drawnTexts: (of: HTMLCanvasElement) => drawn.get(of) })
}

/** On the page. */
declare const drawnTexts: (of: HTMLCanvasElement) => DrawnText[] | undefined

/** The texts of a curve's axes, and where its line stands at a column of its picture: all in pixels of it. */
async function pictureOf(place: Locator) {
  const canvas = place.locator('canvas')
  await canvas.waitFor()
  const texts = await canvas.evaluate((of) => drawnTexts(of as HTMLCanvasElement) ?? [])
  const lineAt = (columns: readonly number[]) =>
    canvas.evaluate((of, asked) => {
      const picture = of as HTMLCanvasElement
      const context = picture.getContext('2d')
      const pen = document.createElement('canvas').getContext('2d')
      if (!context || !pen) throw new Error('nothing is drawn')
      pen.fillStyle = getComputedStyle(picture).getPropertyValue('--accent')
      pen.fillRect(0, 0, 1, 1)
      const accent = pen.getImageData(0, 0, 1, 1).data
      return asked.map((x) => {
        const { data } = context.getImageData(Math.round(x) - 1, 0, 3, picture.height)
        const isLine = (pixel: number) =>
          [0, 1, 2].every((n) => Math.abs((data[pixel * 4 + n] ?? 0) - (accent[n] ?? 0)) < 40) &&
          (data[pixel * 4 + 3] ?? 0) > 200
        const pixels = [...Array(3 * picture.height).keys()].filter(isLine)
        return pixels.map((pixel) => Math.floor(pixel / 3))
      })
    }, columns)
  return { texts, lineAt }
}

/** Where a value stands on an axis that has these marks. */
function scaleOf(marks: readonly (readonly [value: number, place: number])[]) {
  const [[first, from], [last, to]] = [marks[0] ?? [0, 0], marks.at(-1) ?? [0, 0]]
  assert.notEqual(first, last, 'an axis has at least two marks')
  return (value: number) => from + ((value - first) * (to - from)) / (last - first)
}

test('a curve stands where its axes say, and the pointer on it reads the number of its table', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await page.addInitScript(keepDrawnTexts)
  await openSandbox(page, service.baseUrl)
  const chart = page.locator('.chart', { hasText: 'Заказано единиц' })
  const place = chart.getByRole('slider')
  const { texts, lineAt } = await pictureOf(place)
  const rows = await chart
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
  const slots = rows.flatMap(([label = '', value = '']) =>
    value === '' ? [] : [{ label, value: numberOf(value) }],
  )
  assert.ok(new Set(slots.map(({ value }) => value)).size > 3, 'the curve goes up and down')

  const labels = texts.filter(({ isCentred }) => isCentred)
  const placeOf = scaleOf(
    labels.map(({ text, x }) => [rows.findIndex(([label]) => label === text), x]),
  )
  // The curve ends with the day before the one that runs, which is a point beside it at the end of the picture.
  const isEnd = (at: number) => at >= rows.length - 2
  const columnOf = (at: number) => placeOf(at) - (isEnd(at) ? 1 : 0)
  const heightOf = scaleOf(
    texts.filter(({ isCentred }) => !isCentred).map(({ text, y }) => [numberOf(text), y]),
  )
  const lines = await lineAt(slots.map((_, at) => columnOf(at)))
  // A line is two pixels thick, and a point on it some more.
  for (const [at, { label, value }] of slots.entries()) {
    const off = (lines[at] ?? []).map((y) => Math.abs(y - heightOf(value)))
    assert.ok(Math.min(...off) < 4, `${label}: ${value} at ${lines[at]}`)
  }

  for (const at of [0, Math.floor(slots.length / 2), slots.length - 1]) {
    await place.hover({ position: { x: columnOf(at), y: 60 } })
    const { label, value } = slots[at] ?? assert.fail()
    const said = new RegExp(`${label}: (пока )?${value}`)
    await chart.locator('.chart-said', { hasText: said }).waitFor()
  }
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
