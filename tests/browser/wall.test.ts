import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { assertAccessible, assertFitsWidth, openPage, phone } from './browser.ts'

const service = await startService()
const floor = await openFloor(service, { A: 5 })
await floor.orders({ 'wall-1': 'A', 'wall-2': 'A' })

const newScreen = async () =>
  good<{ id: string; code: string }>(
    await floor.manager.post('/devices', {
      ...{ name: 'Экран в зале', purpose: 'SCREEN', warehouse_code: floor.warehouse_code },
    }),
    201,
  )

/** On the page: what stands below the screen, or sticks out of its panel, or lies under the next one. Nobody scrolls there. */
function readHidden(): string[] {
  const bottomOf = (each: Element) => Math.floor(each.getBoundingClientRect().bottom)
  const below = document.querySelector('.wall .day')?.getBoundingClientRect().top ?? innerHeight
  return [...document.querySelectorAll('.wall .panel')].flatMap((panel) => {
    const end = Math.min(bottomOf(panel), panel.matches('li') ? below : innerHeight)
    return [...panel.children]
      .filter((part) => bottomOf(part) > end)
      .map(({ outerHTML }) => outerHTML.slice(0, 80))
  })
}

test('a screen on the wall shows the way of orders in large type, live, without people, and reads nothing else', async () => {
  const { id, code } = await newScreen()
  const { page, faults } = await openPage(service.baseUrl, {
    viewport: { width: 1920, height: 1080 },
  })
  await page.clock.install()
  await page.goto('/staff/wall')
  await page.getByLabel('Код от менеджера').fill(code)
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  const waiting = page.getByRole('listitem').filter({ hasText: 'Ждут сборки' })
  await waiting.getByText('2', { exact: true }).waitFor()
  await assertAccessible(page)
  const size = await waiting
    .locator('strong')
    .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  assert.ok(size >= 150, `${size}px`)
  assert.equal(await page.getByRole('link').count(), 0)
  assert.equal(await page.getByRole('button').count(), 0)

  const day = page.getByRole('region', { name: 'Как идёт день' })
  assert.equal(await day.count(), 0)
  const [order] = await floor.orders({ 'wall-gone': 'A' })
  assert.ok(order)
  const shipment = await floor.filled([order])
  const pick = { scan_id: 'wall', order_id: order.id, barcode: 'A' }
  good(await floor.pick(shipment.picking_task_id, pick))
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  await floor.orders({ 'wall-3': 'A' })
  await page.clock.runFor(20_000)
  await waiting.getByText('3', { exact: true }).waitFor()
  await day.getByRole('heading', { name: 'Передано сегодня 1', exact: true }).waitFor()
  await day.getByText('вчера к этому часу 0, за весь день 0', { exact: true }).waitFor()
  await assertAccessible(page)
  await assertFitsWidth(page)
  assert.deepEqual(await page.evaluate(readHidden), [])

  const paths = ['today', 'today/flow?by=client', 'orders', 'shifts', 'print-jobs', 'devices']
  for (const path of paths)
    assert.equal((await page.request.get(`/staff/v1/${path}`)).status(), 403, path)
  const name = { data: { name: 'Другой' } }
  assert.equal((await page.request.post('/staff/v1/devices', name)).status(), 403)

  good(await floor.manager.post(`/devices/${id}/revoke`))
  await page.clock.runFor(20_000)
  await page.getByRole('alert').getByText('Данные от').waitFor()
  await page.reload()
  await page.getByText('Этот экран отозвали').waitFor()
  assert.deepEqual(faults, [])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the wall fits a small screen, too (${colorScheme})`, async () => {
    const { code } = await newScreen()
    const { page, faults } = await openPage(service.baseUrl, { viewport: phone, colorScheme })
    await page.goto('/staff/wall')
    await page.getByLabel('Код от менеджера').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ждут сборки' }).waitFor()
    await assertAccessible(page)
    await assertFitsWidth(page)
    assert.deepEqual(faults, [])
  })
}
