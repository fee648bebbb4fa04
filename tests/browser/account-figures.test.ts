import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Metrics } from '../../src/warehouse/metrics/view.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { accountUser } from '../support/account.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { at, makeClient, newOrder, noon, stockUp } from '../support/warehouse.ts'
import {
  allowCopying,
  answerInShell,
  beDeveloper,
  copiedBy,
  lacksCurl,
  openSandbox,
  signIn,
} from './account-scene.ts'
import { assertAccessible, openPage, phone } from './browser.ts'

/** Figures in the account: to the last unit those of the API, and the calls that pages copy answer with them. */

const service = await startService({
  SANDBOX_ROBOT: 'off',
  WEBHOOK_PRIVATE_TARGETS: 'allow',
})

const percent = (share: number) =>
  share.toLocaleString('ru-RU', { style: 'percent', maximumFractionDigits: 2 })

const numberOf = (text: string) => Number(text.replaceAll(/[^\d-]/g, ''))

/** What the page says of the period before. */
function before(was: number, now: number): RegExp {
  if (was === now) return /как и прежде/
  if (was === 0) return /^(?!.*было)/s
  return new RegExp(`было ${was.toLocaleString('ru-RU').replaceAll(/\s/g, '\\s')}(?!\\d)`)
}

/** The row of a table of figures whose words are these. */
const rowOf = (scope: Locator, words: string) =>
  scope
    .locator('div')
    .filter({ has: scope.page().locator('dt', { hasText: new RegExp(`^${words}$`) }) })

/** A figure and its figure of the period before, as the page shows them. */
async function assertFigure(row: Locator, now: number, was?: number): Promise<void> {
  const text = await row.innerText()
  assert.equal(numberOf(await row.locator('strong').first().innerText()), now, text)
  if (was !== undefined) assert.match(text, before(was, now), text)
}

const steps = {
  'Принято на склад': 'accepted',
  Отгружено: 'shipped',
  'Принято маркетплейсом': 'sorted_by_marketplace',
  'Доставлено покупателям': 'delivered',
} as const

async function assertFunnel(page: Page, now: Metrics, was: Metrics): Promise<void> {
  for (const [words, step] of Object.entries(steps)) {
    const row = rowOf(page.locator('.funnel'), words)
    await assertFigure(row, now.funnel[step])
    const shown = await row.locator('dd > .small').allInnerTexts()
    assert.deepEqual(shown.map(numberOf), was.funnel[step] > 0 ? [was.funnel[step]] : [], words)
  }
  const stored = rowOf(page.locator('.funnel'), 'Лежит на складе сейчас')
  await assertFigure(stored, now.funnel.in_storage)
}

/** The field of an answer by its name, `funnel.accepted`. */
const fieldOf = (answer: unknown, field: string) =>
  field.split('.').reduce((part, name) => (part as Readonly<Record<string, unknown>>)[name], answer)

/** Beside every figure stands the call that answers with it, and the field in which it comes. */
async function assertEachAsks(page: Page, key: string, least: number): Promise<void> {
  const buttons = page.getByRole('button', { name: /: как спросить по API$/ })
  const all = await buttons.count()
  assert.ok(all >= least, `${all} figures say how to ask for them`)
  for (let at = 0; at < all; at++) {
    const button = buttons.nth(at)
    await button.click()
    const shown = page.locator('[popover]:popover-open')
    const field = await shown.locator('p code').innerText()
    const call = await copiedBy(page, shown.getByRole('button'))
    const value = fieldOf(await answerInShell(call.replace('ВАШ_КЛЮЧ', key)), field)
    await page.keyboard.press('Escape')
    const beside = button.locator('xpath=..')
    if (Array.isArray(value)) {
      const counts = value.map(({ label, count }) => [label, count])
      assert.deepEqual(await countsIn(page, await beside.locator('h2').innerText()), counts, field)
      continue
    }
    const figure = await beside.locator('strong').first().innerText()
    if (field.endsWith('_rate')) assert.equal(figure, percent(Number(value)), field)
    else assert.equal(numberOf(figure), value, field)
  }
}

/** Presses each copy button of the calls on the page, and makes the calls with the key. */
async function askAsCopied<T = Record<string, unknown>>(page: Page, key: string): Promise<T[]> {
  await beDeveloper(page)
  await page.getByText('Как спросить это по API', { exact: true }).click()
  const answers: T[] = []
  for (let left = await page.locator('.by-api pre').count(); left > 0; left--) {
    // A button that has copied keeps saying so.
    const button = page.locator('.by-api').getByRole('button', { name: 'Скопировать', exact: true })
    const call = await copiedBy(page, button.first())
    answers.push((await answerInShell(call.replace('ВАШ_КЛЮЧ', key))) as T)
  }
  return answers
}

/** The API answers with more rows than a page shows. */
const rowsOnPage = 50

/** How many rows the list says it has. */
async function totalOf(page: Page): Promise<number> {
  const shown = await page.getByText(/^(\d+–\d+ из|Всего:) /).innerText()
  return numberOf(shown.split(/из|:/)[1] ?? '')
}

test('every figure of the overview is that of the calls that it copies', {
  skip: lacksCurl,
}, async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await allowCopying(page)
  const { key } = await openSandbox(page, service.baseUrl)
  await page.getByRole('heading', { name: 'Путь товаров за 30 дней', exact: true }).waitFor()
  const [now, was] = (await askAsCopied<Metrics>(page, key)) as [Metrics, Metrics]
  const card = (title: string) => page.locator('.figure-card', { hasText: title })
  const goods = card('На складе, единиц')
  await assertFigure(goods, now.storage.units)
  assert.equal(numberOf(await goods.locator('> .small').innerText()), now.storage.sku_count)
  for (const [title, figure] of [
    ['Заказов за 30 дней', 'orders_total'],
    ['Отгружено за 30 дней', 'units_shipped'],
    ['Отменено за 30 дней', 'cancelled'],
  ] as const) {
    await assertFigure(card(title), now.shipments[figure], was.shipments[figure])
  }
  await assertFunnel(page, now, was)
  await assertEachAsks(page, key, 9)
  for (const [title, total] of [
    ['Заказов за 30 дней', now.shipments.orders_total],
    ['Отменено за 30 дней', now.shipments.cancelled],
  ] as const) {
    await page.goto('/account')
    await card(title).getByRole('link').click()
    assert.equal(await totalOf(page), total, title)
  }
  await page.goto('/account')
  await page.getByRole('link', { name: 'Все показатели', exact: true }).click()
  await page.getByRole('heading', { name: 'Отгрузка', exact: true }).waitFor()
  assert.deepEqual(await askAsCopied(page, key), [now, was])
  assert.deepEqual(faults, [])
})

const groups = {
  Приёмка: {
    Приёмок: ({ receiving }: Metrics) => receiving.receipts,
    'Заявлено единиц': ({ receiving }: Metrics) => receiving.expected_units,
    'Принято единиц': ({ receiving }: Metrics) => receiving.accepted_units,
    'Расхождений, единиц': ({ receiving }: Metrics) => receiving.discrepancy_units,
  },
  Хранение: {
    'На складе сейчас': ({ storage }: Metrics) => storage.units,
    'Под вопросом сейчас': ({ storage }: Metrics) => storage.in_question,
    Товаров: ({ storage }: Metrics) => storage.sku_count,
    Коробов: ({ storage }: Metrics) => storage.boxes,
    Паллет: ({ storage }: Metrics) => storage.pallets,
    'Принято за период': ({ storage }: Metrics) => storage.received,
    'Отгружено за период': ({ storage }: Metrics) => storage.shipped,
  },
  Отгрузка: {
    Заказов: ({ shipments }: Metrics) => shipments.orders_total,
    'Отгрузок закрыто': ({ shipments }: Metrics) => shipments.shipments_closed,
    'Отгружено единиц': ({ shipments }: Metrics) => shipments.units_shipped,
    Отменено: ({ shipments }: Metrics) => shipments.cancelled,
    'Не найдено': ({ shipments }: Metrics) => shipments.not_found,
  },
} as const

/** What stands under a heading: each label with its count. */
async function countsIn(page: Page, heading: string): Promise<[string, number][]> {
  const section = page.locator('section', {
    has: page.getByRole('heading', { name: heading, exact: true }),
  })
  const cells = await section
    .locator('dl > div')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('dt, strong')].map((each) => each.textContent)),
    )
  return cells.map(([label, count]) => [label ?? '', numberOf(count ?? '')])
}

test('every figure of any period, by its name, is that of the calls that the page copies', {
  skip: lacksCurl,
}, async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await allowCopying(page)
  const { key } = await openSandbox(page, service.baseUrl)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  for (const [from, to] of [
    [day(7), day(2)],
    [day(20), day(19)],
    [day(30), day(-1)],
    [day(300), day(0)],
  ]) {
    await page.goto(`/account/metrics?from=${from}&to=${to}`)
    await page.getByRole('heading', { name: 'Отгрузка', exact: true }).waitFor()
    const [now, was] = (await askAsCopied<Metrics>(page, key)) as [Metrics, Metrics]
    await assertFunnel(page, now, was)
    for (const [title, figures] of Object.entries(groups)) {
      const group = page.locator('.figure-groups > section', {
        has: page.getByRole('heading', { name: title, exact: true }),
      })
      for (const [words, of] of Object.entries(figures)) {
        const wasIt = title === 'Хранение' ? undefined : of(was)
        await assertFigure(rowOf(group, words), of(now), wasIt)
      }
    }
    const rate = await rowOf(page.locator('.figure-groups'), 'Принято от заявленного').innerText()
    assert.ok(rate.includes(percent(now.receiving.fill_rate)), rate)
    assert.ok(rate.includes(`было ${percent(was.receiving.fill_rate)}`), rate)
    for (const [caption, rows] of [
      ['Заказы по статусам', now.shipments.orders_by_status],
      ['Недостачи по причинам', now.receiving.shortages_by_reason],
      ['Не найдено по причинам', now.shipments.not_found_by_reason],
    ] as const) {
      const counts = rows.map(({ label, count }) => [label, count])
      assert.deepEqual(await countsIn(page, caption), counts, `${caption} ${from} ${to}`)
    }
  }
  await page.goto('/account/metrics')
  await page.getByRole('heading', { name: 'Отгрузка', exact: true }).waitFor()
  await assertEachAsks(page, key, 24)
  assert.deepEqual(faults, [])
})

// Guarantee (account): A call that somebody copies from a page of the account answers what the page shows.
test('a copied call answers in a shell what its page shows, with the filters of the page', {
  skip: lacksCurl,
}, async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await allowCopying(page)
  const { api, key } = await openSandbox(page, service.baseUrl)
  for (const name of ['empty_stock', 'empty_stock', 'goods_in_question', 'order_cancelled']) {
    assert.equal((await api.post(`/v1/sandbox/triggers/${name}`)).status, 200)
  }
  const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
  const lists = [
    '/stock?show=question',
    '/stock?show=more',
    `/stock?search=${encodeURIComponent('а')}&show=question`,
    `/stock?search=${encodeURIComponent(`о'"Нил & сын`)}`,
    '/orders?status=CANCELLED&marketplace=WB',
    `/orders?created_from=${day}`,
    '/receipts?status=RECEIVED_WITH_DISCREPANCY',
    `/shipments?status=ACCEPTED&marketplace=OZON&created_to=${day}`,
    '/returns',
  ]
  for (const path of lists) {
    await page.goto(`/account${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    const [answer] = await askAsCopied<{ items: object[]; total: number }>(page, key)
    const { items = [], total = 0 } = answer ?? {}
    const isFound = !path.includes('search=%D0%BE')
    assert.equal(total > 0, isFound, path)
    assert.equal(await page.locator('tbody tr').count(), Math.min(items.length, rowsOnPage), path)
    if (!isFound) continue
    assert.equal(await totalOf(page), total, path)
    const first = page.locator('tbody a').first()
    const href = (await first.getAttribute('href')) ?? ''
    await page.goto(href)
    await page.getByRole('link', { name: '← ', exact: false }).waitFor()
    const [one = {}, ...details] = await askAsCopied(page, key)
    const isStock = path.startsWith('/stock')
    assert.ok(href.endsWith(encodeURIComponent(String(isStock ? one.barcode : one.id))), path)
    const part = isStock ? 'items' : 'history'
    const hasDetails = isStock || path.startsWith('/orders')
    assert.deepEqual(
      details.map((detail) => part in detail),
      hasDetails ? [true] : [],
      path,
    )
  }
  assert.deepEqual(faults, [])
})

test('the calls of a page are shown to developers, who say so once in a browser', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  const marks = page.locator('.by-api, .figure-api')
  await page.locator('.figure-card').first().waitFor()
  assert.equal(await marks.count(), 0)
  await beDeveloper(page)
  await page.locator('.figure-api').first().waitFor()
  await assertAccessible(page)
  await page.goto('/account/orders')
  await page.locator('.by-api').waitFor()
  await page.getByRole('checkbox', { name: 'Я разработчик', exact: true }).uncheck()
  await page.reload()
  await page.getByRole('row').nth(1).waitFor()
  assert.equal(await marks.count(), 0)
  assert.deepEqual(faults, [])
})

test('the goods that need a seller are counted on the overview as the stock lists them', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  const { api } = await openSandbox(page, service.baseUrl)
  for (const name of ['empty_stock', 'empty_stock', 'goods_in_question']) {
    assert.equal((await api.post(`/v1/sandbox/triggers/${name}`)).status, 200)
  }
  await page.reload()
  const needs = page.getByRole('region', { name: 'Что требует внимания' })
  for (const [words, selection] of [
    ['на маркетплейсе больше, чем есть', 'shows_more'],
    ['под вопросом', 'in_question'],
  ] as const) {
    const { body } = await api.get(`/v1/stock?selection=${selection}&limit=1000`)
    const { items, total } = body as { items: { in_question: number }[]; total: number }
    const units = items.reduce((sum, { in_question }) => sum + in_question, 0)
    const need = needs.getByRole('listitem').filter({ hasText: words })
    const shown = Number((await need.innerText()).replaceAll(/\D/g, ''))
    assert.equal(shown, selection === 'shows_more' ? total : units)
    await need.getByRole('link').click()
    assert.equal(await totalOf(page), total)
    await page.goto('/account')
  }
  assert.deepEqual(faults, [])
})

test('goods that orders lack stand on the overview, with why', async () => {
  const { id: client, cabinets } = await makeClient(service.db, ['WB'])
  await stockUp(service.db, client, { 'T-1': 1 })
  const drafts = [
    newOrder('A', 'T-1', noon),
    newOrder('B', 'T-1', noon),
    newOrder('C', 'T-7', noon),
  ]
  await at(service.db, noon, (work) => takeInOrders(work, client, cabinets[0] ?? '', drafts))
  const owner = await accountUser(service, { [client]: 'owner' })
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await signIn(page, owner.login)
  const needs = page.getByRole('region', { name: 'Что требует внимания' })
  await needs.getByText('Для заказов не хватает 2 товаров, 2 единиц').waitFor()
  await needs.getByText('T-7: не хватает 1, склад не знает такого товара.').waitFor()
  await needs.getByText(': не хватает 1, на складе 1.').waitFor()
  await assertAccessible(page)
  await needs.getByRole('link', { name: 'Товар T-1' }).click()
  await page.getByRole('heading', { name: 'Товар T-1' }).waitFor()
  assert.deepEqual(faults, [])
})

test('the calls that the pages of developers copy answer as copied', {
  skip: lacksCurl,
}, async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await allowCopying(page)
  const { api, key } = await openSandbox(page, service.baseUrl)
  const receiver = await openReceiver()
  const made = await api.post('/v1/webhooks', { url: receiver.url, events: ['receipt.created'] })
  const { webhook } = made.body as { webhook: { id: string } }
  const idsOf = (answer: unknown) =>
    (answer as { items: { id: string }[] }).items.map(({ id }) => id)
  const { body: me } = await api.get('/v1/me')
  for (const [room, check] of [
    ['/webhooks', (answer: unknown) => assert.deepEqual(idsOf(answer), [webhook.id])],
    [`/webhooks/${webhook.id}`, (answer: unknown) => assert.equal(idsOf(answer).length, 1)],
    [
      `/webhooks/${webhook.id}?status=FAILED`,
      (answer: unknown) => assert.deepEqual(idsOf(answer), []),
    ],
    ['/events?types=receipt.created', (answer: unknown) => assert.deepEqual(idsOf(answer), [])],
    [
      '/sandbox',
      ({ client }: Record<string, unknown>) =>
        assert.deepEqual(client, (me as typeof me & { client: unknown }).client),
    ],
  ] as const) {
    await page.goto(`/account${room}`)
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    const [answer] = await askAsCopied(page, key)
    assert.ok(answer, room)
    check(answer)
  }
  assert.deepEqual(faults, [])
})

test('a usual period is one click, and its figures are those of its days', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  const { api } = await openSandbox(page, service.baseUrl)
  await page.goto('/account/metrics')
  const today = new Date(Date.now() + 3 * 3_600_000)
  const monthAgo = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1))
  const day = (at: Date | number) => new Date(at).toISOString().slice(0, 10)
  const tomorrow = day(today.getTime() + 86_400_000)
  const month = `${day(today).slice(0, 7)}-01`
  for (const [title, from, to] of [
    ['7 дней', day(today.getTime() - 6 * 86_400_000), tomorrow],
    ['30 дней', day(today.getTime() - 29 * 86_400_000), tomorrow],
    ['Этот месяц', month, tomorrow],
    ['Прошлый месяц', day(monthAgo), month],
  ] as const) {
    await page.getByRole('link', { name: title, exact: true }).click()
    await page.waitForURL(`**/metrics?from=${from}&to=${day(Date.parse(to) - 86_400_000)}`)
    // Also on a day on which two periods are the same days.
    assert.deepEqual(await page.locator('.ranges [aria-current]').allInnerTexts(), [title])
    const { body } = await api.get(`/v1/metrics?from=${from}&to=${to}`)
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    const orders = rowOf(page.locator('.figure-groups'), 'Заказов')
    await assertFigure(orders, (body as Metrics).shipments.orders_total)
  }
  assert.deepEqual(faults, [])
})

test('a phone shows the figures of every list without a scroll to the side', async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await openSandbox(page, service.baseUrl)
  for (const [room, figures] of [
    ['stock', 'tbody tr:first-child td:nth-child(2)'],
    ['orders', 'tbody tr:first-child td:nth-child(2)'],
    ['receipts', 'tbody tr:first-child td:nth-child(2)'],
    ['shipments', 'tbody tr:first-child td:nth-child(2)'],
    ['metrics', '.figure-list strong'],
  ] as const) {
    await page.goto(`/account/${room}`)
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    for (const each of await page.locator(figures).all()) {
      const { x, width } = (await each.boundingBox()) ?? { x: 0, width: 0 }
      assert.ok(x + width <= phone.width, `${room}: ${await each.innerText()} ends at ${x + width}`)
    }
  }
  assert.deepEqual(faults, [])
})

test('the stock is saved as files with the filters of the page, and the act of a receipt is a paper', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  const { api } = await openSandbox(page, service.baseUrl)
  await page.goto('/account/stock?show=question')
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV', exact: true }).click()
  const saved = await saving
  assert.match(saved.suggestedFilename(), /^остатки-\d{4}-\d\d-\d\d\.csv$/)
  const rows = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\r\n')
    .slice(1)
  const { body } = await api.get('/v1/stock?selection=in_question&limit=1000')
  const { items } = body as { items: { barcode: string }[] }
  assert.deepEqual(
    rows.map((row) => row.split(';')[0]),
    items.map(({ barcode }) => barcode),
  )
  await page.goto('/account/receipts?status=RECEIVED_WITH_DISCREPANCY')
  await page.locator('tbody a').first().click()
  const act = page.getByRole('link', { name: 'Печать акта', exact: true })
  const paper = await page.request.get((await act.getAttribute('href')) ?? '')
  assert.equal(paper.headers()['content-type'], 'application/pdf')
  assert.equal((await paper.body()).subarray(0, 5).toString(), '%PDF-')
  assert.deepEqual(faults, [])
})
