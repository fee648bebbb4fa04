import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasGtin, meantGoods } from './meant-goods.ts'

const tea = { barcode: '4600000000015', other_barcodes: ['036000291452', 'SUP-1'] }
const cup = { barcode: 'SUP-1-CUP' }

test('goods are read by their own barcode and by any other, in any spelling', () => {
  for (const code of [tea.barcode, ']E04600000000015', '0036000291452', 'SUP-1', '00036000291452'])
    assert.deepEqual(meantGoods(code, [cup, tea, tea]), [tea.barcode], code)
  assert.deepEqual(meantGoods('SUP-1-CUP', [cup, tea]), [cup.barcode])
  assert.deepEqual(meantGoods('SUP-2', [cup, tea]), [])
})

test('an own barcode comes before the same one of other goods', () => {
  const both = [{ barcode: 'A', other_barcodes: ['B'] }, { barcode: 'B' }]
  assert.deepEqual(meantGoods('B', both), ['B'])
})

test('a marking code belongs to goods by each of their GTINs', () => {
  assert.equal(hasGtin(tea, '00036000291452'), true)
  assert.equal(hasGtin(tea, '04600000000015'), true)
  assert.equal(hasGtin(cup, '04600000000015'), false)
})
