import assert from 'node:assert/strict'
import test from 'node:test'
import {
  barcodeProblemOf,
  matchingBarcodes,
  plainBarcode,
  readGoodsBarcode,
} from './goods-barcode.ts'

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

test('what nobody sees, a guard, quotes and spaces between digits are no part of a barcode', () => {
  const written = [
    '4600000000015\u200b',
    '\u202a4600000000015\u202c',
    '46000000\u00ad00015',
    '\u001f4600000000015',
    '\ufeff4600000000015\u2060',
    '\u200e4600000000015\t',
    "'4600000000015",
    '’4600000000015',
    '"4600000000015"',
    '4 600000 000015',
    '4\u00a0600000\u00a0000015',
    '4\u2009600000\u202f000015',
    '４６０００００００００１５',
  ]
  for (const text of written) {
    assert.equal(plainBarcode(text), ean, JSON.stringify(text))
    assert.deepEqual(meant(text, ean), [ean], JSON.stringify(text))
  }
  assert.equal(plainBarcode('978-5-17-118366-0'), '9785171183660')
  assert.equal(plainBarcode('\u001fA-1\u0007\u200b'), 'A-1')
  assert.equal(plainBarcode('X\u0007Y'), 'X\u0007Y')
  assert.match(barcodeProblemOf('X\u0007Y') ?? '', /управляющий знак/)
  for (const own of ['A-1', 'ШК 5', '12 34', '12-34-56', "A'1", 'товар\u00a0７', '\0']) {
    assert.equal(plainBarcode(own), own)
  }
})

test('a text that a program left where a barcode was lost, or several barcodes, are no barcode', () => {
  const lost = [
    '########',
    '#N/A',
    '#Н/Д',
    '#ЗНАЧ!',
    '#ССЫЛКА!',
    'NULL',
    'null',
    'NaN',
    '-',
    '—',
    'n/a',
  ]
  for (const text of lost) assert.match(barcodeProblemOf(text) ?? '', /след потерянного/, text)
  for (const text of ['4.6E+12', '4,60705E+12', '4E+12']) {
    assert.match(barcodeProblemOf(text) ?? '', /округлённое число/, text)
  }
  for (const between of [';', ',', ' ', ' / ', '|', '\n', '; ']) {
    const text = plainBarcode(`${ean}${between}4600000000022`)
    assert.match(barcodeProblemOf(text) ?? '', /несколько штрихкодов/, JSON.stringify(between))
  }
  for (const text of [ean, 'A-1', '46E12', 'Nullo', '#5', '12 34', ''])
    assert.equal(barcodeProblemOf(text), undefined, text)
})
