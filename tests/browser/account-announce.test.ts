import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { takeInOrders } from '../../src/warehouse/orders/intake.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { at, newOrder, stockUp } from '../support/warehouse.ts'
import { goTo, signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, openPage, phone } from './browser.ts'

/** A seller announces goods by their names, changes the announcement and withdraws it. */

const service = await startService({}, 'all')
const manager = await staffClient(service, 'manager')

async function owner() {
  const id = await perform(service.db, systemClock, { kind: 'service' }, async (work) => {
    const made = await createClient(work, { mode: 'live', name: 'ООО «Плед»' })
    await addCabinet(work, made, { marketplace: 'WB', name: 'Плед WB' })
    const items = [
      { barcode: 'П-1', name: 'Плед тёплый флисовый', article: 'PLD-1', qty: 1 },
      { barcode: 'К-1', name: 'Кружка синяя', article: 'KRU-1', qty: 1 },
    ]
    await registerReceipt(work, made, { source: 'manual', items })
    return made
  })
  await manager.patch(`/clients/${id}`, { account_receipts: true })
  return accountUser(service, { [id]: 'owner' })
}

test('goods are announced by name, the announcement is changed and withdrawn', async () => {
  const user = await owner()
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone, colorScheme: 'dark' })
  await signIn(page, user.login)
  await page.goto('/account/receipts/new')
  const goods = page.getByLabel('Товар или штрихкод', { exact: true })
  const units = page.getByLabel('Единиц', { exact: true })
  const found = page.getByRole('option', { name: /Плед тёплый/ })
  await goods.fill('плед')
  await units.fill('40')
  await page.getByRole('button', { name: 'Отправить заявку', exact: true }).click()
  await page.getByText('выберите товар из найденных').waitFor()
  await goods.focus()
  await found.waitFor()
  await units.fill('')
  for (const text of ['флис теплый', 'gktl', 'pld-1']) {
    await goods.fill(text)
    await found.waitFor()
    assert.equal(await page.getByRole('listbox').getByRole('option').count(), 1, text)
  }
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  assert.equal(await goods.inputValue(), 'П-1')
  await page.locator('[name=qty-0]:focus').waitFor()
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await page.locator('[name=barcode-1]:focus').waitFor()
  await page.keyboard.type('кружка')
  await page.getByRole('option', { name: /Кружка/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[name=qty-1]:focus').waitFor()
  await page.keyboard.type('5')
  await assertFitsWidth(page)
  await page.getByRole('button', { name: 'Отправить заявку', exact: true }).click()
  await page.getByRole('heading', { name: /^Приёмка R-/ }).waitFor()

  const labels = page.getByRole('link', { name: 'Печать этикеток', exact: true })
  await page.getByLabel('Сколько коробов', { exact: true }).fill('0')
  await page.getByText('Целое число от 1 до 500', { exact: true }).waitFor()
  assert.equal(await labels.count(), 0)
  await page.getByLabel('Сколько коробов', { exact: true }).fill('12')
  assert.match(String(await labels.getAttribute('href')), /\/box-labels\?boxes=12$/)
  await assertAccessible(page)
  await assertFitsWidth(page)

  await page.getByRole('link', { name: 'Изменить', exact: true }).click()
  await page.getByRole('heading', { name: 'Изменить заявку', exact: true }).waitFor()
  await units.nth(0).fill('30')
  await page.getByLabel('Комментарий', { exact: true }).fill('Везём во вторник')
  await assertAccessible(page)
  await assertFitsWidth(page)
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await page.getByText('Везём во вторник', { exact: true }).waitFor()
  const [receipt] = ((await user.get('/receipts')).body as { items: { expected_qty: number }[] })
    .items
  assert.equal(receipt?.expected_qty, 35)

  const withdraw = page.getByRole('button', { name: 'Отозвать заявку', exact: true })
  await withdraw.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Отозвать заявку' }).click()
  await page.getByText('Приёмка отменена', { exact: true }).first().waitFor()
  assert.equal(await withdraw.count(), 0)
  await assertAccessible(page)
  await goTo(page, 'Приёмки')
  assert.deepEqual(faults, [])
})

test('the page of a product says how many to bring, and begins the announcement with them', async () => {
  const user = await owner()
  const { client, cabinets } = (await user.get('/session')).body as {
    client: { id: string }
    cabinets: { id: string }[]
  }
  const now = Date.now()
  await stockUp(service.db, client.id, { 'П-2': 10 }, now - 20 * day)
  const orders = Array.from({ length: 14 }, (_, days) =>
    newOrder(`bring ${days}`, 'П-2', now - days * day),
  )
  await at(service.db, now, (work) => takeInOrders(work, client.id, cabinets[0]?.id ?? '', orders))
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await signIn(page, user.login)
  await page.goto(`/account/stock/${encodeURIComponent('П-2')}`)
  await page.getByText('заказывают 1 в день', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Привезти 20 на 30 дней', exact: true }).click()
  await page.getByText('на складе 10, на 30 дней нужно ещё 20').waitFor()
  assert.equal(await page.getByLabel('Товар или штрихкод', { exact: true }).inputValue(), 'П-2')
  assert.equal(await page.getByLabel('Единиц', { exact: true }).inputValue(), '20')
  await assertAccessible(page)
  await assertFitsWidth(page)
  await page.getByRole('button', { name: 'Отправить заявку', exact: true }).click()
  await page.getByRole('heading', { name: /^Приёмка R-/ }).waitFor()
  await page.goto(`/account/stock/${encodeURIComponent('П-2')}`)
  await page.getByRole('table', { name: 'Приёмки', exact: true }).getByText('20').first().waitFor()
  assert.deepEqual(faults, [])
})

test('what was typed into a form of the account is not lost without a question, and the theme is chosen', async () => {
  const user = await owner()
  const { page, faults } = await openPage(service.baseUrl, { colorScheme: 'light' })
  await signIn(page, user.login)
  await page.goto('/account/receipts/new')
  const comment = page.getByLabel('Комментарий', { exact: false })
  await comment.fill('Две паллеты')
  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?', exact: true })
  const orders = page.getByRole('link', { name: 'Заказы', exact: true })
  await orders.click()
  await assertAccessible(page)
  await question.getByRole('button', { name: 'Остаться', exact: true }).click()
  assert.equal(await comment.inputValue(), 'Две паллеты')
  await page.getByRole('button', { name: 'Выйти', exact: true }).click()
  await question.getByRole('button', { name: 'Остаться', exact: true }).click()
  await orders.click()
  await question.getByRole('button', { name: 'Уйти', exact: true }).click()
  await page.getByRole('heading', { name: 'Заказы', exact: true, level: 1 }).waitFor()

  // What the service has is no longer asked about.
  await page.goto('/account/security')
  await page.getByLabel('Имя и фамилия', { exact: true }).fill('Анна Плед')
  await page.getByRole('button', { name: 'Сохранить имя', exact: true }).click()
  await page.getByText('Имя сохранено.').waitFor()
  await orders.click()
  await page.getByRole('heading', { name: 'Заказы', exact: true, level: 1 }).waitFor()

  const colour = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await colour()
  const theme = page.getByRole('combobox', { name: 'Тема', exact: true })
  await theme.selectOption({ label: 'Тёмная' })
  const dark = await colour()
  assert.notEqual(dark, light)
  await page.reload()
  await theme.waitFor()
  assert.equal(await colour(), dark)
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('a manager is shown the version that the seller has just made, before it is confirmed', async () => {
  const user = await owner()
  const line = (qty: number) => ({ items: [{ barcode: 'П-1', qty, honest_mark: false }] })
  const { id } = (await user.post('/receipts', line(11))).body as { id: string }
  const [login, password] = [`manager-${randomUUID().slice(0, 8)}`, 'верный пароль менеджера']
  const root = await staffClient(service, 'administrator')
  assert.equal((await root.post('/users', { login, role: 'manager', password })).status, 201)
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto(`/staff/app/receipts/${id}`)
  await page.getByLabel('Логин', { exact: true }).fill(login)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.route(
    '**/confirm',
    async (route) => {
      await user.call('PUT', `/receipts/${id}`, line(17))
      await route.continue()
    },
    { times: 1 },
  )
  const confirm = page.getByRole('button', { name: 'Подтвердить', exact: true })
  await confirm.click()
  await page.getByText('Продавец изменил заявку').waitFor()
  await page.getByRole('cell', { name: '17', exact: true }).waitFor()
  await assertAccessible(page)
  await confirm.click()
  await page.getByRole('button', { name: 'Начать приёмку', exact: true }).waitFor()
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('409')),
    [],
  )
})

test('a seller saves each list as a file, with the filters that are chosen', async () => {
  const user = await owner()
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, user.login)
  for (const [room, file] of [
    ['orders', 'заказы'],
    ['receipts?status=EXPECTED', 'приёмки'],
    ['shipments', 'отгрузки'],
    ['returns', 'возвраты'],
  ] as const) {
    await page.goto(`/account/${room}`)
    const link = page.getByRole('link', { name: 'CSV', exact: true })
    assert.match((await link.getAttribute('href')) ?? '', new RegExp(room.split('?')[1] ?? room))
    const [saved] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.match(saved.suggestedFilename(), new RegExp(`^${file}-[\\d-]+\\.csv$`))
  }
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})
