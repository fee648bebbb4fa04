import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SellerRole } from '../../src/identity/sellers/roles.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'

/** What a seller opens the account for is answered at first look or one click away: sold, left, where, how much. */

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')
const floor = await openFloor(service, { A: 7, B: 5 })
const [first] = await floor.orders({ 'order-1': 'A', 'order-2': 'B' })
assert.ok(first)
await floor.filled([first])
await charge()
good(await admin.patch(`/clients/${floor.client}`, { account_receipts: true }))

/** The warehouse packs 1,250 roubles' worth of boxes this month. */
async function charge(): Promise<void> {
  const { warehouse_code: code } = good<{ warehouse_code: string }>(
    await admin.get(`/clients/${floor.client}`),
  )
  const own = { code: 'OWN_BOX', name: 'Сборка короба', unit: 'короб' }
  good(await admin.post(`/warehouses/${code}/billing-services`, own), 201)
  const prices = [{ service: 'OWN_BOX', steps: [{ up_to: null, price: '625' }] }]
  const tariff = { first_day: '2026-11-01', prices, free_days: 0 }
  good(await admin.post(`/warehouses/${code}/tariffs`, tariff), 201)
  const boxes = { service: 'OWN_BOX', quantity: '2', comment: 'Короба' }
  good(await admin.post(`/clients/${floor.client}/manual-charges`, boxes), 201)
}

const settled = (page: Page) => page.locator('main:not(:has([aria-busy]))').waitFor()

/** Asks a question: the figure on the card, then the page that the card leads to. */
async function ask(page: Page, card: string, answer: RegExp, heading: string): Promise<void> {
  const panel = page.locator('.figure-card', { hasText: card })
  assert.match(await panel.locator('strong').innerText(), answer)
  await panel.getByRole('link', { name: card, exact: true }).click()
  await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  await settled(page)
}

/** Goes where a link of the overview leads, looks there, and comes back. */
async function follow(page: Page, name: string, look: () => Promise<void>): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor({ state: 'detached' })
  await settled(page)
  await look()
  await page.goBack()
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  await settled(page)
}

test('each role finds what it may do, and no more: to announce, to ask for a key, to see the money', async () => {
  const may = {
    owner: { announce: 1, key: 1, money: 1 },
    receipts: { announce: 1, key: 0, money: 0 },
    viewer: { announce: 0, key: 0, money: 0 },
  } satisfies Readonly<Record<SellerRole, unknown>>
  for (const [role, wanted] of Object.entries(may)) {
    const { login } = await accountUser(service, { [floor.client]: role as SellerRole })
    const { page, faults } = await openPage(service.baseUrl, { viewport: desktop })
    await page.clock.setFixedTime(clock.now())
    await signIn(page, login)
    await settled(page)
    const money = await page.getByRole('link', { name: 'Деньги', exact: true }).count()
    await page.goto('/account/receipts')
    await page.getByRole('heading', { name: 'Приёмки', exact: true, level: 1 }).waitFor()
    await settled(page)
    const announce = await page.getByRole('link', { name: 'Заявить поставку', exact: true }).count()
    await page.goto('/account/keys')
    await page.getByRole('heading', { name: 'Ключи', exact: true, level: 1 }).waitFor()
    await settled(page)
    const key = await page.getByText('Попросить ключ', { exact: true }).count()
    assert.deepEqual({ announce, key, money }, wanted, role)
    assert.deepEqual(faults, [])
  }
})

for (const role of ['owner', 'receipts', 'viewer'] satisfies SellerRole[]) {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    test(`the four questions of a seller are answered to the role ${role}, ${size}`, async () => {
      const { login } = await accountUser(service, { [floor.client]: role })
      const { page, faults } = await openPage(service.baseUrl, { viewport })
      await page.clock.setFixedTime(clock.now())
      await signIn(page, login)
      await settled(page)
      const curves = await page.getByRole('region', { name: 'Кривые' }).boundingBox()
      for (const card of await page.locator('.figure-card').all()) {
        const box = await card.boundingBox()
        assert.ok(box && curves && box.y + box.height <= Math.min(curves.y, viewport.height))
      }
      await ask(page, 'Заказов за 30 дней', /^2$/, 'Заказы')
      await page.getByRole('link', { name: 'Продажи', exact: true }).waitFor()
      await ask(page, 'На складе, единиц', /^12$/, 'Остатки')
      await page.getByRole('link', { name: 'Запас в днях по всем товарам', exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Путь товаров за 30 дней', exact: true }).waitFor()
      const cost = page.locator('.figure-card', { hasText: 'Начислено' })
      if (role === 'owner') {
        await ask(page, 'Начислено в этом месяце', /^1.250.₽$/, 'Деньги')
      } else {
        assert.equal(await cost.count(), 0)
      }
      await follow(page, 'Продажи', async () => {
        const sold = page.getByRole('region', { name: 'Продажи по товарам', exact: true })
        assert.equal(await sold.getByRole('row').filter({ hasText: 'A' }).count(), 1)
      })
      await follow(page, 'Запас в днях по всем товарам', async () => {
        await page.getByRole('row').filter({ hasText: 'A' }).first().waitFor()
      })
      await assertAccessible(page, `${role} ${size}`)
      await assertFitsWidth(page)
      if (process.env.SHOTS !== undefined) {
        await page.screenshot({ path: `${process.env.SHOTS}/${role}-${size}.png`, fullPage: true })
      }
      assert.deepEqual(faults, [])
    })
  }
}
