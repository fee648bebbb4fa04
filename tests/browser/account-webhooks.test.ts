import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { subscribableTypes } from '../../src/warehouse/events/catalogue.ts'
import { openReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import {
  afterReloads,
  allowCopying,
  answerInShell,
  copiedBy,
  goTo,
  lacksCurl,
  openSandbox,
} from './account-scene.ts'
import { assertAccessible, assertFitsWidth, openPage, phone } from './browser.ts'

/** Webhooks in the account: a developer gets the bytes that were sent, and checks their signature. */

const service = await startService(
  {
    SANDBOX_ROBOT: 'off',
  },
  'all',
)

const good = 'Подпись верна'
const bad = 'Подпись не сходится'

const timestampLabel = 'X-SVC-Timestamp или webhook-timestamp'
const signatureLabel = 'X-SVC-Signature или webhook-signature'

/** Counts the signature and waits for what is said of it. */
async function assertJudged(check: Locator, words: string): Promise<void> {
  await check.getByRole('button', { name: 'Посчитать', exact: true }).click()
  await check.locator('.badge', { hasText: words }).waitFor()
}

/** Changes a byte of the body that was known, and puts it back. */
async function assertByteCounts(check: Locator): Promise<void> {
  const body = check.getByLabel('Тело запроса, как пришло', { exact: true })
  const sent = await body.inputValue()
  await body.fill(sent.replace('"id":"', '"id": "'))
  await assertJudged(check, bad)
  await body.fill(sent)
  await assertJudged(check, good)
}

test('the body of every delivery is copied as it was sent, and its signature is checked on its page', async () => {
  const receiver = await openReceiver()
  const { page, faults } = await openPage(service.baseUrl)
  await allowCopying(page)
  const { api } = await openSandbox(page, service.baseUrl)
  const made = await api.post('/v1/webhooks', { url: receiver.url, events: subscribableTypes })
  const { webhook, secret } = made.body as { webhook: { id: string }; secret: string }
  const { cabinets } = (await api.get('/v1/me')).body as { cabinets: { id: string }[] }
  const name = '«Плед» <b>20 × 30</b>\u2028\u007f'
  const items = [{ barcode: 'Б-1', name, qty: 2, honest_mark: false }]
  const announced = await api.post('/v1/receipts', { cabinet_id: cabinets[0]?.id, items })
  assert.equal(announced.status, 201, announced.text)
  const situations = [
    'receipt_confirmed',
    'receipt_completed',
    'order_cancelled',
    'shipment_handed_over',
  ]
  for (const situation of situations) {
    assert.equal((await api.post(`/v1/sandbox/triggers/${situation}`)).status, 200)
  }
  const types = ['webhook.ping', ...subscribableTypes]
  await receiver.until((requests) =>
    types.every((type) => requests.some(({ event }) => event.type === type)),
  )
  await page.goto(`/account/webhooks/${webhook.id}`)
  for (const type of types) {
    const row = page.getByRole('row', { name: new RegExp(`^${type}`) }).first()
    await row.getByRole('button', { name: 'Попытки', exact: true }).click()
    const panel = page.getByRole('region', { name: 'Попытки доставки', exact: true })
    await panel.getByRole('heading', { name: `Попытки: ${type}`, exact: true }).waitFor()
    await page.locator('[aria-label="Попытки доставки"]:focus').waitFor()
    assert.ok(((await panel.boundingBox())?.y ?? -1) >= -1, 'it begins inside the window')
    const body = await copiedBy(
      page,
      panel.getByRole('button', { name: 'Скопировать тело, как отправлено' }),
    )
    const request = receiver.requests.find(({ bytes }) => bytes.toString() === body)
    assert.ok(request, `nobody sent ${body}`)
    const check = panel.locator('details', { hasText: 'Проверить подпись' })
    await check.locator('summary').click()
    await check.getByLabel('Секрет подписи', { exact: true }).fill(secret)
    const header = (name: string) => String(request.headers[name.toLowerCase()])
    await check.getByLabel(timestampLabel, { exact: true }).fill(header('X-SVC-Timestamp'))
    for (const name of ['X-SVC-Signature', 'webhook-signature']) {
      await check.getByLabel(signatureLabel, { exact: true }).fill(header(name))
      await assertJudged(check, good)
      await assertByteCounts(check)
      await check.getByText(`${name}: ${header(name)}`, { exact: true }).waitFor()
    }
  }
  await assertAccessible(page)
  assert.deepEqual(faults, [])
})

test('a receiver of the sandbox leads to its webhook and back, and shows all that a signature is made of', async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone, colorScheme: 'dark' })
  await openSandbox(page, service.baseUrl)
  await goTo(page, 'Песочница')
  await page.getByLabel('Что отвечать по порядку', { exact: true }).fill('500, 204')
  await page.getByRole('button', { name: 'Создать приёмник', exact: true }).click()
  await page.getByText('Ещё ничего не пришло', { exact: false }).waitFor()
  await page.getByText('Отвечает по порядку: 500, 204.', { exact: true }).waitFor()
  await page.reload()
  const url = (await page.locator('code.secret').textContent()) ?? ''
  await page.getByRole('link', { name: 'Добавить вебхук с ним', exact: true }).click()
  await page.getByRole('heading', { name: 'Вебхуки', exact: true }).waitFor()
  assert.equal(await page.getByLabel('Адрес', { exact: true }).inputValue(), url)
  await page.getByRole('button', { name: 'Проверить адрес и добавить', exact: true }).click()
  const secret = (await page.locator('code.secret').textContent()) ?? ''
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Открыть вебхук', exact: true }).click()
  await page.getByRole('link', { name: 'Запросы в приёмнике', exact: true }).click()
  const ping = page.locator('.events > li', { hasText: 'webhook.ping' })
  await ping.locator('summary').first().click()
  const check = ping.locator('details', { hasText: 'Проверить подпись' }).last()
  await check.locator('summary').click()
  await check.getByLabel('Секрет подписи', { exact: true }).fill(secret)
  await assertJudged(check, good)
  await assertByteCounts(check)
  await assertAccessible(page)
  await assertFitsWidth(page)
  await page.goto('/account/sandbox?receiver=01a1fcc9-0c44-7024-87c2-000000000000')
  await page.getByText('Такого приёмника больше нет', { exact: false }).waitFor()
  assert.deepEqual(faults, [])
})

test('a check of the address and a delivery that is sent again say that they were queued', async () => {
  const receiver = await openReceiver()
  const { page, faults } = await openPage(service.baseUrl)
  const { api } = await openSandbox(page, service.baseUrl)
  const made = await api.post('/v1/webhooks', { url: receiver.url, events: subscribableTypes })
  const { webhook } = made.body as { webhook: { id: string } }
  await page.goto(`/account/webhooks/${webhook.id}`)
  await page.getByRole('button', { name: 'Проверить адрес', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Проверка поставлена в очередь' }).waitFor()
  await page.getByRole('button', { name: 'Попытки', exact: true }).first().click()
  await page.getByRole('button', { name: 'Отправить ещё раз', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'новая доставка первая в списке' }).waitFor()
  assert.deepEqual(faults, [])
})

/** Each client that the page of the keys offers can be installed from where it says. */
async function assertPackagesAreServed(page: Page): Promise<void> {
  const shown = await page
    .getByRole('region', { name: 'Готовые библиотеки' })
    .locator('pre')
    .allTextContents()
  const addresses = shown.flatMap((text) => text.match(/http\S+/g) ?? [])
  assert.equal(addresses.length, 3)
  for (const address of addresses) {
    const file = address.endsWith('/sdk') ? `${address}/packages.json` : address
    assert.equal((await fetch(file)).status, 200, file)
  }
}

test('a new test key comes with a call that answers as copied, and its calls are found by the key', {
  skip: lacksCurl,
}, async () => {
  const { page, faults } = await openPage(service.baseUrl, { viewport: phone })
  await allowCopying(page)
  await page.goto('/')
  await page.getByRole('link', { name: 'Личный кабинет', exact: false }).click()
  await page.getByRole('button', { name: 'Получить тестовый ключ', exact: true }).click()
  const copy = page.getByRole('button', { name: 'Скопировать вызов', exact: true })
  const { items, total } = await answerInShell(await copiedBy(page, copy))
  assert.ok(Array.isArray(items) && items.length === total)
  await assertAccessible(page)
  await assertFitsWidth(page)
  await page.getByRole('button', { name: 'Открыть его песочницу', exact: true }).click()
  await goTo(page, 'Ключи')
  await page.getByText('даёт страница входа', { exact: false }).waitFor()
  await assertPackagesAreServed(page)
  await page.getByRole('link', { name: 'Журнал', exact: true }).click()
  await afterReloads(page, page.getByRole('cell', { name: 'GET /v1/stock' }))
  await page.getByRole('link', { name: 'Показать все', exact: true }).click()
  await page.getByText('Здесь вызовы одного ключа', { exact: false }).waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
})
