import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { SellerRole } from '../../src/identity/sellers/roles.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, desktop, openPage, phone } from './browser.ts'
import { countJobs } from './clicks.ts'

/** What a seller opens the account for is answered at first look or two presses away: sold, left, where, how much. */

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

/** Asked within so many presses from the overview, which has the answer or leads to it: nobody searches for ten seconds. */
const atMost = { presses: 2, fields: 0 }

interface Question {
  readonly question: string
  /** What is pressed, one after the other. */
  readonly way: readonly string[]
  /** What must be read there. */
  readonly answer: (page: Page) => Locator
}

const rowOf = (page: Page, name: string, text: string) =>
  page.getByRole('region', { name, exact: true }).getByRole('row').filter({ hasText: text }).first()

const questions: readonly Question[] = [
  {
    question: 'what was sold',
    way: ['Продажи'],
    answer: (page) => rowOf(page, 'Продажи по товарам', 'A'),
  },
  {
    question: 'what is left',
    way: ['Остатки'],
    answer: (page) => rowOf(page, 'Остатки', 'A'),
  },
  {
    question: 'for how long it lasts',
    way: ['Запас в днях по всем товарам'],
    answer: (page) => rowOf(page, 'Запас в днях', 'A'),
  },
  {
    question: 'where a product is',
    way: ['Остатки', 'Товар A'],
    answer: (page) => page.getByRole('heading', { name: 'Товар A', level: 1 }),
  },
  {
    question: 'where an order is',
    way: ['Заказы', 'order-1'],
    answer: (page) => page.getByRole('heading', { name: /order-1/, level: 1 }),
  },
]

/** Of who may see money. */
const costs: Question = {
  question: 'what it costs',
  way: ['Начислено в этом месяце'],
  answer: (page) => rowOf(page, 'По услугам', 'Сборка короба'),
}

/** From the overview by its links to the answer, and back. */
async function ask(page: Page, { way, answer }: Question): Promise<void> {
  for (const name of way) {
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor({ state: 'detached' })
    await settled(page)
  }
  await answer(page).waitFor()
}

async function goBack(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  await settled(page)
}

/** The figures that answer before anything is pressed. */
async function glance(page: Page, role: SellerRole): Promise<void> {
  const figures = {
    'Заказов за 30 дней': /^2$/,
    'На складе, единиц': /^12$/,
    ...(role === 'owner' && { 'Начислено в этом месяце': /^1.250.₽$/ }),
  }
  for (const [title, wanted] of Object.entries(figures)) {
    const card = page.locator('.figure-card', { hasText: title })
    assert.match(await card.locator('strong').innerText(), wanted)
  }
  await page.getByRole('heading', { name: 'Путь товаров за 30 дней', exact: true }).waitFor()
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
    // Guarantee (account): What was sold, what is left, where it is and what it costs is at most two presses away from the overview.
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
      await glance(page, role)
      const count = await countJobs(page)
      const own = role === 'owner' ? [...questions, costs] : questions
      for (const each of own) {
        await count(`${each.question}, ${role}, ${size}`, atMost, () => ask(page, each))
        await goBack(page)
      }
      if (role !== 'owner') {
        assert.equal(await page.locator('.figure-card', { hasText: 'Начислено' }).count(), 0)
      }
      await assertAccessible(page, `${role} ${size}`)
      await assertFitsWidth(page)
      if (process.env.SHOTS !== undefined) {
        await page.screenshot({ path: `${process.env.SHOTS}/${role}-${size}.png`, fullPage: true })
      }
      assert.deepEqual(faults, [])
    })
  }
}
