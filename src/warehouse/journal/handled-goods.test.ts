import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handledGoods } from './handled-goods.ts'

const entry = { client_id: 'c', object_id: '01a22528-ec95-7da3-8c9f-ed64bba38e46', before: null }

test('a scan is about its units, and one unit where it names no number', () => {
  const scanned = (action: string, after: unknown) => handledGoods({ ...entry, action, after })
  assert.deepEqual(scanned('scanReceipt', { barcode: 'A', qty: 20 }), { barcode: 'A', qty: 20 })
  assert.deepEqual(scanned('pickUnit', { barcode: 'A' }), { barcode: 'A', qty: 1 })
  assert.deepEqual(scanned('checkUnit', { barcode: 'A', units: 2 }), { barcode: 'A', qty: 2 })
  const kept = { decision: null, scan: { barcode: 'B', qty: 3 } }
  assert.deepEqual(scanned('scanReceipt', kept), { barcode: 'B', qty: 3 })
  assert.equal(scanned('openCount', { number: '1' }), undefined)
})

test('moved units are the difference, and what knows its goods by barcode is about no number', () => {
  const put = { before: { barcode: 'A', units: 5 }, after: { barcode: 'A', units: 3 } }
  assert.deepEqual(handledGoods({ ...entry, action: 'takeFromBox', ...put }), {
    barcode: 'A',
    qty: 2,
  })
  const stock = { object_id: 'A', before: { quantity: 5 }, after: { quantity: 3 } }
  assert.deepEqual(handledGoods({ ...entry, action: 'writeOff', ...stock }), {
    barcode: 'A',
    qty: null,
  })
  assert.equal(handledGoods({ ...entry, ...stock, client_id: null, action: 'x' }), undefined)
})
