import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { computeDueCharges } from '../../src/warehouse/billing/daily.ts'
import { testDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { countJobs } from './clicks.ts'
import { addUser, signIn, takeFirstSteps } from './console-page.ts'

/** The first bills of a warehouse, from an empty service on, by what the pages offer alone. */

const clock = new ManualClock(Date.parse('2026-11-02T10:00:00+03:00'))
const empty = async () => (await testDatabase()).db
const service = await startService(undefined, 'api', empty, clock)
const root = await staffClient(service, 'administrator')

async function enter(page: Page, login: string): Promise<void> {
  await page.clock.setFixedTime(clock.now())
  await signIn(page, login)
}

async function go(page: Page, room: string, tab: string): Promise<void> {
  await page.locator('.rooms').getByRole('link', { name: room }).click()
  await page.locator('.room-tabs').getByRole('link', { name: tab, exact: true }).click()
}

async function receive(client: string, units: number): Promise<void> {
  const items = [{ barcode: 'A', name: 'Чай', qty: units }]
  const { id } = good<{ id: string }>(
    await root.post(`/clients/${client}/receipts`, { items }),
    201,
  )
  good(await root.post(`/receipts/${id}/start`))
  good(await root.post(`/receipts/${id}/scans`, { scan_id: 'all', barcode: 'A', qty: units }))
  good(await root.post(`/receipts/${id}/finish`, {}))
}

/** A version of the tariff from the first of November on. */
async function setPrice(page: Page, price: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Новая версия тарифа' })
  await form.getByLabel('С какого дня действует').fill('2026-11-01')
  await form
    .getByRole('group', { name: /^Приёмка товара/ })
    .getByLabel('Цена, ₽')
    .fill(price)
  await form.getByRole('button', { name: 'Завести версию' }).click()
  await page.getByText(/Версия тарифа заведена/).waitFor()
}

async function fillProvider(page: Page): Promise<void> {
  const who = page.getByRole('form', { name: 'Исполнитель' })
  await who.getByLabel('Название').fill('ООО «Склад»')
  await who.getByLabel('ИНН').fill('7707083893')
  await who.getByLabel('Адрес').fill('Москва')
  await who.getByLabel('Кто подписывает акты').fill('Директор Иванов И. И.')
  await who.getByRole('button', { name: 'Сохранить исполнителя' }).click()
  await page.getByText('Исполнитель сохранён').waitFor()
}

/** The common price, who charges, and another price for one client. */
async function setPrices(page: Page): Promise<void> {
  await go(page, 'Клиенты', 'Тарифы')
  await page.getByRole('link', { name: 'Новая версия', exact: true }).click()
  await setPrice(page, '7')
  await fillProvider(page)
  await page.getByRole('link', { name: 'Цены клиента', exact: true }).click()
  const whose = page.getByRole('form', { name: 'Цены клиента' })
  await whose.getByRole('combobox', { name: 'Чьи цены' }).fill('Василёк')
  await page.getByRole('listbox').getByRole('option', { name: 'ООО «Василёк»' }).click()
  await whose.getByRole('button', { name: 'Назвать цены' }).click()
  await setPrice(page, '5')
}

/** The list of months to close, which stands elsewhere, and back. */
async function seeDueMonths(page: Page): Promise<void> {
  const before = page.url()
  await go(page, 'Клиенты', 'Тарифы')
  const due = page.getByRole('region', { name: 'Пора закрыть' })
  await due.getByRole('row', { name: /Василёк.*Ноябрь 2026.*20,00/ }).waitFor()
  await due.getByRole('row', { name: /Ромашка.*Ноябрь 2026.*28,00/ }).waitFor()
  await isGoodPage(page, 'due months')
  await page.goto(before)
}

/** Closes the month that is shown, whose charges come to so much. */
async function closeMonth(page: Page, units: string, sum: string): Promise<void> {
  const charges = page.getByRole('region', { name: 'Начисления', exact: true })
  await charges.getByRole('row', { name: new RegExp(`Приёмка.*${units}.*${sum}`) }).waitFor()
  await page.getByRole('button', { name: 'Закрыть месяц' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Закрыть месяц' }).click()
  await page.getByRole('row', { name: new RegExp(`Ноябрь 2026.*закрыт.*${sum}`) }).waitFor()
}

async function openAct(page: Page): Promise<void> {
  const acts = page.getByRole('region', { name: 'Акты месяца', exact: true })
  const saving = page.waitForEvent('download')
  await acts.getByRole('link', { name: 'Акт 1: PDF' }).click()
  assert.ok(readFileSync(await (await saving).path(), 'utf8').startsWith('%PDF'))
}

async function isGoodPage(page: Page, name: string): Promise<void> {
  await assertAccessible(page, name)
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await page.setViewportSize(desktop)
}

// Guarantee (console): The pages alone lead from two new clients to two closed months with acts.
test('a newcomer sets up an empty service, prices for two clients, and closes their month', async () => {
  const { login } = await addUser(root, 'administrator')
  const { page, faults } = await openPage(service.baseUrl)
  await enter(page, login)
  await takeFirstSteps(page)
  await page.getByRole('button', { name: 'Заполнить вымышленным' }).waitFor()
  await go(page, 'Клиенты', 'Клиенты')
  await page.getByRole('link', { name: 'Завести клиента' }).click()
  const draft = page.getByRole('form', { name: 'Новый клиент' })
  await draft.getByLabel('Название').fill('ООО «Василёк»')
  await draft.getByRole('button', { name: 'Завести' }).click()
  await page.getByRole('heading', { name: 'ООО «Василёк»' }).waitFor()
  const { items } = good<{ items: { id: string; name: string }[] }>(await root.get('/clients'))
  assert.deepEqual(items.map(({ name }) => name).toSorted(), ['ООО «Василёк»', 'ООО «Ромашка»'])
  for (const { id } of items) await receive(id, 4)

  clock.set(Date.parse('2026-12-02T10:00:00+03:00'))
  await enter(page, login)
  const count = await countJobs(page)
  await count('prices for all and for one client', { presses: 9, fields: 7 }, () => setPrices(page))
  // A minute later.
  await computeDueCharges(service.db, clock.now())
  await seeDueMonths(page)
  await count(
    'two months looked at and closed, an act opened',
    { presses: 8, fields: 0 },
    async () => {
      await page.getByRole('link', { name: 'Начисления', exact: true }).click()
      await page.getByRole('link', { name: 'Проверить и закрыть' }).click()
      await closeMonth(page, '4', '20,00')
      await page.getByRole('link', { name: 'ООО «Ромашка», ноябрь 2026' }).click()
      await page.getByRole('heading', { name: 'ООО «Ромашка»' }).waitFor()
      await closeMonth(page, '4', '28,00')
      await openAct(page)
    },
  )
  assert.equal(await page.getByText('Пора закрыть').count(), 0)
  await isGoodPage(page, 'closed month')
  for (const { id } of items) {
    const acts = good<{ items: { number: number }[] }>(await root.get(`/clients/${id}/acts`))
    assert.deepEqual(
      acts.items.map(({ number }) => number),
      [1],
    )
  }
  assert.deepEqual(faults, [])
})
