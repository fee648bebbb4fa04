import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsShipmentVerb, refusalToClose, shipmentStatuses, shipmentVerbs } from './state.ts'

// Guarantee (shipments): A shipment changes its status only along its diagram.
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

test('a shipment is closed only with packed orders, and the cancelled ones among them stay behind', () => {
  const order = (external_id: string, status: string, packed_at: string | null) => ({
    external_id,
    status,
    packed_at,
  })
  const packed = order('A-1', 'ASSEMBLING', '2026-11-23T10:00:00.000+03:00')
  const open = order('A-2', 'ASSEMBLING', null)
  const cancelled = order('A-3', 'CANCELLED', null)
  assert.equal(refusalToClose([packed, cancelled]), undefined)
  assert.equal(refusalToClose([]), 'В отгрузке нет заказов')
  assert.match(refusalToClose([cancelled]) ?? '', /все заказы отменены/)
  assert.match(refusalToClose([packed, open]) ?? '', /^Заказ A-2 не собран:/)
  assert.match(refusalToClose([open, order('A-4', 'NEW', null)]) ?? '', /A-2 не собран, и ещё 1:/)
})
