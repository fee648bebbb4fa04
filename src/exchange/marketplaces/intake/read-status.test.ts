import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type OrderStatus, orderStatuses } from '../../../warehouse/orders/state.ts'
import { readOzonStatus } from '../ozon/status.ts'
import { readWildberriesStatus } from '../wildberries/status.ts'

test('each WB status pair has its meaning, and unknown ones are OTHER', () => {
  const pairs = [
    ['new', 'waiting', 'NEW'],
    ['confirm', 'waiting', 'ASSEMBLING'],
    ['confirm', 'sorted', 'IN_DELIVERY'],
    ['confirm', 'ready_for_pickup', 'IN_DELIVERY'],
    ['confirm', 'accepted_by_carrier', 'OTHER'],
    ['complete', 'waiting', 'IN_DELIVERY'],
    ['complete', 'sorted', 'IN_DELIVERY'],
    ['complete', 'ready_for_pickup', 'IN_DELIVERY'],
    ['complete', 'postponed_delivery', 'IN_DELIVERY'],
    ['complete', 'accepted_by_carrier', 'IN_DELIVERY'],
    ['complete', 'sent_to_carrier', 'IN_DELIVERY'],
    ['complete', 'sold', 'COMPLETED'],
    ['confirm', 'canceled', 'CANCELLED'],
    ['complete', 'canceled_by_client', 'CANCELLED'],
    ['new', 'declined_by_client', 'CANCELLED'],
    ['complete', 'defect', 'CANCELLED'],
    ['complete', 'canceled_by_carrier', 'CANCELLED'],
    ['cancel', 'waiting', 'CANCELLED'],
    ['cancel_carrier', 'sold', 'CANCELLED'],
    ['new', 'something_new', 'OTHER'],
    ['something_new', 'waiting', 'OTHER'],
  ] as const
  for (const [supplier, buyer, status] of pairs) {
    assert.equal(readWildberriesStatus({ supplier, buyer }).status, status, `${supplier} ${buyer}`)
  }
})

test('WB pairs show whether an order was sorted or delivered', () => {
  const read = (buyer: string) => readWildberriesStatus({ supplier: 'complete', buyer })
  for (const buyer of ['sorted', 'ready_for_pickup', 'sold', 'canceled_by_client']) {
    assert.equal(read(buyer).sorted, true, buyer)
  }
  for (const buyer of ['waiting', 'declined_by_client', 'defect', 'canceled']) {
    assert.equal(read(buyer).sorted, false, buyer)
  }
  assert.equal(read('sold').delivered, true)
  assert.equal(read('ready_for_pickup').delivered, false)
})

test('each OZON status has its meaning, and unknown ones are OTHER', () => {
  const statuses: Partial<Record<OrderStatus, string[]>> = {
    NEW: ['registration', 'approve', 'verification', 'packaging'].map((end) => `awaiting_${end}`),
    ASSEMBLING: ['awaiting_deliver'],
    IN_DELIVERY: ['acceptance_in_progress', 'sent_by_seller', 'driver_pickup', 'delivering'],
    COMPLETED: ['delivered'],
    CANCELLED: ['cancelled', 'cancelled_from_split_pending'],
    OTHER: ['arbitration', 'client_arbitration', 'not_accepted', 'toString'],
  }
  for (const [status, suppliers] of Object.entries(statuses)) {
    for (const supplier of suppliers) {
      assert.equal(readOzonStatus({ supplier }).status, status, supplier)
    }
  }
})

test('OZON pairs show whether an order was sorted or delivered', () => {
  const received = readOzonStatus({ supplier: 'delivered', buyer: 'posting_received' })
  assert.deepEqual([received.sorted, received.delivered], [true, true])
  const waiting = readOzonStatus({ supplier: 'delivering', buyer: 'posting_in_pickup_point' })
  assert.deepEqual([waiting.sorted, waiting.delivered], [true, false])
  const withCourier = readOzonStatus({
    supplier: 'delivering',
    buyer: 'posting_in_courier_service',
  })
  assert.equal(withCourier.sorted, true)
  const cancelled = readOzonStatus({ supplier: 'cancelled', buyer: 'posting_canceled' })
  assert.deepEqual([cancelled.sorted, cancelled.keepsSorted], [false, true])
  assert.equal(waiting.keepsSorted, undefined)
})

test('any pair has a status, and the reading keeps the raw pair', () => {
  const raw = fc.record({ supplier: fc.string(), buyer: fc.string() }, { requiredKeys: [] })
  fc.assert(
    fc.property(raw, (pair) => {
      for (const read of [readOzonStatus(pair), readWildberriesStatus(pair)]) {
        assert.ok(orderStatuses.includes(read.status))
        assert.deepEqual(
          { supplier: read.supplier, buyer: read.buyer },
          { supplier: pair.supplier, buyer: pair.buyer },
        )
      }
    }),
  )
})
