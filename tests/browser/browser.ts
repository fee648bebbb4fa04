import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Route,
} from 'playwright-core'
import { findChromium } from '../support/chromium.ts'

/** How long a test waits for what must appear: it fails afterwards. */
export const patienceMs = 20_000

let running: Promise<Browser> | undefined
after(async () => (await running)?.close())

/** The pages of the test that runs, with what each asked the service for. */
const opened: { page: Page; calls: string[] }[] = []
const callsShown = 40

afterEach(async (context) => {
  // A hook of a test gets what its name says, whatever the types say.
  if (!(context as TestContext).passed) for (const each of opened) await describe(each)
  opened.length = 0
})

/** What a page shows and what it asked for last: a test that fails by chance must be explained by its output. */
async function describe({ page, calls }: (typeof opened)[number]): Promise<void> {
  if (page.isClosed()) return
  const shown = await page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch((error: unknown) => String(error))
  const focus = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
  console.log([`${page.url()} shows:`, shown, `focus: ${focus}`, ...calls].join('\n'))
}

/** One browser for all tests of a file. */
async function browser(): Promise<Browser> {
  running ??= launch()
  return running
}

/** A browser, with more switches of Chromium where a test needs its own, which it closes itself. */
export async function launch(switches: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
      ...switches,
    ],
  })
}

/** What a browser reports as errors though the page did nothing wrong: refusals, and a header that needs HTTPS. */
const known = [
  'Failed to load resource',
  'The Cross-Origin-Opener-Policy header has been ignored',
] as const

const plainHost = 'sklad.test'

/** The service under a name that browsers do not trust without HTTPS, as they trust this machine. */
export function plainHttp(baseUrl: string): string {
  return `http://${plainHost}:${new URL(baseUrl).port}`
}

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 360, height: 640 }

export interface OpenedPage {
  readonly page: Page
  /** What the page itself did wrong: errors, and what its content policy forbade. */
  readonly faults: string[]
}

/**
 * A page in a browser profile of its own, so that no cookie is shared. The test fails at its end if the page threw
 * an error or its policy forbade something; answers that refuse (4xx) are no fault.
 */
export async function openPage(
  baseUrl: string,
  options: BrowserContextOptions = { viewport: desktop },
  own?: Browser,
): Promise<OpenedPage> {
  const context = await (own ?? (await browser())).newContext({
    baseURL: baseUrl,
    locale: 'ru-RU',
    // Pages show Moscow's time wherever the browser is.
    timezoneId: 'America/New_York',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  opened.push({ page, calls: lastCalls(page) })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    const isKnown = known.some((beginning) => message.text().startsWith(beginning))
    if (message.type() === 'error' && !isKnown) faults.push(message.text())
  })
  return { page, faults }
}

function lastCalls(page: Page): string[] {
  const calls: string[] = []
  const note = (call: string) => {
    calls.push(call)
    if (calls.length > callsShown) calls.shift()
  }
  page.on('request', (request) => note(`asks ${request.method()} ${request.url()}`))
  page.on('response', (answer) =>
    note(`${answer.request().method()} ${answer.url()} ${answer.status()}`),
  )
  page.on('requestfailed', (request) =>
    note(`${request.method()} ${request.url()} ${request.failure()?.errorText}`),
  )
  return calls
}

/**
 * Calls go through `handle` until the returned function is called. The interception itself stays for the page's life:
 * a call that is asked at the moment in which Chromium ends an interception may never be answered.
 */
export async function intercept(
  page: Page,
  calls: string,
  handle: (route: Route) => Promise<void>,
): Promise<() => void> {
  let isOn = true
  await page.route(calls, (route) => (isOn ? handle(route) : route.fallback()))
  return () => {
    isOn = false
  }
}

/** No such call reaches the service until the returned function is called. */
export function cutOff(page: Page, calls: string): Promise<() => void> {
  return intercept(page, calls, (route) => route.abort())
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Rows of a table are alike: of a long one the first are examined. */
const examined = { exclude: ['tbody tr:nth-child(n+21)'] }

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Fails if the page as it is now breaks a rule of accessibility (WCAG 2.2 AA and axe's best practices). */
export function assertAccessible(page: Page, about = ''): Promise<void> {
  return assertKept(page, about)
}

/** Fails if texts are hard to read. Enough for a page that is accessible in the other colour scheme: only colours differ. */
export function assertReadable(page: Page, about = ''): Promise<void> {
  return assertKept(page, about, ['color-contrast', 'link-in-text-block'])
}

/** On the page. */
declare const axe: { run(...given: unknown[]): Promise<{ violations: Violation[] }> }

/** The rules are all, unless some are named. */
async function assertKept(page: Page, about: string, rules?: readonly string[]): Promise<void> {
  // Outside of the page's policy, as a person's own tool would run.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const violations = await page.evaluate(
    async ([shown, options]) => {
      return (await axe.run(shown, options)).violations
    },
    [examined, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }],
  )
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  )
  assert.deepEqual(found, [], about)
}

/** The words of the buttons that lead on the page: filled with their colour, and ready to be pressed. */
export function leadingOn(page: Page): Promise<string[]> {
  return page.locator('main :is(button:enabled, .button)').evaluateAll((buttons) =>
    buttons
      .filter((each) => each.checkVisibility() && each.closest('dialog') === null)
      .filter((each) => {
        const { backgroundColor, borderColor } = getComputedStyle(each)
        const isFilled = backgroundColor === borderColor && backgroundColor !== 'rgba(0, 0, 0, 0)'
        return isFilled && each.ariaDisabled !== 'true'
      })
      .map((each) => (each as HTMLElement).innerText),
  )
}

/** Nothing sticks out sideways: a person scrolls in one direction only. */
export async function assertFitsWidth(page: Page): Promise<void> {
  const { content, window, wide } = await page.evaluate(() => {
    const { scrollWidth: content, clientWidth: window } = document.documentElement
    const scrolls = (each: Element): boolean =>
      each.parentElement !== null &&
      (getComputedStyle(each.parentElement).overflowX !== 'visible' || scrolls(each.parentElement))
    const isWide = (each: Element) => each.getBoundingClientRect().right > window && !scrolls(each)
    const wide = [...document.querySelectorAll('body *')].filter(isWide)
    return {
      content,
      window,
      wide: wide.slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 200)),
    }
  })
  assert.ok(content <= window, `${content} px of content in ${window} px: ${wide.join('\n')}`)
}

/** Accessible in light and dark and on a phone, which it fits. The page is left as it was. */
export async function assertWellMade(page: Page): Promise<void> {
  const size = page.viewportSize() ?? desktop
  await assertAccessible(page, 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await assertReadable(page, 'dark')
  await page.setViewportSize(phone)
  await assertAccessible(page, 'phone')
  await assertFitsWidth(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(size)
}

/** The browser has got the picture and could read it. */
export async function isShown(picture: Locator): Promise<void> {
  await picture.waitFor()
  await picture.evaluate((image: HTMLImageElement) => image.decode())
}
