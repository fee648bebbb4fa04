import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedAt } from '../../../../../tests/support/marketplaces/malformed-at.ts'
import { parseWarehouse, parseWarehouseStock } from './stock.ts'

test('only warehouses that ship through WB have stock, in units that the database can store', () => {
  assert.deepEqual(parseWarehouse({ id: 7, name: 'Склад', deliveryType: 1 }), {
    id: 7,
    name: 'Склад',
  })
  assert.deepEqual(parseWarehouse({ id: 7 }), { id: 7 })
  assert.equal(parseWarehouse({ id: 7, deliveryType: 2 }), undefined)
  const barcodes = new Map([[51, 'b1']])
  const warehouse = { id: 7 }
  assert.deepEqual(parseWarehouseStock({ chrtId: 51, amount: 0 }, barcodes, warehouse), {
    barcode: 'b1',
    itemId: 51,
    quantity: 0,
    warehouse,
  })
  assert.equal(parseWarehouseStock({ chrtId: 52, amount: 3 }, barcodes, warehouse), undefined)
  for (const amount of [undefined, null, -1, 2 ** 31, '99999999999999999999', 0.5]) {
    const row = { chrtId: 51, amount }
    assert.throws(() => parseWarehouseStock(row, barcodes, warehouse), malformedAt('amount'))
  }
})
