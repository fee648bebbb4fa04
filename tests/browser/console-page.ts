import { randomUUID } from 'node:crypto'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import type { Role } from '../../src/identity/staff/roles.ts'
import { good } from '../support/shipping.ts'
import type { StaffClient } from '../support/staff.ts'
import { type OpenedPage, openPage } from './browser.ts'
import { password } from './handheld-page.ts'

/** The console on the screen of somebody who has signed in. */

interface TestUser {
  readonly id: string
  readonly login: string
}

export async function addUser(root: StaffClient, role: Role): Promise<TestUser> {
  const login = `${role}-${randomUUID().slice(0, 8)}`
  return good(await root.post('/users', { login, role, password }), 201)
}

/** The page asks for the password first. */
export async function signIn(page: Page, login: string, path = '/staff/app'): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Логин', { exact: true }).fill(login)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.locator('#content').waitFor()
}

/** A page of the console, opened by somebody new with that role. */
export async function openConsole(
  root: StaffClient,
  baseUrl: string,
  role: Role,
  path?: string,
  options?: BrowserContextOptions,
): Promise<OpenedPage & { readonly user: TestUser }> {
  const user = await addUser(root, role)
  const opened = await openPage(baseUrl, options)
  await signIn(opened.page, user.login, path)
  return { ...opened, user }
}

/** Calls that are on their way. */
export function watchCalls(page: Page): ReadonlySet<Request> {
  const going = new Set<Request>()
  page.on('request', (request) => going.add(request))
  page.on('requestfinished', (request) => going.delete(request))
  page.on('requestfailed', (request) => going.delete(request))
  return going
}

/** Everything has come that the page asked for. */
export async function settle(page: Page, going: ReadonlySet<Request>): Promise<void> {
  await page.locator('main h1').first().waitFor()
  do await page.evaluate(twoFrames)
  while (going.size > 0 || (await page.locator('[aria-busy=true]').count()) > 0)
}

/** On the page: what was changed is drawn. */
export function twoFrames(): Promise<void> {
  return new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
  )
}

/** The first steps in an empty service: its first warehouse and its first client. */
export async function takeFirstSteps(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Начало работы' }).waitFor()
  await page.getByRole('textbox', { name: 'Код' }).fill('MSK1')
  await page.getByRole('textbox', { name: 'Название' }).fill('Складочная, 1')
  await page.getByRole('button', { name: 'Завести склад' }).click()
  await page.getByRole('button', { name: 'Завести клиента' }).waitFor()
  await page.getByRole('textbox', { name: 'Название' }).fill('ООО «Ромашка»')
  await page.getByRole('button', { name: 'Завести клиента' }).click()
}
