import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, phone } from './browser.ts'
import { openConsole } from './console-page.ts'

/** The barcodes under which a product is scanned besides its own, on the console. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const [tea, cup, supplied] = ['4600000000017', '4600000000024', '4600000000031'] as const

test('a manager adds another barcode to a product, is refused the barcode of other goods, and removes one', async () => {
  const { client } = await openFloor(service, { [tea]: 5, [cup]: 5 })
  const path = `/staff/app/clients/${client}?tab=products&product=${tea}`
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager', path)
  const section = page.getByRole('region', { name: 'Другие штрихкоды товара', exact: true })
  const add = async (barcode: string) => {
    await section.getByLabel('Другой штрихкод', { exact: true }).fill(barcode)
    await page.keyboard.press('Enter')
  }
  await section.getByText('сканы и заказы под ним найдут этот товар').waitFor()
  await add(cup)
  await section.getByText(`уже у другого товара этого клиента, «Товар ${cup}»`).waitFor()
  await add(supplied)
  await section.getByText(supplied, { exact: true }).waitFor()
  assert.equal(await section.getByLabel('Другой штрихкод', { exact: true }).inputValue(), '')
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'with another barcode')
  }
  await section.getByRole('button', { name: `Убрать ${supplied}`, exact: true }).click()
  await section.getByText('сканы и заказы под ним найдут этот товар').waitFor()
  assert.deepEqual(faults, [])
})

test('a manager sees what merging would move, merges two products, and finds the other one behind the old barcode', async () => {
  const { client, orders } = await openFloor(service, { [tea]: 5, [cup]: 3 })
  await orders({ [`M-${client}`]: cup })
  const path = `/staff/app/clients/${client}?tab=products&product=${tea}`
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager', path)
  const section = page.getByRole('region', { name: 'Объединение товаров', exact: true })
  const ask = async (barcode: string) => {
    await section.getByLabel('Штрихкод второго товара', { exact: true }).fill(barcode)
    await page.keyboard.press('Enter')
  }
  await ask(tea)
  await section.getByText('Это один и тот же товар').waitFor()
  await section.getByRole('button', { name: 'Не объединять' }).click()
  await ask(cup)
  await section.getByText('3 шт.', { exact: true }).waitFor()
  await section.getByText('1 заказ', { exact: true }).waitFor()
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'with what merging moves')
  }
  await section.getByRole('button', { name: 'Объединить', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Обратно не разделить').waitFor()
  await dialog.getByRole('button', { name: 'Объединить', exact: true }).click()
  const others = page.getByRole('region', { name: 'Другие штрихкоды товара', exact: true })
  await others.getByText(cup, { exact: true }).waitFor()
  await page.goto(`${service.baseUrl}/staff/app/clients/${client}?tab=products&product=${cup}`)
  await page.getByText('объединён с товаром').waitFor()
  await page.getByRole('link', { name: tea, exact: true }).click()
  await others.getByText(cup, { exact: true }).waitFor()
  assert.deepEqual(faults, [])
})
