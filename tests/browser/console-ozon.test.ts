import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { StaffOrder } from '../../src/warehouse/orders/staff-view.ts'
import { eventually } from '../support/faults.ts'
import { startFakeOzon } from '../support/marketplaces/ozon.ts'
import { startService } from '../support/service.ts'
import { openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, phone } from './browser.ts'
import { openConsole as openConsoleOf } from './console-page.ts'
import { done } from './console-world.ts'

/** Orders of OZON that leave in several boxes, and labels of goods: what the console asks, refuses and does. */
const fake = await startFakeOzon()
after(() => fake.close())
const service = await startService({ OZON_BASE_URL: fake.baseUrl, SYNC_INTERVAL: '1h' }, 'all')
const root = await staffClient(service, 'administrator')
const barcode = '4600000000015'

/** A connected cabinet with one order of three units, which the first sync has taken in. */
async function addOrder(raw: Readonly<Record<string, unknown>>) {
  const floor = await openFloor(service, { [barcode]: 3 })
  const account = fake.account()
  const card = fake.addCard(account, { barcodes: [barcode] })
  const line = { itemId: card.itemId, article: card.article, barcode, quantity: 3 }
  const number = fake.addOrder(account, { lines: [line], raw })
  const draft = { marketplace: 'OZON', name: 'OZON', shipments: 'ours' }
  const { id: cabinet } = await done<{ id: string }>(
    root.post(`/clients/${floor.client}/cabinets`, { ...draft, credentials: account.credentials }),
  )
  await done(root.patch(`/cabinets/${cabinet}`, { warehouses: [fake.ownWarehouse] }))
  const orders = async () =>
    (await done<{ items: StaffOrder[] }>(root.get(`/orders?client_id=${floor.client}`))).items
  await eventually('the order is there', async () => (await orders()).length === 1)
  const [order] = await orders()
  assert.ok(order)
  return { account, number, order, orders, card, client: floor.client }
}

const openConsole = (path: string) =>
  openConsoleOf(root, service.baseUrl, 'manager', `/staff/app/${path}`)

async function assertWellMade(page: Page): Promise<void> {
  await assertAccessible(page)
  const desktop = page.viewportSize()
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  if (desktop !== null) await page.setViewportSize(desktop)
}

test('the warning of an order in several boxes leads to their number, which OZON gets', async () => {
  const { account, number, order } = await addOrder({ is_multibox: true })
  const { page, faults } = await openConsole(`orders/${order.id}`)
  await page.getByRole('link', { name: 'Назвать', exact: true }).click()
  const form = page.getByRole('form', { name: 'Сколько коробок', exact: true })
  const count = form.getByLabel('Коробок у заказа', { exact: true })
  await assertWellMade(page)
  await count.fill('100000')
  await page.keyboard.press('Enter')
  await form.locator('[name=count][aria-invalid=true]:focus').waitFor()
  assert.equal(await count.inputValue(), '100000')
  assert.equal(fake.boxesOf(account, number), 0)
  await count.fill('2')
  await page.keyboard.press('Enter')
  await page.getByText(`Коробок у заказа ${number}: 2`, { exact: true }).waitFor()
  await form.waitFor({ state: 'hidden' })
  assert.equal(fake.boxesOf(account, number), 2)
  await page.getByRole('link', { name: 'Назвать', exact: true }).waitFor({ state: 'hidden' })
  assert.deepEqual(faults, [])
})

test('an order is split by boxes on its page, and what does not add up is refused with everything kept', async () => {
  const { number, order, orders, card } = await addOrder({})
  const { page, faults } = await openConsole(`orders/${order.id}`)
  await page.getByRole('link', { name: 'Разделить', exact: true }).click()
  const form = page.getByRole('form', { name: 'Разделить заказ', exact: true })
  const unitsIn = (box: number) =>
    form.getByRole('group', { name: `Коробка ${box}`, exact: true }).getByLabel(card.article)
  assert.deepEqual([await unitsIn(1).inputValue(), await unitsIn(2).inputValue()], ['3', '0'])
  await form.getByRole('button', { name: 'Ещё коробка', exact: true }).click()
  await unitsIn(3).waitFor()
  await assertWellMade(page)
  await unitsIn(1).fill('1')
  await unitsIn(2).fill('1')
  const split = form.getByRole('button', { name: 'Разделить', exact: true })
  await split.click()
  await form
    .getByText(/разложите все единицы/i)
    .first()
    .waitFor()
  assert.deepEqual([await unitsIn(1).inputValue(), await unitsIn(3).inputValue()], ['1', '0'])
  assert.equal((await orders()).length, 1)
  await unitsIn(1).fill('2')
  await split.click()
  await page.getByText(`Заказ ${number} разделён: 2 новых заказа`, { exact: true }).waitFor()
  const list = page.getByRole('region', { name: 'Заказы', exact: true })
  await list.getByRole('link', { name: `${number}-1`, exact: true }).waitFor()
  await list.getByRole('link', { name: `${number}-2`, exact: true }).waitFor()
  const now = await orders()
  assert.deepEqual(
    now.map(({ external_id, status, lines }) => [external_id, status, lines[0]?.qty]).toSorted(),
    [
      [number, 'CANCELLED', 3],
      [`${number}-1`, 'ASSEMBLING', 2],
      [`${number}-2`, 'ASSEMBLING', 1],
    ],
  )
  assert.deepEqual(faults, [])
})

test('labels of goods are a PDF of as many as were asked for', async () => {
  const { client } = await addOrder({})
  const { page, faults } = await openConsole(`stock?client_id=${client}&of=${barcode}&form=labels`)
  const form = page.getByRole('form', { name: 'Этикетки товара', exact: true })
  const copies = form.getByLabel('Сколько этикеток', { exact: true })
  await copies.waitFor()
  await assertWellMade(page)
  await copies.fill('1000000')
  await page.keyboard.press('Enter')
  await form.locator('[name="items[0].copies"][aria-invalid=true]:focus').waitFor()
  await copies.fill('3')
  await form.getByLabel('Срок годности', { exact: true }).fill('завтра')
  await page.keyboard.press('Enter')
  await form.locator('[name="items[0].expires_on"][aria-invalid=true]:focus').waitFor()
  await form.getByLabel('Срок годности', { exact: true }).fill('12.2027')
  await form.getByLabel('Номер партии', { exact: true }).fill('A17')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Скачать PDF', exact: true }).click(),
  ])
  assert.equal(file.suggestedFilename(), 'etiketki-tovara.pdf')
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk)
  const pdf = Buffer.concat(chunks).toString('latin1')
  assert.match(pdf, /^%PDF-/)
  assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 3)
  await page.getByText('Этикетки готовы', { exact: false }).waitFor()
  assert.deepEqual(faults, [])
})
