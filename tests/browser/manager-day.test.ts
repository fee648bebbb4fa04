import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startService } from '../support/service.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { addUser, signIn as signInAt } from './console-page.ts'
import { done, type Made } from './console-world.ts'
import { password } from './handheld-page.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')

/** Names that break pages which trust them. */
const hostile = `<b onclick=alert(1)>ООО</b> ${'Длинное'.repeat(20)} \u202Eнаоборот`

/** A client of its own, so that tests do not see each other's goods. */
async function addClient(name: string): Promise<{ id: string; cabinet: string }> {
  const { id } = await done<Made>(administrator.post('/clients', { name }))
  const cabinet = await done<Made>(
    administrator.post(`/clients/${id}/cabinets`, { marketplace: 'WB', name: 'Основной' }),
  )
  return { id, cabinet: cabinet.id }
}

async function addReceipt(staff: StaffClient, client: string, barcode: string, qty: number) {
  return done<Made & { number: string }>(
    staff.post(`/clients/${client}/receipts`, {
      items: [{ barcode, name: `Носки ${barcode}`, qty }],
    }),
  )
}

async function signIn(page: Page, path: string): Promise<string> {
  const { login } = await addUser(administrator, 'manager')
  await signInAt(page, login, path)
  return login
}

test('a receipt is registered by hand after a mistake that costs nothing typed, counted and ended with its reason', async () => {
  const name = `ООО Носки ${randomUUID().slice(0, 8)}`
  await addClient(name)
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, '/staff/app/receipts?form=new')
  await page.getByRole('combobox', { name: 'Чей товар' }).fill(name)
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('form').getByLabel('Штрихкод').fill('4600000000017')
  await page.getByLabel('Сколько').fill('3')
  await page.getByRole('button', { name: 'Завести', exact: true }).click()
  // The goods are new, so the service wants their name, and says so at the field.
  await page.locator('[name="items[0].name"][aria-invalid="true"]').waitFor()
  await assertAccessible(page)
  assert.equal(await page.getByRole('form').getByLabel('Штрихкод').inputValue(), '4600000000017')
  await page.getByLabel('Название', { exact: true }).fill('Носки серые')
  // The session ends under the form: the call is made again after the password.
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Завести', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Сессия закончилась' })
  await again.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
  const finish = page.getByRole('link', { name: 'Закончить', exact: true })
  assert.equal(await finish.count(), 0)
  await page.getByRole('button', { name: 'Начать приёмку' }).click()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await page.getByText('Идёт приёмка').first().waitFor()
  for (const scan_id of [randomUUID(), randomUUID()]) {
    const scan = { scan_id, barcode: '4600000000017', qty: 1 }
    await done(administrator.post(`/receipts/${id}/scans`, scan))
  }
  await page.reload()
  await finish.click()
  await page.getByLabel(/не хватает 1 штуки/).selectOption({ label: 'Товар не привезён' })
  await page.getByRole('form').getByRole('button', { name: 'Закончить' }).click()
  await page.getByText('Принята с расхождением').first().waitFor()
  // Nothing is left to do: papers alone stay.
  await finish.waitFor({ state: 'detached' })
  assert.equal(await page.locator('.heading button').count(), 0)
  const journal = page.getByRole('region', { name: 'Журнал' })
  await journal.getByText('Закончена приёмка').waitFor()
  await journal.getByText('2 × Носки серые').waitFor()
  await journal.getByRole('link', { name: 'Носки серые' }).waitFor()
  await journal.getByRole('link', { name: administrator.login }).first().waitFor()
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

/** A warehouse in the middle of its day, whose client has a hostile name. */
async function midday() {
  const client = await addClient(hostile)
  const barcode = '4600000000024'
  const received = await addReceipt(administrator, client.id, barcode, 5)
  const receipt = `/receipts/${received.id}`
  const scan = { scan_id: 'first', barcode, qty: 5 }
  await done(administrator.post(`${receipt}/start`))
  await done(administrator.post(`${receipt}/scans`, scan))
  await done(administrator.post(`${receipt}/finish`, {}))
  const queued = { queued_at: new Date().toISOString(), queued_by: administrator.login }
  const late = { ...scan, ...queued, scan_id: 'late' }
  const exception = await done<Made>(administrator.post(`${receipt}/scans`, late))
  const orders = await done<{ items: Made[] }>(
    administrator.post(`/clients/${client.id}/orders`, [
      { cabinet_id: client.cabinet, external_id: randomUUID(), barcode },
    ]),
  )
  const order = orders.items[0]?.id ?? ''
  const shipment = await done<Made & { picking_task_id: string }>(
    administrator.post('/shipments', {
      cabinet_id: client.cabinet,
      external_id: randomUUID(),
      order_ids: [order],
    }),
  )
  const tasks = await done<{ items: Made[] }>(
    administrator.get(`/picking-tasks?shipment_id=${shipment.id}`),
  )
  const count = await done<Made>(
    administrator.post('/counts', { client_id: client.id, scope: { barcodes: [barcode] } }),
  )
  await done(administrator.post(`/counts/${count.id}/start`))
  await done(
    administrator.post(`/counts/${count.id}/scans`, { scan_id: 'c', code: barcode, qty: 4 }),
  )
  await done(administrator.post(`/counts/${count.id}/review`))
  const batch = await done<Made>(administrator.post('/returns', { client_id: client.id }))
  return [
    '',
    `/receipts?client_id=${client.id}&form=new`,
    `/receipts/${received.id}`,
    `/orders?client_id=${client.id}`,
    `/orders/${order}`,
    `/shipments?client_id=${client.id}`,
    `/shipments/${shipment.id}?form=fill`,
    `/picking/${tasks.items[0]?.id}`,
    `/stock?client_id=${client.id}&of=${barcode}`,
    `/movements?client_id=${client.id}`,
    `/returns/${batch.id}`,
    `/counts/${count.id}?line=${barcode}`,
    `/exceptions?client_id=${client.id}&decide=${exception.id}`,
  ]
}

const pages = await midday()
const zoomed = { width: 640, height: 400 }

for (const [name, viewport, colorScheme] of [
  ['desktop, light', desktop, 'light'],
  ['phone, dark', phone, 'dark'],
  ['zoomed to 200 %, dark', zoomed, 'dark'],
] as const) {
  // Guarantee (console): Every page about goods is accessible and fits its width, however long names are.
  test(`every page is accessible and fits its width, whatever a client calls itself (${name})`, async () => {
    const { page, faults } = await openPage(service.baseUrl, { viewport, colorScheme })
    await signIn(page, '/staff/app')
    for (const path of pages) {
      await page.goto(`/staff/app${path}`)
      await page
        .locator('main')
        .getByText(/<b onclick=alert|Носки 4600/)
        .first()
        .waitFor()
      if (viewport !== zoomed) await assertAccessible(page, path)
      await assertFitsWidth(page)
    }
    assert.deepEqual(faults, [])
  })
}

test('a scan that nobody could accept is shown in words, with its goods and order as links', async () => {
  const client = await addClient(`ООО Скан ${randomUUID().slice(0, 8)}`)
  const barcode = '4600000000062'
  const { id: receipt } = await addReceipt(administrator, client.id, barcode, 2)
  await done(administrator.post(`/receipts/${receipt}/start`))
  await done(administrator.post(`/receipts/${receipt}/scans`, { scan_id: 'a', barcode, qty: 2 }))
  await done(administrator.post(`/receipts/${receipt}/finish`, {}))
  const number = `заказ-${randomUUID().slice(0, 8)}`
  const orders = await done<{ items: Made[] }>(
    administrator.post(`/clients/${client.id}/orders`, [
      { cabinet_id: client.cabinet, external_id: number, barcode },
    ]),
  )
  const order = orders.items[0]?.id ?? ''
  const { id: shipment, picking_task_id: task } = await done<Made & { picking_task_id: string }>(
    administrator.post('/shipments', {
      cabinet_id: client.cabinet,
      external_id: randomUUID(),
      order_ids: [order],
    }),
  )
  const pick = { order_id: order, barcode }
  await done(administrator.post(`/picking-tasks/${task}/picks`, { scan_id: 'first', ...pick }))
  await done(administrator.post(`/shipments/${shipment}/close`))
  const queued = { queued_at: new Date().toISOString(), queued_by: administrator.login }
  const exception = await done<Made>(
    administrator.post(`/picking-tasks/${task}/picks`, { scan_id: 'late', ...pick, ...queued }),
  )
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, `/staff/app/exceptions?decide=${exception.id}`)
  const form = page.getByRole('form')
  await form.getByRole('link', { name: `Заказ ${number}`, exact: true }).waitFor()
  await form.getByText(`Носки ${barcode}`, { exact: true }).waitFor()
  await form.getByRole('link', { name: barcode, exact: true }).waitFor()
  assert.doesNotMatch(await form.innerText(), /order_id|barcode|[0-9a-f]{8}-[0-9a-f]{4}/)
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('two presses on the first page make the shipment of a cabinet, and name the order that stays', async () => {
  const name = `ООО Сегодня ${randomUUID().slice(0, 8)}`
  const client = await addClient(name)
  const barcode = '4600000000055'
  const { id: receipt } = await addReceipt(administrator, client.id, barcode, 2)
  await done(administrator.post(`/receipts/${receipt}/start`))
  await done(administrator.post(`/receipts/${receipt}/scans`, { scan_id: 'a', barcode, qty: 2 }))
  await done(administrator.post(`/receipts/${receipt}/finish`, {}))
  const orders = ['первый', 'второй', 'третий'].map((number) => ({
    cabinet_id: client.cabinet,
    external_id: `${number} ${randomUUID().slice(0, 8)}`,
    barcode,
  }))
  await done(administrator.post(`/clients/${client.id}/orders`, orders))
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await signIn(page, '/staff/app')
  const flow = page.getByRole('region', { name: 'Путь заказов', exact: true })
  await flow.getByRole('link', { name: 'По клиентам', exact: true }).click()
  const row = flow.getByRole('row', { name })
  await row.getByRole('link', { name: '3', exact: true }).waitFor()
  await assertAccessible(page)
  await assertFitsWidth(page)
  await row.getByRole('link', { name: '3', exact: true }).click()
  await page.getByRole('heading', { name: 'Заказы', level: 1 }).waitFor()
  await page.getByText('Всего: 3', { exact: true }).waitFor()
  await page.goto('/staff/app')
  await page.getByRole('link', { name: `Собрать отгрузку WB Основной, ${name}` }).click()
  await page.getByText(/не хватает: Носки 4600000000055 \(нужно 1, свободно 0\)/).waitFor()
  await assertAccessible(page)
  await assertFitsWidth(page)
  await page.getByRole('button', { name: 'Открыть: 2 заказа' }).click()
  await page.getByRole('heading', { name: /\d\d\.\d\d\.\d\d-1/ }).waitFor()
  await page.getByRole('button', { name: 'Убрать' }).nth(1).waitFor()
  await page.goto('/staff/app')
  await page.getByRole('link', { name: `Собрать отгрузку WB Основной, ${name}` }).click()
  await page.getByText('Уехать сейчас не может ни один заказ').waitFor()
  await page.getByText('Останутся: 1 заказ').waitFor()
  assert.deepEqual(faults, [])
})

test('the palette opens a receipt by its number and a room by its name, with keys alone', async () => {
  const client = await addClient(`ООО Ключ ${randomUUID().slice(0, 8)}`)
  const receipt = await addReceipt(administrator, client.id, '4600000000031', 1)
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, '/staff/app')
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Найти и открыть' })
  await dialog.getByRole('combobox').fill('Отгруз')
  await dialog.getByRole('option', { name: /Отгрузки/ }).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Отгрузки', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await dialog.getByRole('combobox').fill(receipt.number)
  await dialog.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Отгрузки', level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('a link holds the filters of a list, a row that is no request says why it is not confirmed, and keys open a row', async () => {
  const client = await addClient(`ООО Пачка ${randomUUID().slice(0, 8)}`)
  await addReceipt(administrator, client.id, '4600000000048', 2)
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, `/staff/app/receipts?client_id=${client.id}&status=EXPECTED`)
  const list = page.getByRole('region', { name: 'Приёмки' })
  await list.getByText('Ожидается на складе').waitFor()
  await list.getByLabel('Выбрать строку').check()
  await page.getByText('Среди выбранных нет заявок').waitFor({ state: 'attached' })
  await page.getByRole('combobox', { name: 'Состояние' }).selectOption('PENDING_CONFIRMATION')
  await page.getByText('Приёмок не нашли').waitFor()
  assert.match(page.url(), /status=PENDING_CONFIRMATION/)
  await page.evaluate(pressAsRowsCome)
  await page.goBack()
  await list.locator('a:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Приёмка / }).waitFor()
  assert.deepEqual(faults, [])
})

/** In the page: the key goes out with the first row, before anybody could see it. */
function pressAsRowsCome(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('main tbody a') === null) return
    observer.disconnect()
    document.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyJ' }))
  })
  observer.observe(document.body, { childList: true, subtree: true })
}
