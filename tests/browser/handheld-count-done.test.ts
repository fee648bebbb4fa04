import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { StockCount } from '../../src/warehouse/counts/view.ts'
import { ean13 } from '../support/marking-codes.ts'
import { type Floor, good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { cutOff } from './browser.ts'
import { openConsole } from './console-page.ts'
import { startCount } from './handheld-floor.ts'
import { alarms, figure, look, queueIsEmpty, sentence, startHandhelds } from './handheld-page.ts'
import { scan } from './scanner.ts'

const { service, administrator, openHandheld } = await startHandhelds()
const tea = ean13('460123450001')
const cup = ean13('460123450002')

const readyOf = (page: Page) => page.getByRole('button', { name: 'Готово', exact: true })
const goOnOf = (page: Page) => page.getByRole('button', { name: 'Считать дальше', exact: true })
const cardOf = (page: Page, id: string) =>
  page.getByRole('region', { name: 'Пересчитать' }).locator(`a[href$="${id}"]`)

async function readCount({ manager }: Floor, id: string): Promise<StockCount> {
  return good<StockCount>(await manager.get(`/counts/${id}`))
}

test('done: it names once what was not counted, the task leaves the list, and a scan waits for the word', async () => {
  const floor = await openFloor(service, { [tea]: 2, [cup]: 5 })
  const id = await startCount(floor, { barcodes: [tea, cup] })
  const { page, faults } = await openHandheld()
  await cardOf(page, id).click()
  await page.getByText('Весь склад').waitFor()
  await scan(page, tea)
  await figure(page, '1')
  await sentence(page, `Товар ${tea}`)
  await readyOf(page).click()
  const question = page.getByRole('dialog', { name: 'Вы всё посчитали?' })
  await question.getByText(`Не посчитано: Товар ${cup}`).waitFor()
  await look(page, 'count-done-asked')
  // A scan is the answer, too: something was left.
  await scan(page, tea)
  await question.waitFor({ state: 'hidden' })
  await figure(page, '2')
  await readyOf(page).click()
  await question.getByRole('button', { name: 'Готово, больше ничего нет' }).click()
  await sentence(page, 'Вы закончили считать. Всего: 2 штуки')
  await page.getByText('Дальше пересчёт проверит менеджер.').waitFor()
  await look(page, 'count-done')
  await queueIsEmpty(page)
  assert.notEqual((await readCount(floor, id)).counted_at, null)
  await alarms(page, cup, 'Вы закончили этот пересчёт. Нажмите «Считать дальше»')
  assert.equal((await readCount(floor, id)).units, 2)
  await goOnOf(page).click()
  await page.getByText('Весь склад').waitFor()
  await scan(page, cup)
  await figure(page, '1')
  await queueIsEmpty(page)
  assert.equal((await readCount(floor, id)).counted_at, null)
  // Nothing is left: nothing is asked.
  await readyOf(page).click()
  await sentence(page, 'Вы закончили считать. Всего: 3 штуки')
  await page.getByRole('link', { name: 'К заданиям', exact: true }).click()
  await page.getByRole('link', { name: 'Принять возврат', exact: true }).waitFor()
  assert.equal(await cardOf(page, id).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Продолжить' }).count(), 0)
  assert.deepEqual(faults, [])
})

test('done without network: the task leaves the list at once, goes on from it, and the manager reads it later', async () => {
  const floor = await openFloor(service, { [tea]: 2 })
  const id = await startCount(floor, { barcodes: [tea] })
  const { page, faults, login } = await openHandheld()
  const { page: other } = await openHandheld()
  await cardOf(page, id).click()
  await page.getByText('Весь склад').waitFor()
  const mend = await cutOff(page, '**/staff/v1/**')
  await scan(page, tea)
  await figure(page, '1')
  await readyOf(page).click()
  await sentence(page, 'Вы закончили считать. Всего: 1 штука')
  await page.getByText('В очереди: 2').waitFor()
  await goOnOf(page).click()
  await scan(page, tea)
  await figure(page, '2')
  await readyOf(page).click()
  await sentence(page, 'Вы закончили считать. Всего: 2 штуки')
  await page.reload()
  await sentence(page, 'Вы закончили считать. Всего: 2 штуки')
  await page.getByText('В очереди: 5').waitFor()
  await page.getByRole('link', { name: 'К заданиям', exact: true }).click()
  await page.getByRole('link', { name: 'Принять возврат', exact: true }).waitFor()
  assert.equal(await cardOf(page, id).count(), 0)
  assert.equal((await readCount(floor, id)).units, 0)
  mend()
  await queueIsEmpty(page)
  const { units, workers = [], counted_at } = await readCount(floor, id)
  assert.deepEqual([units, workers.map(({ name }) => name)], [2, [login]])
  assert.notEqual(counted_at, null)

  // The other handheld says that it is done there; a scan all the same counts.
  await other.goto(`/staff/scan/counting/${id}`)
  await other.getByText('Здесь уже всё посчитали').waitFor()
  await scan(other, tea)
  await figure(other, '3')
  await queueIsEmpty(other)
  assert.equal((await readCount(floor, id)).counted_at, null)
  good(await floor.manager.post(`/counts/${id}/review`))
  good(await floor.manager.post(`/counts/${id}/recount`, { barcodes: [tea] }))
  await page.reload()
  await cardOf(page, id).click()
  await page.getByText('Менеджер попросил посчитать заново').waitFor()
  await readyOf(page).waitFor()
  assert.deepEqual(faults, [])
})

test('a manager reads who is done on Today, in the list and on the page, and is asked while somebody counts', async () => {
  const floor = await openFloor(service, { [tea]: 2, [cup]: 1 })
  const id = await startCount(floor, { barcodes: [tea, cup] })
  const count = async (by: Floor['worker'], scanId: string) =>
    good(await by.post(`/counts/${id}/scans`, { scan_id: scanId, code: tea, qty: 1 }))
  const second = await staffClient(service, 'worker')
  await count(floor.worker, 'one')
  await count(second, 'two')
  good(await floor.worker.post(`/counts/${id}/finish`, {}))
  const path = `/staff/app/counts/${id}`
  const { page, faults } = await openConsole(administrator, service.baseUrl, 'manager', path)
  await page.getByRole('button', { name: 'Отдать на проверку', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Отдать на проверку сейчас?' })
  await question.getByText(/Ещё считают: \S/).waitFor()
  await page.keyboard.press('Escape')
  good(await second.post(`/counts/${id}/finish`, {}))
  await page.reload()
  await page.getByText(/Всё посчитали: .+, .+\. Отдайте на проверку/).waitFor()
  await page.getByText(`Не посчитано и будет записано как 0: Товар ${cup}`).waitFor()
  await page.goto(`/staff/app/counts?client_id=${floor.client}`)
  await page
    .getByRole('table')
    .getByText(/Посчитан$/)
    .waitFor()
  await page.goto(`/staff/app?client_id=${floor.client}`)
  await page.getByText(/посчитали: .+, /).waitFor()
  await page
    .getByRole('link', { name: /^Проверить/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Отдать на проверку', exact: true }).click()
  await page.getByText('На проверке').first().waitFor()
  assert.deepEqual(faults, [])
})
