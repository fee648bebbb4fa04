import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { exportedLists } from '../../src/http/staff/v1/exports/exports.ts'
import { listOf, paths } from '../../web/console/paths.ts'
import { startService } from '../support/service.ts'
import { staffClient } from '../support/staff.ts'
import { openConsole } from './console-page.ts'
import { furnish } from './console-world.ts'

/** Every list of the console as a file: with the filters and in the order that are on the screen. */

const service = await startService()
const root = await staffClient(service, 'administrator')
const furnished = await furnish(service, root)
const ofMoney = furnished.filter((each) => each.includes('tab=money'))
const addresses = [...furnished, ...ofMoney.map((each) => `${each}&part=acts`)]

/** What a list asks for its page beside what it narrows the rows by. */
const ofPages = ['limit', 'cursor', 'format']

function askedIn(url: URL): Record<string, string> {
  return Object.fromEntries([...url.searchParams].filter(([name]) => !ofPages.includes(name)))
}

/** Objects whose rows stand on their page, by the parameter of the file that names them. */
const owners = {
  boxes: 'box_id',
  clients: 'client_id',
  cabinets: 'cabinet_id',
  counts: 'count_id',
  locations: 'location_id',
  pallets: 'pallet_id',
  'picking-tasks': 'picking_task_id',
  receipts: 'receipt_id',
  returns: 'return_id',
  shipments: 'shipment_id',
  webhooks: 'webhook_id',
} as const

/** What the call of a list says of its rows: the object in its path, and its filters. */
function askedOf(url: URL): Record<string, string> {
  const [, room = '', id] = /v1\/([\w-]+)\/([^/]+)(?:\/[\w-]+)?$/.exec(url.pathname) ?? []
  const owner = id && owners[room as keyof typeof owners]
  return { ...askedIn(url), ...(owner && { [owner]: id }) }
}

interface Shown {
  readonly name: string
  readonly file: string | undefined
}

/** Lists on the page, each with the address of its file. */
function listsOn(page: Page): Promise<Shown[]> {
  return page.locator('.list:has(> .list-foot)').evaluateAll((lists) =>
    lists.map((list) => ({
      name: list.querySelector('.table-frame')?.getAttribute('aria-label') ?? '',
      file: [...list.querySelectorAll('a')].find((each) => each.textContent === 'CSV')?.href,
    })),
  )
}

test('every list of the console is saved as a file with exactly its filters and its order', async () => {
  const { page, faults } = await openConsole(root, service.baseUrl, 'administrator')
  const calls: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (request.method() === 'GET' && url.pathname.startsWith('/staff/v1/')) calls.push(url)
  })
  const saved = new Set<string>()
  for (const address of new Set(addresses.map((each) => each.replace(/&?form=[^&]*/, '')))) {
    calls.length = 0
    await page.goto(address)
    await page.locator('main h1').first().waitFor()
    await page.locator('main:not(:has([aria-busy=true]))').waitFor()
    for (const { name, file } of await listsOn(page)) {
      assert.ok(file !== undefined, `${address}: the list «${name}» has no file`)
      const url = new URL(file)
      assert.ok(
        calls.some(
          (call) => JSON.stringify(sorted(askedOf(call))) === JSON.stringify(sorted(askedIn(url))),
        ),
        `${address}: ${file} differs from ${calls.join(' ')}`,
      )
      const answer = await page.request.get(file)
      assert.equal(answer.status(), 200, `${file}: ${await answer.text()}`)
      saved.add(url.pathname.split('/').at(-1) ?? '')
    }
  }
  const files = Object.keys(exportedLists)
  assert.deepEqual([...saved].toSorted(), files.toSorted(), 'each file is of a list')
  assert.deepEqual(faults, [])
})

function sorted(asked: Record<string, string>) {
  return Object.entries(asked).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

test('a file of receipts has the rows of the list that is on the screen, in its order', async () => {
  const { page, faults } = await openConsole(root, service.baseUrl, 'manager')
  for (const sort of ['client', '-created', 'created']) {
    await page.goto(listOf(paths.receipts, { status: 'EXPECTED', sort }))
    const receipts = page.getByRole('region', { name: 'Приёмки', exact: true })
    await receipts.locator('tbody a').first().waitFor()
    await page.locator('main:not(:has([aria-busy=true]))').waitFor()
    const shown = await receipts
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.querySelector('a')?.textContent))
    assert.ok(shown.length > 0)
    const [list] = await listsOn(page)
    const file = await (await page.request.get(list?.file ?? '')).body()
    const rows: Record<string, string>[] = parse(file, { bom: true, delimiter: ';', columns: true })
    assert.deepEqual(
      rows.map((row) => row.Приёмка),
      shown,
    )
  }
  assert.deepEqual(faults, [])
})
