import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { paragraphOf } from '../../web/account/paragraphs.ts'
import { paths } from '../../web/account/paths.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { openSandbox } from './account-scene.ts'
import { assertAccessible, assertFitsWidth, openPage, phone } from './browser.ts'
import { addUser, signIn } from './console-page.ts'

/** What every surface has: a theme of the person's own, and help. */
const service = await startService()
const root = await staffClient(service, 'administrator')

async function enterHandheld(page: Page): Promise<void> {
  const { login } = await addUser(root, 'worker')
  await signIn(page, login)
  await page.goto('/staff/scan')
}

test('the theme is chosen on the handheld, beside a printer and at the root, and stays', async () => {
  const { page, faults } = await openPage(service.baseUrl, {
    viewport: phone,
    colorScheme: 'light',
  })
  const colour = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const theme = page.getByRole('combobox', { name: 'Тема', exact: true })
  await enterHandheld(page)
  for (const path of ['/staff/scan', '/staff/print', '/']) {
    await page.goto(path)
    await theme.selectOption({ label: 'Светлая' })
    const light = await colour()
    await theme.selectOption({ label: 'Тёмная' })
    assert.notEqual(await colour(), light, path)
    await page.reload()
    await theme.waitFor()
    assert.notEqual(await colour(), light, path)
    await assertAccessible(page, path)
    await assertFitsWidth(page)
  }
  assert.deepEqual(faults, [])
})

test('the question mark opens help in the account, and each page has its paragraph', async () => {
  const isWithoutFrame: readonly string[] = [paths.open, paths.invitation, paths.password]
  for (const path of Object.values(paths)) {
    if (typeof path !== 'string' || isWithoutFrame.includes(path)) continue
    assert.ok(paragraphOf(path), path)
  }
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  await page.goto(paths.stock)
  await page.getByRole('heading', { name: 'Остатки', level: 1 }).waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Справка', exact: true })
  await help.getByText('Сколько чего лежит на складе', { exact: false }).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Справка' }).click()
  await help.getByText('строка ниже и выше', { exact: true }).waitFor()
  await assertFitsWidth(page)
  assert.deepEqual(faults, [])
})
