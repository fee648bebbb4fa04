import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/faults.ts'
import { openMarkedOrders, startMarkedService } from '../support/marked-orders.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, phone } from './browser.ts'
import { openConsole } from './console-page.ts'
import { look } from './handheld-page.ts'

/** What a manager sees of the codes of a shipment before it is closed, and does about a refused one. */
const { wb, jump, service } = await startMarkedService()
const root = await staffClient(service, 'administrator')
const barcode = ean13('460000000082')

test('a refused code stops the closing beforehand, and its order is moved to the next shipment', async () => {
  const floor = await openMarkedOrders(service, wb, barcode, 2)
  const [bad, other] = [markingCode(barcode, 1), markingCode(barcode, 2)]
  wb.delayMarks(floor.account, { unseen: 0, pending: 1_000 })
  await floor.take(0, bad)
  await floor.take(1, other)
  await eventually('both are sent', async () => (await floor.states()).join() === 'sent,sent')
  const path = `/staff/app/shipments/${floor.shipment.id}`
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager', path)
  const codes = page.getByRole('region', { name: 'Коды единиц' })
  await codes.getByText('Приняты: 0. Ждут ответа маркетплейса: 2. Не приняты: 0.').waitFor()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await page.getByText('ещё проверяет коды (2)').waitFor()
  await page.getByRole('button', { name: 'Не надо' }).click()

  wb.refuseMark(floor.account, bad, 'sgtinNotFound')
  wb.delayMarks(floor.account, { unseen: 0, pending: 0 })
  jump(300_000)
  await eventually('one is refused', async () => (await floor.states())[0] === 'refused')
  await page.reload()
  await codes.getByText('кода нет в Честном знаке').waitFor()
  await page.getByText('Закрыть', { exact: true }).hover()
  await page.getByText('Маркетплейс не принял коды: 1.').waitFor()
  await assertAccessible(page)
  const desktop = page.viewportSize()
  await page.setViewportSize(phone)
  await look(page, 'shipment-marks')
  // Above the orders: on a phone the column beside them is far below.
  const [panel, orders] = await Promise.all([
    codes.boundingBox(),
    page.getByRole('table').boundingBox(),
  ])
  assert.ok((panel?.y ?? 0) < (orders?.y ?? 0))
  if (desktop !== null) await page.setViewportSize(desktop)

  const move = codes.getByRole('button', { name: 'Перенести в следующую отгрузку' }).first()
  await move.click()
  await page.getByText('Ждут следующей отгрузки: 1 заказ').waitFor()
  await move.waitFor({ state: 'detached' })
  const order = good<{ shipment_id: string | null }>(
    await floor.manager.get(`/orders/${floor.ids[0]}`),
  )
  assert.equal(order.shipment_id, null)
  assert.deepEqual(faults, [])
})
