import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { paths } from '../../web/account/paths.ts'
import { accountUser, sellersPassword } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { openSandbox, signIn } from './account-scene.ts'
import { assertFitsWidth, openPage, phone } from './browser.ts'

/** Every list of the account as a file, which comes when it is asked for. */

const service = await startService({ WEBHOOK_PRIVATE_TARGETS: 'allow' })

/** The names of the files that the page offers, each asked for. */
async function filesOn(page: Page, address: string): Promise<string[]> {
  await page.goto(address)
  await page.locator('main h1').first().waitFor()
  await page.locator('main:not(:has([aria-busy=true]))').waitFor()
  const links = await page
    .getByRole('link', { name: 'CSV', exact: true })
    .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href))
  for (const link of links) {
    const answer = await page.request.get(link)
    assert.equal(answer.status(), 200, `${link}: ${await answer.text()}`)
  }
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  return links.map(
    (link) => new URL(link).pathname.replace('/account/v1/exports/', '').split('/')[0] ?? '',
  )
}

test('every list of a sandbox is saved as a file', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  const { api } = await openSandbox(page, service.baseUrl)
  const { url } = good<{ url: string }>(
    await api.post('/v1/sandbox/receivers', { answers: ['200'] }),
    201,
  )
  const made = await api.post('/v1/webhooks', { url, events: ['order.status_changed'] })
  const { webhook } = good<{ webhook: { id: string } }>(made, 201)
  good(await api.post(`/v1/webhooks/${webhook.id}/ping`), 202)
  const addresses = {
    [paths.stock]: 'stock',
    [paths.movements]: 'movements',
    [paths.sales]: 'sales',
    [paths.cover]: 'cover',
    [paths.lots]: 'lots',
    [paths.webhooks]: 'webhooks',
    [paths.orders]: 'orders',
    [paths.receipts]: 'receipts',
    [paths.shipments]: 'shipments',
    [paths.returns]: 'returns',
    [paths.keys]: 'keys',
    [paths.calls]: 'calls',
    [paths.events]: 'events',
    [paths.webhook(webhook.id)]: 'deliveries',
  }
  const [receipt, batch, shipment] = await Promise.all(
    ['receipts', 'returns', 'shipments'].map(async (list) => {
      const { body } = await api.get(`/v1/${list}?limit=1`)
      return (body as { items: { id: string }[] }).items[0]?.id ?? ''
    }),
  )
  const ofObjects = {
    [paths.receipt(receipt ?? '')]: 'receipt-items',
    [paths.returnBatch(batch ?? '')]: 'return-items',
    [paths.shipment(shipment ?? '')]: 'orders',
  }
  for (const [address, name] of Object.entries({ ...addresses, ...ofObjects }))
    assert.deepEqual(await filesOn(page, address), [name], address)
  assert.deepEqual(faults, [])
})

test('money and people of a client are saved by its owner', async () => {
  const floor = await openFloor(service, { A: 7 })
  const admin = await staffClient(service, 'administrator')
  const { warehouse_code: code } = good<{ warehouse_code: string }>(
    await admin.get(`/clients/${floor.client}`),
  )
  const own = { code: 'OWN_BOX', name: 'Сборка короба', unit: 'короб' }
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
  const prices = [{ service: 'OWN_BOX', steps: [{ up_to: null, price: '625' }] }]
  good(
    await admin.post(`/warehouses/${code}/tariffs`, {
      first_day: '2026-11-01',
      prices,
      free_days: 0,
    }),
    201,
  )
  const boxes = { service: 'OWN_BOX', quantity: '2', comment: 'Короба' }
  good(await admin.post(`/clients/${floor.client}/manual-charges`, boxes), 201)
  const owner = await accountUser(service, { [floor.client]: 'owner' })
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, owner.login)
  assert.deepEqual(await filesOn(page, paths.money), ['billing-periods', 'charges'])
  assert.deepEqual(await filesOn(page, paths.users), ['users'])
  const invited = { note: 'Анна', role: 'viewer', password: sellersPassword }
  assert.equal((await owner.post('/invitations', invited)).status, 201)
  assert.deepEqual(await filesOn(page, paths.users), ['users', 'invitations'])
  const wanted = { name: '1С', purpose: 'Сверять остатки', receipts_enabled: false }
  assert.equal((await owner.post('/key-requests', wanted)).status, 201)
  assert.deepEqual(await filesOn(page, paths.keys), ['key-requests', 'keys'])
  assert.deepEqual(faults, [])
})
