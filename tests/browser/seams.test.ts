import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listOf, paths } from '../../web/console/paths.ts'
import { openClient } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { openConsole } from './console-page.ts'
import { done, type Made } from './console-world.ts'

/** What a manager once met in the console and took for something else. */
const service = await startService()
const { db } = service
const root = await staffClient(service, 'administrator')
const open = (path: string) => openConsole(root, service.baseUrl, 'administrator', path)

test('a request is confirmed on its own page, which names the other one with the same goods, and a double click confirms nothing else', async () => {
  const { id: client } = await done<Made>(root.post('/clients', { name: `ООО ${randomUUID()}` }))
  const items = [{ barcode: '4600000000017', name: 'Кружка', qty: 5 }]
  const ask = async () => {
    const { id } = await done<Made>(root.post(`/clients/${client}/receipts`, { items }))
    await db`update receipts set status = 'PENDING_CONFIRMATION', source = 'api' where id = ${id}`
    return done<Made & { number: string }>(root.get(`/receipts/${id}`))
  }
  const [one, other] = [await ask(), await ask()]
  const { page, faults } = await open(listOf(paths.today, { client_id: client }))
  const card = page.getByRole('listitem').filter({ hasText: one.number })
  await card.getByRole('link', { name: `Проверить ${one.number}`, exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Подтвердить' }).count(), 0)
  await card.getByRole('link', { name: `Проверить ${one.number}`, exact: true }).click()
  await page.getByText(`Эти товары заявлены и в ${other.number}`, { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Подтвердить', exact: true }).dblclick()
  await page.getByText('Ожидается', { exact: false }).first().waitFor()
  const statusOf = async ({ id }: Made) =>
    good<{ status: string }>(await root.get(`/receipts/${id}`)).status
  assert.deepEqual(
    [await statusOf(one), await statusOf(other)],
    ['EXPECTED', 'PENDING_CONFIRMATION'],
  )
  assert.deepEqual(faults, [])
})

/** How far the colour of a place is from that of an empty one. */
function strengthOf(page: Page, name: RegExp): Promise<number> {
  return page.getByRole('link', { name }).evaluate((place) => {
    const channels = (each: Element) =>
      (getComputedStyle(each).backgroundColor.match(/\d+/g) ?? []).map(Number)
    const free = channels(document.querySelector('a.place.free') ?? place)
    return channels(place).reduce((sum, each, n) => sum + Math.abs(each - (free[n] ?? 0)), 0)
  })
}

test('the fuller a place is, the stronger is its colour on the map, in the light and in the dark', async () => {
  const warehouse_code = `M-${randomUUID().slice(0, 6)}`
  good(await root.post('/warehouses', { code: warehouse_code, name: 'Карта' }), 201)
  const draft = { name: 'ООО «Карта»', warehouse_code }
  const { id: client } = await done<Made>(root.post('/clients', draft))
  const items = [{ barcode: 'M', name: 'Мяч', qty: 12 }]
  const { id } = await done<Made>(root.post(`/clients/${client}/receipts`, { items }))
  await done(root.post(`/receipts/${id}/start`))
  await done(root.post(`/receipts/${id}/scans`, { scan_id: 'm', barcode: 'M', qty: 12 }))
  await done(root.post(`/receipts/${id}/finish`, { shortages: [] }))
  for (const [code, qty] of [
    ['A-1', 0],
    ['A-2', 2],
    ['A-3', 10],
  ] as const) {
    const place = await done<Made>(root.post('/locations', { warehouse_code, code }))
    const put = { client_id: client, barcode: 'M', qty, scan_id: randomUUID() }
    if (qty > 0) await done(root.post(`/locations/${place.id}/put`, put))
  }
  const { page, faults } = await open(listOf(paths.map, { warehouse_code }))
  await page.getByText('чем ярче цвет, тем больше лежит', { exact: false }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const [some, much] = [
      await strengthOf(page, /^A-2: есть/),
      await strengthOf(page, /^A-3: много/),
    ]
    assert.ok(some > 0 && much > some * 2, `${colorScheme}: ${some}, ${much}`)
  }
  await page.keyboard.press('?')
  await page
    .getByRole('dialog')
    .getByText('чем ярче место, тем оно полнее', { exact: false })
    .waitFor()
  assert.deepEqual(faults, [])
})

test('a call that went well stands under a word that blames nobody', async () => {
  const { id: client } = await done<Made>(root.post('/clients', { name: 'ООО «Вызов»' }))
  const { key } = await done<{ key: string }>(root.post(`/clients/${client}/keys`, { name: '1С' }))
  assert.equal((await openClient(service.baseUrl, key).get('/v1/me')).status, 200)
  const { page, faults } = await open(listOf(paths.calls, { client_id: client }))
  const row = page.getByRole('row', { name: '/v1/me' })
  while (!(await row.isVisible())) await page.reload()
  await page.getByRole('columnheader', { name: 'Ответ', exact: true }).waitFor()
  await row.getByText('200').waitFor()
  assert.equal(await page.getByText('Что не так').count(), 0)
  assert.deepEqual(faults, [])
})
