import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, phone } from './browser.ts'
import { openConsole } from './console-page.ts'
import { openHandheld, queueIsEmpty, sentence } from './handheld-page.ts'
import { scan } from './scanner.ts'

/** A picker stands before an empty place, a manager decides, and the picker goes on. */

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const tea = ean13('460123450001')

const openManager = () => openConsole(administrator, service.baseUrl, 'manager')

/** Units of tea at two locations, and a shipment with an order for each number. */
async function openScene(prefix: string, numbers: readonly string[]) {
  const floor = await openFloor(service, { [tea]: 3 })
  const { warehouse_code } = floor
  const codes = [`${prefix}-1`, `${prefix}-2`] as const
  for (const [n, code] of codes.entries()) {
    good(await floor.manager.post('/locations', { warehouse_code, code }), 201)
    const put = { scan_id: code, client_id: floor.client, barcode: tea, qty: n + 1 }
    good(await floor.worker.post(`/locations/${code}/put`, put))
  }
  const orders = await floor.orders(Object.fromEntries(numbers.map((number) => [number, tea])))
  const shipment = await floor.filled(orders)
  return { floor, orders, shipment, codes }
}

async function reportNothing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Товара нет' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Место хранения пусто' }).click()
  await sentence(page, 'решит менеджер')
  await queueIsEmpty(page)
}

async function assertGoodPage(page: Page): Promise<void> {
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size)
    await assertFitsWidth(page)
    await assertAccessible(page)
  }
  await page.setViewportSize(desktop)
}

// Guarantee (console): Managers see on their first page what a picker does not find, and the picker reads the decision.
test('a picker finds no goods, a manager names another place, and the picker takes them there', async () => {
  const { floor, orders, shipment, codes } = await openScene('MISS-A', ['MA1', 'MA2'])
  const [here, there] = codes
  const handheld = await openHandheld(administrator, service.baseUrl)
  const picker = handheld.page
  await picker.getByRole('link', { name: shipment.external_id ?? '' }).click()
  await picker.getByText(here).first().waitFor()
  await reportNothing(picker)

  const { page, faults } = await openManager()
  const card = page.locator('section', { hasText: 'Не нашли при сборке' })
  await card.getByText('Место хранения пусто').waitFor()
  await card.getByText(here).waitFor()
  await assertGoodPage(page)
  await page.goto(`/staff/app/shipments/${shipment.id}`)
  await page.getByRole('region', { name: 'Не нашли при сборке' }).getByText('MA1').waitFor()
  await page.goto(`/staff/app/orders/${orders[0]?.id}`)
  await page.getByRole('region', { name: 'Не нашли при сборке' }).waitFor()
  await assertGoodPage(page)
  await page.getByRole('link', { name: /^Другое место/ }).click()
  const form = page.getByRole('form', { name: /^Не нашли/ })
  await form.getByLabel('Где взять').selectOption({ label: `${there}: 2 шт.` })
  await form.getByLabel('Комментарий').fill('Верхняя полка')
  await assertGoodPage(page)
  await form.getByRole('button', { name: 'Решить' }).click()
  await page.getByText('MA1: взять в другом месте').waitFor()
  await page.getByText('Таких товаров нет').waitFor()
  for (const href of [`orders/${orders[0]?.id}`, `shipments/${shipment.id}`]) {
    await page.goto(`/staff/app/${href}`)
    const journal = page.getByRole('region', { name: 'Журнал' })
    await journal.getByText('Решено взять в другом месте').waitFor()
    await journal.getByText('комментарий: нет → Верхняя полка').waitFor()
    await journal.getByText('Товар не найден').waitFor()
  }

  await picker.reload()
  await picker.getByText(`Менеджер решил: возьмите на месте ${there}. Верхняя полка`).waitFor()
  await scan(picker, tea)
  await sentence(picker, 'Заказ MA1 собран')
  await queueIsEmpty(picker)
  assert.equal((await floor.task(shipment)).packed_count, 1)
  assert.deepEqual([...faults, ...handheld.faults], [])
})

test('a manager takes the order out from the first page, and the picker reads that it is gone', async () => {
  const { floor, orders, shipment } = await openScene('MISS-B', ['MB1'])
  const handheld = await openHandheld(administrator, service.baseUrl)
  const picker = handheld.page
  await picker.getByRole('link', { name: shipment.external_id ?? '' }).click()
  await reportNothing(picker)

  const { page, faults } = await openManager()
  const card = page.locator('section', { hasText: 'Не нашли при сборке' })
  const miss = card.getByRole('listitem').filter({ hasText: 'MB1' })
  await miss.getByText('Убрать заказ').waitFor()
  // The decisions stand in one line, beside the miss or below it.
  for (const width of [1440, 1279, 1024, 800]) {
    await page.setViewportSize({ width, height: 800 })
    const tops = await miss
      .locator('.decisions > *')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top))
    assert.equal(tops.length, 3)
    assert.equal(new Set(tops).size, 1, `${width} px`)
    await assertFitsWidth(page)
  }
  await miss.getByText('Убрать заказ').click()
  const form = page.getByRole('form', { name: /^Не нашли/ })
  await form.getByLabel('Ненайденные единицы').selectOption({ label: 'Списать: товар утерян' })
  await form.getByRole('button', { name: 'Решить' }).click()
  await page.getByText('MB1: заказ убран из отгрузки').waitFor()

  await picker.reload()
  await picker.getByText('Менеджер убрал из отгрузки: MB1').waitFor()
  assert.equal((await floor.order(orders[0]?.id ?? '')).shipment_id, null)
  assert.deepEqual(await floor.stock(tea), [2, 0])
  assert.deepEqual([...faults, ...handheld.faults], [])
})
