import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { paths as account } from '../../web/account/paths.ts'
import { paths } from '../../web/console/paths.ts'
import { rooms } from '../../web/console/rooms.ts'
import { accountUser } from '../support/account.ts'
import { startService } from '../support/service.ts'
import { openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { openSandbox, signIn } from './account-scene.ts'
import { openPage, phone } from './browser.ts'
import { openConsole, settle, twoFrames, watchCalls } from './console-page.ts'
import { furnish } from './console-world.ts'

/** The lists of all rooms: each does what the one list does, and orders by what its API can order. */

const service = await startService()
const root = await staffClient(service, 'administrator')

/** Rooms that show no list with pages, and what they show. */
const withoutList: Readonly<Record<string, string>> = {
  [paths.today]: 'the flow and what burns',
  [paths.figures]: 'charts',
  [paths.map]: 'a map',
  [paths.tariffs]: 'prices: a tariff has a version or two a year',
  [paths.shifts]: 'one row a person',
  [paths.services]: 'the services, and what they do',
  [account.overview]: 'charts',
  [account.metrics]: 'figures of a period',
  [account.newReceipt]: 'a form',
  [account.webhooks]: 'ten subscriptions at most',
  [account.events]: 'a feed, which is read on from an event',
  [account.users]: 'a hundred people at most',
  [account.notices]: 'the last hundred',
  [account.security]: 'settings',
  [account.sandbox]: 'buttons of a sandbox',
}
/** Addresses of letters and of people who have not signed in. */
const noRooms: readonly string[] = [account.open, account.invitation, account.password]

interface Described {
  readonly get?: {
    readonly parameters?: readonly {
      readonly name: string
      readonly schema: { readonly enum?: readonly string[] }
    }[]
  }
}

interface PagedRead {
  readonly matches: RegExp
  readonly sorts: readonly string[]
}

/** Reads with pages, as the document of their API has them, each with its orders. */
function pagedReads(surface: 'staff' | 'account'): PagedRead[] {
  const document = JSON.parse(readFileSync(`openapi/${surface}.json`, 'utf8')) as {
    readonly paths: Readonly<Record<string, Described>>
  }
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const taken = get?.parameters ?? []
    if (!taken.some(({ name }) => name === 'cursor')) return []
    const sorts = taken.find(({ name }) => name === 'sort')?.schema.enum ?? []
    return [{ matches: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), sorts }]
  })
}

interface ShownList {
  readonly name: string
  readonly rows: number
  readonly columns: number
  /** Boxes that show and hide columns. */
  readonly boxes: number
  readonly sorts: readonly string[]
  readonly canSave: boolean
  readonly files: readonly string[]
  readonly pages: string
}

function listsOn(page: Page): Promise<ShownList[]> {
  return page.locator('.list:has([popovertarget])').evaluateAll((lists) =>
    lists.map((list) => {
      const foot = list.querySelector('.list-foot')
      const options = [...list.querySelectorAll<HTMLOptionElement>('.menu select option')]
      return {
        name: list.querySelector('.table-frame')?.getAttribute('aria-label') ?? '',
        rows: list.querySelectorAll('tbody tr').length,
        columns: list.querySelectorAll('thead th:not(.pick)').length,
        boxes: list.querySelectorAll('.menu fieldset input').length,
        sorts: options.map(({ value }) => value).filter((value) => value !== ''),
        canSave: list.querySelector('.menu input[name=view]') !== null,
        files: [...(foot?.querySelectorAll('a[download]') ?? [])].map((each) => each.textContent),
        pages: foot?.textContent ?? '',
      }
    }),
  )
}

/** What the list lacks. */
function lackingIn(list: ShownList, sorts: readonly string[]): string[] {
  const { rows, columns, boxes, canSave, files, pages } = list
  const isEmpty = rows === 0
  return [
    JSON.stringify(list.sorts.toSorted()) !== JSON.stringify(sorts.toSorted()) &&
      `orders by ${list.sorts}, its API by ${sorts}`,
    !isEmpty && boxes !== columns - 1 && `${boxes} columns to choose of ${columns}`,
    !canSave && 'keeps no view',
    files.join() !== 'Excel,CSV' && `saves ${files.join() || 'no file'}`,
    !isEmpty && !/\d–\d|Всего: \d/.test(pages) && `does not say which rows it shows: ${pages}`,
  ].filter((each) => each !== false)
}

/** Frames on a phone whose rows are no cards. */
function uncardedOn(page: Page): Promise<string[]> {
  return page
    .locator('.list .table-frame:not(.cards)')
    .evaluateAll((frames) =>
      frames
        .filter((frame) => frame.scrollWidth > frame.clientWidth)
        .map((frame) => frame.getAttribute('aria-label') ?? ''),
    )
}

interface Visit {
  readonly page: Page
  readonly addresses: readonly string[]
  readonly reads: readonly PagedRead[]
  readonly viewport: { readonly width: number; readonly height: number }
}

/** Walks over pages; answers what their lists lack, and the pages without a list. */
async function walk({ page, addresses, reads, viewport }: Visit) {
  const going = watchCalls(page)
  const asked = new Set<PagedRead>()
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.searchParams.get('limit') !== '50') return
    const read = reads.find(({ matches }) => matches.test(url.pathname))
    if (read) asked.add(read)
  })
  const lacking: string[] = []
  const bare: string[] = []
  for (const address of addresses) {
    asked.clear()
    await page.setViewportSize(viewport)
    await page.goto(address)
    await settle(page, going)
    const lists = await listsOn(page)
    const sorts = [...asked].flatMap((read) => read.sorts)
    for (const list of lists) {
      for (const each of lackingIn(list, sorts)) lacking.push(`${address} «${list.name}»: ${each}`)
    }
    if (lists.length === 0) bare.push(address)
    if (lists.length > 1) lacking.push(`${address}: several lists have one address`)
    if (lists.length > 0 && asked.size === 0) lacking.push(`${address}: its list has no pages`)
    await page.setViewportSize(phone)
    await page.evaluate(twoFrames)
    for (const each of await uncardedOn(page)) lacking.push(`${address} «${each}»: no cards`)
  }
  return { lacking, bare }
}

const wide = { width: 1440, height: 900 }

// Guarantee (console): Every list has an order, a number of rows, columns, views, a file and cards.
test('every list of the console orders by what its API can, and has all that the one list has', async () => {
  const furnished = await furnish(service, root)
  const clientId = /\/clients\/([\w-]+)/.exec(furnished.join(' '))?.[1] ?? ''
  const listed = rooms.flatMap((room) => room.pages.map(({ href }) => href))
  const ofRooms = listed.map((href) => `${href}?client_id=${clientId}`)
  const ofObjects = furnished.filter((each) => /[?&]tab=(?!settings|figures)/.test(each))
  const addresses = new Set([...ofRooms, ...ofObjects.map((each) => each.split('&form=')[0] ?? '')])
  const options = { viewport: wide }
  const { page, faults } = await openConsole(
    root,
    service.baseUrl,
    'administrator',
    undefined,
    options,
  )
  const reads = pagedReads('staff')
  const visit = { page, addresses: [...addresses], reads, viewport: wide }
  const { lacking, bare } = await walk(visit)
  assert.deepEqual(lacking, [])
  const bareRooms = listed.filter((href) => bare.includes(`${href}?client_id=${clientId}`))
  assert.deepEqual(
    bareRooms.toSorted(),
    Object.keys(withoutList)
      .filter((path) => listed.includes(path))
      .toSorted(),
  )
  assert.deepEqual(faults, [])
})

test('every list of the account has all that the one list has', async () => {
  const listed = Object.values(account)
    .filter((each) => typeof each === 'string')
    .filter((each) => !noRooms.includes(each))
  const forPeople: readonly string[] = [account.money, account.users, account.notices]
  const reads = pagedReads('account')
  const { page, faults } = await openPage(service.baseUrl)
  await openSandbox(page, service.baseUrl)
  const addresses = listed.filter((each) => !forPeople.includes(each))
  const seen = await walk({ page, addresses, reads, viewport: wide })
  const floor = await openFloor(service, { A: 7 })
  const { login } = await accountUser(service, { [floor.client]: 'owner' })
  const owner = await openPage(service.baseUrl)
  await signIn(owner.page, login)
  const own = await walk({ page: owner.page, addresses: forPeople, reads, viewport: wide })
  assert.deepEqual([...seen.lacking, ...own.lacking], [])
  assert.deepEqual(
    [...seen.bare, ...own.bare].toSorted(),
    Object.keys(withoutList)
      .filter((path) => path.startsWith(account.overview))
      .toSorted(),
  )
  assert.deepEqual([...faults, ...owner.faults], [])
})
