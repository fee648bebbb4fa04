import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { testProvider } from '../support/warehouse.ts'
import { goTo, signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, assertReadable, desktop, openPage } from './browser.ts'
import { addUser, signIn as signInAtConsole } from './console-page.ts'

/** Money on the pages: who may see it, price lists, a month from its first charge to its act, and the seller's side. */

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')

const shots = process.env.SHOTS
const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 740 }

/** The page is good on a wide screen and on a phone, light and dark. */
async function assertGoodPage(page: Page, name: string): Promise<void> {
  await page.locator('main:not(:has([aria-busy]))').waitFor()
  for (const [size, viewport] of Object.entries({ wide, narrow })) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      if (colorScheme === 'light') await assertAccessible(page, `${name} ${size}`)
      else await assertReadable(page, `${name} ${size}`)
      const path = `${shots}/${name}-${size}-${colorScheme}.png`
      if (shots !== undefined) await page.screenshot({ path, fullPage: true })
    }
    await assertFitsWidth(page)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desktop)
}

/** Somebody of the staff, at the time of the service. */
async function openConsole(role: 'administrator' | 'manager') {
  const { id: user, login } = await addUser(admin, role)
  const opened = await openPage(service.baseUrl)
  await enter(opened.page, login)
  return { ...opened, user, login }
}

async function enter(page: Page, login: string): Promise<void> {
  await page.clock.setFixedTime(clock.now())
  await signInAtConsole(page, login)
}

async function openWarehouse(goods: Readonly<Record<string, number>>) {
  const floor = await openFloor(service, goods)
  const { warehouse_code: code, name } = good<{ warehouse_code: string; name: string }>(
    await admin.get(`/clients/${floor.client}`),
  )
  return { floor, code, name }
}

// Guarantee (console): A new version of a price list begins with the one in force.
test('an administrator names provider, own service and prices, and reads the price list', async () => {
  const { code } = await openWarehouse({ T: 1 })
  const { page, faults } = await openConsole('administrator')
  await page.goto(`/staff/app/tariffs?warehouse=${code}`)
  await page.getByText('Тарифа ещё нет').waitFor()

  await page.getByRole('link', { name: 'Исполнитель', exact: true }).click()
  const who = page.getByRole('form', { name: 'Исполнитель' })
  await who.getByLabel('Название').fill(testProvider.name)
  await who.getByLabel('ИНН').fill('7707083894')
  await who.getByLabel('Адрес').fill(testProvider.address)
  await who.getByLabel('Кто подписывает акты').fill(testProvider.signatory)
  await who.getByLabel('НДС', { exact: true }).selectOption('22')
  await who.getByRole('button', { name: 'Сохранить исполнителя' }).click()
  await who.locator('[aria-invalid=true][name=inn]').waitFor()
  await who.getByLabel('ИНН').fill(testProvider.inn)
  await who.getByRole('button', { name: 'Сохранить исполнителя' }).click()
  await page.getByRole('row', { name: /ООО «Склад».*22 %/ }).waitFor()

  await page.getByRole('link', { name: 'Своя услуга', exact: true }).click()
  const own = page.getByRole('form', { name: 'Своя услуга' })
  await own.getByLabel('Название').fill('Фото товара')
  await own.getByLabel('Единица').fill('шт.')
  await own.getByLabel('Код').fill('OWN_PHOTO')
  await own.getByRole('button', { name: 'Завести услугу' }).click()
  await page.getByText('Услуга заведена').waitFor()

  await page.getByRole('link', { name: 'Новая версия', exact: true }).click()
  const form = page.getByRole('form', { name: 'Новая версия тарифа' })
  await form.getByLabel('С какого дня действует').fill('2026-11-01')
  const packing = form.getByRole('group', { name: /^Сборка заказа/ })
  await packing.getByRole('button', { name: /^Добавить ступень/ }).click()
  await packing.getByLabel('До, за месяц').fill('1000')
  await packing.getByLabel('Цена, ₽').fill('40')
  await packing.getByLabel('Дальше, ₽').fill('35,50')
  await form
    .getByRole('group', { name: /^Фото товара/ })
    .getByLabel('Цена, ₽')
    .fill('15')
  await assertGoodPage(page, 'tariff-form')
  await form.getByRole('button', { name: 'Завести версию' }).click()
  const list = page.getByRole('region', { name: 'Прайс-лист', exact: true })
  await list.getByRole('row', { name: /Сборка заказа.*40,00.*35,50/ }).waitFor()
  await page.getByRole('heading', { name: /Версия 1: действует/ }).waitFor()

  await page.getByRole('link', { name: 'Новая версия', exact: true }).click()
  assert.equal(await packing.getByLabel('Дальше, ₽').inputValue(), '35.50')
  await packing.getByRole('button', { name: /^Убрать ступень/ }).click()
  await packing.getByLabel('Цена, ₽').fill('45')
  await form.getByRole('button', { name: 'Завести версию' }).click()
  await page.getByRole('row', { name: /Версия 2.*будет действовать/ }).waitFor()
  await page.getByRole('row', { name: /Версия 1.*действует/ }).waitFor()
  await assertGoodPage(page, 'tariffs')
  await page.getByRole('link', { name: 'Версия 2' }).click()
  await list.getByRole('row', { name: /Сборка заказа.*45,00/ }).waitFor()
  assert.deepEqual(faults, [])
})

/** A warehouse with prices, and a client with two packed orders, which are charged. */
async function openMonth() {
  const opened = await openWarehouse({ A: 3 })
  const { floor, code } = opened
  const photo = { code: 'OWN_VIDEO', name: 'Видео товара', unit: 'шт.' }
  await admin.post(`/warehouses/${code}/billing-services`, photo)
  const flat = (service: string, price: string) => ({ service, steps: [{ up_to: null, price }] })
  const prices = [flat('ORDER_PACKED', '40'), flat('OWN_VIDEO', '15')]
  const first_day = `${new Date(clock.now()).toISOString().slice(0, 7)}-01`
  good(await admin.post(`/warehouses/${code}/tariffs`, { first_day, prices }), 201)
  const orders = await floor.orders({ N1: 'A', N2: 'A' })
  const shipment = await floor.filled(orders)
  for (const [index, { id }] of orders.entries()) {
    const pick = { scan_id: `pick ${index}`, order_id: id, barcode: 'A' }
    good(await floor.pick(shipment.picking_task_id, pick))
    clock.advance(60_000)
  }
  clock.advance(5 * 60_000)
  return { ...opened, orders }
}

// Guarantee (console): Each line of a month, open or closed, leads to the orders that it is for.
test('a month is computed, charged by hand, closed with its act, and each line opens its order', async () => {
  const { floor, code } = await openMonth()
  good(await admin.put(`/warehouses/${code}/billing-providers`, testProvider))
  const { page, faults, login } = await openConsole('administrator')
  await page.goto(`/staff/app/clients/${floor.client}?tab=money`)
  await page.getByRole('button', { name: 'Посчитать сейчас' }).click()
  await page.getByRole('row', { name: /Сборка заказа.*80,00/ }).waitFor()
  await page.getByText('Закрыть пока нельзя. Месяц ещё не закончился').waitFor()

  await page.getByRole('link', { name: 'Начислить вручную' }).click()
  const form = page.getByRole('form', { name: 'Начислить вручную' })
  await form.getByLabel('Сколько').fill('2')
  await form.getByLabel('За что').fill('Для карточки')
  await form.getByRole('button', { name: 'Начислить', exact: true }).click()
  await page.getByText('Для карточки').waitFor()
  await page
    .getByRole('row', { name: /Видео товара.*30,00/ })
    .first()
    .waitFor()
  await assertGoodPage(page, 'client-charges')
  await page.getByRole('link', { name: 'Сборка заказа' }).click()
  await page.getByText('Только: Сборка заказа').waitFor()
  await page.getByRole('link', { name: 'Заказ N1' }).click()
  await page.getByRole('heading', { name: /N1/ }).waitFor()
  await page.getByRole('link', { name: 'Начислить услугу' }).click()
  await form.getByText('Относится к заказу').waitFor()
  await form.getByLabel('Сколько').fill('1')
  await form.getByLabel('За что').fill('Ещё раз')
  await form.getByRole('button', { name: 'Начислить', exact: true }).click()
  await page.getByRole('link', { name: 'Вручную N1' }).click()
  await page.getByRole('heading', { name: /N1/ }).waitFor()

  clock.advance(13 * 24 * 3_600_000)
  await enter(page, login)
  await page.goto(`/staff/app/clients/${floor.client}?tab=money&month=2026-11-01`)
  await page.getByText('Не начислено, потому что у услуги нет цены').first().waitFor()
  await page.getByRole('button', { name: 'Закрыть месяц' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Закрыть месяц' }).click()
  await page.getByRole('row', { name: /Ноябрь 2026.*закрыт.*125,00/ }).waitFor()
  await page.getByRole('link', { name: 'Акты' }).click()
  await page.getByRole('row', { name: /Акт 1.*27,50.*152,50/ }).waitFor()
  await assertGoodPage(page, 'client-acts')
  await assertActFiles(page)
  assert.deepEqual(faults, [])
})

/** What the row of an act saves. */
async function assertActFiles(page: Page): Promise<void> {
  for (const [about, name, begins] of [
    ['PDF', /^act-1\.pdf$/, '%PDF'],
    ['детализация в Excel', /^act-1-charges-.*\.xlsx$/, 'PK'],
    ['детализация в CSV', /^act-1-charges-.*\.csv$/, '\ufeffДень;'],
    ['для 1С', /^act-1-.*\.csv$/, '\ufeffКод;'],
  ] as const) {
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: `Акт 1: ${about}` }).click()
    const saved = await saving
    assert.match(saved.suggestedFilename(), name)
    assert.ok(readFileSync(await saved.path(), 'utf8').startsWith(begins), about)
  }
}

test('a service is charged for a return and for a count, from their pages', async () => {
  const { floor, code } = await openWarehouse({ D: 1 })
  const own = { code: 'OWN_COUNT', name: 'Пересчёт по просьбе', unit: 'час' }
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
  const client = { client_id: floor.client }
  const count = { ...client, scope: { barcodes: ['D'] } }
  const pages = [
    ['counts', count, 'Относится к пересчёту'],
    ['returns', client, 'Относится к приёму возвратов'],
  ] as const
  const { page, faults } = await openConsole('administrator')
  for (const [kind, draft, words] of pages) {
    const { id } = good<{ id: string }>(await floor.manager.post(`/${kind}`, draft), 201)
    await page.goto(`/staff/app/${kind}/${id}`)
    await page.getByRole('link', { name: 'Начислить услугу' }).click()
    await page.getByText(words).waitFor()
  }
  assert.deepEqual(faults, [])
})

test('a client gets a price of its own and terms of storage', async () => {
  const { floor } = await openWarehouse({ B: 1 })
  const { page, faults } = await openConsole('administrator')
  await page.goto(`/staff/app/clients/${floor.client}?tab=money&part=tariff`)
  await page.getByRole('row', { name: /Сборка заказа.*склада/ }).waitFor()
  await page.getByRole('link', { name: 'Своя версия тарифа' }).click()
  const form = page.getByRole('form', { name: 'Новая версия тарифа' })
  await form.getByLabel('С какого дня действует').fill('2026-12-01')
  const packing = form.getByRole('group', { name: /^Сборка заказа/ })
  await packing.getByLabel('Цена, ₽').fill('30')
  await form.getByRole('button', { name: 'Завести версию' }).click()
  await page.getByRole('row', { name: /Сборка заказа.*30,00.*клиента/ }).waitFor()
  await page.getByRole('link', { name: 'Условия хранения', exact: true }).click()
  const terms = page.getByRole('form', { name: 'Условия хранения' })
  await terms.getByLabel('Как считать').selectOption('box')
  await terms.getByRole('button', { name: 'Сохранить условия' }).click()
  await page.getByRole('row', { name: /по коробам/ }).waitFor()
  await assertGoodPage(page, 'client-tariff')
  assert.deepEqual(faults, [])
})

// Guarantee (console): Only administrators, and managers whom they permit, see money.
test('a manager is offered money when an administrator lets them', async () => {
  const { floor } = await openWarehouse({ C: 1 })
  const manager = await openConsole('manager')
  const root = await openConsole('administrator')
  const tab = manager.page.getByRole('link', { name: 'Деньги', exact: true })
  const room = manager.page.getByRole('link', { name: 'Тарифы', exact: true })
  const clientPage = `/staff/app/clients/${floor.client}`
  await manager.page.goto(clientPage)
  await manager.page.getByRole('link', { name: 'Показатели', exact: true }).waitFor()
  assert.deepEqual([await tab.count(), await room.count()], [0, 0])
  await manager.page.goto('/staff/app/tariffs')
  await manager.page.getByText('разрешил видеть деньги').waitFor()

  await root.page.goto(`/staff/app/users?user=${manager.user}`)
  await root.page.getByLabel('Видит деньги').check()
  await root.page.getByRole('button', { name: 'Сохранить доступ' }).click()
  await root.page.getByText('Сохранено').waitFor()
  await assertGoodPage(root.page, 'user')

  await enter(manager.page, manager.login)
  await manager.page.goto(clientPage)
  await tab.click()
  await manager.page.getByRole('button', { name: 'Посчитать сейчас' }).waitFor()
  await room.click()
  await manager.page.getByRole('heading', { name: 'Тарифы', level: 1 }).waitFor()
  assert.deepEqual([...manager.faults, ...root.faults], [])
})

// Guarantee (account): Only an owner reads the months and acts of the account, down to each order.
test('an owner reads the months line by line, and a viewer is not offered money', async () => {
  const { floor } = await openMonth()
  good(await admin.post(`/clients/${floor.client}/charges/recount`))
  const [owner, viewer] = [
    await accountUser(service, { [floor.client]: 'owner' }),
    await accountUser(service, { [floor.client]: 'viewer' }),
  ]
  const { page, faults } = await openPage(service.baseUrl)
  await page.clock.setFixedTime(clock.now())
  await signIn(page, owner.login)
  await goTo(page, 'Деньги')
  await page.getByRole('heading', { name: 'Декабрь 2026' }).waitFor()
  const months = page.getByRole('region', { name: 'Месяцы', exact: true })
  await months.getByRole('row', { name: /Декабрь 2026.*открыт.*80,00/ }).waitFor()
  await page
    .getByRole('row', { name: /Сборка заказа.*80,00/ })
    .first()
    .waitFor()
  await page.getByText('По дням').click()
  await page.getByRole('region', { name: 'По дням' }).getByRole('link').click()
  await page.getByText('показать все').waitFor()
  await assertGoodPage(page, 'account-money')
  await page.getByRole('link', { name: 'Заказ N1' }).click()
  await page.getByRole('heading', { name: /N1/ }).waitFor()

  const items = [{ barcode: 'A', name: 'A', qty: 3 }]
  const announced = good<{ id: string; number: string }>(
    await floor.manager.post(`/clients/${floor.client}/receipts`, { items }),
    201,
  )
  const received = { service: 'UNIT_RECEIVED', steps: [{ up_to: null, price: '7' }] }
  const own = { first_day: '2026-12-01', prices: [received] }
  good(await admin.post(`/clients/${floor.client}/tariffs`, own), 201)
  await goTo(page, 'Приёмки')
  await page.getByRole('link', { name: announced.number }).click()
  await page.getByText('По ценам на сегодня: приёмка 21,00').waitFor()

  const other = await openPage(service.baseUrl)
  await signIn(other.page, viewer.login)
  assert.equal(await other.page.getByRole('link', { name: 'Деньги', exact: true }).count(), 0)
  assert.deepEqual([...faults, ...other.faults], [])
})

// Guarantee (console): Goods without measures are listed; each measure shows its day and who entered it.
test('a manager finds goods without measures, measures them, and reads who did', async () => {
  const { floor } = await openWarehouse({ M: 1, N: 2 })
  const { page, faults } = await openConsole('administrator')
  await page.goto(`/staff/app/clients/${floor.client}?tab=products&measured=false`)
  await page.getByRole('link', { name: 'Товар M', exact: true }).click()
  const form = page.getByRole('form', { name: 'Размеры' })
  await form.getByLabel('Длина, см').fill('12,5')
  await form.getByLabel('Ширина, см').fill('10')
  await form.getByLabel('Высота, см').fill('2000')
  await form.getByLabel('Вес, г').fill('250')
  await form.getByRole('button', { name: 'Сохранить размеры' }).click()
  await form.locator('[aria-invalid=true][name=height_cm]').waitFor()
  await form.getByLabel('Высота, см').fill('8')
  await form.getByRole('button', { name: 'Сохранить размеры' }).click()
  await page.getByRole('row', { name: /12,5 × 10 × 8 см, 250 г.*1 л/ }).waitFor()
  const list = page.getByRole('region', { name: 'Товары', exact: true })
  await list.getByRole('link', { name: 'Товар M', exact: true }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: 'Товар N', exact: true }).waitFor()
  await assertGoodPage(page, 'measures')
  assert.deepEqual(faults, [])
})

test('a manager measures many goods by a table, and reads which of its lines are wrong', async () => {
  const { floor } = await openWarehouse({ P: 1, Q: 2 })
  const { page, faults } = await openConsole('manager')
  await page.goto(`/staff/app/clients/${floor.client}?tab=products`)
  await page.getByRole('link', { name: 'Размеры из таблицы' }).click()
  const form = page.getByRole('form', { name: 'Размеры из таблицы' })
  const saving = page.waitForEvent('download')
  await form.getByRole('link', { name: 'CSV' }).click()
  const table = readFileSync(await (await saving).path(), 'utf8')
  assert.match(table, /\r\nP;/)
  const choose = async (text: string) => {
    const file = { name: 'размеры.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await form.getByLabel('Таблица').setInputFiles(file)
    await form.getByRole('button', { name: 'Загрузить размеры' }).click()
  }
  await choose(table.replaceAll(/^([PQ];.*?);;;;?$/gm, '$1;20;10;;'))
  const wrong = form.getByRole('list', { name: 'Ошибки в таблице' })
  await wrong.getByText(/строка 3, столбец „Высота, см“/).waitFor()
  await assertGoodPage(page, 'measures-file')
  await choose(table.replaceAll(/^([PQ];.*?);;;;?$/gm, '$1;20;10;5;'))
  await page.getByText(/Товаров в таблице: 2/).waitFor()
  await page.goto(`/staff/app/clients/${floor.client}?tab=products&measured=true`)
  await page.getByRole('link', { name: 'Товар Q', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

// Guarantee (console): The calculator compares a client's last month by a new version with what was charged.
test('the calculator compares the last month of a client by another version', async () => {
  const { floor, code } = await openMonth()
  const month = new Date(clock.now()).toISOString().slice(0, 7)
  good(await admin.post(`/clients/${floor.client}/charges/recount`))
  const prices = [{ service: 'ORDER_PACKED', steps: [{ up_to: null, price: '55' }] }]
  const later = { first_day: `${month}-28`, prices }
  const { items } = good<{ items: { version: number }[] }>(
    await admin.post(`/warehouses/${code}/tariffs`, later),
    201,
  )
  clock.advance(31 * 24 * 3_600_000)
  const { page, faults } = await openConsole('administrator')
  const client = `client_id=${floor.client}`
  await page.goto(`/staff/app/tariffs?warehouse=${code}&version=${items[0]?.version}&${client}`)
  const calculator = page.getByRole('region', { name: 'Калькулятор' })
  await calculator.getByRole('row', { name: /Сборка заказа.*110,00.*80,00/ }).waitFor()
  await calculator.getByText('на 30,00').waitFor()
  await assertGoodPage(page, 'calculator')
  assert.deepEqual(faults, [])
})

// Guarantee (console): The pages lead a newcomer from a client without charges to a closed month.
test('a newcomer sets prices for two clients and closes a month by the links of the pages', async () => {
  const code = 'NEWCOMER'
  good(await admin.post('/warehouses', { code, name: 'Новый склад' }), 201)
  // Where the goods came in.
  const month = '2026-11-01'
  const clients: string[] = []
  for (const barcode of ['K', 'L']) {
    const { floor } = await openWarehouse({ [barcode]: 2 })
    await service.db`update clients set warehouse_code = ${code} where id = ${floor.client}`
    clients.push(floor.client)
  }
  clock.advance(32 * 24 * 3_600_000)
  const { page, faults } = await openConsole('administrator')
  const [first, second] = clients
  const fill = async (price: string) => {
    const form = page.getByRole('form', { name: 'Новая версия тарифа' })
    await form.getByLabel('С какого дня действует').fill(month)
    await form
      .getByRole('group', { name: /^Приёмка товара/ })
      .getByLabel('Цена, ₽')
      .fill(price)
    await form.getByRole('button', { name: 'Завести версию' }).click()
    await page.getByText(/Версия тарифа заведена/).waitFor()
  }
  await page.goto(`/staff/app/clients/${first}?tab=money`)
  await page.getByRole('link', { name: 'Назвать цены склада' }).click()
  await page.getByText('чтобы закрыть прошлый месяц').waitFor()
  await fill('7')
  await page.goto(`/staff/app/clients/${second}?tab=money`)
  await page.getByRole('link', { name: 'Назвать цены клиента' }).click()
  await fill('5')
  for (const [client, sum] of [
    [first, '14,00'],
    [second, '10,00'],
  ] as const) {
    await page.goto(`/staff/app/clients/${client}?tab=money`)
    await page.getByRole('button', { name: 'Посчитать сейчас' }).click()
    await page.getByRole('link', { name: 'Проверить и закрыть' }).click()
    await page.getByText('Не начислено, потому что у услуги нет цены').first().waitFor()
    if (client === first) {
      await assertGoodPage(page, 'closing')
      const missing = page.getByRole('link', { name: `Заполнить исполнителя ${code}` })
      await missing.click()
      const who = page.getByRole('form', { name: 'Исполнитель' })
      await who.getByLabel('Название').fill(testProvider.name)
      await who.getByLabel('ИНН').fill(testProvider.inn)
      await who.getByLabel('Адрес').fill(testProvider.address)
      await who.getByLabel('Кто подписывает акты').fill(testProvider.signatory)
      await who.getByRole('button', { name: 'Сохранить исполнителя' }).click()
      await page.getByText('Исполнитель сохранён').waitFor()
      await page.goto(`/staff/app/clients/${client}?tab=money&month=${month}`)
    }
    await page.getByRole('button', { name: 'Закрыть месяц' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Закрыть месяц' }).click()
    await page.getByRole('row', { name: new RegExp(`Ноябрь 2026.*закрыт.*${sum}`) }).waitFor()
  }
  assert.deepEqual(faults, [])
})
