import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextShippingStep, type RobotShipping } from './shipping.ts'

const minute = 60_000

test('nothing happens to orders in the first three minutes of a copy', () => {
  const open = { id: 's', since: 0, orders: 5, unpacked: 2, pickedAt: 0 }
  const due: RobotShipping = {
    cabinetId: 'c',
    copiedAt: 0,
    polledAt: -60 * minute,
    waiting: 'o',
    open,
    handedOver: { id: 'h', since: -60 * minute },
  }
  const polled = { ...due, polledAt: 0, handedOver: undefined, waiting: undefined }
  for (const state of [due, polled]) {
    for (let at = 0; at < 3 * minute; at += 1000) {
      assert.equal(nextShippingStep(state, at), undefined, `${at} ms`)
    }
    assert.notEqual(nextShippingStep(state, 3 * minute), undefined)
  }
})
