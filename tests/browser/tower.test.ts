import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { eventually } from '../support/faults.ts'
import { openMarkedOrders, startMarkedService } from '../support/marked-orders.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, phone } from './browser.ts'
import { openConsole } from './console-page.ts'

/** The first page leads a manager: what burns, with its action and the way back, and how the day goes. */
const { wb, jump, service } = await startMarkedService()
const root = await staffClient(service, 'administrator')
const barcode = ean13('460000000099')

const openToday = (client: string) =>
  openConsole(root, service.baseUrl, 'manager', `/staff/app?client_id=${client}`)

test('an order whose code was refused burns, is put into the next shipment by one press, and comes back by another', async () => {
  const floor = await openMarkedOrders(service, wb, barcode, 2)
  const [bad, other] = [markingCode(barcode, 1), markingCode(barcode, 2)]
  wb.refuseMark(floor.account, bad, 'sgtinNotFound')
  await floor.take(0, bad)
  await floor.take(1, other)
  jump(300_000)
  await eventually('one is refused', async () => (await floor.states())[0] === 'refused')
  const { page, faults } = await openToday(floor.client)
  const card = page.getByRole('listitem').filter({ hasText: `Заказ ${floor.numbers[0]}` })
  await card.getByText('WB не принял код маркировки: кода нет в Честном знаке').waitFor()
  const burning = page.locator('section').filter({ hasText: 'Что горит' })
  const things = await burning.getByRole('listitem').count()
  await page.getByRole('heading', { name: `Что горит: ${things}`, exact: true }).waitFor()
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'a refused mark')
  }
  const shipmentOf = async () =>
    good<{ shipment_id: string | null }>(await floor.manager.get(`/orders/${floor.ids[0]}`))
      .shipment_id
  await card.getByRole('button', { name: 'В следующую отгрузку', exact: true }).click()
  await card.waitFor({ state: 'detached' })
  assert.equal(await shipmentOf(), null)
  await page
    .getByRole('status')
    .filter({ hasText: 'ждёт следующей отгрузки' })
    .getByRole('button', { name: 'Отменить', exact: true })
    .click()
  await eventually('it is back', async () => (await shipmentOf()) === floor.shipment.id)
  assert.deepEqual(faults, [])
})

test('the number of orders that lack goods leads to exactly these orders', async () => {
  const goods = '4600000000031'
  const floor = await openFloor(service, { [goods]: 1, '4600000000048': 9 })
  await floor.orders({ 'short-1': goods, 'short-2': goods, 'fine-1': '4600000000048' })
  const { page, faults } = await openToday(floor.client)
  const card = page.getByRole('listitem').filter({ hasText: `Товар ${goods}` })
  await card.getByRole('link', { name: /^2 заказа/ }).click()
  const list = page.getByRole('region', { name: 'Заказы', exact: true })
  await list.getByText('short-1').waitFor()
  await list.getByText('short-2').waitFor()
  assert.equal(await list.getByText('fine-1').count(), 0)
  await page.goBack()
  await page.getByRole('link', { name: 'Не хватает товара', exact: true }).click()
  await list.getByText('short-1').waitFor()
  assert.equal(await list.getByText('fine-1').count(), 0)
  assert.deepEqual(faults, [])
})

test('the day is drawn by hours beside yesterday, and read by the keys', async () => {
  const floor = await openFloor(service, { [barcode]: 5 })
  const [order] = await floor.orders({ [`curve-${randomUUID().slice(0, 8)}`]: barcode })
  assert.ok(order)
  const empty = await openToday(floor.client)
  await empty.page.getByRole('heading', { name: 'Что ждёт сегодня', exact: true }).waitFor()
  assert.equal(await empty.page.getByRole('region', { name: 'Как идёт день' }).count(), 0)
  const shipment = await floor.filled([order])
  const pick = { scan_id: randomUUID(), order_id: order.id, barcode }
  good(await floor.pick(shipment.picking_task_id, pick))
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const { page, faults } = empty
  await page.reload()
  const curve = page.getByRole('slider', { name: 'Передано заказов', exact: true })
  assert.equal(await curve.getAttribute('aria-valuetext'), 'всего 1, вчера за весь день 0')
  // The hour that runs is no fall of the curve.
  await page
    .getByText(/^Пунктир — вчера; точка — \d\d:00, ещё идёт$/)
    .first()
    .waitFor()
  await curve.press('Home')
  assert.match((await curve.getAttribute('aria-valuetext')) ?? '', /^00:00: /)
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    await assertFitsWidth(page)
    await assertAccessible(page, 'the curve')
  }
  assert.deepEqual(faults, [])
})

test('while nothing burns the first page says what to do next', async () => {
  const goods = '4600000000055'
  const floor = await openFloor(service, { [goods]: 5 })
  const { page, faults } = await openToday(floor.client)
  await page.getByRole('heading', { name: 'Ничего не горит', exact: true }).waitFor()
  await page.getByText('Новые заказы появятся здесь сами').waitFor()
  await floor.orders({ 'calm-1': goods, 'calm-2': goods })
  await page.reload()
  await page.getByRole('link', { name: '2 заказа ждут сборки', exact: true }).click()
  const list = page.getByRole('region', { name: 'Заказы', exact: true })
  await list.getByText('calm-1').waitFor()
  await list.getByText('calm-2').waitFor()
  assert.deepEqual(faults, [])
})
