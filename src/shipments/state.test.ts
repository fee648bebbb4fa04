import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsShipmentVerb, shipmentStatuses } from './state.ts'

test('every verb in every state', () => {
  const table = { fill: 'ASSEMBLING', close: 'ASSEMBLING', accept: 'HANDED_OVER' } as const
  for (const verb of ['fill', 'close', 'accept'] as const) {
    for (const status of shipmentStatuses) {
      assert.equal(allowsShipmentVerb(status, verb), status === table[verb], `${verb} ${status}`)
    }
  }
})
