import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { kindsOf, noticeKinds } from '../../src/exchange/notices/kinds.ts'
import { openNoticeSender } from '../../src/exchange/notices/sender.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { stockUp } from '../support/warehouse.ts'
import { openSandbox, signIn } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, assertReadable, openPage, phone } from './browser.ts'
import { openConsole } from './console-page.ts'

/** What a seller's user is notified of, on the pages of the account. */

const service = await startService()
const { db } = service
const log = { error: ({ err }: { err: unknown }) => assert.fail(String(err)), warn: () => {} }
const sender = openNoticeSender({ db, clock: systemClock, channels: {}, log })

const seller = (name: string) =>
  perform(db, systemClock, { kind: 'service' }, (work) =>
    createClient(work, { mode: 'live', name }),
  )

const bell = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('a user opens what a notice is about, and chooses what is sent', async () => {
  const [first, second] = [await seller('ООО «Север»'), await seller('ООО «Юг»')]
  const user = await accountUser(service, { [first]: 'viewer', [second]: 'viewer' })
  await stockUp(db, first, { '1': 1 }, Date.now())
  const other = await stockUp(db, second, { '1': 1 }, Date.now())
  await sender.runOnce()
  const { page, faults } = await openPage(service.baseUrl)
  await signIn(page, user.login)
  await bell(page, 'Уведомления: 2 новых').click()
  await page.getByRole('heading', { name: 'Уведомления', exact: true, level: 1 }).waitFor()
  await page.getByText('У других ваших клиентов не прочитано: 1').waitFor()
  await page.getByText('уведомления видны только здесь').waitFor()
  await assertReadable(page)
  await page.setViewportSize(phone)
  await assertFitsWidth(page)
  await assertAccessible(page)
  await page.getByRole('checkbox', { name: 'Приёмка закончена: на странице' }).uncheck()
  await page.getByLabel('Сводка раз в сутки, в').selectOption('7')
  await page.getByLabel('Скоро закончится: запас меньше, дней').fill('21')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await page.getByText('Настройки уведомлений сохранены').waitFor()
  await page.getByRole('link', { name: 'Запас в днях', exact: true }).click()
  const low = page.getByLabel('Скоро — это')
  await low.waitFor({ state: 'attached' })
  assert.equal(await low.locator('option:checked').textContent(), 'меньше 21 дня')
  await page.goto('/account/notices')
  const isShown = page.getByRole('checkbox', { name: 'Приёмка закончена: на странице' })
  assert.equal(await isShown.isChecked(), false)
  await page.getByRole('link', { name: 'Приёмка R-000001 принята' }).click()
  await page.getByRole('heading', { name: 'R-000001' }).waitFor()
  await page.goto(
    `/account/open?client=${second}&to=${encodeURIComponent(`/account/receipts/${other}`)}`,
  )
  await page.getByRole('heading', { name: 'R-000001' }).waitFor()
  assert.equal(await page.getByLabel('Клиент').inputValue(), second, 'a letter shows its client')
  await page.goto(`/account/open?client=${second}&to=${encodeURIComponent('https://example.com/')}`)
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('a sandbox has a bell, and offers no letters', async () => {
  const { page, faults } = await openPage(service.baseUrl)
  const { api } = await openSandbox(page, service.baseUrl)
  await bell(page, 'Уведомления').waitFor()
  const played = await api.post('/v1/sandbox/triggers/receipt_with_shortage')
  assert.equal(played.status, 200, played.text)
  await sender.runOnce()
  await page.goto('/account/notices')
  await page.getByText('Уведомления песочницы видны только здесь').waitFor()
  await page.getByRole('link', { name: /принята с расхождением$/ }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Что присылать' }).count(), 0)
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Отметить все прочитанными', exact: true }).click()
  await page.getByText('новое', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /принята с расхождением$/ }).click()
  await page.getByRole('heading', { name: /^Приёмка R-/ }).waitFor()
  assert.deepEqual(faults, [])
})

test('whatever a notice is about, the list that it leads to is a page of its side', async () => {
  const { login } = await accountUser(service, { [await seller('ООО «Восток»')]: 'owner' })
  const account = await openPage(service.baseUrl)
  await signIn(account.page, login)
  const root = await staffClient(service, 'administrator')
  const console = await openConsole(root, service.baseUrl, 'administrator')
  for (const [side, { page, faults }] of [
    ['seller', account],
    ['staff', console],
  ] as const) {
    for (const list of new Set(kindsOf(side).map((kind) => noticeKinds[kind].list))) {
      await page.goto(list)
      const title = page.getByRole('heading', { level: 1 })
      await title.waitFor()
      assert.notEqual(await title.innerText(), 'Такой страницы нет', list)
    }
    assert.deepEqual(faults, [])
  }
})
