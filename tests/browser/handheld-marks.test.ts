import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/faults.ts'
import { openMarkedOrders, startMarkedService } from '../support/marked-orders.ts'
import { ean13, markingCode } from '../support/marking-codes.ts'
import { staffClient } from '../support/staff.ts'
import { look, openHandheld } from './handheld-page.ts'

/** What a worker sees of a code that the marketplace refuses while its shipment is picked. */
const { wb, jump, service } = await startMarkedService()
const root = await staffClient(service, 'administrator')
const barcode = ean13('460000000091')

test('a refused code is shown with its parcel and what to do, until another unit is in its place', async () => {
  const floor = await openMarkedOrders(service, wb, barcode, 2)
  const [bad = '', other = '', next = ''] = [1, 2, 3].map((unit) => markingCode(barcode, unit))
  wb.refuseMark(floor.account, bad, 'sgtinNotFound')
  await floor.take(0, bad)
  await floor.take(1, other)
  await eventually('both are sent', async () => (await floor.states()).join() === 'sent,sent')
  jump(21_000)
  await eventually('one is refused', async () => (await floor.states())[0] === 'refused')
  const { page, faults } = await openHandheld(root, service.baseUrl)
  await page.goto(`/staff/scan/picking/${floor.task}`)
  const notice = page.getByRole('alert').locator('.notice', { hasText: floor.numbers[0] ?? '' })
  await notice.getByText('Достаньте «').waitFor()
  await notice.getByText('кода нет в Честном знаке. Отложите единицу для менеджера').waitFor()
  await look(page, 'refused-mark')
  await page.getByRole('button', { name: 'Отдать задание' }).click()
  await page.waitForURL('**/staff/scan')
  await floor.take(0, next, 'again')
  await page.goto(`/staff/scan/picking/${floor.task}`)
  await page.getByText('Собрано 2 из 2 заказов').waitFor()
  await notice.waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})

test('several refused codes are shown each with its parcel, in the packing check, too', async () => {
  const floor = await openMarkedOrders(service, wb, ean13('460000000092'), 2)
  const codes = [1, 2].map((unit) => markingCode(ean13('460000000092'), unit))
  for (const [n, code] of codes.entries()) {
    wb.refuseMark(floor.account, code, 'sgtinNotFound')
    await floor.take(n, code)
  }
  await eventually('both are sent', async () => (await floor.states()).join() === 'sent,sent')
  jump(21_000)
  const bothRefused = async () => (await floor.states()).join() === 'refused,refused'
  await eventually('both are refused', bothRefused)
  const { page, faults } = await openHandheld(root, service.baseUrl)
  for (const work of ['picking', 'checking']) {
    await page.goto(`/staff/scan/${work}/${floor.task}`)
    for (const number of floor.numbers) {
      await page.getByRole('alert').getByText(`из посылки ${number}`).waitFor()
    }
  }
  await look(page, 'refused-marks')
  assert.deepEqual(faults, [])
})
