import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GivenMarkKind, givenMarkKinds, markNames, readMark } from './unit-mark.ts'

const read: Readonly<Record<GivenMarkKind, readonly (readonly [string, string | undefined])[]>> = {
  uin: [
    ['1234567890123456', '1234567890123456'],
    [' 1234 5678 9012 3456\n', '1234567890123456'],
    ['123456789012345', undefined],
    ['12345678901234567', undefined],
    ['123456789012345А', undefined],
  ],
  imei: [
    ['490154203237518', '490154203237518'],
    ['490154203237519', undefined],
    ['49015420323751', undefined],
    ['000000000000000', undefined],
  ],
  gtin: [
    ['4600000000039', '4600000000039'],
    ['04600000000039', '04600000000039'],
    ['4600000000038', undefined],
    ['46000000', undefined],
  ],
  expiration: [
    ['31.12.2027', '2027-12-31'],
    ['2028-02-29', '2028-02-29'],
    ['29.02.2027', undefined],
    ['1.2.2027', undefined],
    ['2027-13-01', undefined],
  ],
  customs_declaration: [
    ['10704010/010624/0000302', '10704010/010624/0000302'],
    ['10704010/010624/в000302', '10704010/010624/В000302'],
    ['10704010/310624/0000302', undefined],
    ['10704010/010624', undefined],
    ['10704010-010624-0000302', undefined],
  ],
  rnpt: [
    ['10704010/010624/0000302/001', '10704010/010624/0000302/001'],
    ['7701/010624/302/1', '7701/010624/302/1'],
    ['10704010/010624/0000302/000', undefined],
    ['10704010/010624/0000302', undefined],
  ],
  country: [
    ['cn', 'CN'],
    ['CHN', undefined],
    ['СН', undefined],
  ],
  weight: [
    ['0250', '250'],
    ['1000000', '1000000'],
    ['0', undefined],
    ['1000001', undefined],
    ['1.5', undefined],
  ],
}

for (const kind of givenMarkKinds) {
  test(`${kind} is read in its one form, and refused with a rule otherwise`, () => {
    for (const [text, expected] of read[kind]) {
      const reading = readMark(kind, text)
      assert.equal(reading.ok ? reading.value : undefined, expected, text)
      if (!reading.ok) assert.ok(reading.problem.length > 20)
    }
    assert.ok(markNames[kind])
  })
}
