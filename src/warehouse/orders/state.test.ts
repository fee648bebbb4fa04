import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  holdsReserve,
  isStepBack,
  isTerminal,
  mayJoinShipment,
  type OrderStatus,
  orderStatus,
  orderStatuses,
  shipmentPhases,
} from './state.ts'

test('an order shows one status for every marketplace status in every shipment phase', () => {
  const shown: Record<OrderStatus, readonly OrderStatus[]> = {
    NEW: ['NEW', 'ASSEMBLING', 'IN_DELIVERY', 'ASSEMBLING', 'IN_DELIVERY', 'ASSEMBLING'],
    ASSEMBLING: [
      'ASSEMBLING',
      'ASSEMBLING',
      'IN_DELIVERY',
      'ASSEMBLING',
      'IN_DELIVERY',
      'ASSEMBLING',
    ],
    IN_DELIVERY: [
      'IN_DELIVERY',
      'ASSEMBLING',
      'IN_DELIVERY',
      'IN_DELIVERY',
      'IN_DELIVERY',
      'ASSEMBLING',
    ],
    COMPLETED: shipmentPhases.map(() => 'COMPLETED'),
    CANCELLED: shipmentPhases.map(() => 'CANCELLED'),
    OTHER: ['OTHER', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER', 'OTHER', 'ASSEMBLING'],
  }
  for (const status of orderStatuses) {
    assert.deepEqual(
      shipmentPhases.map((phase) => orderStatus(status, phase)),
      shown[status],
      status,
    )
  }
})

test('COMPLETED and CANCELLED are terminal, every other status is open', () => {
  assert.deepEqual(orderStatuses.filter(isTerminal), ['COMPLETED', 'CANCELLED'])
})

// Guarantee (orders): An order changes its status only along its diagram; after COMPLETED it can only be cancelled.
test('a terminal status is left only from COMPLETED to CANCELLED, an open one may move back', () => {
  for (const before of orderStatuses) {
    for (const reported of orderStatuses) {
      const leaves = isTerminal(before) && before !== reported
      const allowed = before === 'COMPLETED' && reported === 'CANCELLED'
      assert.equal(isStepBack(before, reported), leaves && !allowed, `${before} ${reported}`)
    }
  }
})

test('units are reserved in an open shipment of ours until the order is cancelled', () => {
  for (const status of orderStatuses) {
    assert.deepEqual(
      shipmentPhases.map((phase) => holdsReserve(status, phase)),
      [false, status !== 'CANCELLED', false, false, false, false],
    )
  }
})

test('only a NEW or ASSEMBLING order outside of shipments may join one', () => {
  for (const status of orderStatuses) {
    const waits = status === 'NEW' || status === 'ASSEMBLING'
    assert.deepEqual(
      shipmentPhases.map((phase) => mayJoinShipment(status, phase)),
      [waits, false, false, false, false, waits],
    )
  }
})
