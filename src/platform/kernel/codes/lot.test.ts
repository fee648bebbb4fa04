import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GS } from './gs1.ts'
import { readExpiry, readLotCode } from './lot.ts'

test('an expiry date is read in short Russian forms, a month alone means its last day', () => {
  for (const text of [
    '31.12.2027',
    '31.12.27',
    '311227',
    '31122027',
    '2027-12-31',
    '12.2027',
    '12.27',
    '31/12/27',
  ])
    assert.equal(readExpiry(text), '2027-12-31', text)
  assert.equal(readExpiry('2.28'), '2028-02-29')
  assert.equal(readExpiry(' 1.3.2027 '), '2027-03-01')
  for (const text of ['', 'завтра', '31.02.2027', '13.2027', '2027', '000027', '32.12.27', '1227'])
    assert.equal(readExpiry(text), undefined, text)
})

test('a lot is read from the elements of a GS1 code', () => {
  const gtin = '04600000000015'
  const lot = { expiresOn: '2027-12-31', number: 'A1' }
  assert.deepEqual(readLotCode(`]C101${gtin}1727123110A1`), { gtin, lot, isOfUnit: false })
  assert.deepEqual(readLotCode(`(01)${gtin}(17)271200(10)A1`), { gtin, lot, isOfUnit: false })
  assert.deepEqual(readLotCode(`01${gtin}10A1${GS}17271231`), { gtin, lot, isOfUnit: false })
  const unit = `01${gtin}215abcdef${GS}7003271231${GS}93abcd`
  assert.deepEqual(readLotCode(unit)?.lot, { expiresOn: '2027-12-31', number: '' })
  assert.equal(readLotCode(unit)?.isOfUnit, true)
  assert.equal(readLotCode(`01${gtin}215abcdef${GS}93abcd`)?.lot, undefined)
  for (const text of ['4600000000015', '', '17271231', `01${gtin}1727`, '0104600000000016'])
    assert.equal(readLotCode(text), undefined, text)
})
