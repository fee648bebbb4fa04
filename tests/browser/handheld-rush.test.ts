import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { audit } from '../../src/operations/audit/audit.ts'
import type { StockCount } from '../../src/warehouse/counts/view.ts'
import type { ReturnBatchContent } from '../../src/warehouse/returns/batch-view.ts'
import type { Location } from '../../src/warehouse/storage/location-view.ts'
import { ean13 } from '../support/marking-codes.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'
import { cutOff } from './browser.ts'
import { pickedShipment, placeOrders, startCount } from './handheld-floor.ts'
import { figure, openHandheld, queueIsEmpty } from './handheld-page.ts'
import { scan } from './scanner.ts'

/** A worker in a hurry: thirty scans in three seconds on a cheap terminal, in each task. */

const service = await startService()
const administrator = await staffClient(service, 'administrator')
const tea = ean13('460123450001')
const slowdown = 4
const half = 15

interface Rush {
  /** What is scanned. */
  readonly code?: string
  readonly path: string
  /** The page is ready for scans when this is seen. */
  readonly ready: (page: Page) => Promise<void>
  /** The calls of the scans. */
  readonly calls: string
  /** What the screen says after half of the scans, and after all. */
  readonly figures: readonly [half: string, all: string]
}

let slowed: Page | undefined
// A slowed page keeps a processor busy, and after a failure it would slow the tests that follow.
afterEach(() => slowed?.context().close())

/** The first half is scanned while the service takes no scan, and the page is read again before it leaves. */
async function rush({ code = tea, path, ready, calls, figures }: Rush): Promise<void> {
  const { page, faults } = await openHandheld(administrator, service.baseUrl)
  const processor = await page.context().newCDPSession(page)
  slowed = page
  await processor.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const scanHalf = async () => {
    for (let n = 0; n < half; n++) await scan(page, code)
  }
  await page.goto(path)
  await ready(page)
  const mend = await cutOff(page, calls)
  await scanHalf()
  await figure(page, figures[0])
  await page.getByText(`В очереди: ${half}`).waitFor()
  await page.reload()
  await page.getByText(`В очереди: ${half}`).waitFor()
  await ready(page)
  mend()
  await scanHalf()
  await figure(page, figures[1])
  await queueIsEmpty(page)
  assert.deepEqual(faults, [])
}

const seen = (text: string) => (page: Page) => page.getByText(text).first().waitFor()

test('thirty scans of a count in a row, with a reload among them, are counted once each', async () => {
  const floor = await openFloor(service, { [tea]: 30 })
  const id = await startCount(floor, { barcodes: [tea] })
  await rush({
    path: `/staff/scan/counting/${id}`,
    ready: seen('Весь склад'),
    calls: '**/scans',
    figures: ['15', '30'],
  })
  const { lines = [] } = good<StockCount>(await floor.manager.get(`/counts/${id}`))
  assert.deepEqual(
    lines.map(({ counted, scans, difference }) => [counted, scans, difference]),
    [[30, 30, 0]],
  )
})

test('thirty picks in a row, with a reload among them, are picked once each', async () => {
  const floor = await openFloor(service, { [tea]: 40 })
  // More than is scanned: a unit that is picked twice must show.
  const shipment = await floor.filled(await placeOrders(floor, { Q1: { [tea]: 40 } }))
  await rush({
    path: `/staff/scan/picking/${shipment.picking_task_id}`,
    ready: seen('Вне мест'),
    calls: '**/picks',
    figures: ['15 из 40', '30 из 40'],
  })
  const { lines = [] } = await floor.task(shipment)
  assert.deepEqual(
    lines.map(({ picked }) => picked),
    [30],
  )
})

test('thirty scans of a packing check in a row, with a reload among them, are checked once each', async () => {
  const floor = await openFloor(service, { [tea]: 40 })
  const shipment = await pickedShipment(floor, { Q2: { [tea]: 40 } })
  await rush({
    path: `/staff/scan/checking/${shipment.picking_task_id}`,
    ready: (page) => page.getByRole('list', { name: 'В посылке' }).waitFor(),
    calls: '**/checks',
    figures: ['15 из 40', '30 из 40'],
  })
  const { lines = [] } = await floor.task(shipment)
  assert.deepEqual(
    lines.map(({ checked }) => checked),
    [30],
  )
})

test('thirty returned units in a row, with a reload among them, come back once each, in the chosen condition', async () => {
  const floor = await openFloor(service, { [tea]: 32 })
  const shipment = await pickedShipment(floor, { Q3: { [tea]: 31 } })
  good(await floor.worker.post(`/shipments/${shipment.id}/close`))
  const draft = { client_id: floor.client, expected: [{ external_id: 'Q3' }] }
  const { id } = good<ReturnBatchContent>(await floor.manager.post('/returns', draft), 201)
  await rush({
    path: `/staff/scan/returns/${id}?condition=sellable`,
    ready: (page) => page.getByRole('button', { name: 'Годен', pressed: true }).waitFor(),
    calls: '**/scans',
    figures: ['15', '30'],
  })
  const { scans = [], came_qty } = good<ReturnBatchContent>(
    await floor.manager.get(`/returns/${id}`),
  )
  assert.deepEqual([came_qty, scans.length], [30, 30])
  assert.ok(scans.every(({ condition }) => condition === 'sellable'))
  assert.deepEqual(await floor.stock(tea), [31, 0])
})

test('thirty units put away in a row, with a reload among them, lie there once each', async () => {
  // Goods of one client: else the worker is asked whose they are.
  const lamp = ean13('460123450009')
  const floor = await openFloor(service, { [lamp]: 32 })
  const { warehouse_code } = floor
  good(await administrator.post('/locations', { warehouse_code, code: 'RUSH-1' }), 201)
  await rush({
    code: lamp,
    path: '/staff/scan/units?verb=put&location=RUSH-1',
    ready: (page) => page.locator('.place', { hasText: 'RUSH-1' }).waitFor(),
    calls: '**/put',
    figures: ['15', '30'],
  })
  const { contents = [] } = good<Location>(await floor.worker.get('/locations/RUSH-1'))
  assert.deepEqual(
    contents.map(({ barcode, qty }) => [barcode, qty]),
    [[lamp, 30]],
  )
})

test('the sums of all that was scanned agree', async () => {
  assert.deepEqual((await audit(service.db)).findings, [])
})
