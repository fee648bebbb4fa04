import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listOf, pathOf, paths } from '../../web/console/paths.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, phone } from './browser.ts'
import { addUser, openConsole } from './console-page.ts'

/** What can be taken back is done at one press, and a toast takes it back. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const open = (path: string) => openConsole(root, service.baseUrl, 'administrator', path)

const said = (page: Page) => page.getByRole('status').locator('.toast')
const undo = (page: Page) => said(page).getByRole('button', { name: 'Отменить', exact: true })

async function isOpen(code: string): Promise<boolean | undefined> {
  const { items } = good<{ items: { code: string; intake_open: boolean }[] }>(
    await root.get('/warehouses'),
  )
  return items.find((each) => each.code === code)?.intake_open
}

async function addWarehouse(): Promise<string> {
  const code = `U-${randomUUID().slice(0, 6)}`
  good(await root.post('/warehouses', { code, name: 'Склад' }), 201)
  return code
}

test('a warehouse closes at one press, and a key takes it back from another page', async () => {
  const code = await addWarehouse()
  const { page, faults } = await open(paths.warehouses)
  const row = page.getByRole('row', { name: code })
  await row.getByRole('button', { name: 'Закрыть приём', exact: true }).click()
  await said(page).getByText(`Склад ${code} больше не принимает заявок`, { exact: false }).waitFor()
  assert.equal(await isOpen(code), false)
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Причины', exact: true }).click()
  await page.getByRole('heading', { name: 'Причины', level: 1 }).waitFor()
  await undo(page).waitFor()
  await page.keyboard.press('Control+z')
  await said(page).getByText('Отменено', { exact: true }).waitFor()
  assert.equal(await isOpen(code), true)
  assert.deepEqual(faults, [])
})

test('the toast stays while the keyboard is on it, and goes after its time', async () => {
  const code = await addWarehouse()
  const { page, faults } = await open(paths.warehouses)
  await page.clock.install()
  await page.reload()
  const row = page.getByRole('row', { name: code })
  await row.getByRole('button', { name: 'Закрыть приём', exact: true }).press('Enter')
  await undo(page).waitFor()
  await undo(page).focus()
  await page.clock.runFor(60_000)
  await undo(page).waitFor()
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await page.locator('#content').focus()
  await page.clock.runFor(11_000)
  await undo(page).waitFor({ state: 'detached' })
  // What somebody types has an undo of its own.
  assert.equal(await isOpen(code), false)
  assert.deepEqual(faults, [])
})

test('webhooks, stations and people are switched at one press, and back', async () => {
  const { page, faults } = await open(paths.services)
  const webhooks = page.getByRole('region', { name: 'Вебхуки', exact: true })
  await webhooks.getByRole('button', { name: 'Выключить', exact: true }).click()
  await webhooks.getByText('выключены, события ждут').waitFor()
  await undo(page).click()
  await webhooks.getByText('отправляются').waitFor()

  const draft = { warehouse_code: await addWarehouse(), name: randomUUID(), formats: ['58x40'] }
  good(await root.post('/print-stations', draft), 201)
  await page.goto(paths.printing)
  const station = page.getByRole('row', { name: draft.name })
  await station.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await station.getByRole('button', { name: 'Открыть', exact: true }).waitFor()
  await undo(page).click()
  await station.getByRole('button', { name: 'Закрыть', exact: true }).waitFor()

  const { id, login } = await addUser(root, 'worker')
  good(await root.patch(`/users/${id}`, { active: false }))
  await page.goto(listOf(paths.users, { user: id }))
  await page.getByRole('button', { name: 'Включить', exact: true }).click()
  await said(page).getByText(`${login} снова может войти`, { exact: false }).waitFor()
  await undo(page).click()
  await page.getByRole('button', { name: 'Включить', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('an order that waits leaves at one press on its page, is taken back, and says what it lacks', async () => {
  const floor = await openFloor(service, { A: 1 })
  const [order, lacking] = await floor.orders({ 'alone-1': 'A', 'alone-2': 'B' })
  assert.ok(order && lacking)
  const { page, faults } = await open(pathOf('order', order.id))
  const ship = page.getByRole('button', { name: 'В отгрузку', exact: true })
  await ship.click()
  await said(page).getByText('Заказ alone-1 в отгрузке', { exact: false }).waitFor()
  await ship.waitFor({ state: 'detached' })
  const shipmentOf = async () =>
    good<{ shipment_id: string | null }>(await root.get(`/orders/${order.id}`)).shipment_id
  assert.notEqual(await shipmentOf(), null)
  await undo(page).click()
  await ship.waitFor()
  assert.equal(await shipmentOf(), null)
  await page.goto(pathOf('order', lacking.id))
  await ship.click()
  await page.getByRole('alert').getByText('не хватает', { exact: false }).waitFor()
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('a task that was taken over goes back to its picker', async () => {
  const floor = await openFloor(service, { A: 2 })
  const orders = await floor.orders({ [`undo-${randomUUID()}`]: 'A' })
  const { picking_task_id: task } = await floor.filled(orders)
  assert.ok(task)
  good(await floor.worker.post(`/picking-tasks/${task}/claim`))
  const { page, faults } = await open(pathOf('pickingTask', task))
  await page.getByRole('button', { name: 'Забрать себе', exact: true }).click()
  await page.getByRole('button', { name: 'Освободить', exact: true }).waitFor()
  await undo(page).click()
  await page.getByRole('button', { name: 'Забрать себе', exact: true }).waitFor()
  const { claim } = good<{ claim: { name: string } | null }>(
    await root.get(`/picking-tasks/${task}`),
  )
  assert.equal(claim?.name, floor.worker.login)
  assert.deepEqual(faults, [])
})
