import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { codePointLength, DEPTH_MAX, hasBadText, parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))
const MIB = 2 ** 20

/** JSON whose keys are never those of an object's machinery, and not too deep. */
const someJson = fc.jsonValue({ maxDepth: 5 }).filter((value) => {
  return !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value))
})

test('JSON gives its value, whatever the spacing', () => {
  fc.assert(
    fc.property(someJson, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) })
    }),
  )
})

test('a byte order mark is skipped, at the start only', () => {
  assert.deepEqual(parse('\ufeff{"a":1}'), { ok: true, value: { a: 1 } })
  assert.deepEqual(parse('\ufeff\ufeff{}'), { ok: false, problem: 'syntax' })
})

test('bytes that are no UTF-8 are refused', () => {
  const tails = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xd0]]
  for (const tail of tails) {
    const bytes = Buffer.from([0x22, ...tail, 0x22])
    assert.deepEqual(parseJson(bytes), { ok: false, problem: 'utf8' })
  }
  assert.deepEqual(parseJson(Buffer.from('{}', 'utf16le')), { ok: false, problem: 'syntax' })
})

test('what is no JSON is refused', () => {
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
    assert.deepEqual(parse(text), { ok: false, problem: 'syntax' }, text)
  }
})

test('a key twice in one object is refused, however it is spelled', () => {
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

test('the same words elsewhere are no duplicates', () => {
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

test('keys that name the machinery of objects are refused', () => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const refused = { ok: false, problem: 'prototype_key', key }
    assert.deepEqual(parse(`{"a":[{"${key}":{}}]}`), refused)
    assert.deepEqual(parse(`{"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}":1}`), refused)
    assert.ok(parse(`["${key}"]`).ok)
  }
  assert.ok(parse('{"hasOwnProperty":1}').ok)
})

test('depth has a bound', () => {
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  assert.ok(parse(nested(DEPTH_MAX)).ok)
  assert.ok(parse(`[${'[],'.repeat(100)}[]]`).ok)
  assert.deepEqual(parse(nested(DEPTH_MAX + 2)), { ok: false, problem: 'depth' })
})

test('two megabytes of anything are read in linear time', { timeout: 20_000 }, () => {
  const bodies: [string, boolean][] = [
    ['['.repeat(2 * MIB), false],
    [`${'['.repeat(MIB)}${']'.repeat(MIB)}`, false],
    [`${'{"a":'.repeat(MIB / 3)}`, false],
    [`["${'\\\\'.repeat(MIB)}"]`, true],
    [`["${'\\"'.repeat(MIB)}"]`, true],
    [`{${Array.from({ length: 200_000 }, (_, n) => `"${n}":1`).join()}}`, true],
    [`{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":{}`).join()}}`, true],
    [`["a"${' '.repeat(2 * MIB)}]`, true],
    [`[${'"a" ,'.repeat(MIB / 4)}1]`, true],
  ]
  for (const [body, ok] of bodies) {
    const start = performance.now()
    assert.equal(parse(body).ok, ok)
    const elapsed = performance.now() - start
    assert.ok(elapsed < 2000, `${body.slice(0, 12)}: ${elapsed} ms`)
  }
})

test('no bytes make it throw', () => {
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

test('text that a database can not keep is told', () => {
  for (const text of ['\u0000', 'a\u0000b', '\ud800', '\udc00', '\udc00\ud800', 'a\ud83d']) {
    assert.ok(hasBadText(text))
  }
  for (const text of ['', 'ж', '😀', '\u0001', '\ufeff', '\uffff']) assert.ok(!hasBadText(text))
})

test('length is counted in code points', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'ж', '😀', '\ud83d', '\ude00') }),
      (text) => {
        assert.equal(codePointLength(text), [...text].length)
      },
    ),
  )
})
