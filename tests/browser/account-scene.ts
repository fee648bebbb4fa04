import type { Page } from 'playwright-core'
import { sellersPassword } from '../support/account.ts'
import { type Client, openClient } from '../support/client.ts'

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

export interface Sandbox {
  /** Calls with the key of the sandbox. */
  readonly api: Client
  readonly key: string
}

/** Opens a sandbox of its own on the page. */
export async function openSandbox(page: Page, baseUrl: string): Promise<Sandbox> {
  const { body } = await openClient(baseUrl).post('/v1/sandbox/keys')
  const { key } = body as { key: string }
  await page.goto('/account')
  await page.getByLabel('Тестовый ключ', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Обзор', exact: true }).waitFor()
  return { api: openClient(baseUrl, key), key }
}
