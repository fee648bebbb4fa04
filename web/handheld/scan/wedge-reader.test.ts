import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReadKey, WedgeReader } from './wedge-reader.ts'

interface Given extends Partial<ReadKey> {
  readonly key: string
}

function openReader() {
  const scans: string[] = []
  return { scans, reader: new WedgeReader((code) => scans.push(code)) }
}

function press(reader: WedgeReader, keys: readonly Given[], gapMs: number, isInInput = false) {
  return keys.map((key, n) =>
    reader.press(
      {
        code: '',
        shiftKey: false,
        ctrlKey: false,
        altKey: false,
        getModifierState: () => false,
        timeStamp: n * gapMs,
        ...key,
      },
      isInInput,
    ),
  )
}

const enter = { key: 'Enter', code: 'Enter' }
const digits = [...'4601234500012'].map((key) => ({ key, code: `Digit${key}` }))

test('a scan ends with Enter or Tab', () => {
  const { reader, scans } = openReader()
  press(reader, [...digits, enter], 5)
  press(reader, [...digits, { key: 'Tab' }], 5)
  assert.deepEqual(scans, ['4601234500012', '4601234500012'])
})

test('a scan without Enter ends when no key comes, and half of one does not', () => {
  const { reader, scans } = openReader()
  press(reader, digits, 5)
  reader.rest(12 * 5 + 100)
  assert.deepEqual(scans, [])
  reader.rest(12 * 5 + 250)
  assert.deepEqual(scans, ['4601234500012'])
})

test('the places of the keys count, not the letters of a Russian layout', () => {
  const { reader, scans } = openReader()
  const russian = [
    { key: 'Ф', code: 'KeyA', shiftKey: true },
    { key: 'и', code: 'KeyB' },
    { key: '.', code: 'Slash' },
    { key: '№', code: 'Digit3', shiftKey: true },
    { key: '7', code: 'Digit7' },
    enter,
  ]
  press(reader, russian, 5)
  assert.deepEqual(scans, ['Ab/#7'])
})

test('separators arrive as Ctrl+], as a character, or as Alt and its number', () => {
  const { reader, scans } = openReader()
  const alt = (digit: string) => ({ key: digit, code: `Numpad${digit}`, altKey: true })
  press(reader, [{ key: '1' }, { key: ']', code: 'BracketRight', ctrlKey: true }, { key: '2' }], 5)
  press(
    reader,
    [{ key: '\u001d' }, alt('0'), alt('2'), alt('9')].map((k, n) => ({ ...k, timeStamp: 20 + n })),
    0,
  )
  reader.releaseAlt()
  press(
    reader,
    [
      { key: '3', timeStamp: 30 },
      { ...enter, timeStamp: 31 },
    ],
    0,
  )
  assert.deepEqual(scans, ['1\u001d2\u001d\u001d3'])
})

test('what a person types into an input is left alone, however it ends', () => {
  const { reader, scans } = openReader()
  const outcomes = press(reader, [...digits, enter], 90, true)
  reader.rest(10_000)
  assert.deepEqual(new Set(outcomes.slice(0, -1)), new Set(['first']))
  assert.equal(outcomes.at(-1), 'ignored')
  assert.deepEqual(scans, [])
})

test('a scanner that types into an input is heard, and all its keys but the first are taken away', () => {
  const { reader, scans } = openReader()
  const outcomes = press(reader, [...digits, enter], 5, true)
  assert.deepEqual(outcomes, ['first', ...digits.slice(1).map(() => 'taken'), 'ended'])
  assert.deepEqual(scans, ['4601234500012'])
})

test('scans without Enter are heard, each, by a device that is too busy to notice where one ends', () => {
  const { reader, scans } = openReader()
  const at = (ms: number) => digits.map((key, n) => ({ ...key, timeStamp: ms + n * 5 }))
  press(reader, [...digits, enter], 5)
  press(reader, [...at(1_000), ...at(2_000)], 0)
  reader.rest(4_000)
  assert.deepEqual(scans, ['4601234500012', '4601234500012', '4601234500012'])
})

test('a late Enter ends a scan', () => {
  const { reader, scans } = openReader()
  press(reader, [...digits, { ...enter, timeStamp: 900 }], 5)
  assert.deepEqual(scans, ['4601234500012'])
})

test('a short code without Enter is heard, and single keys of a person are not', () => {
  const { reader, scans } = openReader()
  const at = (ms: number, gap: number) =>
    [...'A-01'].map((key, n) => ({ key, timeStamp: ms + n * gap }))
  press(reader, at(0, 5), 0)
  reader.rest(1_000)
  press(reader, at(2_000, 200), 0)
  reader.rest(4_000)
  press(reader, at(5_000, 5), 0, true)
  reader.rest(6_000)
  assert.deepEqual(scans, ['A-01'])
})
