import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { measuredServices } from '../../src/warehouse/billing/services.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'
import { staffClient } from '../support/staff.ts'

/** What a client wished and is charged for: counts, labels, pallets that it sends. */

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00+03:00'))
const service = await startService(undefined, undefined, undefined, clock)
const admin = await staffClient(service, 'administrator')
const floor = await openFloor(service, { A: 3, B: 2 })
const at = (path: string) => `/clients/${floor.client}${path}`

interface Charges {
  readonly items: {
    readonly service: string
    readonly quantity: string
    readonly source: { readonly kind: string; readonly id: string; readonly number: string | null }
  }[]
}

async function chargedFor(name: string) {
  clock.advance(2 * 60_000)
  good(await admin.post(at('/charges/recount')))
  const { items } = good<Charges>(await admin.get(at(`/charges?service=${name}`)))
  return items.map(({ quantity, source }) => [quantity, source.kind, source.number ?? source.id])
}

test('each measured service has a price in the list', async () => {
  const { warehouse_code: code } = good<{ warehouse_code: string }>(await admin.get(at('')))
  const steps = [{ up_to: null, price: '2' }]
  const prices = measuredServices.map(({ code }) => ({ service: code, steps }))
  const tariff = { first_day: '2026-11-01', prices }
  good(await admin.post(`/warehouses/${code}/tariffs`, tariff), 201)
})

test('a count is charged when the client wished it, once it is closed', async () => {
  const counted = async (wish: object) => {
    const draft = { client_id: floor.client, scope: { barcodes: ['A'] }, ...wish }
    const count = good<{ id: string; for_client: boolean }>(
      await floor.manager.post('/counts', draft),
      201,
    )
    good(await floor.manager.post(`/counts/${count.id}/start`))
    const scan = { scan_id: 'all', code: 'A', qty: 3 }
    good(await floor.worker.post(`/counts/${count.id}/scans`, scan))
    good(await floor.manager.post(`/counts/${count.id}/review`))
    return count
  }
  const own = await counted({})
  const wished = await counted({ for_client: true })
  assert.deepEqual([own.for_client, wished.for_client], [false, true])
  assert.deepEqual(await chargedFor('UNIT_COUNTED'), [])
  for (const { id } of [own, wished]) good(await floor.manager.post(`/counts/${id}/close`))
  assert.deepEqual(await chargedFor('UNIT_COUNTED'), [['3', 'count', wished.id]])
})

test('labels are charged when the client wished them, and a repeated print once', async () => {
  const items = [
    { barcode: 'A', copies: 4 },
    { barcode: 'B', copies: 1 },
    { barcode: 'A', copies: 1 },
  ]
  const print = { client_id: floor.client, items }
  const printed = async (wish: object) =>
    assert.equal((await floor.worker.post('/labels/goods', { ...print, ...wish })).status, 200)
  await printed({})
  assert.deepEqual(await chargedFor('LABEL_PRINTED'), [])
  const wish = { charged: true, print_id: 'one' }
  await Promise.all([printed(wish), printed(wish), printed(wish)])
  const once = [
    ['1', 'product', 'B'],
    ['5', 'product', 'A'],
  ]
  assert.deepEqual(await chargedFor('LABEL_PRINTED'), once)
  const entries = await service.db`select from staff_journal where action = 'printGoodsLabels'`
  assert.equal(entries.length, 1)
  const unknown = { ...print, items: [{ barcode: 'none', copies: 1 }], charged: true }
  assertRefused(await floor.worker.post('/labels/goods', unknown), 'validation_error', 'items')
  assert.deepEqual(await chargedFor('LABEL_PRINTED'), once)
  const seller = await accountUser({ ...service, clock }, { [floor.client]: 'owner' })
  const { items: read } = (await seller.get('/charges?service=LABEL_PRINTED')).body as Charges
  assert.equal(read.length, 2)
  assert.deepEqual((await audit(service.db)).findings, [])
})

test('a pallet of a receipt is charged as it stood when counting ended', async () => {
  const items = [{ barcode: 'A', name: 'A', qty: 2 }]
  const { id } = good<{ id: string }>(await floor.manager.post(at('/receipts'), { items }), 201)
  good(await floor.worker.post(`/receipts/${id}/start`))
  const pallet = good<{ id: string }>(
    await floor.worker.post('/pallets', { client_id: floor.client }),
    201,
  )
  for (const [n, scan_id] of ['1', '2'].entries()) {
    const draft = { client_id: floor.client, ...(n === 0 ? { pallet_id: pallet.id } : {}) }
    const box = good<{ id: string }>(await floor.worker.post('/boxes', draft), 201)
    const scan = { scan_id, barcode: 'A', box_id: box.id }
    good(await floor.worker.post(`/receipts/${id}/scans`, scan))
  }
  assert.deepEqual(await chargedFor('PALLET_RECEIVED'), [])
  good(await floor.worker.post(`/receipts/${id}/finish`, {}))
  const [charge] = await chargedFor('PALLET_RECEIVED')
  assert.deepEqual(charge?.slice(0, 2), ['1', 'receipt'])
})
