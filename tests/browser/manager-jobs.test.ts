import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { countJobs } from './clicks.ts'
import { openConsole } from './console-page.ts'
import { done, type Made } from './console-world.ts'

/** What the jobs of a manager cost that whole-day.test.ts does not count. Each begins where the one before has ended. */

const service = await startService()
const root = await staffClient(service, 'administrator')
const mug = ean13('460000000201')
const plate = ean13('460000000202')

/** Two mugs lie at one place, three at another; the numbers of two orders of mugs. */
async function openScene() {
  const floor = await openFloor(service, { [mug]: 6, [plate]: 4 })
  const { client, manager, worker, warehouse_code } = floor
  for (const [barcode, name] of [
    [mug, 'Кружка синяя'],
    [plate, 'Тарелка белая'],
  ] as const) {
    await done(manager.put(`/clients/${client}/products/${barcode}`, { name }))
  }
  for (const [code, qty] of [
    ['JOB-1', 3],
    ['JOB-2', 2],
  ] as const) {
    await done(manager.post('/locations', { warehouse_code, code }))
    await done(
      worker.post(`/locations/${code}/put`, {
        scan_id: code,
        client_id: client,
        barcode: mug,
        qty,
      }),
    )
  }
  await done(manager.post('/print-stations', { warehouse_code, name: 'Стол', formats: ['58x40'] }))
  await floor.orders({ 'JOB-ORDER-1': mug, 'JOB-ORDER-2': mug })
  return floor
}

type Floor = Awaited<ReturnType<typeof openScene>>

/** A seller's announcement that waits for a manager. */
async function addRequest({ client, manager }: Floor): Promise<void> {
  const items = [{ barcode: mug, qty: 2 }]
  const { id } = await done<Made>(manager.post(`/clients/${client}/receipts`, { items }))
  await service.db`
    update receipts set status = 'PENDING_CONFIRMATION' where id = ${id}`
}

/** A count in which both kinds of goods differ. */
async function addDifferences({ client, manager, worker }: Floor): Promise<void> {
  const scope = { barcodes: [mug, plate] }
  const { id } = await done<Made>(manager.post('/counts', { client_id: client, scope }))
  await done(manager.post(`/counts/${id}/start`))
  for (const [code, qty] of [
    [mug, 4],
    [plate, 3],
  ] as const) {
    await done(worker.post(`/counts/${id}/scans`, { scan_id: randomUUID(), code, qty }))
  }
  await done(manager.post(`/counts/${id}/review`))
}

async function today(page: Page): Promise<void> {
  await page.goto('/staff/app')
  await page.getByRole('heading', { name: 'Что ждёт сегодня', exact: true }).waitFor()
}

/** What is typed into the palette, until it offers this. */
async function seek(page: Page, text: string, offered: RegExp) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /штрихкод/ }).fill(text)
  const option = page.getByRole('option', { name: offered })
  await option.waitFor()
  return option
}

test('the jobs of a manager between opening a shipment and closing it cost few presses', async () => {
  const floor = await openScene()
  await addRequest(floor)
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager', '/staff/app/shifts')
  const count = await countJobs(page)

  await count('See what burns', { presses: 1, fields: 0 }, async () => {
    const rooms = page.getByRole('navigation', { name: 'Разделы', exact: true })
    await rooms.getByRole('link', { name: /^Сегодня/ }).click()
    await page.getByRole('heading', { name: /^Что горит: / }).waitFor()
  })
  await count('Confirm a receipt', { presses: 2, fields: 0 }, async () => {
    await page.getByRole('link', { name: /^Проверить R-/ }).click()
    await page.getByRole('button', { name: 'Подтвердить', exact: true }).click()
    await page.locator('.badge', { hasText: 'Ожидается на складе' }).waitFor()
  })
  await count('Find an order by its number', { presses: 2, fields: 1 }, async () => {
    await seek(page, 'JOB-ORDER-2', /^Заказ WB JOB-ORDER-2/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Заказ JOB-ORDER-2', exact: true }).waitFor()
  })
  await count('Find an order by words', { presses: 3, fields: 1 }, async () => {
    await (await seek(page, 'синяя круж', /^Заказы с товаром: Кружка синяя/)).click()
    await page.getByRole('link', { name: 'JOB-ORDER-1', exact: true }).click()
    await page.getByRole('heading', { name: 'Заказ JOB-ORDER-1', exact: true }).waitFor()
  })
  await count('Correct the stock of a place', { presses: 3, fields: 2 }, async () => {
    await seek(page, 'исправить JOB-1', /^Исправить остаток: место хранения JOB-1/)
    await page.keyboard.press('Enter')
    const form = page.getByRole('form', { name: 'Исправить остаток здесь', exact: true })
    await form.getByLabel('На сколько изменить').fill('-1')
    await page.keyboard.press('Enter')
    await page.getByText('Кружка синяя: остаток 5', { exact: true }).waitFor()
  })
  const unitsAt = async (code: string) =>
    good<{ units: number }>(await floor.worker.get(`/locations/${code}`)).units
  assert.deepEqual([await unitsAt('JOB-1'), await unitsAt('JOB-2')], [2, 2])

  await count('Print a label', { presses: 2, fields: 1 }, async () => {
    await seek(page, 'напечатать JOB-2', /^Напечатать этикетку/)
    await page.keyboard.press('Enter')
    await page.getByText('Ждёт станцию печати', { exact: true }).waitFor()
  })
  await count('Start a count', { presses: 2, fields: 1 }, async () => {
    await seek(page, 'пересчитать JOB-2', /^Пересчитать: место хранения JOB-2/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Пересчёт: 1 место', exact: true }).waitFor()
    await page.locator('.badge', { hasText: 'Идёт' }).waitFor()
  })
  await page.getByRole('status').getByRole('button', { name: 'Отменить', exact: true }).click()
  await page.getByText('Отменено', { exact: true }).waitFor()
  const { items: counts } = await done<{ items: { status: string }[] }>(root.get('/counts'))
  assert.deepEqual(
    counts.map(({ status }) => status),
    ['CANCELLED'],
  )

  const question = { barcode: plate, qty: 1, reason: 'COUNT' }
  await done(floor.manager.post(`/clients/${floor.client}/in-question`, question))
  await today(page)
  await count('Decide on goods in question', { presses: 2, fields: 0 }, async () => {
    await page.getByRole('link', { name: 'Решить Тарелка белая', exact: true }).click()
    await page.getByRole('button', { name: 'Закончить расследование', exact: true }).click()
    await page.getByText('Тарелка белая: остаток 4, под вопросом 0', { exact: true }).waitFor()
  })
  await addDifferences(floor)
  await today(page)
  const decide = page.getByRole('form').getByRole('button', { name: 'Решить', exact: true })
  const rows = page.getByRole('region', { name: 'Строки пересчёта', exact: true }).getByRole('row')
  const decided = rows.filter({ hasText: 'Исправить остаток' })
  await count('Decide a discrepancy of a count', { presses: 2, fields: 0 }, async () => {
    const card = page.getByRole('listitem').filter({ hasText: 'Пересчёт' })
    await card.getByRole('link', { name: /^Решить/ }).click()
    await decide.click()
    await decided.first().waitFor()
  })
  await count('Decide the next discrepancy', { presses: 1, fields: 0 }, async () => {
    await decide.click()
    await decided.nth(1).waitFor()
    await page.getByRole('form').waitFor({ state: 'detached' })
  })
  assert.deepEqual((await audit(service.db)).findings, [])
  assert.deepEqual(faults, [])
})
