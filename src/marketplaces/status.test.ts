import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { orderStatuses } from '../orders/state.ts'
import { readOzonStatus } from './ozon/status.ts'
import { readWildberriesStatus } from './wildberries/status.ts'

test('WB pairs', () => {
  const pairs = [
    ['new', 'waiting', 'NEW'],
    ['confirm', 'waiting', 'ASSEMBLING'],
    ['confirm', 'sorted', 'IN_DELIVERY'],
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

test('WB milestones', () => {
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

test('OZON statuses', () => {
  const statuses = {
    awaiting_registration: 'NEW',
    awaiting_approve: 'NEW',
    awaiting_verification: 'NEW',
    awaiting_packaging: 'NEW',
    awaiting_deliver: 'ASSEMBLING',
    acceptance_in_progress: 'IN_DELIVERY',
    sent_by_seller: 'IN_DELIVERY',
    driver_pickup: 'IN_DELIVERY',
    delivering: 'IN_DELIVERY',
    delivered: 'COMPLETED',
    cancelled: 'CANCELLED',
    cancelled_from_split_pending: 'CANCELLED',
    arbitration: 'OTHER',
    client_arbitration: 'OTHER',
    not_accepted: 'OTHER',
    toString: 'OTHER',
  }
  for (const [supplier, status] of Object.entries(statuses)) {
    assert.equal(readOzonStatus({ supplier }).status, status, supplier)
  }
})

test('OZON milestones', () => {
  const received = readOzonStatus({ supplier: 'delivered', buyer: 'posting_received' })
  assert.deepEqual([received.sorted, received.delivered], [true, true])
  const waiting = readOzonStatus({ supplier: 'delivering', buyer: 'posting_in_pickup_point' })
  assert.deepEqual([waiting.sorted, waiting.delivered], [true, false])
  assert.equal(readOzonStatus({ supplier: 'cancelled' }, true).sorted, true)
  assert.equal(readOzonStatus({ supplier: 'cancelled' }).sorted, false)
})

test('any pair has a status, and the raw pair stays as it was', () => {
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
