import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listOf, pathOf, paths } from '../../web/console/paths.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { assertFitsWidth, leadingOn } from './browser.ts'
import { openConsole, settle, twoFrames, watchCalls } from './console-page.ts'
import { done, furnish, type Made } from './console-world.ts'

/** Every page of the console by the rules of the kit: what a page shows while it waits, which button leads, what is cut. */
const service = await startService()
const root = await staffClient(service, 'administrator')
const addresses = await furnish(service, root)

declare global {
  /** The answers that were held come. */
  function letGo(): void
}

/** Answers wait, but those of the frame around the page. */
function holdAnswers(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  globalThis.letGo = resolve
  const ask = globalThis.fetch
  globalThis.fetch = async (input, given) => {
    const { pathname } = new URL(new Request(input, given).url)
    if (!/\/(session|counters)$/.test(pathname)) await promise
    return ask(input, given)
  }
}

/** No lists, or lists that are never empty. */
const full: readonly string[] = [
  ...[
    paths.today,
    paths.start,
    paths.figures,
    paths.services,
    paths.tariffs,
    paths.notices,
    paths.shifts,
  ],
  ...[paths.clients, paths.cabinets, paths.users, paths.warehouses, paths.reasons, paths.changes],
]

/** A form of which nothing must come first. */
const asksNothing = '?form=file'

interface Shown {
  /** Texts that stand together without a space. */
  readonly glued: readonly string[]
  /** What goes on behind an edge. */
  readonly cut: readonly string[]
}

function readShown(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    const seen = (each: Element) => each.checkVisibility() && each.closest('dialog') === null
    const main = document.querySelector('main') as HTMLElement
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const glued: string[] = []
    let last: Text | undefined
    const rectsOf = (text: Text) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      return [...range.getClientRects()]
    }
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      const parent = text.parentElement as HTMLElement
      if (text.data === '' || !seen(parent) || parent.closest('.visually-hidden, select')) continue
      const isMet = last && /[\p{L}\d»)]$/u.test(last.data) && /^[\p{L}\d«(]/u.test(text.data)
      if (last && isMet && last.parentElement !== parent) {
        const [before, after] = [rectsOf(last).at(-1), rectsOf(text)[0]]
        const isOneLine = before && after && Math.abs(before.bottom - after.bottom) < 8
        if (isOneLine && after.left >= before.left && after.left - before.right < 2) {
          glued.push(`${last.data}|${text.data}`)
        }
      }
      last = text
    }
    const cut = [...main.querySelectorAll('*:not(select, input, textarea, .visually-hidden)')]
      .filter(
        (each) => seen(each) && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1,
      )
      .filter((each) => getComputedStyle(each).overflowX !== 'visible')
      .map((each) => each.outerHTML.slice(0, 120))
    return { glued, cut }
  })
}

test('every page holds the place of what comes, has one button that leads, offers what can be done, and cuts nothing', async () => {
  const viewport = { width: 1440, height: 900 }
  const options = { viewport }
  const opened = await openConsole(root, service.baseUrl, 'administrator', undefined, options)
  const { page, faults } = opened
  await page.addInitScript(holdAnswers)
  const going = watchCalls(page)
  const wrong: string[] = []
  for (const address of addresses) {
    await page.goto(address)
    await page.locator('main :is(h1, [aria-busy=true])').first().waitFor()
    await page.evaluate(twoFrames)
    const places = await page
      .locator('main [aria-busy=true]')
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height >= 40).length)
    if (places === 0 && !address.endsWith(asksNothing)) wrong.push(`${address} is blank first`)
    await page.evaluate(() => letGo())
    await settle(page, going)
    const { glued, cut } = await readShown(page)
    const leading = await leadingOn(page)
    const idle = await page.locator('main .heading [aria-disabled=true]').allInnerTexts()
    if (idle.length > 1) wrong.push(`${address} begins with what nobody can do: ${idle.join(', ')}`)
    if (leading.length > 1) wrong.push(`${address} leads by ${leading.join(', ')}`)
    for (const each of glued) wrong.push(`${address} has no space in ${each}`)
    for (const each of cut) wrong.push(`${address} cuts ${each}`)
    await assertFitsWidth(page)
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(faults, [])
})

test('each list that is empty says what to do', async () => {
  const fresh = await startService()
  const administrator = await staffClient(fresh, 'administrator')
  const { id: client } = await done<Made>(administrator.post('/clients', { name: 'ООО «Пусто»' }))
  const { id: cabinet } = await done<Made>(
    administrator.post(`/clients/${client}/cabinets`, { marketplace: 'WB', name: 'Основной' }),
  )
  const { page, faults } = await openConsole(administrator, fresh.baseUrl, 'administrator')
  const going = watchCalls(page)
  const lists = Object.values(paths).filter((path) => !path.includes(':id') && !full.includes(path))
  const tabs = ['users', 'keys', 'webhooks', 'products']
  const addresses = [
    ...lists.map((path) => listOf(path, { client_id: client })),
    ...tabs.map((tab) => pathOf('client', client, tab)),
    ...['tasks', 'calls'].map((tab) => pathOf('cabinet', cabinet, tab)),
  ]
  const wrong: string[] = []
  for (const address of addresses) {
    await page.goto(address)
    await settle(page, going)
    const said = await page.locator('main .empty').allInnerTexts()
    const isHelpful = said.every((text) => text.length >= 30 && /[.,:] \S/u.test(text))
    if (said.length === 0 || !isHelpful)
      wrong.push(`${address} says ${said.join(' | ') || 'nothing'}`)
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(faults, [])
})
