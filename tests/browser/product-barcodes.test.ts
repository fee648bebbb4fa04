import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'

/** The barcodes under which a product is scanned besides its own, on the console. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const password = 'верный пароль менеджера'
const [tea, cup, supplied] = ['4600000000017', '4600000000024', '4600000000031'] as const

test('a manager adds another barcode to a product, is refused the barcode of other goods, and removes one', async () => {
  const { client } = await openFloor(service, { [tea]: 5, [cup]: 5 })
  const login = `manager-${randomUUID().slice(0, 8)}`
  good(await root.post('/users', { login, role: 'manager', password }), 201)
  const { page, faults } = await openPage(service.baseUrl)
  await page.goto(`/staff/app/clients/${client}?tab=products&product=${tea}`)
  await page.getByLabel('Логин', { exact: true }).fill(login)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
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
