import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, cutOff, openPage, phone } from './browser.ts'
import { startReceipt } from './handheld-floor.ts'
import {
  addWorker as addWorkerBy,
  enterPassword,
  figure,
  look,
  password,
  queueIsEmpty,
  sentence,
  signIn,
  understand,
} from './handheld-page.ts'
import { scan } from './scanner.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const pin = '4711'
const tea = ean13('460123450001')

async function addWorker(): Promise<string> {
  const { id, login } = await addWorkerBy(administrator)
  good(await administrator.put(`/users/${id}/pin`, { pin }))
  return login
}

/** Prints a badge and writes a known code in its place: a label shows its code to scanners alone. */
async function printBadge(id: string, code: string): Promise<void> {
  const printed = await fetch(`${service.baseUrl}/staff/v1/users/${id}/badge`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${floor.manager.token}` },
  })
  assert.equal(printed.status, 200)
  const written = hash('sha256', code, 'buffer')
  await service.db`update staff_users set badge_hash = ${written} where id = ${id}`
}

async function signInByPin(page: Page, login: string): Promise<void> {
  await page.getByLabel('Логин').fill(login)
  await page.getByLabel('PIN').fill(pin)
  await page.getByRole('button', { name: 'Войти', exact: true }).click()
  await page.getByRole('heading', { name: login }).waitFor()
}

async function openReceipt(page: Page, { number }: StaffReceipt): Promise<void> {
  await page.getByRole('link', { name: number }).click()
  await page.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
}

async function accepted(receipt: StaffReceipt): Promise<number> {
  return good<StaffReceipt>(await administrator.get(`/receipts/${receipt.id}`)).accepted_qty
}

const floor = await openFloor(service, { X: 1 })

// Guarantee (handheld): A handheld sends no scan under another worker's name.
test('an enrolled device: workers switch by PIN, nobody sends the scans of another, revoking ends it', async () => {
  const receipt = await startReceipt(floor, tea)
  const [anna, boris] = [await addWorker(), await addWorker()]
  const device = good<{ id: string; code: string }>(
    await floor.manager.post('/devices', { name: 'ТСД-1' }),
    201,
  )
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.goto('/staff/scan')
  await page.getByRole('button', { name: 'Зарегистрировать терминал' }).click()
  await page.getByLabel('Код от менеджера').fill(device.code)
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByText('Терминал «ТСД-1» зарегистрирован').waitFor()
  await assertAccessible(page)
  await signInByPin(page, anna)

  await openReceipt(page, receipt)
  const mend = await cutOff(page, '**/scans')
  await scan(page, tea)
  await scan(page, tea)
  await page.getByText('В очереди: 2').waitFor()
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('button', { name: 'Выйти' }).click()
  // Until then the session is still the former worker's, and so are the scans.
  await page.getByRole('heading', { name: 'Вход', exact: true }).waitFor()
  mend()
  await signInByPin(page, boris)
  await page.getByText(`2 скана ждут входа: ${anna}`).waitFor()
  await openReceipt(page, receipt)
  await scan(page, tea)
  await figure(page, '1 из 10')
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 1)

  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('button', { name: 'Выйти' }).click()
  await signInByPin(page, anna)
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 3)

  await openReceipt(page, receipt)
  good(await floor.manager.post(`/devices/${device.id}/revoke`))
  await scan(page, tea)
  const dialog = page.getByRole('dialog', { name: 'Войдите снова' })
  await dialog.getByText('Терминал «ТСД-1» отозван').waitFor()
  await assertAccessible(page)
  await enterPassword(page)
  await dialog.waitFor({ state: 'hidden' })
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 4)
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('button', { name: 'Выйти' }).click()
  await page.getByRole('heading', { name: 'Вход' }).waitFor()
  await page.reload()
  await page.getByText('отозван').waitFor()
  assert.equal(await page.getByLabel('PIN').count(), 0)
  assert.deepEqual(faults, [])
})

/** A handheld that was just enrolled, at its sign-in. */
async function openDevice(name: string) {
  const device = good<{ id: string; code: string }>(
    await floor.manager.post('/devices', { name }),
    201,
  )
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.goto('/staff/scan')
  await page.getByRole('button', { name: 'Зарегистрировать терминал' }).click()
  await page.getByLabel('Код от менеджера').fill(device.code)
  await page.keyboard.press('Enter')
  await page.getByText(`Терминал «${name}» зарегистрирован`).waitFor()
  return { device, page, faults }
}

test('who has worked on a device is chosen by name', async () => {
  const people = new Map<string, string>()
  for (const name of ['Анна Петрова', 'Борис Ким']) {
    const { id, login } = await addWorkerBy(administrator)
    good(await administrator.patch(`/users/${id}`, { name }))
    good(await administrator.put(`/users/${id}/pin`, { pin }))
    people.set(name, login)
  }
  const { page, faults } = await openDevice('ТСД-имена')
  for (const [name, login] of people) {
    await page.getByLabel('Логин').fill(login)
    await page.getByLabel('PIN').fill(pin)
    await page.getByRole('button', { name: 'Войти', exact: true }).click()
    await page.getByRole('heading', { name }).waitFor()
    await page.getByRole('button', { name: 'Выйти' }).click()
  }
  await page.getByRole('button', { name: 'Анна Петрова', exact: true }).click()
  assert.equal(await page.getByLabel('Логин').inputValue(), people.get('Анна Петрова'))
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('a badge fills in the person and the PIN lets in, from any field and over a task', async () => {
  const receipt = await startReceipt(floor, tea)
  const { id, login } = await addWorkerBy(administrator)
  good(await administrator.put(`/users/${id}/pin`, { pin }))
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  const badge = `SKB${'7'.repeat(20)}`
  const device = good<{ code: string }>(
    await floor.manager.post('/devices', { name: 'ТСД с бейджами' }),
    201,
  )
  await page.goto('/staff/scan')
  await page.getByRole('button', { name: 'Зарегистрировать терминал' }).click()
  await scan(page, device.code)
  await page.getByText('Терминал «ТСД с бейджами» зарегистрирован').waitFor()
  await page.getByLabel('PIN').focus()
  await scan(page, badge)
  await page.getByText('Бейдж не подходит').waitFor()
  assert.equal(await page.getByLabel('PIN').inputValue(), '')

  await printBadge(id, badge)
  await page.getByLabel('PIN').focus()
  await scan(page, badge)
  await page.getByRole('status').getByText(login).waitFor()
  await assertAccessible(page)
  assert.equal(await page.getByLabel('Логин').inputValue(), login)
  await page.getByLabel('PIN').fill(pin)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: login }).waitFor()

  // Over a task, a badge is nothing to count.
  await openReceipt(page, receipt)
  await scan(page, badge)
  await scan(page, tea)
  await figure(page, '1 из 10')
  await page.context().clearCookies({ name: 'sklad_session' })
  await scan(page, tea)
  const dialog = page.getByRole('dialog', { name: 'Войдите снова' })
  await dialog.waitFor()
  await scan(page, badge)
  await dialog.getByRole('status').getByText(login).waitFor()
  await dialog.getByLabel('PIN').fill(pin)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await figure(page, '2 из 10')
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 2)
  assert.deepEqual(faults, [])
})

test('a revoked device with scans that wait: it says what becomes of them, and a manager hands over each', async () => {
  const receipt = await startReceipt(floor, tea)
  const anna = await addWorker()
  const chief = `manager-${randomUUID().slice(0, 8)}`
  good(await administrator.post('/users', { login: chief, role: 'manager', password }), 201)
  const { device, page, faults } = await openDevice('ТСД-7')
  await signInByPin(page, anna)
  await openReceipt(page, receipt)
  await page.context().setOffline(true)
  await scan(page, tea)
  await figure(page, '1 из 10')
  await scan(page, tea)
  await figure(page, '2 из 10')
  good(await floor.manager.post(`/devices/${device.id}/revoke`))
  await page.context().setOffline(false)
  const dialog = page.getByRole('dialog', { name: 'Войдите снова' })
  await dialog.getByText('Терминал «ТСД-7» отозван').waitFor()
  await dialog.getByText('На нём ждут сканы: 2. Войдите по паролю, и они уйдут').waitFor()
  await look(page, 'revoked')
  await scan(page, tea)
  await dialog.getByText('На нём ждут сканы: 3').waitFor()

  // The page is closed and opened again: nothing is forgotten, and nobody comes in by PIN.
  await page.reload()
  const waiting = page.getByRole('region', { name: 'Ждёт отправки' })
  await waiting.getByText(`${anna} · приёмка`).waitFor()
  await waiting.getByText('3 скана').waitFor()
  assert.equal(await page.getByLabel('PIN').count(), 0)
  await page.getByLabel('Логин').fill(chief)
  await enterPassword(page)
  await page.getByText(`3 скана ждут входа: ${anna}`).waitFor()
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('button', { name: `Передать менеджеру: ${anna}` }).click()
  await page.getByRole('button', { name: 'Передать', exact: true }).click()
  await waiting.waitFor({ state: 'hidden' })
  assert.equal(await accepted(receipt), 0)
  const { items } = good<{ items: { queued_by: string; scan: { barcode?: string } }[] }>(
    await floor.manager.get(`/exceptions?status=OPEN&client_id=${floor.client}&limit=100`),
  )
  const ofAnna = items.filter((exception) => exception.queued_by === anna)
  assert.deepEqual(
    ofAnna.map((exception) => exception.scan.barcode),
    [tea, tea, tea],
  )
  assert.deepEqual(faults, [])
})

// Guarantee (exceptions): Scans of a worker who left go to a manager, with the worker's name.
test('scans of a worker who left are handed over to a manager, each with who made it', async () => {
  const receipt = await startReceipt(floor, tea)
  const [anna, boris] = [await addWorker(), await addWorker()]
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.goto('/staff/scan')
  await signIn(page, anna)
  await openReceipt(page, receipt)
  const mend = await cutOff(page, '**/scans')
  await scan(page, tea)
  await scan(page, tea)
  await scan(page, tea)
  await page.getByRole('button', { name: 'Отменить: Чай' }).click()
  await page.getByText('В очереди: 4').waitFor()
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByText('Не отправлено: 4').waitFor()
  await page.getByRole('button', { name: 'Выйти' }).click()
  // Until then the session is still the former worker's, and so are the scans.
  await page.getByRole('heading', { name: 'Вход', exact: true }).waitFor()
  mend()
  await signIn(page, boris)
  await page.getByText(`${anna} · приёмка`).waitFor()
  await page.getByText('Нет связи').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: `Передать менеджеру: ${anna}` }).click()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Передать', exact: true }).click()
  await page.getByRole('heading', { name: 'Ждёт отправки' }).waitFor({ state: 'hidden' })
  assert.equal(await accepted(receipt), 0)
  const { items } = good<{ items: { queued_by: string; reason: string }[] }>(
    await floor.manager.get(`/exceptions?status=OPEN&client_id=${floor.client}`),
  )
  const ofAnna = items.filter((exception) => exception.queued_by === anna)
  assert.equal(ofAnna.length, 3)
  assert.match(ofAnna[0]?.reason ?? '', /ушёл/)
  await openReceipt(page, receipt)
  await scan(page, tea)
  await figure(page, '1 из 10')
  await queueIsEmpty(page)
  assert.equal(await accepted(receipt), 1)
  assert.deepEqual(faults, [])
})

// Guarantee (handheld): Two tabs of a handheld send each scan once.
test('two tabs send each scan once, and a scan that comes too late goes to a manager, said aloud', async () => {
  const receipt = await startReceipt(floor, tea)
  const login = await addWorker()
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.goto('/staff/scan')
  await signIn(page, login)
  await openReceipt(page, receipt)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Завершить приёмку' }).waitFor()
  const sent: string[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/scans')) sent.push(String(request.postDataJSON().scan_id))
  })
  await page.context().setOffline(true)
  for (const tab of [page, other, page]) await scan(tab, tea)
  for (const tab of [page, other]) await tab.getByText('В очереди: 3').waitFor()
  await page.context().setOffline(false)
  for (const tab of [page, other]) await queueIsEmpty(tab)
  assert.equal(await accepted(receipt), 3)
  await other.locator('.lines', { hasText: '3 из 10' }).waitFor()

  await page.context().setOffline(true)
  await scan(page, tea)
  await page.getByText('В очереди: 1').waitFor()
  const shortages = [{ barcode: tea, reason: 'NOT_DELIVERED' }]
  const finished = await floor.worker.post(`/receipts/${receipt.id}/finish`, { shortages })
  good(finished)
  await page.context().setOffline(false)
  await sentence(page, 'Скан передан менеджеру')
  await page.reload()
  await sentence(page, 'Скан передан менеджеру')
  await understand(page)
  await page.getByText('Принята с расхождением').first().waitFor()
  const { items } = good<{ items: { queued_by: string }[] }>(
    await floor.manager.get('/exceptions?status=OPEN'),
  )
  assert.deepEqual(
    items.map((exception) => exception.queued_by).filter((by) => by === login),
    [login],
  )
  assert.equal(new Set(sent).size, 4)
  assert.deepEqual(faults, [])
})

test('a tab that waits for its worker to sign in again keeps no other tab from sending', async () => {
  const receipt = await startReceipt(floor, tea)
  const [anna, boris] = [await addWorker(), await addWorker()]
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await page.goto('/staff/scan')
  await signIn(page, anna)
  await openReceipt(page, receipt)
  const credentials = { login: boris, password }
  await page.context().request.post('/staff/v1/session', { data: credentials })
  await page.getByRole('link', { name: 'Назад' }).click()
  await page.getByRole('dialog', { name: 'Войдите снова' }).waitFor()
  const other = await page.context().newPage()
  await other.goto('/staff/scan')
  await other.getByRole('heading', { name: boris, exact: true }).waitFor()
  await openReceipt(other, receipt)
  await scan(other, tea)
  await figure(other, '1 из 10')
  await queueIsEmpty(other)
  assert.equal(await accepted(receipt), 1)
  assert.deepEqual(faults, [])
})

test('the script of the first page has at most 20 kB', async () => {
  const html = await (await fetch(`${service.baseUrl}/staff/scan`)).text()
  const paths = [...html.matchAll(/\/assets\/[^"]+\.js/g)].map(([path]) => path)
  assert.ok(paths.length > 0)
  const sizes = paths.map(async (path) => {
    const file = await fetch(service.baseUrl + path)
    return gzipSync(Buffer.from(await file.arrayBuffer()), { level: 9 }).length
  })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  assert.ok(bytes <= 20_000, `${bytes} bytes`)
})

test('a tab whose worker is not the one of the session is refused', async () => {
  const login = await addWorker()
  const signedIn = await fetch(`${service.baseUrl}/staff/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password }),
  })
  const { id } = (await signedIn.json()) as { id: string }
  const cookie = signedIn.headers
    .getSetCookie()
    .map((value) => value.split(';')[0])
    .join('; ')
  const statusAs = async (user: string) => {
    const headers = { cookie, 'x-staff-user': user }
    return (await fetch(`${service.baseUrl}/staff/v1/session`, { headers })).status
  }
  assert.deepEqual([await statusAs(id), await statusAs(floor.worker.userId)], [200, 401])
})
