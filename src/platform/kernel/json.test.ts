import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { codePointLength, DEPTH_MAX, hasBadText, parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const MIB = 2 ** 20

/** JSON without keys that change a prototype, within the depth. */
const someJson = fc.jsonValue({ maxDepth: 5 }).filter((value) => {
  return !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value))
})

test('JSON is parsed with any spacing', () => {
  fc.assert(
    fc.property(someJson, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) })
    }),
  )
})

test('a byte order mark is skipped, at the start only', () => {
  assert.deepEqual(parse('\ufeff{"a":1}'), { ok: true, value: { a: 1 } })
  assert.partialDeepStrictEqual(parse('\ufeff\ufeff{}'), { ok: false, problem: 'syntax' })
})

test('bytes that are not UTF-8 are refused', () => {
  const tails = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xd0]]
  for (const tail of tails) {
    const bytes = Buffer.from([0x22, ...tail, 0x22])
    assert.deepEqual(parseJson(bytes), { ok: false, problem: 'utf8' })
  }
  assert.partialDeepStrictEqual(parseJson(Buffer.from('{}', 'utf16le')), {
    ok: false,
    problem: 'syntax',
  })
})

test('a text that is not JSON is refused', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    'NaN',
    '01',
    '{}{}',
    '"\n"',
    'null,',
  ]) {
    assert.partialDeepStrictEqual(parse(text), { ok: false, problem: 'syntax' }, text)
  }
})

test('a repeated key in an object is refused, with any spelling', () => {
  const twice: [string, string][] = [
    ['{"qty":1,"qty":2}', 'qty'],
    ['{"qty":1,"q\\u0074y":1}', 'qty'],
    ['{"a":{"b":[{"c":1,"d":2,"c":3}]}}', 'c'],
    ['{"a":{"b":1},"a" \n\t\r :{}}', 'a'],
    ['{"":1,"":1}', ''],
    ['{"\\"":1,"\\u0022":1}', '"'],
    ['{"toString":1,"toString":1}', 'toString'],
  ]
  for (const [text, key] of twice) {
    assert.deepEqual(parse(text), { ok: false, problem: 'duplicate_key', key }, text)
  }
})

test('the same key in another object is no duplicate', () => {
  const fine = [
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '{"a":"a","b":["a","a"],"c":"__proto__"}',
    '{"a":"\\",\\"a\\":1","b":"{\\"b\\":[[["}',
    '{"a\\\\":1,"a":2,"a\\"":3}',
    '{"\u00e9":1,"e\u0301":2}',
  ]
  for (const text of fine) assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) })
})

test('keys that change a prototype are refused', () => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const refused = { ok: false, problem: 'prototype_key', key }
    assert.deepEqual(parse(`{"a":[{"${key}":{}}]}`), refused)
    assert.deepEqual(parse(`{"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}":1}`), refused)
    assert.ok(parse(`["${key}"]`).ok)
  }
  assert.ok(parse('{"hasOwnProperty":1}').ok)
})

test('nesting beyond the bound is refused', () => {
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  assert.ok(parse(nested(DEPTH_MAX)).ok)
  assert.ok(parse(`[${'[],'.repeat(100)}[]]`).ok)
  assert.deepEqual(parse(nested(DEPTH_MAX + 2)), { ok: false, problem: 'depth' })
})

/** Bodies of about n bytes, each with whether it is accepted. */
const bodiesOf = (n: number): [string, boolean][] => [
  ['['.repeat(n), false],
  [`${'['.repeat(n / 2)}${']'.repeat(n / 2)}`, false],
  [`${'{"a":'.repeat(n / 6)}`, false],
  [`["${'\\\\'.repeat(n / 2)}"]`, true],
  [`["${'\\"'.repeat(n / 2)}"]`, true],
  [`{${Array.from({ length: n / 10 }, (_, at) => `"${at}":1`).join()}}`, true],
  [`{${Array.from({ length: n / 10 }, (_, at) => `"k${at}":{}`).join()}}`, true],
  [`["a"${' '.repeat(n)}]`, true],
  [`[${'"a" ,'.repeat(n / 8)}1]`, true],
]

test('processor time grows linearly with the body, up to two megabytes', () => {
  const [short, long] = [bodiesOf(MIB / 4), bodiesOf(2 * MIB)]
  for (const [place, [body, ok]] of long.entries()) {
    const eighth = short[place]?.[0] ?? ''
    const least = Math.min(processorMs(eighth, ok), processorMs(eighth, ok))
    // Eight times the length: linear growth takes 8 times as long, quadratic growth 64 times, in each of the tries.
    // One of them is not disturbed by the garbage of the others.
    const isLinear = () => processorMs(body, ok) < 24 * (least + 10)
    assert.ok(Array.from({ length: 10 }).some(isLinear), `${body.slice(0, 12)}: ${least} ms`)
  }
})

/** Processor time of this thread alone: other processes do not add to it. */
function processorMs(body: string, ok: boolean): number {
  const bytes = Buffer.from(body)
  const before = process.threadCpuUsage()
  assert.equal(parseJson(bytes).ok, ok)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

test('no bytes cause an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      parseJson(bytes)
    }),
  )
  const jsonish = fc.string({ unit: fc.constantFrom(...'{}[]":,\\ua0\u0000é1 ') })
  fc.assert(
    fc.property(jsonish, (text) => {
      const parsed = parse(text)
      if (parsed.ok) assert.deepEqual(parsed.value, JSON.parse(text))
    }),
    { numRuns: 5000 },
  )
})

test('text that the database cannot store is detected', () => {
  for (const text of ['\u0000', 'a\u0000b', '\ud800', '\udc00', '\udc00\ud800', 'a\ud83d']) {
    assert.ok(hasBadText(text))
  }
  for (const text of ['', 'ж', '😀', '\u0001', '\ufeff', '\uffff']) assert.ok(!hasBadText(text))
})

test('lengths are counted in code points', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'ж', '😀', '\ud83d', '\ude00') }),
      (text) => {
        assert.equal(codePointLength(text), [...text].length)
      },
    ),
  )
})
