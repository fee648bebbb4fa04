import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { startService } from '../support/service.ts'
import { good } from '../support/shipping.ts'
import { type StaffClient, staffClient } from '../support/staff.ts'
import {
  assertAccessible,
  assertFitsWidth,
  assertReadable,
  type OpenedPage,
  openPage,
  patienceMs,
  phone,
} from './browser.ts'
import { scan } from './scanner.ts'

/** The handheld in a worker's hand: signing in, and what the screen says. */

export const password = 'верный пароль кладовщика'

export interface TestWorker {
  readonly id: string
  readonly login: string
}

export async function addWorker(administrator: StaffClient): Promise<TestWorker> {
  const login = `worker-${randomUUID().slice(0, 8)}`
  return good(await administrator.post('/users', { login, role: 'worker', password }), 201)
}

/** The session has ended: the form knows the login. */
export async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Пароль').fill(password)
  await page.keyboard.press('Enter')
}

export async function signIn(page: Page, login: string): Promise<void> {
  // The form for the PIN has a login, too, and stays until this one is shown.
  await page.getByLabel('Пароль').waitFor()
  await page.getByLabel('Логин').fill(login)
  await enterPassword(page)
  await page.getByRole('heading', { name: login, exact: true }).waitFor()
}

export interface Handheld extends OpenedPage {
  readonly login: string
}

/** The handheld of a new worker, at its first page. */
export async function openHandheld(
  administrator: StaffClient,
  baseUrl: string,
  own?: Browser,
): Promise<Handheld> {
  const { login } = await addWorker(administrator)
  const opened = await openPage(baseUrl, { viewport: phone }, own)
  await opened.page.goto('/staff/scan')
  await signIn(opened.page, login)
  return { ...opened, login }
}

/** A service, whose handhelds new workers open. */
export async function startHandhelds() {
  const service = await startService()
  const administrator = await staffClient(service, 'administrator')
  const open = (baseUrl = service.baseUrl, own?: Browser) =>
    openHandheld(administrator, baseUrl, own)
  return { service, administrator, openHandheld: open }
}

export async function sentence(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.sentence', { hasText: text }).waitFor()
}

/** The figure is exactly this one, such as `3 из 10`. */
export async function figure(page: Page, text: string): Promise<void> {
  await page.locator('.figure', { hasText: new RegExp(`^\\s*${text}\\s*$`) }).waitFor()
}

/**
 * All that the worker has scanned is sent. The page alone can't tell: it does not draw at once what its disk holds. A
 * scan is on the disk before its sentence is shown, so wait for the sentence first.
 */
export async function queueIsEmpty(page: Page): Promise<void> {
  await page.evaluate(allSent, patienceMs)
  await page.getByText(/^В очереди: /).waitFor({ state: 'hidden' })
}

/** In the page: resolves when its disk holds no call of its worker that is still to be sent. */
async function allSent(patienceMs: number): Promise<void> {
  const name = 'sklad-handheld'
  const isThere = async () => (await indexedDB.databases()).some((each) => each.name === name)
  const answerOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const deadline = performance.now() + patienceMs
  const soon = () => {
    if (performance.now() > deadline) throw new Error('scans wait to be sent')
    return new Promise((resolve) => setTimeout(resolve, 20))
  }
  // To open what is not there yet would make it.
  while (!(await isThere())) await soon()
  const disk = await answerOf(indexedDB.open(name))
  const waits = async () => {
    const entries: { userId: string; state: string }[] = await answerOf(
      disk.transaction('entries').objectStore('entries').getAll(),
    )
    const { id } = JSON.parse(localStorage.getItem('sklad.worker') ?? '{}') as { id?: string }
    return entries.some(({ userId, state }) => userId === id && state === 'waiting')
  }
  while (await waits()) await soon()
  disk.close()
}

/** The worker has read the sentence that locks the screen. */
export async function understand(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Понятно', exact: true })
  await button.click()
  await button.waitFor({ state: 'hidden' })
}

/** The scan locks the screen with this sentence; the worker reads it and goes on. */
export async function alarms(page: Page, code: string, text: string | RegExp): Promise<void> {
  await scan(page, code)
  await sentence(page, text)
  await understand(page)
}

/** The page is accessible and fits, in both colour schemes. SHOTS names a folder for its pictures. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  const looks = { dark: assertReadable, light: assertAccessible } as const
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    if (folder !== undefined) {
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
    }
    await looks[colorScheme](page, name)
  }
  await assertFitsWidth(page)
}
