import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StaffReceipt } from '../../src/warehouse/receipts/view.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { startCount } from './handheld-floor.ts'
import { figure, openHandheld, queueIsEmpty, sentence } from './handheld-page.ts'
import { scan } from './scanner.ts'

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const tea = ean13('460123450001')
const cup = ean13('460123450002')

test('receiving: the hint to begin goes once begun, and a scan over the number counts it and then itself', async () => {
  const floor = await openFloor(service, { X: 1 })
  const items = [
    { barcode: tea, name: 'Чай', qty: 20 },
    { barcode: cup, name: 'Чашка', qty: 2 },
  ]
  const path = `/clients/${floor.client}/receipts`
  const { id } = good<StaffReceipt>(await floor.manager.post(path, { items }), 201)
  const { page, faults } = await openHandheld(administrator, service.baseUrl)
  await page.goto(`/staff/scan/receiving/${id}`)
  await page.getByRole('button', { name: 'Начать приёмку' }).waitFor()
  await scan(page, tea)
  await sentence(page, 'Сначала нажмите «Начать приёмку»')
  await page.getByRole('button', { name: 'Начать приёмку' }).click()
  await sentence(page, 'Приёмка начата')

  await scan(page, tea)
  await figure(page, '1 из 20')
  const more = page.getByRole('button', { name: 'Добавить ещё несколько' })
  await more.click()
  await page.getByLabel('Сколько ещё штук').fill('4')
  await scan(page, cup)
  await figure(page, '1 из 2')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await more.click()
  await page.getByLabel('Сколько ещё штук').waitFor()
  await scan(page, tea)
  await figure(page, '6 из 20')
  await queueIsEmpty(page)
  assert.equal(good<StaffReceipt>(await floor.worker.get(`/receipts/${id}`)).accepted_qty, 7)
  assert.deepEqual(faults, [])
})

test('counting by number: the next goods are asked about once the number before has been taken', async () => {
  const floor = await openFloor(service, { [tea]: 9, [cup]: 4 })
  const id = await startCount(floor, {})
  const { page, faults } = await openHandheld(administrator, service.baseUrl)
  await page.goto(`/staff/scan/counting/${id}`)
  await page.getByRole('button', { name: 'Числом', exact: true }).click()
  await scan(page, tea)
  const number = page.getByLabel('Сколько штук', { exact: true })
  await number.fill('9')
  await scan(page, cup)
  await page.locator('.lines .qty', { hasText: '9' }).waitFor({ state: 'attached' })
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=qty]')?.value === '',
  )
  await number.fill('4')
  await page.getByRole('button', { name: 'Посчитать', exact: true }).click()
  await figure(page, '4')
  await queueIsEmpty(page)
  assert.deepEqual(faults, [])
})
