import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../src/platform/kernel/clock.ts'
import { moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import { questionExpired } from '../../src/warehouse/stock/expired-lots.ts'
import { accountUser } from '../support/account.ts'
import { assertRefused } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { good, openFloor } from '../support/shipping.ts'

const day = 24 * 3_600_000
const noon = Date.parse('2026-11-20T12:00:00+03:00')
const clock = new ManualClock(noon)
const service = await startService(undefined, undefined, undefined, clock)

interface Lots {
  readonly warn_days: number | null
  readonly items: readonly {
    expires_on: string | null
    number: string
    quantity: number
    state: string
  }[]
}
const linesOf = ({ items }: Lots) =>
  items.map(({ expires_on, number, quantity, state }) => [expires_on, number, quantity, state])

async function floorWithLots() {
  const floor = await openFloor(service, { A: 2 })
  const path = `/clients/${floor.client}/products/A/lots`
  good(await floor.manager.put(path, { warn_days: 20 }))
  const items = [{ barcode: 'A', name: 'A', qty: 6, honest_mark: false }]
  const draft = await floor.manager.post(`/clients/${floor.client}/receipts`, { items })
  const { id } = good<{ id: string }>(draft, 201)
  good(await floor.worker.post(`/receipts/${id}/start`))
  const scan = (body: object) =>
    floor.worker.post(`/receipts/${id}/scans`, { barcode: 'A', ...body })
  return { ...floor, path, receipt: id, scan }
}

test('a receipt asks for expiry dates of goods that keep them, and stock is shown by date', async () => {
  const floor = await floorWithLots()
  const { items } = good<{ items: { asks_expiry?: boolean }[] }>(
    await floor.worker.get(`/receipts/${floor.receipt}`),
  )
  assert.equal(items[0]?.asks_expiry, true)
  assertRefused(
    await floor.scan({ scan_id: '0', expires_on: 'завтра' }),
    'validation_error',
    'expires_on',
  )
  assertRefused(
    await floor.scan({ scan_id: '0', lot_number: 'A' }),
    'validation_error',
    'expires_on',
  )
  good(await floor.scan({ scan_id: '1', qty: 3, expires_on: '311227', lot_number: 'A1' }))
  good(await floor.scan({ scan_id: '2', qty: 2, expires_on: '05.12.26' }))
  good(await floor.scan({ scan_id: '2', qty: 2, expires_on: '05.12.26' }))
  assert.deepEqual(linesOf(good<Lots>(await floor.worker.get(floor.path))), [
    ['2026-12-05', '', 2, 'soon'],
    ['2027-12-31', 'A1', 3, 'good'],
    [null, '', 2, 'unknown'],
  ])
  const soon = good<Lots>(await floor.manager.get(`/lots?client_id=${floor.client}&state=soon`))
  assert.deepEqual(linesOf(soon), [['2026-12-05', '', 2, 'soon']])
  const seller = await accountUser(service, { [floor.client]: 'viewer' })
  const { body } = await seller.get('/lots?barcode=A')
  assert.deepEqual(linesOf(body as Lots).length, 3)
  const attention = await seller.get('/attention')
  assert.equal((attention.body as { expiring: number }).expiring, 1)
  const files = [
    [
      `/staff/v1/exports/lots?client_id=${floor.client}`,
      { authorization: `Bearer ${floor.manager.token}` },
    ],
    ['/account/v1/exports/lots?barcode=A', { cookie: seller.cookie }],
  ] as const
  for (const [path, headers] of files) {
    const file = await fetch(`${service.baseUrl}${path}&format=csv`, { headers })
    assert.match(await file.text(), /2027-12-31.*A1.*Годен/)
  }
})

test('a date is corrected once, and lots are forgotten when they are switched off', async () => {
  const floor = await floorWithLots()
  const change = {
    ...{ entry_id: 'e1', expires_on: null, to_expires_on: '12.2027', to_lot_number: 'B', qty: 1 },
  }
  for (let times = 0; times < 2; times++) {
    const changed = good<Lots>(await floor.worker.post(`${floor.path}/changes`, change))
    assert.deepEqual(linesOf(changed), [
      ['2027-12-31', 'B', 1, 'good'],
      [null, '', 1, 'unknown'],
    ])
  }
  const more = { ...change, entry_id: 'e2', qty: 5 }
  assertRefused(await floor.worker.post(`${floor.path}/changes`, more), 'conflict', 'только 1 шт')
  const journal = await service.db<{ action: string }[]>`
    select action from staff_journal where action like '%ProductLot' and client_id = ${floor.client}`
  assert.deepEqual(
    journal.map(({ action }) => action),
    ['changeProductLot'],
  )
  good(await floor.manager.delete(floor.path))
  assert.deepEqual(good<Lots>(await floor.worker.get(floor.path)), { warn_days: null, items: [] })
})

test('WB gets the expiry date of the picked unit, which the picker need not type', async () => {
  const floor = await floorWithLots()
  good(await floor.scan({ scan_id: '1', expires_on: '31.12.27' }))
  const lot = { entry_id: 'e', expires_on: null, to_expires_on: '30.06.27', qty: 2 }
  good(await floor.worker.post(`${floor.path}/changes`, lot))
  const orders = await floor.orders({ [`lot-${floor.client}`]: 'A' })
  await service.db`update order_lines set required_marks = '{expiration}' where client_id = ${floor.client}`
  const shipment = await floor.filled(orders)
  const task = await floor.task(shipment)
  assert.deepEqual(task.lines?.[0]?.required_marks, [])
  const pick = { scan_id: 'p', order_id: orders[0]?.id, barcode: 'A' }
  const picked = good<{ marks: { expiration: string } }>(await floor.pick(task.id, pick))
  assert.equal(picked.marks.expiration, '2027-06-30')
})

test('expired goods are no longer available, and a picker is refused them', async () => {
  const floor = await floorWithLots()
  const lot = { entry_id: 'e', expires_on: null, to_expires_on: '22.11.26', qty: 2 }
  good(await floor.worker.post(`${floor.path}/changes`, lot))
  const orders = await floor.orders({ [`late-${floor.client}`]: 'A' })
  const shipment = await floor.filled(orders)
  clock.advance(3 * day)
  assert.ok((await questionExpired(service.db, clock)) >= 1)
  const stock = good<{ items: { available: number; in_question: number }[] }>(
    await floor.manager.get(`/clients/${floor.client}/stock`),
  )
  assert.deepEqual(
    stock.items.map(({ available, in_question }) => [available, in_question]),
    [[1, 1]],
  )
  const task = await floor.task(shipment)
  const pick = { scan_id: 'p', order_id: orders[0]?.id, barcode: 'A' }
  assertRefused(await floor.pick(task.id, pick), 'conflict', 'срок годности')
})

test('units that expired while they were reserved cannot be reserved anew once they are released', async () => {
  const floor = await floorWithLots()
  const lot = { entry_id: 'e', expires_on: null, to_expires_on: moscowDate(clock.now()), qty: 2 }
  good(await floor.worker.post(`${floor.path}/changes`, lot))
  const names = ['1', '2', '3'].map((n) => `${n}-${floor.client}`)
  const orders = await floor.orders(Object.fromEntries(names.map((name) => [name, 'A'])))
  const [first, second, third] = orders
  const shipment = await floor.filled([first, second].flatMap((order) => order ?? []))
  clock.advance(2 * day)
  await questionExpired(service.db, clock)
  good(await floor.worker.delete(`/shipments/${shipment.id}/orders/${first?.id}`), 204)
  const answer = await floor.add(shipment.id, [third?.id ?? ''])
  assertRefused(answer, 'conflict', 'свободно')
  await questionExpired(service.db, clock)
  assert.deepEqual(await floor.stock('A'), [2, 1])
})

test('what has expired or expires soon is on the first page, with its place, and in the list by one choice', async () => {
  const floor = await floorWithLots()
  const inDays = (days: number) => moscowDate(clock.now() + days * day)
  good(await floor.scan({ scan_id: '1', qty: 2, expires_on: inDays(20) }))
  good(await floor.scan({ scan_id: '2', qty: 1, expires_on: inDays(0), lot_number: 'B' }))
  good(await floor.scan({ scan_id: '3', qty: 2, expires_on: inDays(19) }))
  good(await floor.scan({ scan_id: '4', qty: 1, expires_on: inDays(-1) }))
  const today = good<{ expiring: Lots & { total: number } }>(
    await floor.worker.get(`/today?client_id=${floor.client}`),
  )
  const expected = [
    [inDays(-1), '', 1, 'expired'],
    [inDays(0), 'B', 1, 'soon'],
    [inDays(19), '', 2, 'soon'],
  ]
  assert.deepEqual(linesOf(today.expiring), expected)
  assert.equal(today.expiring.total, 3)
  const path = `/lots?client_id=${floor.client}&state=expiring`
  assert.deepEqual(linesOf(good<Lots>(await floor.worker.get(path))), expected)
  const seller = await accountUser(service, { [floor.client]: 'viewer' })
  assert.deepEqual(linesOf(good<Lots>(await seller.get('/lots?state=expiring'))), expected)
  const others = await openFloor(service, { A: 1 })
  const theirs = await others.worker.get(`/today?client_id=${others.client}`)
  assert.equal(good<typeof today>(theirs).expiring.total, 0)
})
