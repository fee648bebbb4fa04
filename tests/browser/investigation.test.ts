import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertAccessible, assertFitsWidth } from './browser.ts'
import { openConsole } from './console-page.ts'
import { done } from './console-world.ts'

const service = await startService()
const root = await staffClient(service, 'administrator')
const barcode = '4600000000024'

test('whoever ends an investigation reads which goods came too many with which receipt, and ends it for the one unit', async () => {
  const client = await done<{ id: string }>(root.post('/clients', { name: 'ООО Юг' }))
  const items = [{ barcode, name: 'Кружка', qty: 1 }]
  const receipt = await done<{ id: string; number: string }>(
    root.post(`/clients/${client.id}/receipts`, { items }),
  )
  await done(root.post(`/receipts/${receipt.id}/start`))
  const scan = { scan_id: 'one', barcode, qty: 2 }
  await done(root.post(`/receipts/${receipt.id}/scans`, scan))
  await done(root.post(`/receipts/${receipt.id}/finish`, {}))
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager')
  await page.getByRole('listitem').filter({ hasText: 'Кружка' }).getByText('Решить').click()
  const form = page.getByRole('form', { name: 'Закончить расследование' })
  await form.getByText('Кружка').waitFor()
  const question = form.getByRole('list', { name: 'Что под вопросом' })
  await question.getByText('1 шт. · излишек при приёмке').waitFor()
  await question.getByRole('link', { name: `приёмка ${receipt.number}` }).waitFor()
  assert.equal(await form.getByLabel('Сколько единиц').inputValue(), '1')
  await assertAccessible(page)
  await assertFitsWidth(page)
  await form.getByRole('button', { name: 'Закончить расследование' }).click()
  await page.getByText('остаток 2, под вопросом 0').waitFor()
  assert.deepEqual(faults, [])
})
