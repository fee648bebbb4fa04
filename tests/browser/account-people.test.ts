import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Secret, TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'
import { firstNeeds } from '../../src/http/pages/surfaces.ts'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { type AccountUser, accountUser, sellersPassword } from '../support/account.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { afterReloads, beDeveloper, goTo, openSandbox, signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'

/** The account in a real browser: what each role may, lost passwords, webhooks that fail, hostile names. */

const service = await startService(
  {
    SANDBOX_ROBOT: 'off',
    WEBHOOK_PRIVATE_TARGETS: 'allow',
    WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 7 }, () => '20ms').join(','),
  },
  'all',
)
const manager = await staffClient(service, 'manager')
/** Names that break pages which trust them. */
const hostile = `<b onclick=alert(1)>ООО</b> ${'Длинное'.repeat(20)} \u202Eнаоборот`

async function seller(name: string): Promise<string> {
  const id = await perform(service.db, systemClock, { kind: 'service' }, async (work) => {
    const made = await createClient(work, { mode: 'live', name })
    await addCabinet(work, made, { marketplace: 'WB', name })
    return made
  })
  await manager.patch(`/clients/${id}`, { account_receipts: true })
  return id
}

test('a user turns codes on by a picture, loses phone and password, and comes back by the link of an owner', async () => {
  const id = await seller('ООО «Потеря»')
  const [owner, user] = [
    await accountUser(service, { [id]: 'owner' }),
    await accountUser(service, { [id]: 'viewer' }),
  ]
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, user.login)
  await goTo(page, 'Вход и пароль')
  await page.getByRole('button', { name: 'Включить', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Ваш пароль ещё раз').fill(sellersPassword)
  await page.keyboard.press('Enter')
  const picture = page.getByRole('img', { name: 'QR-код для приложения с кодами' })
  await picture.waitFor()
  assert.ok(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0))
  await assertAccessible(page)
  const secret = Secret.fromBase32((await page.locator('code.secret').textContent()) ?? '')
  await page.getByLabel('Код из приложения').fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Включить', exact: true }).click()
  await page.getByRole('button', { name: 'Сохранил', exact: true }).click()
  await page.getByRole('button', { name: 'Выключить', exact: true }).waitFor()

  const owners = await openPage(service.baseUrl)
  await signIn(owners.page, owner.login)
  await goTo(owners.page, 'Пользователи')
  await owners.page.getByRole('button', { name: 'Новый пароль', exact: true }).click()
  const dialog = owners.page.getByRole('dialog')
  await dialog.getByLabel('Телефон с кодами потерян', { exact: false }).check()
  await dialog.getByLabel('Ваш пароль ещё раз').fill(sellersPassword)
  await dialog.getByRole('button', { name: 'Новый пароль', exact: true }).click()
  const link = (await owners.page.locator('code.secret').textContent()) ?? ''
  await assertAccessible(owners.page)

  await page.goto(`/account/password#${link.split('#')[1]}`)
  await page.getByRole('heading', { name: 'Новый пароль', exact: true }).waitFor()
  await page.getByLabel('Новый пароль', { exact: true }).fill('коротк')
  await page.getByRole('button', { name: 'Задать пароль', exact: true }).click()
  await page.locator('[name=password][aria-invalid=true]').waitFor()
  await assertAccessible(page)
  await assertFitsWidth(page)
  await page.getByLabel('Новый пароль', { exact: true }).fill('совсем новый')
  await page.getByRole('button', { name: 'Задать пароль', exact: true }).click()
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  await page.getByText(user.login, { exact: true }).waitFor()
  await page.goto(`/account/password#${link.split('#')[1]}`)
  await page.getByText('Ссылка уже использована', { exact: false }).waitFor()
  assert.deepEqual([...faults, ...owners.faults], [])
})

suite('a role', () => {
  test('of a viewer offers nothing that it may not, and an address typed by hand says so', async () => {
    const id = await seller('ООО «Зритель»')
    const user = await accountUser(service, { [id]: 'viewer' })
    const { page, faults } = await openPage(service.baseUrl)
    await signIn(page, user.login)
    await goTo(page, 'Приёмки')
    await page.getByText('Поставок ещё нет', { exact: false }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Заявить поставку' }).count(), 0)
    await goTo(page, 'Вебхуки')
    await page.getByText('Подписок ещё нет', { exact: false }).waitFor()
    assert.equal(await page.getByText('Добавить вебхук', { exact: true }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Пользователи', exact: true }).count(), 0)
    await page.goto('/account/users')
    await page.getByText('нужна роль «владелец»', { exact: false }).first().waitFor()
    await page.goto('/account/receipts/new')
    await page.getByText('не включены', { exact: false }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('of receipts announces goods with keys alone, and manages nobody', async () => {
    const id = await seller('ООО «Заявки»')
    const user = await accountUser(service, { [id]: 'receipts' })
    const { page, faults } = await openPage(service.baseUrl)
    await signIn(page, user.login)
    await page.goto('/account/receipts/new')
    const goods = page.getByLabel('Товар или штрихкод', { exact: true })
    await goods.waitFor()
    await tabTo(goods)
    await page.keyboard.type('К-1')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Кружка')
    await page.keyboard.press('Tab')
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await goods.nth(1).waitFor()
    await tabTo(page.getByRole('button', { name: 'Отправить заявку', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Пользователи', exact: true }).count(), 0)
    assert.deepEqual(faults, [])
  })
})

async function tabTo(wanted: Locator): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    await wanted.page().keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  assert.fail('it is not reached by keys')
}

async function openAs(user: AccountUser, viewport = desktop) {
  const opened = await openPage(service.baseUrl, { viewport })
  const [name = '', value = ''] = user.cookie.split('=')
  const { hostname: domain } = new URL(service.baseUrl)
  await opened.page.context().addCookies([{ name, value, domain, path: '/account' }])
  return opened
}

/** What changes something, with the role that it needs. */
const doings = {
  receipts: ['Заявить поставку', 'Отправить заявку', 'Отозвать заявку'],
  owner: [
    ...['Пригласить', 'Сделать ссылку', 'Новый пароль', 'Забрать доступ', 'Отозвать'],
    ...['Добавить вебхук', 'Проверить адрес', 'Удалить', 'Отправить пропущенное'],
    ...['Отправить ещё раз', 'Попросить ключ'],
  ],
}
const allDoings = Object.values(doings).flat()

test('each role is offered on every page what it may and nothing more, and hostile names harm none', async () => {
  const id = await seller(hostile)
  const receiver = await openReceiver()
  const owner = await accountUser(service, { [id]: 'owner' })
  await perform(service.db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, id, { name: hostile, receiptsEnabled: true }),
  )
  const webhook = await owner.post('/webhooks', {
    url: `${receiver.url}/${'Длинное'.repeat(40)}?a=<b%20onclick=alert(1)>`,
    events: ['receipt.created'],
  })
  const receipt = await owner.post('/receipts', {
    items: [{ barcode: `<i>${'Б'.repeat(60)}`, name: hostile, qty: 2, honest_mark: false }],
    external_ref: `<u>${'Н'.repeat(60)}`,
    comment: hostile,
  })
  const idOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
    assert.equal(status, 201, JSON.stringify(body))
    const made = body as { id: string; webhook?: { id: string } }
    return (made.webhook ?? made).id
  }
  const rooms = [
    ...['', '/stock', '/orders', '/receipts', '/receipts/new', '/shipments', '/returns'],
    ...['/metrics', '/keys', '/webhooks', '/events', '/calls', '/users', '/security', '/sandbox'],
    ...[`/webhooks/${idOf(webhook)}`, `/receipts/${idOf(receipt)}`],
  ]
  for (const [user, expected] of [
    [owner, allDoings],
    [await accountUser(service, { [id]: 'receipts' }), doings.receipts],
    [await accountUser(service, { [id]: 'viewer' }), []],
  ] as const) {
    const { page, faults } = await openAs(user, phone)
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    const offered = new Set<string>()
    for (const room of rooms) {
      await page.goto(`/account${room}`)
      await page.locator('h1').waitFor()
      await page.locator('main:not(:has([aria-busy]))').waitFor()
      const open = page.getByRole('button', { name: 'Попытки', exact: true })
      if (room.startsWith('/webhooks/')) {
        await open.first().click()
        await page.getByRole('heading', { name: 'Содержимое', exact: true }).waitFor()
      }
      const shown = page.locator('main :is(button, summary, a.button)')
      for (const text of await shown.allTextContents()) offered.add(text.trim())
      await assertFitsWidth(page)
      assert.equal(await page.locator('[onclick], main :is(i, u)').count(), 0, room)
    }
    assert.deepEqual(
      allDoings.filter((doing) => offered.has(doing)),
      expected,
    )
    assert.deepEqual(refused, [])
    assert.deepEqual(faults, [])
  }
})

test('switching the client shows no figure of the other one, in any tab', async () => {
  const [one, other] = [await seller('ООО «Первый»'), await seller('ООО «Второй»')]
  const user = await accountUser(service, { [one]: 'owner', [other]: 'viewer' })
  await user.post('/receipts', {
    items: [{ barcode: 'Т-1', name: 'Тайный товар', qty: 7319, honest_mark: false }],
  })
  const { page, faults } = await openAs(user)
  const second = await page.context().newPage()
  for (const tab of [page, second]) {
    await tab.goto('/account/receipts')
    await tab.getByRole('cell', { name: /^7.?319$/ }).waitFor()
    await tab.evaluate(() => {
      new MutationObserver(() => {
        const name = document.querySelector('.client-choice option:checked')?.textContent
        const figures = document.querySelector('main')?.innerText ?? ''
        if (name === 'ООО «Второй»' && /7.?319/.test(figures)) console.error('figures of another')
      }).observe(document.body, { subtree: true, childList: true, attributes: true })
    })
  }
  let allow: (() => void) | undefined
  await page.route('**/account/v1/session/client', async (route) => {
    await new Promise<void>((resolve) => {
      allow = resolve
    })
    await route.continue()
  })
  await page.getByLabel('Клиент', { exact: true }).selectOption({ label: 'ООО «Второй»' })
  await page.locator('main').waitFor({ state: 'hidden' })
  allow?.()
  for (const tab of [page, second]) {
    await tab.getByText('Поставок ещё нет', { exact: false }).waitFor()
    assert.equal(await tab.locator('.client-choice option:checked').textContent(), 'ООО «Второй»')
    for (const room of ['', '/stock', '/receipts', '/metrics', '/events']) {
      await tab.goto(`/account${room}`)
      await tab.locator('main:not(:has([aria-busy]))').waitFor()
      assert.doesNotMatch(await tab.locator('main').innerText(), /7.?319|Тайный/)
    }
  }
  assert.deepEqual(faults, [])
})

test('browsers find an icon where they look for one, and where pages name it', async () => {
  const html = await (await fetch(`${service.baseUrl}/account`)).text()
  const [, named] = /<link rel="icon" href="([^"]+)">/.exec(html) ?? []
  assert.equal(named, '/favicon.ico')
  const { page } = await openPage(service.baseUrl)
  await page.goto('/account')
  const width = await page.evaluate(async () => {
    const image = new Image()
    image.src = '/favicon.ico'
    await image.decode()
    return image.naturalWidth
  })
  assert.ok(width > 0)
})

test('the first page loads no more than its budget', async () => {
  const html = await (await fetch(`${service.baseUrl}/account`)).text()
  const paths = new Set([...html.matchAll(/\/assets\/[^"]+\.(?:js|css)/g)].map(([path]) => path))
  assert.ok([...paths].some((path) => path.endsWith('.js')))
  const sizes = [...paths].map(async (path) => {
    const file = await fetch(service.baseUrl + path)
    return gzipSync(Buffer.from(await file.arrayBuffer()), { level: 9 }).length
  })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  assert.ok(bytes <= 45_000, `${bytes} bytes`)
  // Files wait for each other on a slow connection; one of them sets the theme before anything is painted.
  assert.ok(paths.size <= 5, [...paths].join(' '))
})

test('a page asks for its files and its first calls at once, and for each of them once', async () => {
  const modulesOf = async (path: string) => {
    const html = await (await fetch(service.baseUrl + path)).text()
    return html.split('rel="modulepreload"').length
  }
  const ofOverview = await modulesOf('/account')
  for (const [path, { source }] of Object.entries(firstNeeds)) {
    assert.equal((await modulesOf(path)) > ofOverview, source !== undefined, path)
  }
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  for (const [room, calls] of [
    ['', ['session']],
    ['/stock', ['session']],
    ['/webhooks', ['session']],
  ] as const) {
    const html = await (await fetch(`${service.baseUrl}/account${room}`)).text()
    await page.goto(`/account${room}`)
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    if (room === '') await page.locator('.chart canvas').first().waitFor()
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => ({
        path: new URL(entry.name).pathname,
        by: (entry as PerformanceResourceTiming).initiatorType,
      })),
    )
    const named = loaded.filter(({ path }) => path.startsWith('/assets/'))
    assert.ok(named.length >= 2)
    // The library of the curves comes behind the figures.
    const later = named.filter(({ path }) => !html.includes(path))
    assert.equal(later.length, room === '' ? 1 : 0, JSON.stringify(later))
    for (const call of calls) {
      const asked = loaded.filter(({ path }) => path === `/account/v1/${call}`)
      assert.deepEqual(
        asked.map(({ by }) => by),
        ['link'],
        `${room} ${call}`,
      )
    }
  }
  assert.deepEqual(faults, [])
})

async function addWebhook(page: Page, url: string): Promise<void> {
  await goTo(page, 'Вебхуки')
  await page.getByText('Добавить вебхук', { exact: true }).click()
  await page.getByLabel('Адрес', { exact: true }).fill(url)
  await page.getByRole('button', { name: 'Проверить адрес и добавить', exact: true }).click()
  await page.getByText('Секрет подписи показан один раз', { exact: false }).waitFor()
}

test('a webhook that failed too often is disabled, and a new one gets what was missed, again if asked', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  await goTo(page, 'Песочница')
  await page.getByLabel('Что отвечать по порядку').fill(`${'500 '.repeat(8)}204`)
  await page.getByRole('button', { name: 'Создать приёмник', exact: true }).click()
  const url = (await page.locator('code.secret').textContent()) ?? ''
  await addWebhook(page, url)
  await goTo(page, 'Песочница')
  await page.getByRole('combobox', { name: 'Ошибка' }).selectOption('rate_limited')
  await page.getByRole('button', { name: 'Показать ответ', exact: true }).click()
  await page.getByText('HTTP 429', { exact: false }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Заказ отменён', exact: true }).click()
  await page.getByRole('link', { name: 'Посмотреть', exact: true }).waitFor()

  await page.goto('/account')
  const needs = page.getByRole('region', { name: 'Что требует внимания' })
  await afterReloads(page, needs.getByText('Вебхук отключён', { exact: false }))
  await needs.getByRole('link', { name: url, exact: true }).click()
  await page.getByRole('heading', { name: 'Вебхук', exact: true }).waitFor()
  const list = page.getByRole('region', { name: 'Доставки', exact: true })
  await page.getByRole('combobox', { name: 'Состояние', exact: true }).selectOption('FAILED')
  await beDeveloper(page)
  const call = page.locator('.by-api pre', { hasText: '/deliveries?status=FAILED' })
  await call.waitFor({ state: 'attached' })
  const lost = list.getByRole('row', { name: /order\.status_changed.*Не доставлено/ })
  await lost.getByRole('button', { name: 'Попытки', exact: true }).click()
  await page.getByRole('region', { name: 'Попытки', exact: true }).getByRole('row').nth(8).waitFor()

  await addWebhook(page, url)
  await page
    .getByRole('row', { name: /Работает/ })
    .getByRole('link')
    .click()
  await page.getByRole('heading', { name: 'Вебхук', exact: true }).waitFor()
  await page.getByText('Отправить пропущенное', { exact: true }).click()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await page.locator('[name=since][aria-invalid=true]').waitFor()
  await page.getByLabel('С какого времени').fill('2026-01-01T00:00')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await page.getByText(/^В очереди \d+ событ/).waitFor()
  const sent = list.getByRole('row', { name: /order\.status_changed.*Доставлено/ })
  await afterReloads(page, sent.first())
  const before = await sent.count()
  await sent.first().getByRole('button', { name: 'Попытки', exact: true }).click()
  await page.getByRole('button', { name: 'Отправить ещё раз', exact: true }).click()
  await afterReloads(page, sent.nth(before))
  assert.deepEqual(faults, [])
})

for (const [name, viewport, colorScheme] of [
  ['desktop, dark', desktop, 'dark'],
  ['phone, light', phone, 'light'],
  ['zoomed to 200 %, light', { width: 640, height: 400 }, 'light'],
] as const) {
  test(`pages of people fit and are accessible, whatever a client calls itself (${name})`, async () => {
    const [one, other] = [await seller(hostile), await seller(`${hostile} второй`)]
    const user = await accountUser(service, { [one]: 'owner', [other]: 'owner' })
    await user.post('/receipts', {
      items: [{ barcode: 'Б-<i>', name: hostile, qty: 2, honest_mark: false }],
      comment: hostile,
    })
    await manager.post(`/clients/${one}/users`, { role: 'viewer', note: hostile })
    const { page, faults } = await openPage(service.baseUrl, { viewport, colorScheme })
    await signIn(page, user.login)
    for (const room of ['', '/users', '/security', '/receipts', '/receipts/new', '/keys']) {
      await page.goto(`/account${room}`)
      await page.locator('h1').waitFor()
      await page.locator('main:not(:has([aria-busy]))').waitFor()
      await assertAccessible(page, room)
      await assertFitsWidth(page)
    }
    await goTo(page, 'Приёмки')
    await page.locator('tbody a').first().click()
    await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
    const cell = page.locator('td', { hasText: '<b onclick=alert(1)>ООО</b>' })
    await cell.first().waitFor()
    await assertFitsWidth(page)
    assert.deepEqual(faults, [])
  })
}

test('goods, orders, shipments and receipts of any name harm no page and stay in its width', async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  const { api } = await openSandbox(page, service.baseUrl)
  const { client } = (await api.get('/v1/me')).body as { client: { id: string } }
  const name = `"'><script>alert(1)</script><img src=x onerror=alert(1)>\u202E\u200F${'Ж'.repeat(440)}`
  await service.db.begin(async (tx) => {
    const { id } = client
    await tx`update products set name = ${name}, article = ${name} where client_id = ${id}`
    await tx`update orders set external_id = ${name} || external_id, article = ${name} where client_id = ${id}`
    await tx`update order_lines set article = ${name} where client_id = ${id}`
    await tx`
      update shipments set external_id = ${name} || external_id, name = ${name} where client_id = ${id}`
    await tx`update receipts set external_ref = ${name}, comment = ${name} where client_id = ${id}`
  })
  for (const room of ['Остатки', 'Заказы', 'Отгрузки', 'Приёмки', 'Возвраты']) {
    await goTo(page, room)
    await page.locator('tbody a').first().waitFor()
    await assertFitsWidth(page)
    await page.locator('tbody a').first().click()
    await page.getByRole('link', { name: `← ${room}`, exact: true }).waitFor()
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    await assertFitsWidth(page)
    await assertAccessible(page, room)
  }
  assert.equal(await page.locator('main :is(script, img)').count(), 0)
  assert.deepEqual(faults, [])
})
