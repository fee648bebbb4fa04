import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProductStock } from './stock.ts'

test('stock is the units for sale, with the warehouse if OZON names one', () => {
  const barcodes = new Map([[10, '4600000000017']])
  const row = { sku: 10, present: 7, reserved: 3, free_stock: 2, warehouse_id: 5 }
  const figure = { barcode: '4600000000017', itemId: 10, quantity: 4, warehouse: { id: 5 } }
  assert.deepEqual(parseProductStock(row, barcodes), { ...figure, quantity: 2 })
  assert.deepEqual(parseProductStock({ ...row, free_stock: null }, barcodes), figure)
  const named = { ...figure, product: 'A-1' }
  assert.deepEqual(parseProductStock({ ...row, free_stock: 4, offer_id: 'A-1' }, barcodes), named)
  assert.deepEqual(parseProductStock({ sku: 10, present: 7 }, barcodes), {
    barcode: '4600000000017',
    itemId: 10,
    quantity: 7,
  })
  assert.equal(parseProductStock({ ...row, sku: 11 }, barcodes), undefined)
  assert.throws(() => parseProductStock({ sku: 10 }, barcodes), /present/)
})

test('stock with more reserved than present units is zero', () => {
  const barcodes = new Map([[10, '4600000000017']])
  for (const stock of [{ present: 3, reserved: 5 }, { free_stock: -2 }]) {
    assert.equal(parseProductStock({ sku: 10, ...stock }, barcodes)?.quantity, 0)
  }
})

test('impossible stock is malformed, and the failure names the field', () => {
  const barcodes = new Map([[10, '4600000000017']])
  const row = { sku: 10, present: 7, reserved: 3 }
  for (const [name, values] of [
    ['present', [-1, 2 ** 31, '9999999999', '99999999999999999999', 1.5]],
    ['reserved', [-1, 2 ** 31, 'x']],
    ['free_stock', [2 ** 31, '9999999999']],
  ] as const) {
    for (const value of values) {
      assert.throws(
        () => parseProductStock({ ...row, [name]: value }, barcodes),
        new RegExp(`${name}$`),
      )
    }
  }
})
