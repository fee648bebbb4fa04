import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { goTo, signIn as signInSeller } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { openConsole } from './console-page.ts'
import { placeOrders } from './handheld-floor.ts'

/** Wherever goods of an order or a receipt are shown, people read what they are called, with the barcode beside. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const [tea, cup] = ['4600000000017', '4600000000024'] as const
const nameOf = (barcode: string) => `Товар ${barcode}`

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('a manager reads the names of the goods of orders, shipments, receipts, boxes and places', async () => {
  const floor = await openFloor(service, { [tea]: 5, [cup]: 5 })
  const [order, both] = await placeOrders(floor, {
    'name-1': { [tea]: 1 },
    'name-2': { [tea]: 1, [cup]: 2 },
  })
  assert.ok(order && both)
  const shipment = await floor.filled([order])
  const items = [{ barcode: tea, name: nameOf(tea), qty: 1 }]
  const receipt = good<{ id: string }>(
    await floor.manager.post(`/clients/${floor.client}/receipts`, { items }),
    201,
  )
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager')
  for (const [path, row] of [
    [`orders?client_id=${floor.client}`, 'name-1'],
    [`orders/${order.id}`, tea],
    [`shipments/${shipment.id}`, 'name-1'],
    [`receipts/${receipt.id}`, tea],
  ] as const) {
    await page.goto(`/staff/app/${path}`)
    await rowOf(page, row).getByText(nameOf(tea), { exact: true }).waitFor()
    const barcode = rowOf(page, row).getByRole('link', { name: tea, exact: true })
    assert.match((await barcode.getAttribute('href')) ?? '', /stock\?.*barcode=4600000000017/)
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      await assertFitsWidth(page)
      await assertAccessible(page, path)
    }
  }
  await page.goto(`/staff/app/orders?client_id=${floor.client}`)
  await rowOf(page, 'name-2').getByText('и ещё 1 товар').waitFor()
  await page.goto(`/staff/app/shipments/${shipment.id}?form=fill`)
  await page.getByRole('form').getByText(nameOf(tea)).waitFor()
  assert.deepEqual(faults, [])
})

test('a seller reads the names of the goods of orders and shipments', async () => {
  const floor = await openFloor(service, { [tea]: 5, [cup]: 5 })
  const [order] = await placeOrders(floor, { 'seller-1': { [tea]: 1, [cup]: 1 } })
  assert.ok(order)
  await floor.filled([order])
  const { login } = await accountUser(service, { [floor.client]: 'viewer' })
  const { page, faults } = await openPage(service.baseUrl)
  await signInSeller(page, login)
  await goTo(page, 'Заказы')
  await rowOf(page, 'seller-1').getByText(nameOf(tea)).waitFor()
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await assertAccessible(page, 'orders')
  await page.setViewportSize(desktop)
  await rowOf(page, 'seller-1').getByRole('link').click()
  await rowOf(page, cup)
    .getByRole('link', { name: nameOf(cup), exact: true })
    .waitFor()
  await assertAccessible(page, 'an order')
  await page.getByRole('link', { name: /^WB-GI/ }).click()
  await rowOf(page, 'seller-1').getByText(nameOf(tea)).waitFor()
  assert.deepEqual(faults, [])
})

test('names of goods are those of the client who asks', async () => {
  const [ours, theirs] = [
    await openFloor(service, { [tea]: 1 }),
    await openFloor(service, { [cup]: 1 }),
  ]
  const seller = await accountUser(service, { [ours.client]: 'viewer' })
  const answer = await seller.get(`/names?barcodes=${tea},${cup},${tea},`)
  assert.deepEqual(good(answer), { items: [{ barcode: tea, name: nameOf(tea) }] })
  assert.notEqual(theirs.client, ours.client)
})
