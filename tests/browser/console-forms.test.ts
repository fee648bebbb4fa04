import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { Role } from '../../src/identity/staff/roles.ts'
import { rooms } from '../../web/console/rooms.ts'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, openPage } from './browser.ts'
import { addUser, signIn as signInAt } from './console-page.ts'
import { done } from './console-world.ts'
import { password } from './handheld-page.ts'

const service = await startService(undefined, 'api', async () => (await testDatabase()).db)
const root = await staffClient(service, 'administrator')

async function signIn(page: Page, role: Role, path: string): Promise<void> {
  await signInAt(page, (await addUser(root, role)).login, path)
}

interface BadForm {
  readonly path: string
  readonly submit: string
  readonly typed: Readonly<Record<string, string>>
  /** The fields that the service refuses. */
  readonly wrong: readonly string[]
}

async function made(path: string, body: unknown): Promise<string> {
  const answer = await root.post(path, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return (answer.body as { id: string }).id
}

const hostile = `<script>alert(1)</script> "О'Нил" ${'длинное'.repeat(43)} \u202Eоборот`
const barcode = '4600000000017'

/** A client of a hostile name with one kind of goods, and a scan that came too late for its receipt. */
async function goodsOfHostile() {
  const client = await made('/clients', { name: hostile })
  const cabinet = await made(`/clients/${client}/cabinets`, { marketplace: 'WB', name: hostile })
  const items = [{ barcode, name: hostile, qty: 3 }]
  const receipt = await made(`/clients/${client}/receipts`, { items })
  const queued = { queued_at: new Date().toISOString(), queued_by: root.login }
  const scan = { scan_id: 'late', barcode, qty: 1, ...queued }
  const exception = await made(`/receipts/${receipt}/scans`, scan)
  return { client, cabinet, exception }
}
const { client, cabinet, exception } = await goodsOfHostile()

const badForms: readonly BadForm[] = [
  {
    path: 'users?form=new',
    submit: 'Завести',
    typed: { login: 'Пётр Иванов', role: 'manager', password: 'короток' },
    wrong: ['login', 'password'],
  },
  {
    path: 'reasons?form=new',
    submit: 'Добавить',
    typed: { kind: 'correction', label: '<i>Бой</i>', code: 'бой при приёмке' },
    wrong: ['code'],
  },
  {
    path: 'warehouses?form=new',
    submit: 'Завести',
    typed: { code: 'склад №1', name: '<b>Главный</b> \u202Eнаоборот' },
    wrong: ['code'],
  },
  {
    path: 'clients?form=new',
    submit: 'Завести',
    typed: { name: 'Длинное'.repeat(100), inn: '77-07' },
    wrong: ['name', 'inn'],
  },
  {
    path: 'clients?form=new',
    submit: 'Завести',
    typed: { name: 'Длинное'.repeat(100), inn: '7707083894' },
    wrong: ['name', 'inn'],
  },
  {
    path: 'devices?form=new',
    submit: 'Получить код',
    typed: { name: 'Терминал'.repeat(60) },
    wrong: ['name'],
  },
  {
    path: `counts?form=new&client_id=${client}`,
    submit: 'Завести',
    typed: {
      'scope.barcodes': `${barcode}, 4600000000024 "><script>`,
      'scope.boxes': '046000000000000001 \u202E17',
      'scope.locations': 'A-99',
    },
    wrong: ['scope.barcodes', 'scope.boxes', 'scope.locations'],
  },
  {
    path: `exceptions?decide=${exception}`,
    submit: 'Решить',
    typed: { decision: 'accepted', comment: hostile.repeat(2) },
    wrong: ['comment'],
  },
  {
    path: `stock?client_id=${client}&of=${barcode}&form=correct`,
    submit: 'Скорректировать остаток',
    typed: { delta: '9000000000', comment: hostile.repeat(2) },
    wrong: ['delta', 'comment'],
  },
  {
    path: `stock?client_id=${client}&of=${barcode}&form=write-off`,
    submit: 'Списать',
    typed: { qty: '9000000000', reason: 'LOST', comment: hostile.repeat(2) },
    wrong: ['qty', 'comment'],
  },
  {
    path: `shipments?form=new&client_id=${client}`,
    submit: 'Открыть',
    typed: { cabinet_id: cabinet, external_id: hostile, name: hostile },
    wrong: ['external_id', 'name'],
  },
  {
    path: `clients/${client}?tab=cabinets&form=new`,
    submit: 'Подключить',
    typed: {
      marketplace: 'OZON',
      name: hostile.repeat(2),
      'credentials.client_id': 'номер кабинета',
      'credentials.api_key': 'ключ с пробелами',
    },
    wrong: ['name', 'credentials.client_id', 'credentials.api_key'],
  },
]

// Guarantee (console): A form shows a refusal at its field, and what was typed stays.
test('a refused form names each wrong field beside it, goes to the first one and keeps what was typed', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'administrator', '/staff/app/reasons')
  for (const { path, submit, typed, wrong } of badForms) {
    await page.goto(`/staff/app/${path}`)
    const form = page.locator('aside form')
    for (const [name, value] of Object.entries(typed)) {
      const field = form.locator(`[name="${name}"]`)
      const isChoice = (await field.evaluate((input) => input.tagName)) === 'SELECT'
      await (isChoice ? field.selectOption(value) : field.fill(value))
    }
    await form.getByRole('button', { name: submit, exact: true }).click()
    await form.locator('[aria-invalid=true]').first().waitFor()
    const refused = await form
      .locator('[aria-invalid=true]')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))
    assert.deepEqual(refused.sort(), [...wrong].sort(), path)
    for (const name of wrong) {
      const field = form.locator(`[name="${name}"]`)
      const about = await field.getAttribute('aria-describedby')
      const sentence = await form.locator(`[id="${about}"]`).innerText()
      assert.doesNotMatch(sentence, /Поле /, `${path}: ${name} speaks of itself alone`)
    }
    await form.locator('[aria-invalid=true]:focus').waitFor()
    for (const [name, value] of Object.entries(typed)) {
      assert.equal(await form.locator(`[name="${name}"]`).inputValue(), value, `${path}: ${name}`)
    }
    await assertAccessible(page, path)
    await assertFitsWidth(page)
  }
  assert.deepEqual(faults, [])
})

test('a name that is refused stays as it was typed over the name that stood there', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'administrator', '/staff/app/users')
  const login = `vera-${randomUUID().slice(0, 8)}`
  const person = { login, name: 'Вера Орлова', role: 'manager', password }
  const id = await made('/users', person)
  await page.goto(`/staff/app/users?user=${id}`)
  const name = page.getByLabel('Имя и фамилия', { exact: true })
  const typed = 'Вера '.repeat(100).trim()
  await name.fill(typed)
  await page.getByRole('button', { name: 'Сохранить имя', exact: true }).click()
  await page.locator('[name=name][aria-invalid=true]:focus').waitFor()
  assert.equal(await name.inputValue(), typed)
  assert.deepEqual(faults, [])
})

test('a form without its client, and one with words for a number, says so at the field', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/shipments?form=new')
  const shipment = page.getByRole('form', { name: 'Новая отгрузка', exact: true })
  await shipment.getByLabel('Номер', { exact: true }).fill('WB-1')
  await shipment.getByRole('button', { name: 'Открыть', exact: true }).click()
  await shipment.locator('[role=combobox][aria-invalid=true]:focus').waitFor()
  await shipment.getByText('Выберите клиента', { exact: false }).first().waitFor()
  assert.equal(await shipment.getByLabel('Номер', { exact: true }).inputValue(), 'WB-1')
  await assertAccessible(page, 'a shipment of nobody')
  await page.goto(`/staff/app/cabinets/${cabinet}?tab=settings`)
  const deadline = page.getByLabel('Срок заказа, часов', { exact: true })
  await deadline.fill('двое суток')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await page.locator('[name=deadline_hours][aria-invalid=true]:focus').waitFor()
  await page.getByText('Напишите число цифрами', { exact: true }).first().waitFor()
  assert.equal(await deadline.inputValue(), 'двое суток')
  assert.deepEqual(faults, [])
})

// Guarantee (console): A session that ends while a form is open is renewed there, and what was typed stays.
test('a session that ends in a form is renewed over it, and the form is as it was and then saved', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', `/staff/app/counts?form=new&client_id=${client}`)
  const form = page.getByRole('form', { name: 'Новый пересчёт', exact: true })
  await form.getByLabel('Штрихкоды', { exact: true }).fill(barcode)
  await form.getByLabel('Короба', { exact: true }).fill('046000000000000001')
  await form.getByLabel('Работники не видят', { exact: false }).uncheck()
  await page.context().clearCookies()
  await form.getByRole('button', { name: 'Завести', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Сессия закончилась', exact: true })
  await again.getByLabel('Пароль', { exact: true }).fill('не тот пароль')
  await page.keyboard.press('Enter')
  await again.getByRole('alert').waitFor()
  await again.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  // The call goes out again, and what it refuses stands at its field.
  await form.locator('[name="scope.boxes"][aria-invalid=true]').waitFor()
  assert.equal(await form.getByLabel('Штрихкоды', { exact: true }).inputValue(), barcode)
  assert.equal(await form.getByLabel('Работники не видят', { exact: false }).isChecked(), false)
  await form.getByLabel('Короба', { exact: true }).fill('')
  await form.getByRole('button', { name: 'Завести', exact: true }).click()
  await page.getByRole('heading', { name: /^Пересчёт(?!ы)/, level: 1 }).waitFor()
  const counts = await root.get(`/counts?client_id=${client}`)
  assert.equal((counts.body as { total: number }).total, 1)
  assert.deepEqual(faults, [])
})

test('a receipt is cancelled with the reason that the manager wrote, or without one', async () => {
  const add = async () => {
    const items = [{ barcode, name: 'Кружка', qty: 1 }]
    return done<{ id: string }>(root.post(`/clients/${client}/receipts`, { items }))
  }
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app')
  for (const comment of ['Продавец прислал её дважды', '']) {
    const { id } = await add()
    await page.goto(`/staff/app/receipts/${id}`)
    await page.getByRole('button', { name: 'Отменить', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Отменить R-/ })
    await dialog.getByLabel('Почему', { exact: true }).fill(comment)
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    const receipt = await done<{ cancelled_at: string | null; cancel_comment: string | null }>(
      root.get(`/receipts/${id}`),
    )
    assert.notEqual(receipt.cancelled_at, null)
    assert.equal(receipt.cancel_comment, comment || null)
    if (comment !== '') await page.getByText(comment, { exact: true }).first().waitFor()
  }
  assert.deepEqual(faults, [])
})

type GoodForm = Omit<BadForm, 'wrong'>

const unique = () => randomUUID().slice(0, 8)
const stockOf = `stock?client_id=${client}&of=${barcode}`
const clientPage = `clients/${client}`

/** What each form takes, one after another: a correction first, so that there is something to write off. */
const goodForms: readonly GoodForm[] = [
  { path: 'clients?form=new', submit: 'Завести', typed: { name: `ООО ${unique()}` } },
  { path: 'users?form=new', submit: 'Завести', typed: { login: `petr-${unique()}` } },
  { path: 'reasons?form=new', submit: 'Добавить', typed: { label: 'Бой', code: 'BROKEN_GLASS' } },
  { path: 'warehouses?form=new', submit: 'Завести', typed: { code: 'SPB1', name: 'Литейный, 1' } },
  { path: 'devices?form=new', submit: 'Получить код', typed: { name: 'Терминал у ворот' } },
  {
    path: 'locations?form=new',
    submit: 'Завести',
    typed: { warehouse_code: 'SPB1', pattern: 'Z-{1..2}' },
  },
  {
    path: `receipts?form=new&client_id=${client}`,
    submit: 'Завести',
    typed: { comment: hostile, 'items[0].barcode': barcode, 'items[0].qty': '3' },
  },
  {
    path: `shipments?form=new&client_id=${client}`,
    submit: 'Открыть',
    typed: { cabinet_id: cabinet, external_id: `WB-${unique()}`, name: 'Вечерняя' },
  },
  {
    path: `returns?form=new&client_id=${client}`,
    submit: 'Начать',
    typed: { comment: 'С Подольска' },
  },
  { path: `${stockOf}&form=correct`, submit: 'Скорректировать остаток', typed: { delta: '9' } },
  { path: `${stockOf}&form=write-off`, submit: 'Списать', typed: { qty: '1', reason: 'DAMAGED' } },
  {
    path: `${stockOf}&form=question`,
    submit: 'Поставить под вопрос',
    typed: { qty: '2', reason: 'LOST' },
  },
  { path: `${stockOf}&form=resolve`, submit: 'Закончить расследование', typed: { qty: '1' } },
  {
    path: `${clientPage}?tab=cabinets&form=new`,
    submit: 'Подключить',
    typed: { marketplace: 'OZON', name: 'Второй' },
  },
  {
    path: `${clientPage}?tab=users&form=invite`,
    submit: 'Получить ссылку',
    typed: { note: 'Анна' },
  },
  { path: `${clientPage}?tab=keys&form=new`, submit: 'Выпустить', typed: { name: '1С' } },
  {
    path: `${clientPage}?tab=products&form=new`,
    submit: 'Завести',
    typed: { barcode: '4600000000024', name: 'Носки' },
  },
  { path: `${clientPage}?tab=settings`, submit: 'Сохранить', typed: { inn: '7707083893' } },
  {
    path: `cabinets/${cabinet}?tab=settings`,
    submit: 'Сохранить',
    typed: { deadline_hours: '48' },
  },
  {
    path: `exceptions?decide=${exception}`,
    submit: 'Решить',
    typed: { decision: 'dismissed', comment: 'Пересчитали' },
  },
]

test('a session that ends in any form is renewed, and the form is sent as it was typed', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'administrator', '/staff/app/reasons')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/session'))
      sent.push(`${request.method()} ${request.url()} ${request.postData()}`)
  })
  for (const { path, submit, typed } of goodForms) {
    await page.goto(`/staff/app/${path}`)
    const button = page.getByRole('button', { name: submit, exact: true })
    const form = page.locator('main form').filter({ has: button })
    for (const [name, value] of Object.entries(typed)) {
      const field = form.locator(`[name="${name}"]`)
      const isChoice = (await field.evaluate((input) => input.tagName)) === 'SELECT'
      await (isChoice ? field.selectOption(value) : field.fill(value))
    }
    sent.length = 0
    await page.context().clearCookies()
    await button.click()
    const again = page.getByRole('dialog', { name: 'Сессия закончилась', exact: true })
    await again.waitFor()
    // Whoever can't sign in now loses nothing either.
    await page.keyboard.press('Escape')
    await form.getByRole('alert').first().waitFor()
    for (const [name, value] of Object.entries(typed))
      assert.equal(await form.locator(`[name="${name}"]`).inputValue(), value, `${path}: ${name}`)
    await button.click()
    await again.getByLabel('Пароль', { exact: true }).fill(password)
    const [answer] = await Promise.all([
      page.waitForResponse(
        (each) => each.request().method() !== 'GET' && !each.url().endsWith('/session'),
      ),
      page.keyboard.press('Enter'),
    ])
    assert.ok(answer.ok(), `${path}: ${await answer.text()}`)
    assert.equal(new Set(sent).size, 1, `${path}: ${sent.join('\n')}`)
  }
  assert.deepEqual(faults, [])
})

/** A count that found two units more, which the stock took over for this reason. */
async function countWithDecision(reason: string): Promise<string> {
  const id = await made('/counts', { client_id: client, scope: { barcodes: [barcode] } })
  await done(root.post(`/counts/${id}/start`))
  await done(root.post(`/counts/${id}/scans`, { scan_id: randomUUID(), code: barcode, qty: 2 }))
  await done(root.post(`/counts/${id}/review`))
  const decision = { outcome: 'correct', reason }
  await done(root.post(`/counts/${id}/lines/${barcode}/accept`, decision))
  return id
}

test('a reason is added by its name alone, and a decision on a count says it in words', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/reasons?form=new')
  const form = page.getByRole('form', { name: 'Новая причина' })
  await form.getByLabel('Для чего').selectOption({ label: 'Корректировка и расследование' })
  await form.getByLabel('Название').fill('Размокла упаковка')
  await form.getByRole('button', { name: 'Добавить', exact: true }).click()
  const row = page.getByRole('row', { name: /^Размокла упаковка/ })
  await row.getByText('RAZMOKLA_UPAKOVKA', { exact: true }).waitFor()
  const id = await countWithDecision('RAZMOKLA_UPAKOVKA')
  await page.goto(`/staff/app/counts/${id}`)
  const decided = page.getByRole('cell', { name: 'Исправить остаток Размокла упаковка' })
  await decided.waitFor()
  // A line is decided on: the count can only be closed.
  assert.deepEqual(await page.locator('.heading button:not(dialog *)').allInnerTexts(), ['Закрыть'])
  assert.deepEqual(faults, [])
})

test('a refusal of a choice stands beside it, and one that no field can show stands below the form', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/reasons?form=new')
  let message = 'Поле kind: такой причины здесь не бывает'
  let fields = [{ path: 'kind', message: 'такой причины здесь не бывает' }]
  await page.route('**/staff/v1/reasons', (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const json = { error: { code: 'validation_error', message, fields, request_id: 'r' } }
    return route.fulfill({ status: 400, json })
  })
  const form = page.getByRole('form', { name: 'Новая причина' })
  await form.getByLabel('Название').fill('Бой')
  await form.getByLabel('Код').fill('BROKEN')
  const add = form.getByRole('button', { name: 'Добавить', exact: true })
  await add.click()
  await form.locator('[name=kind][aria-invalid=true]').waitFor()
  await form.getByText('Такой причины здесь не бывает', { exact: true }).waitFor()
  message = 'Поле label: короче. Поле warehouse: нет такого склада'
  fields = [
    { path: 'label', message: 'короче' },
    { path: 'warehouse', message: 'нет такого склада' },
  ]
  await add.click()
  await form.locator('[name=label][aria-invalid=true]').waitFor()
  await form.locator('.notice').getByText('Поле warehouse: нет такого склада').waitFor()
  assert.deepEqual(faults, [])
})

test('a table of goods without a file, and one with wrong cells, says what is wrong where it is, and a mended one is taken', async () => {
  await made('/clients', { name: 'ООО Таблица' })
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/receipts?form=file')
  const form = page.getByRole('form', { name: 'Приёмка из файла' })
  await form.getByRole('combobox', { name: 'Чей товар' }).fill('ООО Таблица')
  await form.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await form.getByLabel('Номер документа продавца').fill('ТОРГ-12')
  const load = form.getByRole('button', { name: 'Загрузить', exact: true })
  await load.click()
  await form.locator('.problem').getByText('Выберите файл', { exact: true }).waitFor()
  await form.locator('[name=file][aria-invalid=true]').waitFor()
  const fileOf = (...lines: string[]) => ({
    name: 'goods.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['barcode;qty;name', ...lines, ''].join('\n')),
  })
  const chooser = form.getByLabel('Таблица CSV или XLSX')
  await chooser.setInputFiles(fileOf('4600000000017;пять;<b>Носки</b>', '4600000000024;2;Плед'))
  // The table is read as soon as it is chosen, and what is wrong stands in its cell.
  const table = page.getByRole('region', { name: 'Таблица из файла', exact: true })
  const wrong = table.getByRole('row').filter({ hasText: '<b>Носки</b>' })
  await wrong
    .locator('.wrong-cell')
    .getByText(/целое число/)
    .waitFor()
  assert.equal(await table.locator('.wrong-cell').count(), 1)
  await assertAccessible(page, 'a table with a wrong cell')
  await load.click()
  await form
    .locator('.problem')
    .getByText(/^В таблице есть ошибки/)
    .waitFor()
  assert.equal(await form.getByLabel('Номер документа продавца').inputValue(), 'ТОРГ-12')
  await chooser.setInputFiles(fileOf('4600000000017;5;Носки', '4600000000024;2;Плед'))
  await page
    .getByText('Таблица прочитана без ошибок: 2 строки, 7 единиц.', { exact: true })
    .waitFor()
  assert.equal(await form.locator('[aria-invalid=true]').count(), 0)
  await load.click()
  await page.getByRole('heading', { name: /^Приёмка R-/ }).waitFor()
  assert.deepEqual(faults, [])
})

const managersRooms = rooms.flatMap(({ pages }) => pages).filter(({ role }) => role !== 'worker')

// Guarantee (console): A page that somebody's role may not open says so and offers nothing.
test('a room above the role says so at its address and offers nothing', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'worker', '/staff/app/reasons?form=new')
  await page.getByRole('heading', { name: 'Причины', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Причины', exact: true }).waitFor()
  assert.equal(await page.locator('aside').count(), 0)
  assert.ok(managersRooms.length > 5)
  for (const { href, title } of managersRooms) {
    await page.goto(`${href}?form=new`)
    await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()
    await page.getByRole('alert').getByText('Недостаточно прав', { exact: false }).waitFor()
    assert.equal(await page.locator('main').getByRole('button').count(), 0, title)
    const links = page.getByRole('navigation').getByRole('link', { name: title })
    assert.equal(await links.count(), 0, title)
  }
  await assertAccessible(page)
  await page.getByRole('link', { name: 'К тому, что ждёт сегодня', exact: true }).click()
  await page.getByRole('heading', { name: 'Что ждёт сегодня', level: 1 }).waitFor()
  assert.equal(await page.title(), 'Что ждёт сегодня · Sklad')
  assert.deepEqual(faults, [])
})

test('the first key leads past the rooms to the content', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, 'manager', '/staff/app/clients')
  await page.reload()
  await page.getByRole('heading', { name: 'Клиенты', level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  await page.locator('a:focus', { hasText: 'К содержанию' }).waitFor()
  await assertAccessible(page, 'with the link shown')
  await page.keyboard.press('Enter')
  await page.locator('main:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.locator('a:focus', { hasText: 'Завести клиента' }).waitFor()
  await page.keyboard.press('Enter')
  const name = page.getByLabel('Название', { exact: true })
  await name.fill('ООО «Ромашка»')
  await page.getByRole('link', { name: 'К содержанию', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.locator('main:focus').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'nothing is lost')
  assert.equal(await name.inputValue(), 'ООО «Ромашка»')
  assert.deepEqual(faults, [])
})

test('the script and the styles of the first page have at most 45 kB', async () => {
  const html = await (await fetch(`${service.baseUrl}/staff/app`)).text()
  const paths = [...html.matchAll(/\/assets\/[^"]+\.(?:js|css)/g)].map(([path]) => path)
  assert.ok(paths.some((path) => path.endsWith('.js')))
  const sizes = [...new Set(paths)].map(async (path) => {
    const file = await fetch(service.baseUrl + path)
    return gzipSync(Buffer.from(await file.arrayBuffer()), { level: 9 }).length
  })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  assert.ok(bytes <= 45_000, `${bytes} bytes`)
})
