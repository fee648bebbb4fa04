import assert from 'node:assert/strict'
import test from 'node:test'
import { matchingBarcodes, readGoodsBarcode } from './goods-barcode.ts'

const ean = '4600000000015'

const meant = (scanned: string, ...known: string[]) =>
  matchingBarcodes(readGoodsBarcode(scanned), known)

test("a scanner's prefix and suffix are no part of a barcode", () => {
  const scans = [
    `${ean}\r\n`,
    ` ${ean}\t`,
    `]E0${ean}`,
    `]C1\u001d${ean}\r`,
    `]d2${ean}`,
    `]d1${ean}`,
  ]
  for (const scan of scans) assert.deepEqual(meant(scan, 'A', ean), [ean], scan)
  assert.deepEqual(meant(']E496385074', '96385074'), ['96385074'])
  assert.deepEqual(meant(']C0A-1', 'A-1'), ['A-1'])
})

test('leading zeros do not change the GTIN', () => {
  assert.deepEqual(meant(`0${ean}`, ean), [ean])
  assert.deepEqual(meant(ean, `0${ean}`), [`0${ean}`])
  assert.deepEqual(meant('0036000291452', '036000291452'), ['036000291452'])
  assert.deepEqual(meant('036000291452', '0036000291452', '00036000291452').length, 2)
  assert.deepEqual(meant('4600000000016', ean), [])
})

test('a known barcode that equals the scanned text takes precedence', () => {
  assert.deepEqual(meant(ean, `0${ean}`, ean), [ean])
  assert.deepEqual(meant(']E0A', 'A', ']E0A'), [']E0A'])
  for (const scan of ['', ' ', ']E0']) assert.deepEqual(meant(scan, scan, 'A'), [scan])
  assert.deepEqual(meant(' ', 'A'), [])
})
