import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { paths } from '../../web/account/paths.ts'
import { accountUser, sellersPassword } from '../support/account.ts'
import { newSandboxKey, openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { inlineRow, xlsxOf } from '../support/xlsx-file.ts'
import { beDeveloper, goTo, signIn } from './account-scene.ts'
import {
  assertAccessible,
  assertFitsWidth,
  assertReadable,
  desktop,
  leadingOn,
  openPage,
  phone,
} from './browser.ts'

/** The account in a real browser: a developer's sandbox, an owner's day, what a viewer may. */

const service = await startService()
const manager = await staffClient(service, 'manager')

async function seller(name: string): Promise<string> {
  const id = await perform(service.db, systemClock, { kind: 'service' }, async (work) => {
    const made = await createClient(work, { mode: 'live', name })
    await addCabinet(work, made, { marketplace: 'WB', name: 'Кабинет WB' })
    await issueApiKey(work, made, { name: '1С', receiptsEnabled: true })
    return made
  })
  await manager.patch(`/clients/${id}`, { account_receipts: true })
  return id
}

/** A state on the page. */
const badge = (page: Page, words: string) => page.locator('.badge', { hasText: words }).first()

const shots = process.env.SHOTS
async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

const number = (text: string | null) => Number((text ?? '').replaceAll(/[^\d]/g, ''))

suite('a test key', () => {
  test('is got at the door and shows its sandbox with the figures of the API', async () => {
    const { page, faults } = await openPage(service.baseUrl)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Получить тестовый ключ' }).click()
    const key = (await page.locator('code.secret').textContent()) ?? ''
    await assertAccessible(page)
    await shoot(page, 'door')
    await page.getByRole('button', { name: 'Открыть его песочницу' }).click()
    await page.getByRole('heading', { name: 'Путь товаров' }).waitFor()
    await shoot(page, 'overview')
    const api = openClient(service.baseUrl, key)
    const rooms = {
      stock: 'Остатки',
      orders: 'Заказы',
      receipts: 'Приёмки',
      shipments: 'Отгрузки',
      returns: 'Возвраты',
    }
    for (const [room, title] of Object.entries(rooms)) {
      await goTo(page, title)
      const shown = await page.getByText(/^(\d+–\d+ из|Всего:) /).textContent()
      const { total } = (await api.get(`/v1/${room}`)).body as { total: number }
      assert.equal(number(shown?.split(/из|:/)[1] ?? ''), total, room)
      await shoot(page, room)
      await page.locator('tbody a').first().click()
      await page.getByRole('link', { name: `← ${title}` }).waitFor()
      await shoot(page, `${room}-one`)
    }
    await page.goto('/account/metrics')
    await page.getByText('Отгружено единиц', { exact: true }).waitFor()
    const { from, to } = await page.evaluate(() => {
      const value = (name: string) =>
        document.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? ''
      return { from: value('from'), to: value('to') }
    })
    const end = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10)
    const { body } = await api.get(`/v1/metrics?from=${from}&to=${end}`)
    const { shipments, receiving } = body as {
      shipments: { units_shipped: number; orders_total: number }
      receiving: { accepted_units: number }
    }
    for (const [name, figure] of [
      ['Отгружено единиц', shipments.units_shipped],
      ['Заказов', shipments.orders_total],
      ['Принято единиц', receiving.accepted_units],
    ] as const) {
      const row = page.locator('.figure-list > div').filter({
        has: page.getByText(name, { exact: true }),
      })
      assert.equal(number(await row.locator('strong').first().textContent()), figure, name)
    }
    await beDeveloper(page)
    await page.getByText('Как спросить это по API', { exact: true }).click()
    const call = (await page.locator('.by-api pre').first().textContent()) ?? ''
    assert.ok(call.includes(`/v1/metrics?from=${from}&to=${end}`), call)
    await shoot(page, 'metrics')
    assert.deepEqual(faults, [])
  })

  test('is waited for while a busy service prepares its sandbox', async () => {
    const { page, faults } = await openPage(service.baseUrl)
    await page.clock.install()
    // The page's clock moves no timeouts of requests.
    await page.addInitScript(() => {
      AbortSignal.timeout = (ms) => {
        const end = new AbortController()
        setTimeout(() => end.abort(new DOMException('late', 'TimeoutError')), ms)
        return end.signal
      }
    })
    const copied = Promise.withResolvers<void>()
    await page.route('**/account/v1/session/key', async (route) => {
      await copied.promise
      await route.continue()
    })
    await page.goto('/account')
    await page.getByRole('button', { name: 'Получить тестовый ключ' }).click()
    await page.getByRole('button', { name: 'Открыть его песочницу' }).click()
    const waiting = page.getByRole('status').filter({ hasText: 'Готовим песочницу' })
    await waiting.waitFor()
    await page.clock.fastForward(2 * 60_000)
    await waiting.waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    copied.resolve()
    await page.getByRole('heading', { name: 'Путь товаров' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('plays its sandbox: a receiver, a webhook, a situation, what came', async () => {
    const key = await newSandboxKey(service)
    const { page, faults } = await openPage(service.baseUrl)
    await page.goto('/account')
    await page.getByLabel('Тестовый ключ').fill(key)
    await page.keyboard.press('Enter')
    await goTo(page, 'Песочница')
    await page.getByRole('button', { name: 'Создать приёмник' }).click()
    const url = (await page.locator('code.secret').textContent()) ?? ''
    await goTo(page, 'Вебхуки')
    await page.getByText('Добавить вебхук', { exact: true }).click()
    await page.getByLabel('Адрес').fill('ftp://x')
    await page.getByRole('button', { name: 'Проверить адрес и добавить' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Адрес').inputValue(), 'ftp://x')
    await page.getByLabel('Адрес').fill(url)
    await page.getByRole('button', { name: 'Проверить адрес и добавить' }).click()
    await page.getByText(/^Адрес ответил за [\d\s]+ мс, подписка работает/).waitFor()
    await shoot(page, 'webhook-made')
    await goTo(page, 'Песочница')
    await page.getByRole('button', { name: 'Заказ отменён' }).click()
    await page.getByRole('link', { name: 'Посмотреть' }).waitFor()
    await shoot(page, 'sandbox')
    await page.getByRole('link', { name: 'Посмотреть' }).click()
    await page.getByRole('heading', { name: /^Заказ / }).waitFor()
    await badge(page, 'Отменён').waitFor()
    await goTo(page, 'События')
    await page.getByText('order.status_changed', { exact: true }).first().waitFor()
    await shoot(page, 'events')
    await goTo(page, 'Вебхуки')
    await page.locator('tbody a').first().click()
    await page.getByRole('button', { name: 'Попытки' }).first().click()
    await page.getByRole('heading', { name: 'Содержимое' }).waitFor()
    await shoot(page, 'webhook')
    await assertAccessible(page)
    assert.deepEqual(faults, [])
  })
})

suite('an owner', () => {
  test('comes by an invitation, invites a viewer and takes the access away', async () => {
    const id = await seller('ООО «Ромашка»')
    const invited = await manager.post(`/clients/${id}/users`, { role: 'owner', note: 'Анна' })
    const { link } = invited.body as { link: string }
    const { page, faults } = await openPage(service.baseUrl)
    await page.goto(`/account/invitation#${link.split('#')[1]}`)
    await page.getByText('ООО «Ромашка»', { exact: true }).waitFor()
    const login = `anna-${id.slice(-6)}`
    await page.getByLabel('Логин', { exact: true }).fill(login)
    await page.getByLabel('Пароль', { exact: true }).fill('коротк')
    await page.getByRole('button', { name: 'Принять приглашение' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Логин', { exact: true }).inputValue(), login)
    await page.getByLabel('Пароль', { exact: true }).fill(sellersPassword)
    await assertAccessible(page)
    await shoot(page, 'invitation')
    await page.getByRole('button', { name: 'Принять приглашение' }).click()
    await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
    await page.getByText(login, { exact: true }).waitFor()
    await goTo(page, 'Пользователи')
    await page.getByText('Пригласить', { exact: true }).click()
    await page.getByLabel('Кого').fill('Пётр')
    await page.getByLabel('Ваш пароль ещё раз').fill(sellersPassword)
    await page.getByRole('button', { name: 'Сделать ссылку' }).click()
    await page.getByText('/account/invitation#').waitFor()
    await shoot(page, 'users')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Отозвать' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ваш пароль ещё раз').fill('не тот пароль')
    await dialog.getByRole('button', { name: 'Отозвать' }).click()
    await dialog.getByText('пароль не подходит', { exact: false }).waitFor()
    await dialog.getByLabel('Ваш пароль ещё раз').fill(sellersPassword)
    await dialog.getByRole('button', { name: 'Отозвать' }).click()
    await badge(page, 'Отозвано').waitFor()
    await goTo(page, 'Вход и пароль')
    await page.getByText('этот вход', { exact: true }).waitFor()
    await shoot(page, 'security')
    await page.getByRole('button', { name: 'Выйти', exact: true }).click()
    await page.getByRole('heading', { name: 'Личный кабинет' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('announces a receipt whose errors stand at their fields, also after the session ended', async () => {
    const user = await accountUser(service, { [await seller('ИП Петров')]: 'owner' })
    const { page, faults } = await openPage(service.baseUrl)
    await signIn(page, user.login)
    await goTo(page, 'Приёмки')
    await page.getByRole('link', { name: 'Заявить поставку' }).click()
    await page.getByRole('heading', { name: 'Новая поставка' }).waitFor()
    await page.getByLabel('Товар или штрихкод').fill('Б-1')
    await page.getByLabel('Название, если товар новый').fill('<b>Плед</b> ‮обратно')
    await page.getByLabel('Единиц').fill('пять')
    await page.getByRole('button', { name: 'Отправить заявку' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await page.getByLabel('Единиц').getAttribute('aria-invalid'), 'true')
    await shoot(page, 'receipt-error')
    await assertAccessible(page)
    await page.getByLabel('Единиц').fill('5')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Отправить заявку' }).click()
    const dialog = page.getByRole('dialog', { name: 'Вход закончился' })
    await dialog.getByLabel('Пароль', { exact: true }).fill(sellersPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
    await badge(page, 'Ожидает подтверждения').waitFor()
    await page.getByText('<b>Плед</b>').waitFor()
    await shoot(page, 'receipt-made')
    await goTo(page, 'Приёмки')
    await page.getByRole('link', { name: 'Заявить поставку' }).click()
    await page.getByRole('heading', { name: 'Новая поставка' }).waitFor()
    await page.getByRole('button', { name: 'Из файла' }).click()
    const file = (text: string) =>
      page.getByLabel('Файл', { exact: true }).setInputFiles({
        name: 'поставка.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      })
    await file('barcode;name;qty\nФ-1;Кружка;две\n')
    await page.getByRole('button', { name: 'Отправить заявку' }).click()
    const row = page.getByRole('table', { name: 'Что исправить в файле' }).locator('tbody tr')
    await row.getByRole('cell', { name: '2', exact: true }).waitFor()
    await row.getByText('„две“', { exact: false }).waitFor()
    const book = xlsxOf({
      rows: ['barcode name qty', 'Ф-1 - две', 'Ф-2 - 1', 'Ф-3 Миска 1']
        .map((line) => inlineRow(...line.split(' ').map((text) => (text === '-' ? '' : text))))
        .join(''),
    })
    await page.getByLabel('Файл', { exact: true }).setInputFiles({
      name: 'поставка.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: book,
    })
    await page.getByRole('button', { name: 'Отправить заявку' }).click()
    await row.getByText('товар Ф-2 складу ещё не известен', { exact: false }).waitFor()
    const places = await row.evaluateAll((rows) =>
      rows.map((each) => [...each.querySelectorAll('td')].slice(0, 2).map((td) => td.textContent)),
    )
    assert.deepEqual(places, [
      ['2', 'C'],
      ['2', 'B'],
      ['3', 'B'],
    ])
    await assertAccessible(page)
    await file('barcode;name;qty\nФ-1;Кружка;2\n')
    await page.getByRole('button', { name: 'Отправить заявку' }).click()
    await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
    await badge(page, 'Ожидает подтверждения').waitFor()
    assert.deepEqual(faults, [])
  })

  test('of two clients switches between them and sees what each role may', async () => {
    const [one, other] = [await seller('ООО «Первый»'), await seller('ООО «Второй»')]
    const user = await accountUser(service, { [one]: 'owner', [other]: 'viewer' })
    const { page, faults } = await openPage(service.baseUrl)
    await signIn(page, user.login)
    await page.getByRole('link', { name: 'Пользователи' }).waitFor()
    await goTo(page, 'Ключи')
    await page.getByRole('button', { name: 'Отозвать' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ваш пароль ещё раз').fill('x')
    await dialog.getByRole('button', { name: 'Отозвать' }).click()
    await dialog.getByText('пароль не подходит').waitFor()
    await dialog.getByLabel('Ваш пароль ещё раз').fill(sellersPassword)
    await dialog.getByRole('button', { name: 'Отозвать' }).click()
    await page.getByText(/^✕ Отозван/).waitFor()
    await shoot(page, 'keys')
    await page.getByLabel('Клиент').selectOption({ label: 'ООО «Второй»' })
    await page.getByRole('link', { name: 'Пользователи' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Отозвать' }).count(), 0)
    assert.deepEqual(faults, [])
  })
})

const rooms = [
  ...['', '/', '/stock', '/orders', '/receipts', '/receipts/new', '/shipments', '/returns'],
  ...['/metrics', '/keys', '/webhooks', '/events', '/calls', '/sandbox', '/users', '/nowhere'],
]

/** The page of one object of each kind. */
async function objectPages(key: string): Promise<string[]> {
  const api = openClient(service.baseUrl, key)
  const receiver = await api.post('/v1/sandbox/receivers', { answers: ['200'] })
  const { id, url } = receiver.body as { id: string; url: string }
  const made = await api.post('/v1/webhooks', { url, events: ['receipt.created'] })
  const { webhook } = made.body as { webhook: { id: string } }
  const first = async (list: string) => {
    const { body } = await api.get(`/v1/${list}`)
    const [item] = (body as { items: { id?: string; barcode?: string }[] }).items
    return `/${list.split('?')[0]}/${list === 'stock' ? item?.barcode : item?.id}`
  }
  const lists = [
    'stock',
    'orders',
    'receipts?status=RECEIVED_WITH_DISCREPANCY',
    'shipments',
    'returns',
  ]
  const named = await Promise.all(lists.map(first))
  return [...named, `/webhooks/${webhook.id}`, `/sandbox?receiver=${id}`, `/webhooks?url=${url}`]
}

/** Opens what a page folds up, and the attempts of a delivery. */
async function unfold(page: Page): Promise<void> {
  const attempts = page.getByRole('button', { name: 'Попытки', exact: true }).first()
  if (await attempts.isVisible()) {
    await attempts.click()
    await page.getByRole('heading', { name: 'Содержимое', exact: true }).waitFor()
  }
  const folded = page.locator('main details:not([open]) > summary')
  while ((await folded.count()) > 0) await folded.first().click()
}

for (const [name, viewport] of Object.entries({ desktop, phone })) {
  test(`every page is accessible and fits, with all that it folds up, in the light and in the dark (${name})`, async () => {
    const key = await newSandboxKey(service)
    const { page, faults } = await openPage(service.baseUrl, { viewport })
    const look = async (room: string) => {
      await assertAccessible(page, room)
      await assertFitsWidth(page)
      await shoot(page, `${name}${room.replaceAll(/[/?:]/g, '-')}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertReadable(page, room)
      await shoot(page, `${name}${room.replaceAll(/[/?:]/g, '-')}-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.goto('/account')
    await page.locator('h1').waitFor()
    await look('door')
    await page.getByLabel('Тестовый ключ').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
    for (const room of [...rooms, ...(await objectPages(key))]) {
      await page.goto(`/account${room}`)
      await page.locator('h1').waitFor()
      await page.locator('main:not(:has([aria-busy]))').waitFor()
      await unfold(page)
      await look(room)
    }
    assert.deepEqual(faults, [])
  })
}

test('every page of the account has one button that leads', async () => {
  const key = await newSandboxKey(service)
  const own = await accountUser(service, { [await seller('ООО «Ведёт»')]: 'owner' })
  const named = Object.values(paths).filter((path) => typeof path === 'string')
  const visits = [
    ['Тестовый ключ', key, (await objectPages(key)).map((room) => `/account${room}`)],
    ['Логин', own.login, []],
  ] as const
  const wrong: string[] = []
  let seen = 0
  for (const [label, who, objects] of visits) {
    const { page, faults } = await openPage(service.baseUrl)
    if (label === 'Логин') await signIn(page, who)
    else {
      await page.goto('/account')
      await page.getByLabel(label).fill(who)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
    }
    for (const address of [...named, ...objects]) {
      await page.goto(address)
      await page.locator('h1').waitFor()
      await page.locator('main:not(:has([aria-busy]))').waitFor()
      const leading = await leadingOn(page)
      seen += leading.length
      if (leading.length > 1) wrong.push(`${address} leads by ${leading.join(', ')}`)
    }
    assert.deepEqual(faults, [])
  }
  assert.ok(seen > 0)
  assert.deepEqual(wrong, [])
})

test('an address of the account that is no page says so and leads to the overview', async () => {
  const key = await newSandboxKey(service)
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto('/account/nowhere')
  await page.getByLabel('Тестовый ключ').fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Такой страницы нет', exact: true }).waitFor()
  await page.getByRole('link', { name: 'На главную', exact: true }).click()
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  await page.goto('/account/')
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  // The API beside the pages answers as before.
  for (const path of ['/account/v1', '/account/v1/nowhere']) {
    const answer = await openClient(service.baseUrl).get(path)
    assert.ok(answer.code === 'not_found' || answer.code === 'unauthorized', path)
  }
  assert.deepEqual(faults, [])
})
