import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/faults.ts'
import { startFakes } from '../support/marketplaces/fakes.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertWellMade, phone } from './browser.ts'
import { openConsole } from './console-page.ts'
import { done } from './console-world.ts'

/** A manager connects cabinets, and reads and sets everything about their exchange with the marketplaces. */
const { wb, ozon, settings } = await startFakes()
const service = await startService(settings, 'all')
const root = await staffClient(service, 'administrator')
/** The mark of a state stands before its word. */
const accepted = /^[^а-я]*приняты$/
/** A token of WB that reads only: it says so itself. */
const readOnlyToken = 'eyJhbGciOiJFUzI1NiJ9.eyJzIjoxMDczNzQxODI0fQ.c2ln'

/** A manager with the form that connects a cabinet to a new client. */
async function openForm() {
  const { id } = await done<{ id: string }>(root.post('/clients', { name: `ООО ${randomUUID()}` }))
  const path = `/staff/app/clients/${id}?tab=cabinets&form=new`
  const opened = await openConsole(root, service.baseUrl, 'manager', path)
  const form = opened.page.getByRole('form', { name: 'Новый кабинет', exact: true })
  await form.waitFor()
  return { ...opened, form, client: id }
}

/** The page of a new WB cabinet, which the manager has connected in the form. */
async function openCabinet(account = wb.account()) {
  const { form, ...opened } = await openForm()
  await form.getByLabel('Название', { exact: true }).fill('Мой WB')
  await form.getByLabel('Токен WB', { exact: true }).fill(account.credentials.token)
  await form.getByRole('button', { name: 'Подключить', exact: true }).click()
  await opened.page.getByRole('heading', { name: 'Мой WB', level: 1 }).waitFor()
  const list = root.get(`/clients/${opened.client}/cabinets`)
  const [cabinet] = (await done<{ items: { id: string }[] }>(list)).items
  assert.ok(cabinet)
  return { ...opened, account, cabinet }
}

const second = { id: 7_002, name: 'Склад продавца' }

/** An account of a seller who has a warehouse of his own, too. */
function severalWarehouses() {
  const account = wb.account()
  const { itemId } = wb.addCard(account)
  wb.setStock(account, { itemId, warehouse: second, quantity: 1 })
  return account
}

async function openTab(page: Page, name: string): Promise<void> {
  const tab = page
    .getByRole('navigation', { name: 'Разделы кабинета', exact: true })
    .getByRole('link', { name, exact: true })
  await tab.click()
  await page.locator('nav a[aria-current=page]', { hasText: name }).waitFor()
}

test('wrong keys are refused at their field with what to do, and nothing typed is lost', async () => {
  const { page, form, faults, client } = await openForm()
  const name = form.getByLabel('Название', { exact: true })
  const token = form.getByLabel('Токен WB', { exact: true })
  await name.fill('Мой WB')
  for (const [wrong, refusal] of [
    ['мой токен', /из латинских букв, цифр и знаков, без пробелов: скопируйте ключ целиком/],
    [readOnlyToken, /Токен только на чтение: выпустите Базовый токен в кабинете WB/],
  ] as const) {
    await token.fill(wrong)
    await page.keyboard.press('Enter')
    await form.getByText(refusal).first().waitFor()
    await form.locator('[name="credentials.token"][aria-invalid=true]:focus').waitFor()
    assert.deepEqual([await name.inputValue(), await token.inputValue()], ['Мой WB', wrong])
  }
  await assertWellMade(page)
  await form.getByLabel('Маркетплейс', { exact: true }).selectOption('OZON')
  const { credentials } = ozon.account()
  await form.getByLabel('Client-Id OZON', { exact: true }).fill(credentials.client_id)
  const key = form.getByLabel('Api-Key OZON', { exact: true })
  await key.fill('not-the-key')
  await page.keyboard.press('Enter')
  await form
    .getByText(/OZON не принимает этот ключ с этим Client-Id/)
    .first()
    .waitFor()
  const none = await done<{ total: number }>(root.get(`/clients/${client}/cabinets`))
  assert.equal(none.total, 0)
  await key.fill(credentials.api_key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Мой WB', level: 1 }).waitFor()
  await page.getByText(accepted).waitFor()
  assert.deepEqual(faults, [])
})

test('a sync that was asked for shows how it ended without a reload', async () => {
  const { page, faults, account } = await openCabinet()
  const sync = page.getByRole('button', { name: 'Синхронизировать сейчас', exact: true })
  const begun = page.getByText('Синхронизация начнётся сейчас', { exact: true })
  await page.getByText('ещё не было', { exact: true }).waitFor({ state: 'hidden' })
  wb.limitAlways(account, 1)
  await sync.click()
  await page.getByText(/не удалась: WB просит обращаться реже, повторим позже/).waitFor()
  await begun.waitFor({ state: 'hidden' })
  await assertWellMade(page)
  wb.heal()
  await sync.click()
  await page
    .getByText(/не удалась/)
    .first()
    .waitFor({ state: 'hidden' })
  wb.refuse(account, 401)
  await sync.click()
  await page.getByText('WB не принимает ключи: попросите у продавца новые.').waitFor()
  await assertWellMade(page)
  wb.refuse(account, undefined)
  await page.getByRole('link', { name: 'Заменить ключи', exact: true }).click()
  const keys = page.getByRole('form', { name: 'Заменить ключи', exact: true })
  await keys.getByLabel('Токен WB', { exact: true }).fill(account.credentials.token)
  await page.keyboard.press('Enter')
  await openTab(page, 'Состояние')
  await page.getByText(accepted).waitFor()
  await page.getByText(/не принимает ключи/).waitFor({ state: 'hidden' })
  assert.deepEqual(faults, [])
})

test('recorded calls say what they were for, what was asked and answered, and hold no key', async () => {
  const { page, faults, account, cabinet } = await openCabinet()
  await page.getByText('ещё не было', { exact: true }).waitFor({ state: 'hidden' })
  wb.addCard(account, { barcodes: ['4600000000015'] })
  const number = wb.addOrder(account)
  await openTab(page, 'Вызовы')
  await page.getByText('Вызовов нет.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Записывать сутки', exact: true }).click()
  await page.getByText('Записываются до', { exact: false }).waitFor()
  await openTab(page, 'Состояние')
  await page.getByRole('button', { name: 'Синхронизировать сейчас', exact: true }).click()
  await page.getByText('Синхронизация начнётся сейчас', { exact: true }).waitFor()
  await page
    .getByText('Синхронизация начнётся сейчас', { exact: true })
    .waitFor({ state: 'hidden' })
  await openTab(page, 'Вызовы')
  const calls = page.getByRole('region', { name: 'Вызовы маркетплейса', exact: true })
  const row = calls.locator('tbody tr', { hasText: 'Новые заказы' }).first()
  await row.getByText(/200$/).waitFor()
  const summaries = await calls.locator('summary').allInnerTexts()
  assert.deepEqual(
    summaries.filter((text) => !/^[А-Я]/.test(text)),
    [],
  )
  await row.getByText('Новые заказы', { exact: true }).click()
  await row.getByText('GET /api/v3/orders/new', { exact: true }).waitFor()
  await row.getByText('Ответ', { exact: true }).waitFor()
  await row.getByText(`"id": ${number}`).waitFor()
  await assertWellMade(page)
  assert.ok(!(await page.content()).includes(account.credentials.token))
  wb.refuse(account, 401)
  await done(root.post(`/cabinets/${cabinet.id}/sync`))
  await eventually('the refused call is kept', async () => {
    const kept = root.get(`/cabinets/${cabinet.id}/calls?status=401`)
    return (await done<{ total: number }>(kept)).total > 0
  })
  await page.getByLabel('Код ответа', { exact: true }).fill('401')
  await page.getByRole('button', { name: 'Показать', exact: true }).click()
  const refused = calls.locator('tbody tr', { hasText: '401' }).first()
  await refused.locator('summary').click()
  await refused.getByText('"detail": "token problem', { exact: false }).waitFor()
  assert.ok(!(await page.content()).includes(account.credentials.token))
  assert.deepEqual(faults, [])
})

test('shipping points of a city are shown, set and kept', async () => {
  const { page, faults, cabinet } = await openCabinet()
  await openTab(page, 'Пункты отгрузки')
  const city = page.getByLabel('Город пункта', { exact: true })
  await city.fill('Урюпинск')
  await page.keyboard.press('Enter')
  await page.getByText('В городе «Урюпинск» пунктов нет: проверьте название.').waitFor()
  await city.fill('Москва')
  await page.keyboard.press('Enter')
  await page.getByText(/^Нашли \d+ пункт/).waitFor()
  const form = page.getByRole('form', { name: 'Пункты по умолчанию', exact: true })
  await form.getByLabel('Малогабарит (МГТ)', { exact: true }).selectOption('100')
  await form
    .getByLabel('Кто привезёт: Малогабарит (МГТ)', { exact: true })
    .selectOption('transportCompany')
  await form.getByRole('button', { name: 'Сохранить пункты', exact: true }).click()
  await page.getByText('Пункты сохранены', { exact: true }).waitFor()
  await assertWellMade(page)
  const { items } = await done<{ items: Record<string, unknown>[] }>(
    root.get(`/cabinets/${cabinet.id}/shipping-defaults`),
  )
  assert.deepEqual(
    items.map(({ cargo_type, point_id, type }) => [cargo_type, point_id, type]),
    [[1, 100, 'transportCompany']],
  )
  await page.goto(`/staff/app/cabinets/${cabinet.id}?tab=shipping`)
  const kept = form.getByLabel('Малогабарит (МГТ)', { exact: true })
  await kept.waitFor()
  assert.equal(await kept.inputValue(), '100')
  assert.deepEqual(faults, [])
})

test('the open tab of a cabinet is on the screen of a phone', async () => {
  const { page, cabinet } = await openCabinet()
  await page.setViewportSize(phone)
  await page.goto(`/staff/app/cabinets/${cabinet.id}?tab=settings`)
  const tab = page.locator('nav a[aria-current=page]', { hasText: 'Настройки' })
  await tab.waitFor()
  const box = await tab.boundingBox()
  assert.ok(box && box.x >= 0 && box.x + box.width <= phone.width, JSON.stringify(box))
})

test('right after the keys are saved the warehouses are chosen, and the orders come', async () => {
  const account = severalWarehouses()
  const number = wb.addOrder(account)
  wb.addOrder(account, { raw: { warehouseId: second.id } })
  const { page, faults, cabinet, client } = await openCabinet(account)
  const choice = page.getByRole('form', { name: 'Заказы каких складов собирают здесь' })
  await choice.getByText('Пока склады не выбраны, новые заказы не загружаются.').waitFor()
  await assertWellMade(page)
  await choice.getByLabel('Склад FBS').check()
  await choice.getByRole('button', { name: 'Начать загрузку заказов', exact: true }).click()
  await page.getByText('Заказы загружаются', { exact: true }).waitFor()
  await choice.waitFor({ state: 'hidden' })
  const numbers = async () => {
    const list = root.get(`/orders?client_id=${client}`)
    return (await done<{ items: { external_id: string }[] }>(list)).items.map((o) => o.external_id)
  }
  await eventually('the order is there', async () => (await numbers()).length > 0)
  assert.deepEqual(await numbers(), [number])

  await openTab(page, 'Настройки')
  await page.getByLabel('Токен WB', { exact: true }).fill(severalWarehouses().credentials.token)
  await page.getByRole('button', { name: 'Сохранить ключи', exact: true }).click()
  await choice.getByText('Пока склады не выбраны', { exact: false }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/staff/app/cabinets/${cabinet.id}`)
  assert.deepEqual(faults, [])
})
