import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsShipmentVerb, shipmentStatuses, shipmentVerbs } from './state.ts'

test('orders join and leave, and a shipment is closed or cancelled, while ASSEMBLING; it is accepted when HANDED_OVER', () => {
  const table = {
    fill: 'ASSEMBLING',
    prepare: 'ASSEMBLING',
    close: 'ASSEMBLING',
    cancel: 'ASSEMBLING',
    accept: 'HANDED_OVER',
  } as const
  for (const verb of shipmentVerbs) {
    for (const status of shipmentStatuses) {
      assert.equal(allowsShipmentVerb(status, verb), status === table[verb], `${verb} ${status}`)
    }
  }
})
