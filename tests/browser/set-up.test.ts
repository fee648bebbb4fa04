import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Role } from '../../src/identity/staff/roles.ts'
import { rooms } from '../../web/console/rooms.ts'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { addUser, signIn as signInAt } from './console-page.ts'
import { queueIsEmpty } from './handheld-page.ts'
import { scan } from './scanner.ts'

const empty = async () => (await testDatabase()).db
const service = await startService(undefined, 'api', empty)
const root = await staffClient(service, 'administrator')

async function signIn(page: Page, role: Role, path?: string): Promise<string> {
  const { login } = await addUser(root, role)
  await signInAt(page, login, path)
  return login
}

/** The invented day: its goods come and are counted, an order is picked and leaves. Nothing is asked of the API. */
async function playDay(page: Page): Promise<void> {
  const mug = '2000000000015'
  const go = async (room: string, tab: string) => {
    await page.locator('.rooms').getByRole('link', { name: room }).click()
    await page.locator('.room-tabs').getByRole('link', { name: tab }).click()
  }
  const handheld = await page.context().newPage()
  await handheld.setViewportSize(phone)

  await go('Приёмка', 'Приёмки')
  await page
    .getByRole('region', { name: 'Приёмки', exact: true })
    .locator('tbody a')
    .first()
    .click()
  await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
  await page.getByRole('button', { name: 'Начать приёмку', exact: true }).click()
  await page.locator('.badge', { hasText: 'Идёт приёмка' }).first().waitFor()
  const receipt = new URL(page.url()).pathname.split('/').at(-1)
  await handheld.goto(`/staff/scan/receiving/${receipt}`)
  await handheld.getByText('Кружка керамическая', { exact: false }).first().waitFor()
  await scan(handheld, mug)
  await handheld.locator('.figure', { hasText: '1 из 20' }).waitFor()
  await queueIsEmpty(handheld)
  await page.reload()
  await page.getByRole('link', { name: 'Закончить', exact: true }).click()
  const reasons = page.getByLabel(/не хватает/)
  await reasons.first().waitFor()
  for (const each of await reasons.all()) await each.selectOption({ label: 'Товар не привезён' })
  await page.getByRole('form').getByRole('button', { name: 'Закончить', exact: true }).click()
  await page.locator('.badge', { hasText: 'Принята с расхождением' }).first().waitFor()

  await go('Заказы и отгрузки', 'Отгрузки')
  await page.getByRole('link', { name: 'Открыть отгрузку', exact: true }).click()
  const form = page.getByRole('form', { name: 'Новая отгрузка', exact: true })
  await form.getByRole('combobox', { name: 'Чьи заказы' }).fill('Ромашка')
  await form.getByRole('option').first().click()
  await form.getByLabel('Кабинет', { exact: true }).waitFor()
  await form.getByLabel('Номер', { exact: true }).fill('ПРОБА-1')
  await form.getByRole('button', { name: 'Открыть', exact: true }).click()
  await page.getByRole('heading', { name: /ПРОБА-1/ }).waitFor()
  await page.getByRole('link', { name: 'Добавить заказы', exact: true }).first().click()
  await page.getByLabel(/DEMO-1-1/).waitFor()
  for (const other of await page.getByLabel(/DEMO-(1-2|[2-5]-)/).all()) await other.uncheck()
  await page.getByRole('button', { name: 'Добавить', exact: true }).click()
  await page.getByText('Заказы добавлены', { exact: true }).waitFor()

  await handheld.goto('/staff/scan')
  await handheld.getByRole('link', { name: /ПРОБА-1/ }).click()
  await handheld.getByText('Собрано 0 из 1', { exact: false }).waitFor()
  await scan(handheld, mug)
  await handheld.locator('.sentence', { hasText: 'Заказ DEMO-1-1 собран' }).waitFor()
  await queueIsEmpty(handheld)
  await handheld.close()
  await page.reload()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Закрыть отгрузку ПРОБА-1?', exact: true })
  await question.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await page.getByText('Отгрузка ПРОБА-1 закрыта', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'DEMO-1-1', exact: true }).click()
  await page.getByRole('heading', { name: /DEMO-1-1/ }).waitFor()
  await page.getByText('В доставке', { exact: false }).first().waitFor()
}

test('an administrator sets up a fresh service and sees an invented day, from its root address to a shipped order', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto('/')
  await page.locator('a[href="/staff/app"]').first().click()
  await signIn(page, 'administrator')
  await page.getByRole('heading', { name: 'Начало работы' }).waitFor()
  await assertAccessible(page, 'first run')

  // A code that no label could carry is refused at its field, and nothing typed is lost.
  await page.getByRole('textbox', { name: 'Код' }).fill('склад №1')
  await page.getByRole('textbox', { name: 'Название' }).fill('Складочная, 1')
  await page.getByRole('button', { name: 'Завести склад' }).click()
  await page.locator('[name=code][aria-invalid=true]').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Название' }).inputValue(), 'Складочная, 1')
  await page.getByRole('textbox', { name: 'Код' }).fill('MSK1')
  await page.getByRole('button', { name: 'Завести склад' }).click()

  await page.getByRole('button', { name: 'Завести клиента' }).waitFor()
  await page.getByRole('textbox', { name: 'Название' }).fill('ООО «Ромашка»')
  await page.getByLabel('ИНН').fill('7707083890')
  await page.getByRole('button', { name: 'Завести клиента' }).click()
  await page.locator('[name=inn][aria-invalid=true]').waitFor()
  await page.getByLabel('ИНН').fill('7707083893')
  await page.getByRole('button', { name: 'Завести клиента' }).click()

  await page.getByRole('button', { name: 'Заполнить вымышленным' }).waitFor()
  const { items } = good<{ items: { id: string }[] }>(await root.get('/clients'))
  const draft = { marketplace: 'WB', name: 'Ромашка WB', shipments: 'mirrored' }
  const own = good<{ id: string }>(await root.post(`/clients/${items[0]?.id}/cabinets`, draft), 201)
  await page.getByRole('button', { name: 'Заполнить вымышленным' }).click()
  await page.getByRole('heading', { name: 'Что ждёт сегодня' }).waitFor()
  const real = good<{ total: number }>(await root.get(`/orders?cabinet_id=${own.id}`))
  assert.equal(real.total, 0, 'nothing is invented in a cabinet of the seller')
  const receipts = await root.get('/receipts')
  assert.equal((receipts.body as { total: number }).total, 1)
  // Whoever has begun is not led back.
  await page.goto('/staff/app')
  await page.getByRole('heading', { name: 'Что ждёт сегодня' }).waitFor()
  await page.goto('/staff/app/start')
  await page.getByRole('link', { name: 'К тому, что ждёт сегодня', exact: true }).click()
  await page.getByRole('heading', { name: 'Что ждёт сегодня', exact: true }).waitFor()
  await playDay(page)
  // One client alone needs no choice.
  await page.goto('/staff/app/stock')
  await page.getByText('Кружка керамическая').first().waitFor()
  assert.deepEqual(faults, [])
})

test('a key is shown once, copied, and stops working when it is revoked', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/clients')
  await page.getByRole('link', { name: 'Завести клиента' }).click()
  const form = page.getByRole('form', { name: 'Новый клиент' })
  const name = `<b>Лютик</b> ${'длинное'.repeat(9)} \u202Eоборот`
  await form.getByLabel('Название').fill(name)
  await form.getByRole('button', { name: 'Завести' }).click()
  await page.getByRole('heading', { name: '<b>Лютик</b>', exact: false }).waitFor()
  await page.getByRole('link', { name: 'Ключи API' }).click()
  await page.getByRole('link', { name: 'Выпустить ключ' }).click()
  await page.getByLabel('Имя').fill('1С')
  await page.getByRole('button', { name: 'Выпустить' }).click()
  const once = page.getByRole('region', { name: 'Ключ «1С» выпущен' })
  const key = await once.locator('code').innerText()
  await assertAccessible(page, 'an issued key')
  await assertFitsWidth(page)
  const headers = { authorization: `Bearer ${key}` }
  assert.equal((await fetch(`${service.baseUrl}/v1/me`, { headers })).status, 200)
  await once.getByRole('button', { name: 'Сохранено, скрыть' }).click()
  await page.getByRole('button', { name: 'Отозвать' }).click()
  const dialog = page.getByRole('dialog', { name: 'Отозвать ключ «1С»?' })
  await assertAccessible(page, 'a question')
  await dialog.getByRole('button', { name: 'Отозвать' }).click()
  await page.getByRole('cell', { name: 'отозван', exact: true }).waitFor()
  assert.equal((await fetch(`${service.baseUrl}/v1/me`, { headers })).status, 401)
  await page.reload()
  await page.getByRole('cell', { name: 'отозван', exact: true }).waitFor()
  assert.equal(await page.getByText(key).count(), 0)
  assert.deepEqual(faults, [])
})

test('every tab of a client and of its cabinet can be used, and credentials never come back', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/clients')
  await page.getByRole('link', { name: 'ООО «Ромашка»' }).click()
  await page.getByRole('link', { name: 'Кабинет для пробы' }).waitFor()
  const tabs = page.getByRole('navigation', { name: 'Разделы клиента' })
  await tabs.getByRole('link', { name: 'Товары' }).click()
  await page.getByRole('link', { name: 'Кружка керамическая, 350 мл' }).waitFor()
  await assertAccessible(page, 'products')
  await page.getByRole('link', { name: 'Показатели' }).click()
  await page.getByRole('table', { name: 'Путь единиц' }).waitFor()
  await page.getByText('«Отсортировано» и «Получено покупателем» посчитаны').waitFor()
  await assertAccessible(page, 'figures')
  await page.getByRole('link', { name: 'Журнал', exact: true }).click()
  await page.getByRole('table').waitFor()
  await page.goBack()
  await page.getByRole('table', { name: 'Путь единиц' }).waitFor()
  await tabs.getByRole('link', { name: 'Кабинеты' }).click()
  await page.getByRole('link', { name: 'Подключить кабинет' }).click()
  const form = page.getByRole('form', { name: 'Новый кабинет' })
  await form.getByLabel('Маркетплейс').selectOption('OZON')
  await form.getByLabel('Название').fill('Ромашка OZON')
  await form.getByLabel('Client-Id').fill('123')
  await form.getByLabel('Api-Key').fill('never-shown-again')
  await form.getByRole('button', { name: 'Подключить' }).click()
  for (const tab of [
    'Склады',
    'Пункты отгрузки',
    'Поручения',
    'Вызовы',
    'Наблюдение',
    'Журнал',
    'Настройки',
  ]) {
    await page.getByLabel('Разделы кабинета').getByRole('link', { name: tab, exact: true }).click()
    await page.locator(`[aria-current=page]`, { hasText: tab }).first().waitFor()
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    await assertAccessible(page, tab)
    assert.ok(!(await page.content()).includes('never-shown-again'), tab)
  }
  assert.deepEqual(faults, [])
})

test('places are made by a pattern that says what it will make, and stand on the map', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/locations')
  await page.getByRole('link', { name: 'Завести места' }).click()
  await page.getByLabel('Коды').fill('A-{01..03}-{1..4')
  await page.getByRole('button', { name: 'Завести', exact: true }).click()
  await page.locator('[name=pattern][aria-invalid=true]').waitFor()
  await page.getByLabel('Коды').fill('A-{01..03}-{1..4}')
  await page.getByText('Будет 12 мест: от A-01-1 до A-03-4').waitFor()
  await page.getByLabel('Зона', { exact: true }).last().fill('A')
  await page.getByRole('button', { name: 'Завести', exact: true }).click()
  await page.getByText('Заведено 12 мест.').waitFor()
  await page.getByRole('link', { name: 'Карта', exact: true }).click()
  await page.getByRole('link', { name: 'A-03-4: пусто', exact: false }).click()
  await page.getByRole('heading', { name: 'Место A-03-4' }).waitFor()
  await page.getByLabel('Сюда можно класть').uncheck()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await page.getByText('Место сохранено').waitFor()
  await page.goto('/staff/app/map')
  await page.getByRole('link', { name: 'A-03-4: закрыто', exact: false }).waitFor()
  assert.deepEqual(faults, [])
})

test('an administrator adds people and terminals', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'administrator', '/staff/app/users')
  await page.getByRole('link', { name: 'Завести пользователя' }).click()
  await page.getByRole('textbox', { name: 'Логин' }).fill('Кладовщик Пётр')
  await page.getByRole('button', { name: 'Завести', exact: true }).click()
  await page.locator('[name=login][aria-invalid=true]').waitFor()
  await page.getByRole('textbox', { name: 'Логин' }).fill('petr')
  await page.getByRole('button', { name: 'Завести', exact: true }).click()
  await page.getByRole('heading', { name: 'petr' }).waitFor()
  await page.getByLabel('PIN для терминала').fill('12')
  await page.getByRole('button', { name: 'Задать PIN' }).click()
  await page.locator('[name=pin][aria-invalid=true]').waitFor()
  await page.getByLabel('PIN для терминала').fill('4821')
  await page.getByRole('button', { name: 'Задать PIN' }).click()
  await page.getByRole('button', { name: 'Заменить PIN' }).waitFor()
  await assertAccessible(page, 'a user')
  await page.getByRole('button', { name: 'Выпустить токен' }).click()
  await page.getByRole('region', { name: 'Токен выпущен' }).waitFor()
  await page.goto('/staff/app/devices?form=new')
  await page.getByRole('textbox', { name: 'Название' }).fill('Терминал 1')
  await page.getByRole('button', { name: 'Получить код' }).click()
  const issued = page.getByRole('region', { name: 'Код: терминал «Терминал 1»', exact: true })
  const code = await issued.getByRole('code').innerText()
  const picture = issued.getByRole('img', { name: 'Тот же код для сканера', exact: true })
  assert.equal(await readCode(picture), code)
  await assertAccessible(page, 'a code for a terminal')
  await assertFitsWidth(page)

  const terminal = await openPage(service.baseUrl, { viewport: phone })
  await terminal.page.goto('/staff/scan')
  await terminal.page.getByLabel('Логин', { exact: true }).waitFor()
  await terminal.page.locator('input:focus').waitFor()
  await scan(terminal.page, code, { isRussian: true })
  await terminal.page.getByText('Терминал «Терминал 1» зарегистрирован', { exact: false }).waitFor()
  await terminal.page.getByLabel('PIN', { exact: true }).waitFor()
  assert.deepEqual([...faults, ...terminal.faults], [])
})

/** What a scanner reads from a picture on the screen. */
async function readCode(picture: Locator): Promise<string | undefined> {
  const wasmBinary = readFileSync(
    fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')),
  )
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer } })
  const [found] = await readBarcodes(await picture.screenshot(), { formats: ['QRCode'] })
  return found?.text
}

test('every room fits and is accessible, in the light, on a phone in the dark, and at 200 % zoom', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'administrator', '/staff/app/reasons')
  const all = rooms.flatMap(({ pages }) => pages)
  assert.ok(all.length > 20)
  for (const { href, title } of all) {
    await page.setViewportSize(desktop)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(href)
    await page.locator('.room-tabs [aria-current=page]', { hasText: title }).waitFor()
    await page.locator('main h1').first().waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await assertFitsWidth(page)
    await assertAccessible(page, `${title} (desktop, light)`)
    await page.setViewportSize(phone)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertFitsWidth(page)
    await assertAccessible(page, `${title} (phone, dark)`)
    await page.setViewportSize({ width: desktop.width / 2, height: desktop.height / 2 })
    await assertFitsWidth(page)
  }
  assert.deepEqual(faults, [])
})

test('a worker sees the rooms of workers, and no page shows them more', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'worker', '/staff/app/warehouses')
  await page.getByText('Складочная, 1').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Клиенты' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Завести склад' }).count(), 0)
  await page.goto('/staff/app/clients')
  await page.getByRole('alert').getByText('Недостаточно прав', { exact: false }).waitFor()
  assert.deepEqual(faults, [])
})
