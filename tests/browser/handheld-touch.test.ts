import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import type { ReturnBatchContent } from '../../src/warehouse/returns/batch-view.ts'
import type { Box } from '../../src/warehouse/storage/view.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { cutOff, openPage, phone } from './browser.ts'
import { pickedShipment, placeOrders, startCount } from './handheld-floor.ts'
import {
  addWorker,
  enterPassword,
  look,
  queueIsEmpty,
  sentence,
  signIn,
  understand,
} from './handheld-page.ts'
import { scan } from './scanner.ts'

/** Every page of the handheld in a gloved hand: large targets, and no motion for whoever wants none. */

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const tea = ean13('460123450001')
const cup = ean13('460123450002')
const shoe = ean13('460123450003')
const strange = ean13('460123450009')
const pin = '4711'
/** In pixels, each way. */
const targetMin = 56

/** What a finger must hit and is too small for it. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((min) => {
    const targets = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role=button], [tabindex="0"]',
    )
    return [...targets].flatMap((target) => {
      const { width, height } = target.getBoundingClientRect()
      const isSeen = width > 0 && height > 0
      return isSeen && (width < min || height < min)
        ? [`${width} × ${height}: ${target.outerHTML.slice(0, 200)}`]
        : []
    })
  }, targetMin)
}

/** What moves though nothing may. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isTimed = (durations: string) => durations.split(', ').some((one) => one !== '0s')
    return [document.documentElement, ...document.querySelectorAll('body *')].flatMap((element) => {
      const { animationName, animationDuration, transitionDuration, scrollBehavior } =
        getComputedStyle(element)
      const moves =
        (animationName !== 'none' && isTimed(animationDuration)) ||
        isTimed(transitionDuration) ||
        scrollBehavior === 'smooth'
      return moves ? [element.outerHTML.slice(0, 200)] : []
    })
  })
}

/** Texts that a box cuts off so close that the tails of letters such as р and у are lost. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => {
        const style = getComputedStyle(element)
        const isCut = style.overflowY !== 'visible' && element.childElementCount === 0
        const room = Number.parseFloat(style.lineHeight) / Number.parseFloat(style.fontSize)
        return isCut && element.clientHeight > 1 && element.innerText !== '' && room < 1.25
      })
      .map(({ innerText }) => innerText),
  )
}

/** A page, or a state of it, as the worker sees it now. */
async function holds(page: Page, name: string): Promise<void> {
  await look(page, `touch-${name}`)
  assert.deepEqual(await smallTargets(page), [], name)
  assert.deepEqual(await clipped(page), [], name)
  assert.deepEqual(await moving(page), [], name)
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).click()
}

async function openReceipt(floor: Floor): Promise<StaffReceipt> {
  const items = [
    { barcode: tea, name: 'Чай зелёный листовой, коробка', qty: 3 },
    { barcode: cup, name: 'Чашка', qty: 2 },
  ]
  return good(await floor.manager.post(`/clients/${floor.client}/receipts`, { items }), 201)
}

async function throughSignIn(page: Page, floor: Floor): Promise<void> {
  const workers = [await addWorker(administrator), await addWorker(administrator)]
  for (const { id } of workers) good(await administrator.put(`/users/${id}/pin`, { pin }))
  const device = good<{ code: string }>(
    await floor.manager.post('/devices', { name: 'ТСД-9' }),
    201,
  )
  await page.goto('/staff/scan')
  await page.getByLabel('Пароль').waitFor()
  await holds(page, 'sign-in')
  await press(page, 'Зарегистрировать терминал')
  await page.getByLabel('Код от менеджера').fill(device.code)
  await holds(page, 'enrol')
  await page.keyboard.press('Enter')
  await page.getByText('зарегистрирован').waitFor()
  for (const { login } of workers) {
    await page.getByLabel('Логин').fill(login)
    await page.getByLabel('PIN').fill(pin)
    await press(page, /^Войти$/)
    await page.getByRole('heading', { name: login }).waitFor()
    await press(page, 'Выйти')
    await page.getByLabel('PIN').waitFor()
  }
  await holds(page, 'pin')
}

async function throughHome(page: Page, floor: Floor, login: string): Promise<void> {
  await press(page, 'Войти по паролю')
  await signIn(page, login)
  await page.getByRole('heading', { name: 'Пересчитать' }).waitFor()
  await holds(page, 'home')
  await press(page, /^Код$/)
  await holds(page, 'typed-code')
  await press(page, 'Сканировать камерой')
  await page.getByRole('alert').waitFor()
  await holds(page, 'camera')
  await press(page, 'Выключить камеру')
  const { warehouse_code } = floor
  const station = { warehouse_code, name: 'Упаковка 1', formats: ['58x40'] }
  good(await floor.manager.post('/print-stations', station), 201)
  await page.goto('/staff/scan/labels')
  await page.getByRole('button', { name: 'Упаковка 1' }).waitFor()
  await holds(page, 'station')
  await page.goto(`/staff/scan/code?code=${tea}`)
  await page.getByRole('heading', { name: 'Товар' }).first().waitFor()
  await holds(page, 'code')
}

async function throughReceiving(page: Page, { id }: StaffReceipt): Promise<void> {
  await page.goto(`/staff/scan/receiving/${id}`)
  await page.getByRole('button', { name: 'Начать приёмку' }).waitFor()
  await holds(page, 'receiving')
  await press(page, 'Начать приёмку')
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  await scan(page, tea)
  await page.locator('.figure').waitFor()
  await holds(page, 'receiving-good')
  await press(page, 'Добавить ещё несколько')
  await holds(page, 'receiving-quantity')
  await press(page, 'Отмена')
  await scan(page, strange)
  await page.getByLabel('Название').waitFor()
  await holds(page, 'receiving-unlisted')
  await press(page, 'Отмена')
  await press(page, 'Завершить приёмку')
  await page.getByLabel('Чашка: нет 2').waitFor()
  await holds(page, 'receiving-finish')
  await press(page, 'Отмена')
  await page.goto('/staff/scan/walk-in')
  await page.getByText('Отсканируйте товар, короб').waitFor()
  await scan(page, tea)
  await page.getByRole('heading', { name: 'Чей это товар?' }).waitFor()
  await holds(page, 'walk-in')
}

async function throughPlaces(page: Page, { sscc }: Box): Promise<void> {
  await page.goto('/staff/scan/placing')
  await page.getByText('Отсканируйте номер короба или паллеты').waitFor()
  await scan(page, sscc ?? '')
  await sentence(page, 'Теперь место')
  await holds(page, 'placing')
  await scan(page, strange)
  await sentence(page, 'это не место')
  await holds(page, 'placing-alarm')
  await understand(page)
  await page.goto('/staff/scan/units?verb=put&location=T-01')
  await page.locator('.place', { hasText: 'T-01' }).waitFor()
  await scan(page, shoe)
  await page.getByRole('dialog', { name: 'Чей это товар?' }).waitFor()
  await holds(page, 'units-owner')
  await page.getByRole('dialog').getByRole('button').first().click()
  await page.locator('.figure').waitFor()
  await holds(page, 'units')
}

async function throughPicking(page: Page, floor: Floor): Promise<void> {
  const orders = await placeOrders(floor, { T1: { [tea]: 1 }, T2: { [cup]: 1 }, T3: { [shoe]: 1 } })
  await service.db`
    update order_lines set required_marks = array['imei', 'country'] where order_id = ${orders[2]?.id ?? ''}`
  const shipment = await floor.filled(orders)
  await page.goto(`/staff/scan/picking/${shipment.picking_task_id}`)
  await page.getByText('Собрано 0 из 3').waitFor()
  await holds(page, 'picking')
  await scan(page, shoe)
  await page.getByLabel('IMEI').waitFor()
  await holds(page, 'picking-marks')
  await press(page, 'Отмена')
  await press(page, 'Товара нет')
  await page.getByRole('dialog').getByRole('button').nth(1).waitFor()
  await holds(page, 'picking-miss')
  await press(page, 'Отмена')
  await scan(page, strange)
  await sentence(page, 'не из этого задания')
  await holds(page, 'picking-alarm')
  await understand(page)
  await scan(page, tea)
  await sentence(page, 'Заказ T1 собран')
  await press(page, 'Показать этикетку')
  await page.getByRole('img', { name: 'Этикетка заказа' }).waitFor()
  await holds(page, 'picking-sticker')
  await press(page, 'Закрыть')
  await holds(page, 'picking-full')
}

async function throughChecking(page: Page, floor: Floor): Promise<void> {
  const shipment = await pickedShipment(floor, { C1: { [tea]: 1 }, C2: { [cup]: 2 } })
  await page.goto('/staff/scan/checking')
  await page.getByText('Отсканируйте этикетку заказа').waitFor()
  await holds(page, 'find-parcel')
  await page.goto(`/staff/scan/checking/${shipment.picking_task_id}`)
  await page.getByText('Проверено 0 из 2').waitFor()
  await scan(page, 'C2')
  await sentence(page, 'Заказ C2')
  await scan(page, cup)
  await page.locator('.figure').waitFor()
  await holds(page, 'checking')
}

async function throughCounting(page: Page, count: string): Promise<void> {
  await page.goto(`/staff/scan/counting/${count}`)
  await page.getByText('Обойдено мест').waitFor()
  await holds(page, 'counting')
  await scan(page, 'T-01')
  await sentence(page, 'Считайте товар')
  await scan(page, shoe)
  await page.locator('.figure').waitFor()
  await holds(page, 'counting-good')
  await press(page, /^Числом$/)
  await scan(page, shoe)
  await page.getByLabel('Сколько штук').waitFor()
  await holds(page, 'counting-number')
  await press(page, 'Отмена')
}

async function throughReturns(page: Page, { id }: ReturnBatchContent): Promise<void> {
  await page.goto('/staff/scan/returns')
  await page.getByText('сканируйте любой код с единицы').waitFor()
  await holds(page, 'returns')
  await page.goto(`/staff/scan/returns/${id}?condition=sellable`)
  await page.getByRole('button', { name: 'Закончить приём возвратов' }).waitFor()
  await scan(page, 'B1')
  await page.locator('.figure').waitFor()
  await queueIsEmpty(page)
  await holds(page, 'return-good')
  await press(page, 'Закончить приём возвратов')
  await holds(page, 'return-finish')
  await press(page, 'Отмена')
}

test('every page of the handheld has targets for a gloved finger, and nothing moves where the worker wants no motion', async () => {
  const floor = await openFloor(service, { [tea]: 9, [cup]: 9, [shoe]: 9 })
  await openFloor(service, { [tea]: 1, [shoe]: 1 })
  const { warehouse_code } = floor
  good(await administrator.post('/locations', { warehouse_code, code: 'T-01' }), 201)
  const box = good<Box>(await floor.worker.post('/boxes', { client_id: floor.client }), 201)
  const receipt = await openReceipt(floor)
  const count = await startCount(floor, { locations: ['T-01'] })
  const left = await pickedShipment(floor, { B1: { [tea]: 1 }, B2: { [cup]: 1 } })
  good(await floor.worker.post(`/shipments/${left.id}/close`))
  const expected = [{ external_id: 'B1' }, { external_id: 'B2' }]
  const draft = { client_id: floor.client, expected }
  const batch = good<ReturnBatchContent>(await floor.manager.post('/returns', draft), 201)
  const { page, faults } = await openPage(service.baseUrl, {
    viewport: phone,
    reducedMotion: 'reduce',
  })
  const { login, id } = await addWorker(administrator)
  await throughSignIn(page, floor)
  await throughHome(page, floor, login)
  await throughReceiving(page, receipt)
  await throughPlaces(page, box)
  await throughPicking(page, floor)
  await throughChecking(page, floor)
  await throughCounting(page, count)
  await throughReturns(page, batch)

  // The session ends among scans, and another worker's scans wait.
  const mend = await cutOff(page, '**/scans')
  await scan(page, 'B2')
  await page.getByText('В очереди: 1').waitFor()
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('button', { name: 'Выйти' }).waitFor()
  await holds(page, 'home-waiting')
  await service.db`delete from staff_sessions where user_id = ${id}`
  mend()
  const again = page.getByRole('dialog', { name: 'Войдите снова' })
  await again.locator('[name=pin]:focus').waitFor()
  await holds(page, 'sign-in-again')
  await press(page, 'Войти по паролю')
  await enterPassword(page)
  await again.waitFor({ state: 'hidden' })
  assert.deepEqual(faults, [])
})
