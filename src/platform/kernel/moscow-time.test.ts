import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import {
  fromTimestamp,
  midnight,
  moscowDate,
  parsePlannedDate,
  parseTime,
  type TimeProblem,
  toMidnight,
  toTimestamp,
} from './moscow-time.ts'

const EARLIEST = Date.parse('0001-01-01T00:00:00.000+03:00')
const LATEST = Date.parse('9999-12-31T23:59:59.999+03:00')
const anInstant = fc.integer({ min: EARLIEST, max: LATEST })

/** Shows a time with the platform's own calendar, which is slower. */
const slowTimestamp = (instant: number) =>
  `${new Date(instant + 3 * 3_600_000).toISOString().slice(0, 23)}+03:00`

test('toTimestamp shows milliseconds and the Moscow offset', () => {
  assert.equal(toTimestamp(Date.UTC(2026, 10, 20, 15, 25, 2, 123)), '2026-11-20T18:25:02.123+03:00')
  assert.equal(toTimestamp(0), '1970-01-01T03:00:00.000+03:00')
  assert.equal(toTimestamp(-10_800_001), '1969-12-31T23:59:59.999+03:00')
  assert.equal(toTimestamp(EARLIEST), '0001-01-01T00:00:00.000+03:00')
  assert.equal(toTimestamp(LATEST), '9999-12-31T23:59:59.999+03:00')
})

test('toTimestamp agrees with the platform calendar, and reading returns the same instant', () => {
  fc.assert(
    fc.property(anInstant, (instant) => {
      const shown = toTimestamp(instant)
      assert.equal(shown, slowTimestamp(instant))
      assert.equal(fromTimestamp(shown), instant)
      assert.deepEqual(parseTime(shown), { ok: true, instant })
      assert.equal(moscowDate(instant), shown.slice(0, 10))
      assert.ok(midnight(moscowDate(instant)) <= instant)
    }),
    { numRuns: 2000 },
  )
})

test('toTimestamp shows every day of four centuries as the platform does', () => {
  const noon = Date.UTC(1899, 0, 1, 12)
  for (let day = 0; day <= 146_097; day++) {
    const instant = noon + day * 86_400_000
    assert.equal(toTimestamp(instant), slowTimestamp(instant))
  }
})

test('an instant outside the Moscow years 1..9999 or with a fraction throws RangeError', () => {
  for (const instant of [EARLIEST - 1, LATEST + 1, Number.NaN, Number.POSITIVE_INFINITY, 0.5]) {
    assert.throws(() => toTimestamp(instant), RangeError)
    assert.throws(() => moscowDate(instant), RangeError)
  }
})

test('a date begins at Moscow midnight', () => {
  assert.equal(midnight('2026-11-20'), Date.UTC(2026, 10, 19, 21))
  assert.equal(toMidnight('2026-11-20'), '2026-11-20T00:00:00.000+03:00')
  assert.equal(toMidnight('0001-01-01'), '0001-01-01T00:00:00.000+03:00')
  for (const date of ['2026-02-30', '0000-01-01', '2026-1-1', '', '2026-11-20T00:00:00Z']) {
    assert.throws(() => midnight(date), RangeError)
  }
})

test('parseTime accepts RFC 3339 with any offset, any fraction, and bare dates', () => {
  const noon = Date.UTC(2026, 10, 20, 12)
  const forms: [string, number][] = [
    ['2026-11-20T15:00:00+03:00', noon],
    ['2026-11-20T12:00:00Z', noon],
    ['2026-11-20t12:00:00z', noon],
    ['2026-11-20T12:00:00-00:00', noon],
    ['2026-11-19T12:01:00-23:59', noon],
    ['2026-11-21T11:59:00+23:59', noon],
    ['2026-11-20T12:00:00.5Z', noon + 500],
    ['2026-11-20T12:00:00.123Z', noon + 123],
    ['2026-11-20T12:00:00.1230000000000000000000000000Z', noon + 123],
    ['2026-11-20T12:00:00.1230000000000000000000000001Z', noon + 124],
    ['2026-11-20T12:00:00.9990001Z', noon + 1000],
    ['2026-11-20', Date.UTC(2026, 10, 19, 21)],
    ['2024-02-29', Date.UTC(2024, 1, 28, 21)],
    ['0000-12-31T21:00:00Z', EARLIEST],
    ['9999-12-31T20:59:59.999Z', LATEST],
  ]
  for (const [text, instant] of forms) {
    assert.deepEqual(parseTime(text), { ok: true, instant }, text)
  }
})

test('other texts are refused with the reason', () => {
  const refused: Record<TimeProblem, string[]> = {
    format: [
      ...['', ' ', 'вчера', '2026', '2026-11', '20261120', '2026-11-20T12:00', '2026-11-20T12:00Z'],
      ...['2026-11-20T12:00:00 ', '2026-11-20 12:00:00Z', '2026-11-20T12:00:00.Z', ' 2026-11-20'],
      ...['2026-11-20\n', '2026-11-20T12:00:00+3:00', '2026-11-20T12:00:00+0300', '2026-11-2٠'],
      ...['12026-11-20', '+02026-11-20', '1763640000', '2026-11-20T12:00:00,5Z', '2026/11/20'],
    ],
    date: [
      ...['2026-02-30', '2026-02-29', '2100-02-29', '2026-13-01', '2026-00-10', '2026-04-31'],
      ...['2026-11-00', '2026-11-20T24:00:00Z', '2026-11-20T12:60:00Z', '2026-12-31T23:59:61Z'],
      ...['2026-12-30T23:59:60Z', '2026-12-31T22:59:60Z', '2026-12-31T23:59:60+03:00'],
      ...['2026-11-20T12:00:00+24:00', '2026-11-20T12:00:00+03:60', '2026-02-30T12:00:00Z'],
    ],
    range: ['0000-01-01', '0000-12-31', '0000-12-31T20:59:59.999Z', '9999-12-31T21:00:00Z'],
    offset: ['2026-11-20T12:00:00', '2026-11-20t12:00:00.5', '2026-02-30T12:00:00'],
    space: ['2026-11-20T10:00:00 03:00', '2026-11-20T10:00:00.123 03:00'],
  }
  for (const [reason, texts] of Object.entries(refused)) {
    for (const text of texts) {
      assert.deepEqual(parseTime(text), { ok: false, reason }, text)
      assert.deepEqual(parsePlannedDate(text), { ok: false, reason }, text)
    }
  }
  const late = '9999-12-31T23:59:59.9995+03:00'
  assert.deepEqual(parseTime(late), { ok: false, reason: 'range' })
})

test('a bound finer than a millisecond selects the same rows as the exact time', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 999 }), (fraction, millisecond) => {
      const bound = parseTime(`2026-11-20T12:00:00.${fraction.join('')}Z`)
      assert.ok(bound.ok)
      const exact = BigInt(fraction.join('').padEnd(9, '0'))
      const stored = Date.UTC(2026, 10, 20, 12) + millisecond
      assert.equal(stored >= bound.instant, BigInt(millisecond) * 1_000_000n >= exact)
    }),
  )
})

test('a planned date is the Moscow date of the given time', () => {
  const given: [string, string][] = [
    ['2026-11-20', '2026-11-20'],
    ['2026-11-20T20:59:59.999999Z', '2026-11-20'],
    ['2026-11-20T21:00:00Z', '2026-11-21'],
    ['2026-11-20T23:59:59.9999+03:00', '2026-11-20'],
    ['9999-12-31T23:59:59.9995+03:00', '9999-12-31'],
  ]
  for (const [text, date] of given) assert.deepEqual(parsePlannedDate(text), { ok: true, date })
})

test('a leap second is the first instant after it', () => {
  const after = Date.UTC(2017, 0, 1)
  const forms = ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60.999Z', '2017-01-01T02:59:60+03:00']
  for (const text of forms) {
    assert.deepEqual(parseTime(text), { ok: true, instant: after }, text)
    assert.deepEqual(parsePlannedDate(text), { ok: true, date: '2017-01-01' }, text)
  }
  assert.deepEqual(parseTime('2015-06-30t23:59:60z'), { ok: true, instant: Date.UTC(2015, 6, 1) })
})

test('parseTime never throws and accepts existing days only', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-T:Z+. ') }), (text) => {
      parseTime(text)
    }),
  )
  const part = fc.integer({ min: 0, max: 40 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), part, part, (year, month, day) => {
      const parts = [String(year).padStart(4, '0'), month, day].map((n) =>
        String(n).padStart(2, '0'),
      )
      const platform = new Date(0)
      platform.setUTCFullYear(year, month - 1, day)
      const real = platform.getUTCMonth() === month - 1 && platform.getUTCDate() === day
      assert.equal(parseTime(parts.join('-')).ok, real)
    }),
  )
})
