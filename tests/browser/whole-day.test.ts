import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/faults.ts'
import { startFakeWildberries } from '../support/marketplaces/wildberries.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { openPage } from './browser.ts'
import { type CountJob, countJobs } from './clicks.ts'
import { addUser, signIn, takeFirstSteps } from './console-page.ts'
import { done, type Made } from './console-world.ts'
import { figure, openHandheld, queueIsEmpty, sentence } from './handheld-page.ts'
import { scan } from './scanner.ts'

/** One day of a manager: the console from an empty service to a shipment that the marketplace has accepted. */

let ahead = 0
const clock = { now: () => Date.now() + ahead }
const wb = await startFakeWildberries(clock)
after(() => wb.close())
const settings = { WB_BASE_URL: wb.baseUrl, SYNC_INTERVAL: '1h' }
const service = await startService(settings, 'all', async () => (await testDatabase()).db, clock)
const { db } = service
const root = await staffClient(service, 'administrator')
const account = wb.account()
const mug = ean13('460000000101')
const shirt = ean13('460000000102')
const [bad, better] = [markingCode(shirt, 1), markingCode(shirt, 2)]

/** The warehouse, the client and its cabinet, whose orders are collected here. */
async function setUp(page: Page): Promise<void> {
  await takeFirstSteps(page)
  await page.getByRole('link', { name: 'Подключить кабинет' }).click()
  const form = page.getByRole('form', { name: 'Новый кабинет', exact: true })
  await form.getByLabel('Название', { exact: true }).fill('Ромашка WB')
  await form.getByLabel('Токен WB', { exact: true }).fill(account.credentials.token)
  await form.getByLabel('Где собирают отгрузки', { exact: true }).selectOption('ours')
  await form.getByRole('button', { name: 'Подключить', exact: true }).click()
  await page.getByRole('heading', { name: 'Ромашка WB', level: 1 }).waitFor()
  const tab = page.getByLabel('Разделы кабинета').getByRole('link', { name: 'Пункты отгрузки' })
  await tab.click()
  await page.getByLabel('Город пункта', { exact: true }).fill('Москва')
  await page.keyboard.press('Enter')
  const points = page.getByRole('form', { name: 'Пункты по умолчанию', exact: true })
  await points.getByLabel('Малогабарит (МГТ)', { exact: true }).selectOption('100')
  await points.getByRole('button', { name: 'Сохранить пункты', exact: true }).click()
  await page.getByText('Пункты сохранены', { exact: true }).waitFor()
}

async function syncNow(page: Page): Promise<void> {
  await page.goto('/staff/app/cabinets')
  await page
    .getByRole('link', { name: /Ромашка WB/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Синхронизировать сейчас', exact: true }).click()
}

/** Six mugs and two shirts are announced; a mug is missing. */
async function receive(page: Page, floor: Page): Promise<string> {
  await page.goto('/staff/app/receipts?form=new')
  const form = page.getByRole('form')
  await form.getByLabel('Штрихкод').fill(mug)
  await form.getByLabel('Сколько').fill('6')
  await form.getByLabel('Название', { exact: true }).fill('Кружка синяя')
  await form.getByRole('combobox', { name: 'Чей товар' }).fill('Ромашка')
  await page.getByRole('listbox').getByRole('option').first().click()
  await form.getByRole('button', { name: 'Ещё товар' }).click()
  const second = form.getByRole('group', { name: 'Товар 2' })
  await second.getByLabel('Штрихкод').fill(shirt)
  await second.getByLabel('Сколько').fill('2')
  await second.getByLabel('Название', { exact: true }).fill('Футболка белая')
  await form.getByRole('button', { name: 'Завести', exact: true }).click()
  await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
  await page.getByRole('button', { name: 'Начать приёмку' }).click()
  await page.getByText('Идёт приёмка').first().waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await floor.goto(`/staff/scan/receiving/${id}`)
  await floor.getByText('Кружка синяя', { exact: false }).first().waitFor()
  for (const code of [mug, mug, mug, mug, mug, shirt, shirt]) await scan(floor, code)
  await figure(floor, '2 из 2')
  await queueIsEmpty(floor)
  await page.reload()
  await page.getByRole('link', { name: 'Закончить' }).click()
  await page.getByLabel(/не хватает 1 штуки/).selectOption({ label: 'Товар не привезён' })
  await page.getByRole('form').getByRole('button', { name: 'Закончить' }).click()
  await page.getByText('Принята с расхождением').first().waitFor()
  // The only client needs no choice.
  await page.goto('/staff/app/stock')
  await page.getByRole('link', { name: 'Кружка синяя', exact: true }).waitFor()
  return id
}

/** Where the mugs lie: two at one place, three at another. */
async function putAway(client: string): Promise<void> {
  for (const [code, qty] of [
    ['A-1', 2],
    ['A-2', 3],
  ] as const) {
    await done(root.post('/locations', { warehouse_code: 'MSK1', code }))
    const put = { scan_id: code, client_id: client, barcode: mug, qty }
    await done(root.post(`/locations/${code}/put`, put))
  }
}

async function takeInOrders(page: Page): Promise<string[]> {
  const [first, second] = [
    wb.addCard(account, { barcodes: [mug] }),
    wb.addCard(account, { barcodes: [shirt] }),
  ].map(({ itemId, article, barcodes }) => ({
    lines: [{ itemId, article, barcode: barcodes[0] ?? '', quantity: 1 }],
  }))
  const numbers = [
    wb.addOrder(account, first),
    wb.addOrder(account, first),
    wb.addOrder(account, { ...second, raw: { requiredMeta: ['sgtin'] } }),
  ]
  await syncNow(page)
  await eventually('the orders are there', async () => {
    const { total } = await done<{ total: number }>(root.get('/orders'))
    return total === numbers.length
  })
  return numbers
}

async function today(page: Page): Promise<void> {
  await page.goto('/staff/app')
  await page.getByRole('heading', { name: 'Что ждёт сегодня', exact: true }).waitFor()
}

/** The picker finds no mug twice; the manager names another place for one order and takes the other out. */
async function decideMisses(page: Page, floor: Page, count: CountJob): Promise<void> {
  await floor.goto('/staff/scan')
  await floor
    .getByRole('link', { name: /Собрать|-1/ })
    .first()
    .click()
  for (const _ of [1, 2]) {
    await floor.getByText('A-1', { exact: true }).first().waitFor()
    await floor.getByRole('button', { name: 'Товара нет' }).click()
    await floor.getByRole('dialog').getByRole('button', { name: 'Место хранения пусто' }).click()
    await sentence(floor, 'решит менеджер')
    await queueIsEmpty(floor)
  }
  await today(page)
  const cards = page.getByRole('listitem').filter({ hasText: 'Не нашли при сборке' })
  await count('Decide a miss: other place', { presses: 2, fields: 0 }, async () => {
    await cards
      .first()
      .getByRole('link', { name: /^Другое место/ })
      .click()
    await page.getByRole('form').getByRole('button', { name: 'Решить' }).click()
    await page.getByText(/: взять в другом месте/).waitFor()
  })
  await today(page)
  await count('Decide a miss: taken out', { presses: 2, fields: 0 }, async () => {
    await cards
      .first()
      .getByRole('link', { name: /^Убрать заказ/ })
      .click()
    await page.getByRole('form').getByRole('button', { name: 'Решить' }).click()
    await page.getByText(/: заказ убран из отгрузки/).waitFor()
  })
}

/** The marketplace refuses a code of a shirt; the picker takes another one. */
async function correctMark(page: Page, floor: Page, number: string): Promise<void> {
  wb.refuseMark(account, bad, 'sgtinNotFound')
  await floor.reload()
  await floor.getByText('Менеджер решил: возьмите на месте A-2').waitFor()
  await floor.getByText('Менеджер убрал из отгрузки').waitFor()
  await scan(floor, mug)
  await sentence(floor, 'собран')
  await scan(floor, bad)
  await sentence(floor, `Заказ ${number} собран`)
  await queueIsEmpty(floor)
  const stateOf = async () =>
    (await db<{ state: string }[]>`select state from mark_proofs order by given_at desc limit 1`)[0]
      ?.state
  ahead += 300_000
  await eventually('the code is refused', async () => (await stateOf()) === 'refused')
  await today(page)
  const card = page.getByRole('listitem').filter({ hasText: `Заказ ${number}` })
  await card.getByText('кода нет в Честном знаке').waitFor()
  await floor.reload()
  await floor.getByText('Отложите единицу для менеджера').waitFor()
  await scan(floor, better)
  await sentence(floor, `Заказ ${number} собран`)
  await queueIsEmpty(floor)
  ahead += 300_000
  await eventually('the other code is accepted', async () => (await stateOf()) === 'proven')
  await today(page)
  await card.waitFor({ state: 'detached' })
}

test('a manager sets up a service, receives goods, ships the orders of the day and sees them accepted', async () => {
  const { login } = await addUser(root, 'administrator')
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, login)
  await setUp(page)
  const handheld = await openHandheld(root, service.baseUrl)
  const floor = handheld.page
  await receive(page, floor)
  const { items: clients } = await done<{ items: Made[] }>(root.get('/clients'))
  await putAway(clients[0]?.id ?? '')
  const numbers = await takeInOrders(page)
  const count = await countJobs(page)

  await today(page)
  await count('Shipment of the day', { presses: 2, fields: 0 }, async () => {
    await page.getByRole('link', { name: /^Собрать отгрузку WB Ромашка WB/ }).click()
    await page.getByRole('button', { name: 'Открыть: 3 заказа' }).click()
    await page.getByText('Отгрузка открыта: 3 заказа').waitFor()
  })
  const shipment = new URL(page.url()).pathname
  await decideMisses(page, floor, count)
  await correctMark(page, floor, numbers[2] ?? '')

  await page.goto(shipment)
  await count('Close a shipment', { presses: 2, fields: 0 }, async () => {
    await page.getByRole('button', { name: 'Закрыть', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Закрыть', exact: true }).click()
    await page.getByText(/^Отгрузка .* закрыта$/).waitFor()
  })
  const { items: ours } = await done<{ items: { external_id: string }[] }>(root.get('/shipments'))
  wb.acceptShipment(account, ours[0]?.external_id ?? '')
  await syncNow(page)
  await eventually('it is accepted', async () => {
    const { items } = await done<{ items: { status: string }[] }>(root.get('/shipments'))
    return items[0]?.status === 'ACCEPTED'
  })
  await page.goto(shipment)
  await page.locator('.badge', { hasText: 'Принята' }).first().waitFor()
  await today(page)
  const aside = page.getByRole('listitem').filter({ hasText: 'Единица отложена' })
  await count('Decide what a refused unit becomes', { presses: 2, fields: 0 }, async () => {
    await aside.getByRole('button', { name: 'Не отгружать' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Не отгружать' }).click()
    await aside.waitFor({ state: 'detached' })
  })
  await page.getByRole('heading', { name: 'Ничего не горит', exact: true }).waitFor()
  await page.getByRole('link', { name: '1 заказ ждёт сборки', exact: true }).waitFor()
  assert.deepEqual((await audit(db, clock)).findings, [])
  assert.deepEqual([...faults, ...handheld.faults], [])
})
