import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertRefused } from '../support/client.ts'
import { read } from '../support/shape.ts'
import { openTarget, readAll } from '../support/target.ts'
import {
  type Metrics,
  metricsShape,
  type Order,
  orderShape,
  orderStatuses,
  receiptShape,
  receiptWithItems,
  returnShape,
  shipmentShape,
  shipmentWithOrders,
  stockShape,
} from './resources.ts'

/** Computes the figures again from the lists that a seller reads. */

const target = await openTarget()
const sandbox = await target.sandbox()
const day = 86_400_000

const orders = await readAll(sandbox, '/v1/orders', {}, orderShape)
const stock = await readAll(sandbox, '/v1/stock', {}, stockShape)
const shipments = await Promise.all(
  (await readAll(sandbox, '/v1/shipments', {}, shipmentShape)).map(async ({ id }) =>
    read(shipmentWithOrders, (await sandbox.get(`/v1/shipments/${id}`)).body),
  ),
)
const receipts = await Promise.all(
  (await readAll(sandbox, '/v1/receipts', {}, receiptShape)).map(async ({ id }) =>
    read(receiptWithItems, (await sandbox.get(`/v1/receipts/${id}`)).body),
  ),
)
const end = Date.parse(orders[0]?.created_at ?? '') + 2 * 3_600_000

async function metricsOf(query: Readonly<Record<string, string>>): Promise<Metrics> {
  const answer = await sandbox.get(`/v1/metrics?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 200, answer.text)
  return read(metricsShape, answer.body)
}

function between(from: number, to: number): Promise<Metrics> {
  return metricsOf({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

const closedOf = (each: { closed_at: string | null }) => each.closed_at
const oddMoment = Date.parse(orders[300]?.created_at ?? '')

const windows: Readonly<Record<string, readonly [from: number, to: number]>> = {
  'the whole month': [end - 31 * day, end],
  'far more than the month': [end - 366 * day, end],
  'a week that starts in the middle of a day': [end - 9.3 * day, end - 2.3 * day],
  'a few hours of one day': [oddMoment - 5 * 3_600_000, oddMoment],
  'from a shown time to a shown time': [
    Date.parse(orders[700]?.created_at ?? ''),
    Date.parse(orders[20]?.created_at ?? ''),
  ],
  'from one closing to another': [
    Date.parse(shipments.findLast(closedOf)?.closed_at ?? ''),
    Date.parse(shipments.find(closedOf)?.closed_at ?? ''),
  ],
  'from one completion to another': [
    Date.parse(receipts.findLast((each) => each.completed_at)?.completed_at ?? ''),
    Date.parse(receipts.find((each) => each.completed_at)?.completed_at ?? ''),
  ],
  'a millisecond': [oddMoment, oddMoment + 1],
  'before anything happened': [end - 100 * day, end - 60 * day],
  'the future': [end + 10 * day, end + 20 * day],
}

for (const [name, [from, to]] of Object.entries(windows)) {
  suite(`metrics of ${name}`, async () => {
    const metrics = await between(from, to)
    const within = (time: string | null) =>
      time !== null && Date.parse(time) >= from && Date.parse(time) < to
    const created = orders.filter((order) => within(order.created_at))

    test('the answer shows the requested period', () => {
      assert.equal(Date.parse(metrics.period.from), from)
      assert.equal(Date.parse(metrics.period.to), to)
    })

    // Guarantee (metrics): Orders by status add up to all orders of the period.
    test('orders by status add up to all orders created in the period', () => {
      const { orders_total: total, orders_by_status: byStatus, cancelled } = metrics.shipments
      assert.equal(total, created.length)
      assert.equal(sum(byStatus.map((each) => each.count)), total)
      const statuses = byStatus.map((each) => each.status)
      assert.equal(new Set(statuses).size, statuses.length)
      const ofStatus = (status: string) => created.filter((order) => order.status === status).length
      for (const { status, count } of byStatus) assert.equal(count, ofStatus(status), status)
      for (const status of orderStatuses) {
        assert.ok(statuses.includes(status) || ofStatus(status) === 0, status)
      }
      assert.equal(cancelled, ofStatus('CANCELLED'))
    })

    test('shipped counts the orders and units of the shipments closed in the period', () => {
      const closed = shipments.filter((shipment) => within(shipment.closed_at))
      assert.equal(metrics.shipments.shipments_closed, closed.length)
      const left = closed.flatMap((shipment) =>
        shipment.orders.filter((order) => hasLeft(order, shipment.closed_at ?? '')),
      )
      // Every order of the scenario is one unit.
      assert.equal(metrics.shipments.units_shipped, left.length)
      assert.equal(metrics.funnel.shipped, left.length)
      assert.equal(metrics.storage.shipped, left.length)
    })

    test('receiving counts the receipts completed in the period', () => {
      const completed = receipts.filter((receipt) => within(receipt.completed_at))
      const { receiving } = metrics
      assert.equal(receiving.receipts, completed.length)
      assert.equal(receiving.expected_units, sum(completed.map((each) => each.expected_qty)))
      assert.equal(receiving.accepted_units, sum(completed.map((each) => each.accepted_qty)))
      const rate =
        receiving.expected_units === 0 ? 0 : receiving.accepted_units / receiving.expected_units
      assert.equal(receiving.fill_rate, Math.min(1, rate))
      const short = completed
        .flatMap((receipt) => receipt.items)
        .filter((item) => item.discrepancy_qty > 0)
      assert.equal(receiving.discrepancy_units, sum(short.map((item) => item.discrepancy_qty)))
      const byLabel = Map.groupBy(short, (item) => item.shortage_reason)
      assert.deepEqual(
        new Map(receiving.shortages_by_reason.map(({ label, count }) => [label, count])),
        new Map(
          [...byLabel].map(([label, items]) => [
            label,
            sum(items.map((item) => item.discrepancy_qty)),
          ]),
        ),
      )
    })

    test('reasons add up to their totals', () => {
      const { not_found: missed, not_found_by_reason: reasons } = metrics.shipments
      assert.equal(sum(reasons.map((each) => each.count)), missed)
      assert.equal(new Set(reasons.map((each) => each.reason)).size, reasons.length)
      assert.equal(metrics.storage.received, metrics.funnel.accepted)
    })

    test('in storage shows the current stock, whatever the period', () => {
      const units = sum(stock.map((item) => item.quantity))
      assert.equal(metrics.funnel.in_storage, units)
      assert.equal(metrics.storage.units, units)
      assert.equal(metrics.storage.in_question, sum(stock.map((item) => item.in_question)))
      const kinds = stock.filter((item) => item.quantity > 0).length
      assert.equal(metrics.storage.sku_count, kinds)
      const { boxes, pallets } = metrics.storage
      assert.ok(boxes <= sum(stock.map((item) => item.boxes)) && pallets <= boxes)
      assert.ok(boxes >= Math.max(...stock.map((item) => item.boxes)))
    })

    test('delivered and sorted follow the rule that by_current_status names', () => {
      const { funnel } = metrics
      const reported = (order: Order) => within(order.marketplace_status.changed_at ?? null)
      const counted = funnel.by_current_status ? created : orders.filter(reported)
      const delivered = counted.filter(isDelivered).length
      assert.equal(funnel.delivered, delivered)
      assert.ok(funnel.sorted_by_marketplace >= delivered)
      if (funnel.by_current_status) {
        const surely = created.filter(isSorted).length
        const cancelled = created.filter((order) => order.status === 'CANCELLED').length
        const { sorted_by_marketplace: sorted } = funnel
        assert.ok(sorted >= surely && sorted <= surely + cancelled, `${sorted}, surely ${surely}`)
      }
      assert.ok(metrics.notes.length > 0)
    })
  })
}

/** Whether the units of an order left with its shipment: not if it was cancelled before. */
function hasLeft({ status, marketplace_status: raw }: Order, closedAt: string): boolean {
  return status !== 'CANCELLED' || Date.parse(raw.changed_at ?? '') >= Date.parse(closedAt)
}

function isDelivered({ status, marketplace_status: { buyer = '' } }: Order): boolean {
  return status === 'COMPLETED' && ['sold', 'posting_received', 'posting_delivered'].includes(buyer)
}

/** Judged by the raw status pair alone; a cancellation may hide earlier milestones. */
function isSorted(order: Order): boolean {
  const { buyer = '' } = order.marketplace_status
  return (
    isDelivered(order) ||
    ['sorted', 'ready_for_pickup', 'canceled_by_client', 'posting_in_pickup_point'].includes(buyer)
  )
}

test('the notes name what changed the stock beside receipts and shipments', async () => {
  const { funnel, notes } = await between(end - 200 * day, end)
  const text = notes.join('\n')
  const unitsAfter = (words: RegExp) => Number(words.exec(text)?.[1]?.replace('−', '-') ?? 0)
  const writtenOff = unitsAfter(/списано (\d+)/)
  assert.ok(writtenOff > 0)
  const corrected = unitsAfter(/корректировки ([+−]\d+)/)
  const net = corrected - writtenOff + unitsAfter(/Вернулось на склад за период единиц: (\d+)/)
  assert.equal(funnel.in_storage, funnel.accepted - funnel.shipped + net)
})

test('milestones are counted by current status or by transitions, and the notes say which', async () => {
  const inside = await between(end - 20 * day, end)
  const beyond = await between(end - 200 * day, end)
  assert.equal(inside.funnel.by_current_status, false)
  assert.equal(beyond.funnel.by_current_status, true)
  assert.notDeepEqual(inside.notes, beyond.notes)
})

// An order that is sorted in one period and received in the next counts as sorted in both: that figure does not add up.
// Guarantee (metrics): Figures of adjacent periods add up to those of the whole.
test('the figures of adjacent periods add up to those of the whole period', async () => {
  const from = end - 25.123456 * day
  const figures = ({ funnel, storage, receiving, shipments: shipped }: Metrics) => [
    funnel.accepted,
    funnel.shipped,
    funnel.delivered,
    storage.received,
    receiving.receipts,
    receiving.discrepancy_units,
    shipped.orders_total,
    shipped.shipments_closed,
    shipped.units_shipped,
    shipped.cancelled,
    shipped.not_found,
  ]
  const whole = figures(await between(Math.round(from), end))
  assert.ok(whole.every((figure) => figure > 0))
  for (const split of [from + 0.4 * day, end - 11.7 * day, end - 0.6 * day, oddMoment]) {
    const at = Math.round(split)
    const before = figures(await between(Math.round(from), at))
    const after = figures(await between(at, end))
    assert.deepEqual(
      before.map((figure, index) => figure + (after[index] ?? 0)),
      whole,
    )
  }
})

test('every accepted unit is in storage, shipped and not back, or written off', async () => {
  const { funnel } = await between(end - 300 * day, end)
  const accepted = sum(receipts.map((receipt) => receipt.accepted_qty))
  assert.equal(funnel.accepted, accepted)
  const returned = sum(
    (await readAll(sandbox, '/v1/returns', {}, returnShape)).map(({ qty }) => qty),
  )
  assert.ok(returned > 0)
  const lost = funnel.accepted - funnel.shipped + returned - funnel.in_storage
  assert.ok(lost >= 0 && lost < accepted / 100, `${lost} units went some other way`)
})

test('without parameters the period is the last thirty days', async () => {
  const asked = Date.now()
  const { period } = await metricsOf({})
  const to = Date.parse(period.to)
  assert.equal(to - Date.parse(period.from), 30 * day)
  if (target.own) assert.ok(asked <= to && to <= Date.now(), period.to)
})

test('one bound alone gives a period of thirty days', async () => {
  const from = await metricsOf({ from: '2026-03-01' })
  assert.deepEqual(from.period, {
    from: '2026-03-01T00:00:00.000+03:00',
    to: '2026-03-31T00:00:00.000+03:00',
  })
  const to = await metricsOf({ to: '2026-03-31T10:20:30.405Z' })
  assert.deepEqual(to.period, {
    from: '2026-03-01T13:20:30.405+03:00',
    to: '2026-03-31T13:20:30.405+03:00',
  })
})

test('a period may last 366 days and not a millisecond more', async () => {
  await metricsOf({ from: '2024-01-01', to: '2025-01-01' })
  await metricsOf({ from: '2025-01-01', to: '2026-01-02' })
  for (const to of ['2026-01-03', '2026-01-02T00:00:00.001+03:00']) {
    const asked = new URLSearchParams({ from: '2025-01-01', to })
    assertRefused(await sandbox.get(`/v1/metrics?${asked}`), 'bad_request', /from|to/)
  }
})

test('an empty or reversed period is refused', async () => {
  for (const [from, to] of [
    ['2026-01-01', '2026-01-01'],
    ['2026-01-02', '2026-01-01'],
    ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00Z'],
  ]) {
    assertRefused(await sandbox.get(`/v1/metrics?from=${from}&to=${to}`), 'bad_request', 'from')
  }
})

test('a bound that is malformed, repeated or outside of the calendar is refused', async () => {
  for (const name of ['from', 'to']) {
    for (const value of [
      '',
      'x',
      '2026-02-30',
      '30',
      '2026-01-01T00:00:00',
      '%zz',
      '2026-01-01T00:00:00+03:00',
    ]) {
      assertRefused(await sandbox.get(`/v1/metrics?${name}=${value}`), 'bad_request', name)
    }
    const twice = `${name}=2026-01-01&${name}=2026-01-01`
    assertRefused(await sandbox.get(`/v1/metrics?${twice}`), 'bad_request', name)
  }
  assertRefused(await sandbox.get('/v1/metrics?to=0001-01-05'), 'bad_request', /from|to/)
  assertRefused(await sandbox.get('/v1/metrics?from=9999-12-20'), 'bad_request', /from|to/)
})

test('all figures of a new client are zero', async (t) => {
  if (target.live === undefined) return t.skip('no live keys')
  const { body } = await target.client(target.live.reading).get('/v1/metrics')
  const { storage, shipments: shipped, receiving } = read(metricsShape, body)
  assert.ok(Object.values(storage).every((figure) => figure === 0))
  assert.equal(shipped.orders_total, 0)
  assert.equal(receiving.fill_rate, 0)
  assert.deepEqual(receiving.shortages_by_reason, [])
})
