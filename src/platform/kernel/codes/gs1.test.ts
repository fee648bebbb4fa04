import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { contradicts, gtinOf, isGtin, isSscc, readSscc, sscc } from './gs1.ts'

function digits(minLength: number, maxLength = minLength) {
  const digit = fc.constantFrom(...'0123456789')
  return fc.string({ unit: digit, minLength, maxLength })
}

/** A prefix with a serial number that fits after it. */
const aLabelled = digits(5, 13).chain((prefix) =>
  fc.record({
    prefix: fc.constant(prefix),
    serial: fc.bigInt(1n, 10n ** BigInt(17 - prefix.length) - 1n),
  }),
)

test('barcodes of real packages are GTINs', () => {
  const known = {
    '4006381333931': '04006381333931',
    '73513537': '00000073513537',
    '036000291452': '00036000291452',
    '15400141288763': '15400141288763',
  }
  for (const [barcode, gtin] of Object.entries(known)) {
    assert.equal(gtinOf(barcode), gtin)
    assert.ok(isGtin(gtin))
  }
})

test('a text that is no barcode of goods has no GTIN', () => {
  const none = [
    '',
    '4006381333930',
    '400638133393',
    '0000000000000',
    'OZN1234567',
    '４００６３８１３３３９３１',
  ]
  for (const barcode of [...none, '4006381333931\n', ' 4006381333931', '346000000000000016']) {
    assert.equal(gtinOf(barcode), undefined, barcode)
  }
  assert.ok(!isGtin('4006381333931'))
})

test('every single wrong digit is detected', () => {
  fc.assert(
    fc.property(aLabelled, fc.nat(17), fc.integer({ min: 1, max: 9 }), (label, place, shift) => {
      const right = sscc(label.prefix, label.serial)
      const wrong = String((Number(right[place]) + shift) % 10)
      assert.ok(isSscc(right))
      assert.ok(!isSscc(right.slice(0, place) + wrong + right.slice(place + 1)))
    }),
  )
})

test("an SSCC has the check digit of the standard's example", () => {
  assert.equal(sscc('340123450', 1n), '340123450000000017')
  assert.equal(sscc('37610425', 2_123_456n), '376104250021234569')
})

test('SSCCs of different serial numbers differ', () => {
  fc.assert(
    fc.property(aLabelled, fc.bigInt(1n, 9999n), ({ prefix, serial }, other) => {
      assert.equal(sscc(prefix, serial) === sscc(prefix, other), serial === other)
    }),
  )
})

test('a prefix and serial that do not fit into an SSCC are refused', () => {
  const refused: [string, bigint][] = [
    ['0460', 1n],
    ['04600000000000', 1n],
    ['04600x', 1n],
    ['', 1n],
    ['046000000', -1n],
    ['046000000', 100_000_000n],
    ['00000', 0n],
  ]
  for (const [prefix, serial] of refused) assert.throws(() => sscc(prefix, serial), RangeError)
  assert.equal(sscc('046000000', 99_999_999n).length, 18)
})

test('an SSCC is read from every form of a scan', () => {
  const forms = [
    ']C100#',
    ']C1\u001d00#',
    '\u001d00#',
    '<GS>00#',
    '00#',
    '(00)#',
    '(00) #\r\n',
    '#',
  ]
  fc.assert(
    fc.property(aLabelled, fc.constantFrom(...forms), ({ prefix, serial }, form) => {
      const number = sscc(prefix, serial)
      assert.equal(readSscc(form.replace('#', number)), number)
    }),
  )
  assert.equal(readSscc('(00) 3 4012345 000000001 7'), '340123450000000017')
})

test('no other text is read as an SSCC', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readSscc(text) === undefined))
  const others = ['', '(01)340123450000000017', '01340123450000000017', '340123450000000018']
  for (const text of [...others, '000000000000000000', '340123450000000017'.repeat(2)]) {
    assert.equal(readSscc(text), undefined, text)
  }
  assert.equal(readSscc(`${' '.repeat(1_000_000)}340123450000000017`), undefined)
})

test('a GTIN contradicts the barcode of other goods, but no number that a marketplace assigned', () => {
  assert.ok(contradicts('04006381333931', '036000291452'))
  assert.ok(contradicts('04006381333931', '15400141288763'))
  assert.ok(!contradicts('04006381333931', '4006381333931'))
  assert.ok(!contradicts('04006381333931', '2000000000015'))
  assert.ok(!contradicts('04006381333931', 'OZN1234567'))
  assert.ok(!contradicts('02900000000018', '4006381333931'))
})
