import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, intercept } from './browser.ts'
import { openConsole, twoFrames } from './console-page.ts'
import { done, type Made } from './console-world.ts'

/** Whoever types faster than the network: a form is sent before the options of its choices have come. */

const service = await startService()
const root = await staffClient(service, 'administrator')
const tea = ean13('460123460001')
const floor = await openFloor(service, { [tea]: 20 })
const { client, cabinet, manager, worker, warehouse_code } = floor

/** A count whose only line differs. */
async function addCount(): Promise<string> {
  const draft = { client_id: client, scope: { barcodes: [tea] } }
  const { id } = await done<Made>(manager.post('/counts', draft))
  await done(manager.post(`/counts/${id}/start`))
  const scan = { scan_id: randomUUID(), code: tea, qty: 2 }
  await done(worker.post(`/counts/${id}/scans`, scan))
  await done(manager.post(`/counts/${id}/review`))
  return id
}

/** A place with units, a count with a difference and a miss. */
async function addScene() {
  const [ordered] = await floor.orders({ 'SLOW-1': tea })
  assert.ok(ordered)
  const { picking_task_id: task } = await floor.filled([ordered])
  const report = { scan_id: randomUUID(), order_id: ordered.id, reason: 'EMPTY_LOCATION' }
  await done(worker.post(`/picking-tasks/${task}/not-found`, report))
  const { items: misses } = await done<{ items: Made[] }>(manager.get('/misses'))
  const place = await done<Made>(manager.post('/locations', { warehouse_code, code: 'SLOW' }))
  const units = { scan_id: randomUUID(), client_id: client, barcode: tea, qty: 5 }
  await done(worker.post('/locations/SLOW/put', units))
  return { place: place.id, miss: misses[0]?.id, count: await addCount() }
}

interface SlowForm {
  readonly path: string
  /** What is typed; Enter then sends the form. Where nothing is, its button does. */
  readonly typed: Readonly<Record<string, string>>
  /** What of the call only the answers that came late could tell. */
  readonly sends: Readonly<Record<string, unknown>>
}

async function slowForms(): Promise<SlowForm[]> {
  const { place, miss, count } = await addScene()
  return [
    { path: `locations/${place}?form=correct`, typed: { delta: '3' }, sends: { reason: 'COUNT' } },
    {
      path: `stock?client_id=${client}&of=${tea}&form=correct`,
      typed: { delta: '3' },
      sends: { reason: 'COUNT' },
    },
    { path: `counts/${count}?decide=next`, typed: {}, sends: { reason: 'COUNT' } },
    {
      path: `misses?decide=${miss}&decision=correct_stock`,
      typed: { comment: 'Нет на полке' },
      sends: { reason: 'LOST' },
    },
    {
      path: `shipments?form=new&client_id=${client}`,
      typed: { name: 'Вечерняя' },
      sends: { cabinet_id: cabinet },
    },
    { path: 'clients?form=new', typed: { name: 'ООО Спешка' }, sends: { warehouse_code } },
    { path: 'locations?form=new', typed: { pattern: 'FAST-{1..2}' }, sends: { warehouse_code } },
    { path: 'printing?form=new', typed: { name: 'Стол' }, sends: { warehouse_code } },
    {
      path: `clients/${client}?tab=settings`,
      typed: { name: 'ООО Проверка' },
      sends: { warehouse_code: undefined },
    },
  ]
}

/** What comes late, or not at all. */
const choices = '**/staff/v1/{reasons,warehouses,clients/*/cabinets}?*'

/** Holds the options of choices back until they are let go, which begins anew. */
async function holdChoices(page: Page) {
  let held = Promise.withResolvers<void>()
  await intercept(page, choices, async (route) => {
    await held.promise
    await route.fallback()
  })
  return {
    letGo: () => held.resolve(),
    holdAgain: () => {
      held = Promise.withResolvers()
    },
  }
}

const isChange = (request: Request) => request.method() !== 'GET'

function watchChanges(page: Page): Request[] {
  const sent: Request[] = []
  page.on('request', (request) => isChange(request) && sent.push(request))
  return sent
}

// Guarantee (console): A form that is sent before its choices are loaded is sent once, as chosen.
test('a form that is sent before its choices have come waits for them and then is sent once', async () => {
  const { page, faults } = await openConsole(root, service.baseUrl, 'administrator')
  const forms = await slowForms()
  const { letGo, holdAgain } = await holdChoices(page)
  const sent = watchChanges(page)
  for (const { path, typed, sends } of forms) {
    sent.length = 0
    holdAgain()
    await page.goto(`/staff/app/${path}`)
    const form = page.locator('main form').filter({ has: page.locator('select[aria-busy=true]') })
    await form.waitFor()
    for (const [name, value] of Object.entries(typed))
      await form.locator(`[name="${name}"]`).fill(value)
    if (Object.keys(typed).length > 0) await page.keyboard.press('Enter')
    else await form.locator('[type=submit]').click()
    await form.locator('[type=submit]:disabled').waitFor()
    await page.evaluate(twoFrames)
    assert.equal(sent.length, 0, path)
    const [answer] = await Promise.all([
      page.waitForResponse((response) => isChange(response.request())),
      letGo(),
    ])
    assert.ok(answer.ok(), `${path}: ${await answer.text()}`)
    const body = answer.request().postDataJSON() as Record<string, unknown>
    for (const [name, value] of Object.entries(sends))
      assert.deepEqual(body[name], value, `${path}: ${name}`)
    await page.locator('main form:has([type=submit]:disabled)').waitFor({ state: 'detached' })
    assert.equal(sent.length, 1, path)
  }
  assert.deepEqual(faults, [])
})

test('a form that was left before its choices came sends nothing', async () => {
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager')
  const count = await addCount()
  const { letGo, holdAgain } = await holdChoices(page)
  const sent = watchChanges(page)
  const busy = page.locator('select[aria-busy=true]')

  await page.goto(`/staff/app/stock?client_id=${client}&of=${tea}&form=correct`)
  await page.getByLabel('На сколько изменить').fill('3')
  await page.keyboard.press('Enter')
  await page.locator('main form [type=submit]:disabled').waitFor()
  await page.getByRole('link', { name: 'Отмена', exact: true }).click()
  await page.getByLabel('На сколько изменить').waitFor({ state: 'detached' })
  letGo()
  await page.evaluate(twoFrames)
  assert.equal(sent.length, 0, 'the form is gone')

  holdAgain()
  await page.goto(`/staff/app/counts/${count}`)
  const decide = page.getByRole('button', { name: 'Решить отмеченные', exact: true })
  await page.getByLabel('Выбрать все строки', { exact: true }).check()
  await decide.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Решить отмеченные', exact: true }).click()
  await dialog.locator('[type=submit]:disabled').waitFor()
  await dialog.getByRole('button', { name: 'Не надо', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await decide.first().click()
  await dialog.locator('[type=submit]:enabled').waitFor()
  letGo()
  await busy.waitFor({ state: 'detached' })
  await page.evaluate(twoFrames)
  assert.equal(sent.length, 0, 'the question was answered with no')
  await dialog.getByRole('button', { name: 'Решить отмеченные', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.deepEqual(
    sent.map((request) => request.postDataJSON() as unknown),
    [{ outcome: 'correct', reason: 'COUNT' }],
  )
  assert.deepEqual(faults, [])
})

test('a choice whose options do not come says why, and its form is not sent', async () => {
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager')
  const message = 'Сервис не справился с запросом'
  const mend = await intercept(page, choices, (route) => {
    const error = { code: 'internal', message, request_id: 'r' }
    return route.fulfill({ status: 500, json: { error } })
  })
  const sent = watchChanges(page)
  const path = `/staff/app/stock?client_id=${client}&of=${tea}&form=correct`
  await page.goto(path)
  const form = page.getByRole('form', { name: 'Скорректировать остаток', exact: true })
  await form.locator('[name=reason][aria-invalid=true]').waitFor()
  await form.getByText(message, { exact: true }).waitFor()
  await assertAccessible(page)
  await form.getByLabel('На сколько изменить').fill('1')
  await page.keyboard.press('Enter')
  await form.locator('[name=reason]:focus').waitFor()
  assert.equal(sent.length, 0)
  mend()
  assert.deepEqual(faults, [])
})

test('a reason that the seller reads is asked for where none is the usual one', async () => {
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager')
  const { client: seller } = await openFloor(service, { [tea]: 3 })
  const items = [{ barcode: tea, qty: 2 }]
  const { id: receipt } = await done<Made>(manager.post(`/clients/${seller}/receipts`, { items }))
  await done(manager.post(`/receipts/${receipt}/start`))
  const stock = `stock?client_id=${seller}&of=${tea}&form`
  const sent = watchChanges(page)
  for (const [path, typed, reason, absent] of [
    [`${stock}=write-off`, { qty: '1' }, 'Товар повреждён', 'Товар найден'],
    [`${stock}=question`, { qty: '1' }, 'Товар утерян', 'Товар найден'],
    [`receipts/${receipt}?form=finish`, {}, 'Товар не привезён', 'Приёмка отменена'],
  ] as const) {
    await page.goto(`/staff/app/${path}`)
    const form = page.locator('main form').filter({ has: page.locator('select[required]') })
    const choice = form.locator('select[required]')
    for (const [name, value] of Object.entries(typed))
      await form.locator(`[name="${name}"]`).fill(value)
    await choice.locator('option', { hasText: reason }).waitFor({ state: 'attached' })
    assert.equal(await choice.locator('option', { hasText: absent }).count(), 0, path)
    sent.length = 0
    await form.locator('[type=submit]').click()
    await form.locator('select:focus').waitFor()
    assert.equal(sent.length, 0, path)
    await choice.selectOption({ label: reason })
    const [answer] = await Promise.all([
      page.waitForResponse((response) => isChange(response.request())),
      form.locator('[type=submit]').click(),
    ])
    assert.ok(answer.ok(), `${path}: ${await answer.text()}`)
    await form.waitFor({ state: 'detached' })
  }
  assert.deepEqual(faults, [])
})
