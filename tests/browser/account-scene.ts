import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { sellersPassword } from '../support/account.ts'
import { type Client, newSandboxKey, openClient } from '../support/client.ts'

/** What the tests of the account's pages do alike: sign in, open a sandbox, go to a room. */

export async function signIn(page: Page, login: string, password = sellersPassword): Promise<void> {
  await page.goto('/account')
  await page.getByLabel('Логин', { exact: true }).fill(login)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
}

/** Leads to a room; what stands on the page that is left can't be meant afterwards. */
export async function goTo(page: Page, room: string): Promise<void> {
  await page.getByRole('link', { name: room, exact: true }).click()
  await page.getByRole('heading', { name: room, exact: true, level: 1 }).waitFor()
}

/** Lets the pages say how programs ask for what they show. */
export async function beDeveloper(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Я разработчик', exact: true }).check()
}

export interface Sandbox {
  /** Calls with the key of the sandbox. */
  readonly api: Client
  readonly key: string
}

/** Opens a sandbox of its own on the page. */
export async function openSandbox(page: Page, baseUrl: string): Promise<Sandbox> {
  const key = await newSandboxKey({ baseUrl })
  await page.goto('/account')
  await page.getByLabel('Тестовый ключ', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  return { api: openClient(baseUrl, key), key }
}

/** Presses a button that copies, and says what it copied. The page needs a grant for its clipboard. */
export async function copiedBy(page: Page, button: Locator): Promise<string> {
  // Its own words change with the click.
  const pressed = await button.elementHandle()
  await pressed?.click()
  await page.waitForFunction((each) => each?.textContent === 'Скопировано', pressed)
  return page.evaluate(() => navigator.clipboard.readText())
}

export async function allowCopying(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
}

/** Why copied calls can't be tried on this machine; false: they can. */
export const lacksCurl = spawnSync('curl', ['--version']).status !== 0 && 'this machine has no curl'

/** The answer that a copied call gets in a shell. */
export async function answerInShell(call: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', call])
  return JSON.parse(stdout) as Record<string, unknown>
}

/** Deliveries and journals take their time, and the page shows them when it is loaded. */
export async function afterReloads(page: Page, wanted: Locator): Promise<void> {
  for (let rounds = 0; rounds < 20; rounds++) {
    await page.locator('main:not(:has([aria-busy]))').waitFor()
    if (await wanted.isVisible()) return
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  assert.fail(`it did not come: ${await page.locator('main').innerText()}`)
}
