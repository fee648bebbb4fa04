import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { ean13, markingCode } from '../../../tests/support/marking-codes.ts'
import type { StaffReceipt } from '../../api/staff-calls.ts'
import { foldReceipt, readReceiptCode, shortagesOf } from './receipt.ts'

const tea = ean13('460123450001')
const milk = ean13('460123450003')

function receiptOf(items: readonly object[]): StaffReceipt {
  return { accepted_qty: 0, items } as StaffReceipt
}

const receipt = receiptOf([
  { barcode: tea, name: 'Чай', expected_qty: 2, accepted_qty: 0, card_honest_mark: null },
  { barcode: milk, name: 'Молоко', expected_qty: 1, accepted_qty: 0, honest_mark: true },
])

test('a barcode is read with the additions and the leading zeros of a scanner', () => {
  for (const code of [tea, `]E0${tea}`, `0${tea}`]) {
    const reading = readReceiptCode(receipt, code, undefined)
    assert.equal(reading.kind === 'item' && reading.item.barcode, tea, code)
  }
})

test('marked goods are counted by their marking code, which their barcode asks for', () => {
  assert.equal(readReceiptCode(receipt, milk, undefined).kind, 'marking-wanted')
  const code = markingCode(milk, 1)
  const reading = readReceiptCode(receipt, code, undefined)
  assert.deepEqual(reading.kind === 'item' && [reading.item.barcode, reading.marking], [milk, code])
  const foreign = markingCode(ean13('460123450009'), 1)
  assert.equal(readReceiptCode(receipt, foreign, undefined).kind, 'wrong')
  const cut = code.slice(0, 30)
  assert.equal(readReceiptCode(receipt, cut, undefined).kind, 'wrong')
})

test('a box is a box, and other goods are not listed', () => {
  const number = sscc('146012345', 7n)
  assert.deepEqual(readReceiptCode(receipt, `]C100${number}`, undefined), {
    kind: 'box',
    sscc: number,
  })
  const other = ean13('460123450009')
  assert.deepEqual(readReceiptCode(receipt, other, undefined), { kind: 'unlisted', barcode: other })
})

test('scans change lines and total, goods that are not listed get a line, and undoing takes back', () => {
  const effect = { barcode: tea, name: 'Чай', qty: 2 }
  const other = { barcode: '4600000000017', name: 'Сок', qty: 1 }
  const counted = foldReceipt(foldReceipt(receipt, effect, 1), other, 1)
  assert.equal(counted.accepted_qty, 3)
  assert.deepEqual(
    counted.items?.map((item) => [item.barcode, item.accepted_qty, item.expected_qty]),
    [
      [tea, 2, 2],
      [milk, 0, 1],
      ['4600000000017', 1, 0],
    ],
  )
  assert.deepEqual(shortagesOf(counted), [{ barcode: milk, name: 'Молоко', missing: 1 }])
  assert.deepEqual(foldReceipt(counted, effect, -1).accepted_qty, 1)
})
