import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  holdsReserve,
  isStepBack,
  mayJoinShipment,
  type OrderStatus,
  orderStatus,
  orderStatuses,
  type ShipmentPhase,
} from './state.ts'

const phases: readonly ShipmentPhase[] = [
  'none',
  'open',
  'closed',
  'mirrored-open',
  'mirrored-closed',
]

test('what an order shows, for every marketplace status in every phase', () => {
  const shown: Record<OrderStatus, readonly OrderStatus[]> = {
    NEW: ['NEW', 'ASSEMBLING', 'IN_DELIVERY', 'ASSEMBLING', 'IN_DELIVERY'],
    ASSEMBLING: ['ASSEMBLING', 'ASSEMBLING', 'IN_DELIVERY', 'ASSEMBLING', 'IN_DELIVERY'],
    IN_DELIVERY: ['IN_DELIVERY', 'ASSEMBLING', 'IN_DELIVERY', 'IN_DELIVERY', 'IN_DELIVERY'],
    COMPLETED: phases.map(() => 'COMPLETED'),
    CANCELLED: phases.map(() => 'CANCELLED'),
    OTHER: ['OTHER', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER', 'OTHER'],
  }
  for (const status of orderStatuses) {
    assert.deepEqual(
      phases.map((phase) => orderStatus(status, phase)),
      shown[status],
      status,
    )
  }
})

test('an end is an end, but for a cancellation; what is on its way may come back', () => {
  for (const answer of orderStatuses) {
    assert.equal(isStepBack('CANCELLED', answer), answer !== 'CANCELLED')
    assert.equal(isStepBack('COMPLETED', answer), answer !== 'COMPLETED' && answer !== 'CANCELLED')
    for (const early of ['NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER'] as const) {
      assert.equal(isStepBack(early, answer), false)
    }
  }
})

test('units are claimed for what is collected, and for nothing else', () => {
  for (const status of orderStatuses) {
    assert.deepEqual(
      phases.map((phase) => holdsReserve(status, phase)),
      [false, status !== 'CANCELLED', false, false, false],
    )
  }
})

test('only an order that waits joins a shipment', () => {
  for (const status of orderStatuses) {
    const waits = status === 'NEW' || status === 'ASSEMBLING'
    assert.deepEqual(
      phases.map((phase) => mayJoinShipment(status, phase)),
      [waits, false, false, false, false],
    )
  }
})
