import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, assertReadable, desktop, openPage } from './browser.ts'
import { password } from './handheld-page.ts'

/** Money on the pages: who may see it, price lists, a month from its first charge to its act, and the seller's side. */

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')

const shots = process.env.SHOTS
const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 740 }

/** The page is good on a desk and on a phone, light and dark. */
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
  const login = `${role}-${crypto.randomUUID().slice(0, 8)}`
  const user = good<{ id: string }>(await admin.post('/users', { login, role, password }), 201)
  const opened = await openPage(service.baseUrl)
  const { page } = opened
  await page.clock.setFixedTime(clock.now())
  await page.goto('/staff/app')
  await page.getByLabel('Логин').fill(login)
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Выйти' }).waitFor()
  return { ...opened, user: user.id }
}

async function openWarehouse(goods: Readonly<Record<string, number>>) {
  const floor = await openFloor(service, goods)
  const { warehouse_code: code, name } = good<{ warehouse_code: string; name: string }>(
    await admin.get(`/clients/${floor.client}`),
  )
  return { floor, code, name }
}

const provider = {
  ...{ first_day: '2026-01-01', name: 'ООО «Склад»', inn: '7707083893', kpp: null },
  ...{ address: 'Москва', signatory: 'Директор Иванов И. И.', vat_rate: 22, vat_included: false },
}

// Guarantee (console): A price list is read, and a new version begins from the one in force.
test('an administrator names provider, own service and prices, and reads the price list', async () => {
  const { code } = await openWarehouse({ T: 1 })
  const { page, faults } = await openConsole('administrator')
  await page.goto(`/staff/app/tariffs?warehouse=${code}`)
  await page.getByText('Тарифа ещё нет').waitFor()

  await page.getByRole('link', { name: 'Исполнитель', exact: true }).click()
  const who = page.getByRole('form', { name: 'Исполнитель' })
  await who.getByLabel('Название').fill(provider.name)
  await who.getByLabel('ИНН').fill('7707083894')
  await who.getByLabel('Адрес').fill(provider.address)
  await who.getByLabel('Кто подписывает акты').fill(provider.signatory)
  await who.getByLabel('НДС', { exact: true }).selectOption('22')
  await who.getByRole('button', { name: 'Сохранить исполнителя' }).click()
  await who.locator('[aria-invalid=true][name=inn]').waitFor()
  await who.getByLabel('ИНН').fill(provider.inn)
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
