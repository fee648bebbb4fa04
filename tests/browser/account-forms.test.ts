import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { accountUser, sellersPassword } from '../support/account.ts'
import { openReceiver, type Received } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { beDeveloper, goTo, openSandbox, signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, cutOff, intercept, openPage, phone } from './browser.ts'

/** The account in a real browser: forms that are refused, lists that refresh themselves, a webhook's life. */

const service = await startService(
  {
    SANDBOX_ROBOT: 'off',
    WEBHOOK_RETRY_SCHEDULE: '20ms,20ms,1h',
  },
  'all',
)
const manager = await staffClient(service, 'manager')

async function ownerOf(name: string) {
  const id = await perform(service.db, systemClock, { kind: 'service' }, async (work) => {
    const made = await createClient(work, { mode: 'live', name })
    await addCabinet(work, made, { marketplace: 'WB', name: 'Кабинет WB' })
    return made
  })
  await manager.patch(`/clients/${id}`, { account_receipts: true })
  return accountUser(service, { [id]: 'owner' })
}

/** Waits until what is wrong with a field stands at it, names it and has the focus. */
async function assertWrong(page: Page, label: string, words: RegExp): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await page
    .locator('.field')
    .filter({ has: field })
    .locator('.problem', { hasText: words })
    .waitFor()
  const about = await field.evaluate(
    (input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
  )
  assert.match(about ?? '', words)
}

test('an address that does not answer as it must is explained at its field, with all that was chosen kept', async () => {
  const receiver = await openReceiver(() => 500)
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone, colorScheme: 'dark' })
  await openSandbox(page, service.baseUrl)
  await page.goto('/account/webhooks')
  await page.getByText('Добавить вебхук', { exact: true }).click()
  const send = page.getByRole('button', { name: 'Проверить адрес и добавить', exact: true })
  await page.getByLabel('Адрес', { exact: true }).fill(receiver.url)
  await page.getByLabel('Заявка подтверждена', { exact: false }).uncheck()
  await send.click()
  await assertWrong(page, 'Адрес', /Подписка не создана.*500/)
  await page.locator('[name=url]:focus').waitFor()
  await page.getByText('исправьте отмеченные поля', { exact: false }).waitFor()
  await assertAccessible(page)
  await assertFitsWidth(page)
  const chosen = page.getByRole('checkbox', { checked: true })
  for (let left = await chosen.count(); left > 0; left--) await chosen.first().uncheck()
  for (const [url, words] of [
    ['ftp://x', /https:\/\//],
    ['http://10.0.0.1/hook', /доступный из интернета/],
  ] as const) {
    await page.getByLabel('Адрес', { exact: true }).fill(url)
    await send.click()
    await assertWrong(page, 'Адрес', words)
    await page.getByText('Выберите хотя бы одно событие', { exact: false }).waitFor()
    await page.locator('[name=url]:focus').waitFor()
  }
  await page.getByLabel('Адрес', { exact: true }).fill(receiver.url)
  await send.click()
  await page.locator('[name=events]:focus').waitFor()
  await assertAccessible(page)
  await page.getByLabel('Заявка подтверждена', { exact: false }).check()
  await page.getByLabel('Адрес', { exact: true }).fill(receiver.url)
  receiver.reply = () => 204
  await send.click()
  await page.getByText('Секрет подписи показан один раз', { exact: false }).waitFor()
  assert.deepEqual(
    receiver.requests.map(({ event }) => event.type),
    ['webhook.ping', 'webhook.ping'],
  )
  await page.goto('/account/sandbox')
  await page.getByLabel('Что отвечать по порядку', { exact: true }).fill('500 чай')
  await page.getByRole('button', { name: 'Создать приёмник', exact: true }).click()
  await assertWrong(page, 'Что отвечать по порядку', /./)
  assert.deepEqual(faults, [])
})

/** Leads to a room, giving up what was typed. */
async function leaveFor(page: Page, room: string): Promise<void> {
  await page.getByRole('link', { name: room, exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?', exact: true })
  await question.getByRole('button', { name: 'Уйти', exact: true }).click()
  await page.getByRole('heading', { name: room, exact: true, level: 1 }).waitFor()
}

test('forms of an owner name each wrong field at it, and nothing typed is lost', async () => {
  const owner = await ownerOf('ООО «Бланк»')
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, owner.login)
  await goTo(page, 'Приёмки')
  await page.getByRole('link', { name: 'Заявить поставку', exact: true }).click()
  await page.getByRole('heading', { name: 'Новая поставка', exact: true }).waitFor()
  await page.getByLabel('Комментарий', { exact: true }).fill('Привезём утром')
  await page.getByRole('button', { name: 'Добавить товар', exact: true }).click()
  // The first line stays empty and is not sent.
  await page.getByLabel('Товар или штрихкод', { exact: true }).nth(1).fill('Б-1')
  await page.getByLabel('Единиц', { exact: true }).nth(1).fill('пять')
  await page.getByRole('button', { name: 'Отправить заявку', exact: true }).click()
  await page.locator('.line').nth(1).locator('[aria-invalid=true]').first().waitFor()
  assert.equal(await page.locator('.line').nth(0).locator('[aria-invalid=true]').count(), 0)
  await page.locator('[name$="-1"]:focus').waitFor()
  await page.getByRole('button', { name: 'Из файла', exact: false }).click()
  await page.getByLabel('Файл', { exact: true }).setInputFiles({
    name: 'поставка.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('сколько;чего\n1;2\n'),
  })
  await page.getByRole('button', { name: 'Отправить заявку', exact: true }).click()
  await page.locator('main').getByRole('alert').filter({ visible: true }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Вручную', exact: true }).click()
  assert.equal(await page.getByLabel('Комментарий', { exact: true }).inputValue(), 'Привезём утром')
  assert.equal(await page.getByLabel('Единиц', { exact: true }).nth(1).inputValue(), 'пять')

  await leaveFor(page, 'Пользователи')
  await page.getByText('Пригласить', { exact: true }).click()
  await page.getByLabel('Кого: имя или адрес', { exact: true }).fill('Пётр')
  await page.getByLabel('Ваш пароль ещё раз', { exact: true }).fill('не тот')
  await page.getByRole('button', { name: 'Сделать ссылку', exact: true }).click()
  await assertWrong(page, 'Ваш пароль ещё раз', /пароль не подходит/)
  assert.equal(await page.getByLabel('Кого: имя или адрес', { exact: true }).inputValue(), 'Пётр')
  await page.locator('[name=password]:focus').waitFor()

  await leaveFor(page, 'Вход и пароль')
  await page.getByLabel('Нынешний пароль', { exact: true }).fill(sellersPassword)
  await page.getByLabel('Новый пароль', { exact: true }).fill('коротк')
  await page.getByRole('button', { name: 'Сменить пароль', exact: true }).click()
  await assertWrong(page, 'Новый пароль', /./)
  await page.locator('[name=new_password]:focus').waitFor()
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('a filter that is refused is explained at its field, and what was given stays there', async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await openSandbox(page, service.baseUrl)
  const wrong = page.locator('.filters [aria-invalid=true]')
  for (const [path, name, value, words] of [
    ['orders?created_from=2026-13-45', 'created_from', '2026-13-45', /Такой даты нет/],
    [
      'receipts?created_from=2026-12-01&created_to=2026-11-01',
      'created_from',
      '2026-12-01',
      /не может быть позже конца/i,
    ],
    ['shipments?status=LOST', 'status', 'LOST', /Выберите из списка/],
    ['metrics?from=2026-12-01&to=2026-11-01', 'from', '2026-12-01', /раньше конца периода/],
    ['metrics?from=2020-01-01&to=2026-11-01', 'from', '2020-01-01', /366 дней/],
    ['metrics?from=x', 'from', 'x', /Такой даты нет/],
    ['events?types=none', 'types', 'none', /Выберите из списка/],
  ] as const) {
    await page.goto(`/account/${path}`)
    await page.getByText('исправьте отмеченный фильтр', { exact: false }).waitFor()
    await page.locator('.filters .problem', { hasText: words }).waitFor()
    assert.equal(await wrong.getAttribute('name'), name, path)
    assert.equal(await wrong.inputValue(), value, path)
    await assertFitsWidth(page)
  }
  await assertAccessible(page)
  await wrong.selectOption({ label: 'Приёмка завершена' })
  await page.getByText('Новые события появятся здесь сами', { exact: false }).waitFor()
  assert.equal(await wrong.count(), 0)
  assert.deepEqual(faults, [])
})

test('the page of something that is not there says so and leads to the list', async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await openSandbox(page, service.baseUrl)
  for (const [path, missing, list] of [
    ['orders/none', 'Такого заказа нет', 'Заказы'],
    ['receipts/none', 'Такой приёмки нет', 'Приёмки'],
    ['shipments/none', 'Такой отгрузки нет', 'Отгрузки'],
    ['returns/none', 'Такого возврата нет', 'Возвраты'],
    ['stock/50%25', 'Такого товара на складе нет', 'Остатки'],
    ['webhooks/none', 'Такого вебхука нет', 'Вебхуки'],
  ] as const) {
    await page.goto(`/account/${path}`)
    await page.getByRole('heading', { name: missing, exact: true, level: 1 }).waitFor()
    await page.getByRole('link', { name: `${list}: весь список`, exact: true }).click()
    await page.getByRole('heading', { name: list, exact: true, level: 1 }).waitFor()
  }
  assert.deepEqual(faults, [])
})

/** Lets the page's clock run until it has asked again often enough to show what is wanted. Nothing is loaded anew. */
async function afterRefreshes(page: Page, asks: string, wanted: Locator): Promise<void> {
  for (let rounds = 0; rounds < 100; rounds++) {
    if (await wanted.isVisible()) return
    const answered = page.waitForResponse((response) => response.url().includes(asks))
    await page.clock.fastForward(20_000)
    await answered
  }
  assert.fail(`it did not come: ${await page.locator('main').innerText()}`)
}

/** Marks what is shown now, so that it can be recognized later. */
const mark = (shown: Locator) => shown.evaluate((element) => element.setAttribute('data-mark', ''))

test('the journal of calls and the event feed refresh themselves and keep place and selection', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await page.clock.install()
  const { api } = await openSandbox(page, service.baseUrl)
  for (let calls = 0; calls < 105; calls++) await api.get('/v1/me')
  await page.getByRole('link', { name: 'Вызовы', exact: true }).click()
  await page.getByRole('heading', { name: 'Вызовы API', exact: true }).waitFor()
  const next = page.getByRole('link', { name: 'Дальше', exact: true })
  await afterRefreshes(page, '/calls', page.locator('.pages', { hasText: 'из 1' }))
  const row = page.locator('tbody tr').nth(30)
  await mark(row)
  await row.scrollIntoViewIfNeeded()
  await row.getByRole('code').first().selectText()
  const selected = await page.evaluate(() => String(getSelection()))
  assert.ok(selected.length > 3)
  const place = () => page.locator('.table-frame').evaluate(({ scrollTop }) => scrollTop)
  assert.ok((await place()) > 0)
  await api.get('/v1/nowhere')
  await afterRefreshes(page, '/calls', page.getByText('/v1/nowhere', { exact: false }))
  assert.equal(await page.locator('tbody tr[data-mark]').count(), 1)
  assert.equal(await page.evaluate(() => String(getSelection())), selected)
  assert.ok((await place()) > 0)
  await next.click()
  await page.getByText(/^51–/).waitFor()

  await goTo(page, 'События')
  await page.getByText('Событий ещё нет', { exact: false }).waitFor()
  await api.post('/v1/sandbox/triggers/order_cancelled')
  const shown = page.locator('.events > li')
  await afterRefreshes(page, '/events', shown.first())
  await shown.first().locator('summary').click()
  const before = await shown.count()
  await api.post('/v1/sandbox/triggers/order_cancelled')
  await afterRefreshes(page, '/events', shown.nth(before))
  await shown.first().locator('details[open] pre').waitFor()
  assert.deepEqual(faults, [])
})

test('refreshes of a page say that nobody asked, and a person who presses does not', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await page.clock.install()
  const { api } = await openSandbox(page, service.baseUrl)
  const rooms = { События: '/events', Заказы: '/orders', Обзор: '/metrics' }
  const saidBy = async (path: string, act: () => Promise<unknown>) => {
    const [request] = await Promise.all([
      page.waitForRequest((each) => new URL(each.url()).pathname === `/account/v1${path}`),
      act(),
    ])
    await request.response()
    return request.headers()['x-unattended']
  }
  await api.post('/v1/sandbox/triggers/order_cancelled')
  for (const [room, path] of Object.entries(rooms)) {
    assert.equal(await saidBy(path, () => goTo(page, room)), undefined, room)
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    assert.equal(await saidBy(path, () => page.clock.fastForward(60_000)), '1', room)
  }
  await goTo(page, 'Заказы')
  const next = page.getByRole('link', { name: 'Дальше', exact: true })
  assert.equal(await saidBy('/orders', () => next.click()), undefined)
  assert.deepEqual(faults, [])
})

test('a page that was asked for too often comes by itself when the service says, even where nothing is shown yet', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  const said = 'Слишком много запросов, повторите через 1 с'
  for (const call of ['session', 'stock']) {
    let refusals = 0
    const restore = await intercept(page, `**/account/v1/${call}?*`, (route) => {
      if (refusals++ > 0) return route.fallback()
      const error = { code: 'rate_limited', message: said, request_id: 'r' }
      return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error } })
    })
    await page.goto('/account/stock')
    await page.getByText(said, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'CSV', exact: true }).waitFor()
    assert.equal(await page.getByText(said, { exact: true }).count(), 0)
    restore()
  }
  assert.deepEqual(faults, [])
})

test('the page of a receipt refreshes itself and keeps what is open', async () => {
  const owner = await ownerOf('ООО «Свежесть»')
  const { page, faults } = await openPage(service.baseUrl)
  await page.clock.install()
  await signIn(page, owner.login)
  const made = await owner.post('/receipts', {
    items: [{ barcode: 'Б-1', name: 'Плед', qty: 2, honest_mark: false }],
  })
  const { id } = made.body as { id: string }
  await page.goto(`/account/receipts/${id}`)
  await page.locator('.badge', { hasText: 'Ожидает подтверждения' }).waitFor()
  await beDeveloper(page)
  await page.getByText('Как спросить это по API', { exact: true }).click()
  await mark(page.locator('.by-api'))
  const confirmed = await manager.post(`/receipts/${id}/confirm`)
  assert.equal(confirmed.status, 200, confirmed.text)
  const fact = page.locator('dt', { hasText: 'Подтверждена' })
  await afterRefreshes(page, `/receipts/${id}`, fact)
  await page.locator('.by-api[data-mark][open] pre').waitFor()
  assert.deepEqual(faults, [])
})

test('a page whose refresh fails says so and when its figures are from, until one succeeds', async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.clock.install()
  const { api } = await openSandbox(page, service.baseUrl)
  const idOf = async (room: string) => {
    const { body } = await api.get(`/v1/${room}?limit=1`)
    const [first] = (body as { items: { id?: string; barcode?: string }[] }).items
    return `/${room}/${first?.id ?? first?.barcode}`
  }
  const receiver = await openReceiver()
  const made = await api.post('/v1/webhooks', { url: receiver.url, events: ['receipt.created'] })
  const { webhook } = made.body as { webhook: { id: string } }
  const objects = ['orders', 'receipts', 'shipments', 'returns', 'stock'].map(idOf)
  const notice = page.getByRole('alert').filter({ hasText: 'Не обновилось: данные за' })
  const asks = '**/account/v1/**'
  /** The page's clock may pass midnight in between. */
  const shownFigures = async () =>
    (await page.locator('main :is(dl, table)').first().innerText()).replaceAll(
      /сегодня|вчера/g,
      '…',
    )
  for (const room of [
    '',
    '/orders',
    '/webhooks',
    ...(await Promise.all(objects)),
    `/webhooks/${webhook.id}`,
  ]) {
    const opened = await page.evaluate(() => Date.now())
    await page.goto(`/account${room}`)
    await page
      .locator('main:not(:has([aria-busy])) :is(dl, table)')
      .first()
      .waitFor({ state: 'attached' })
    const heading = await page.locator('h1').innerText()
    const figures = await shownFigures()
    const shown = await page.evaluate(() => Date.now())
    const mend = await cutOff(page, asks)
    await page.clock.fastForward(60_000)
    await notice.first().waitFor()
    assert.match(await notice.first().innerText(), /(сегодня|вчера) \d\d:\d\d.*Нет связи/s, room)
    const at = Date.parse((await notice.locator('time').first().getAttribute('datetime')) ?? '')
    assert.ok(at >= opened && at <= shown, `${room} ${at}`)
    assert.equal(await page.locator('h1').innerText(), heading)
    assert.equal(await shownFigures(), figures, room)
    await assertAccessible(page, room)
    await assertFitsWidth(page)
    mend()
    await page.clock.fastForward(60_000)
    await notice.first().waitFor({ state: 'detached' })
  }
  assert.deepEqual(faults, [])
})

test('a webhook is made, breaks, is mended, and gets again what it missed, all on one page', async () => {
  const gate = Promise.withResolvers<number>()
  const receiver = await openReceiver(() => gate.promise)
  const { page, faults } = await openPage(service.baseUrl)
  await page.clock.install()
  const { api } = await openSandbox(page, service.baseUrl)
  // The feed keeps events from its first call on: the webhook misses this one.
  await api.get('/v1/events')
  await api.post('/v1/sandbox/triggers/order_cancelled')
  await goTo(page, 'Вебхуки')
  await page.getByText('Добавить вебхук', { exact: true }).click()
  await page.getByLabel('Адрес', { exact: true }).fill(receiver.url)
  await page.getByRole('button', { name: 'Проверить адрес и добавить', exact: true }).click()
  await page.getByRole('timer').waitFor()
  await receiver.until((requests) => requests.length === 1)
  gate.resolve(204)
  await page.getByText(/^Адрес ответил за [\d\s]+ мс, подписка работает/).waitFor()
  await page.getByRole('link', { name: receiver.url, exact: true }).click()
  await page.getByRole('heading', { name: 'Вебхук', exact: true }).waitFor()

  receiver.reply = () => 500
  const attempts = 2
  await api.post('/v1/sandbox/triggers/order_cancelled')
  await api.post('/v1/sandbox/triggers/order_cancelled')
  const isCancel = ({ event }: Received) => event.type === 'order.status_changed'
  await receiver.until((requests) => requests.filter(isCancel).length >= attempts)
  const list = page.getByRole('region', { name: 'Доставки', exact: true })
  const waiting = list.getByRole('row', { name: /order\.status_changed.*Ждёт [23] .*500/ })
  await afterRefreshes(page, '/deliveries', waiting.first())
  await afterRefreshes(page, '/webhooks/', page.getByText(/Не отвечает: \d+ подряд/))
  await waiting.first().getByRole('button', { name: 'Попытки', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Попытки доставки', exact: true })
  const table = panel.getByRole('table', { name: 'Попытки', exact: true })
  await afterRefreshes(page, '/attempts', table.getByRole('row').nth(attempts))
  const codes = await table.locator('tbody tr td:nth-child(3)').allTextContents()
  assert.deepEqual([...new Set(codes)], ['500'])

  receiver.reply = () => 204
  const delivered = list.getByRole('row', { name: /order\.status_changed.*Доставлено/ })
  await page.getByRole('button', { name: 'Проверить адрес', exact: true }).click()
  await afterRefreshes(page, '/webhooks/', page.getByText('Работает', { exact: false }))
  await panel.getByRole('button', { name: 'Отправить ещё раз', exact: true }).click()
  await afterRefreshes(page, '/deliveries', delivered.first())
  await panel.waitFor()
  await page.getByText('Отправить пропущенное', { exact: true }).click()
  await page.getByLabel('С какого времени', { exact: true }).fill('2026-01-01T00:00')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await page.getByText(/^В очереди \d+ событ/).waitFor()
  await afterRefreshes(page, '/deliveries', delivered.nth(1))
  // The one from before the webhook, too.
  await receiver.until(
    (requests) => new Set(requests.filter(isCancel).map(({ event }) => event.id)).size > 2,
  )
  await panel.waitFor()
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})
