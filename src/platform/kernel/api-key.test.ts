import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import fc from 'fast-check'
import { generateKey, generateStaffToken, maskKeys, readKey, readStaffToken } from './api-key.ts'
import type { Mode } from './mode.ts'

const aMode = fc.constantFrom<Mode>('live', 'test')

test('an issued key has the documented form, hash and preview', () => {
  for (const mode of ['live', 'test'] as const) {
    const { key, hash, preview } = generateKey(mode)
    assert.match(key, new RegExp(`^svc_${mode}_[0-9A-Za-z]{49}$`))
    assert.deepEqual(hash, createHash('sha256').update(key).digest())
    assert.equal(preview, `svc_${mode}…${key.slice(-4)}`)
  }
})

test('a key of a cell names it right after the prefix, is one character longer, and is read like any other', () => {
  const { key, hash, preview } = generateKey('live', 'b')
  assert.match(key, /^svc_live_b[0-9A-Za-z]{49}$/)
  assert.equal(preview, `svc_live…${key.slice(-4)}`)
  assert.deepEqual(readKey(key), { mode: 'live', hash })
  assert.equal(readKey(key.replace('svc_live_b', 'svc_live_a')), undefined)
  assert.equal(readKey(key.replace('svc_live_b', 'svc_live_')), undefined)
  const token = generateStaffToken('b')
  assert.match(token.key, /^svc_staff_b[0-9A-Za-z]{49}$/)
  assert.deepEqual(readStaffToken(token.key), token.hash)
})

test('a key issued earlier stays readable', () => {
  const { key } = generateKey('test', '', (size) => new Uint8Array(size).fill(10))
  assert.equal(key, `svc_test_${'A'.repeat(43)}0RehpB`)
})

test('keys and tokens in a text are masked, also cut off and in another case', () => {
  const secrets = [generateKey('live').key, generateKey('test').key, generateStaffToken().key]
  for (const secret of secrets) {
    const [, kind = ''] = secret.split('_')
    const masked = `/v1/orders/svc_${kind}_***/x`
    assert.equal(maskKeys(`/v1/orders/${secret}/x`), masked)
    assert.equal(maskKeys(`/v1/orders/${secret.slice(0, 20)}/x`), masked)
    assert.ok(!maskKeys(secret.toUpperCase()).includes(secret.slice(12).toUpperCase()))
  }
  assert.equal(maskKeys('/v1/stock/svc_live'), '/v1/stock/svc_live')
})

test('a generated key is read back', () => {
  fc.assert(
    fc.property(aMode, (mode) => {
      const { key, hash } = generateKey(mode)
      assert.deepEqual(readKey(key), { mode, hash })
    }),
  )
})

test('a wrong, missing or additional character is detected', () => {
  const { key } = generateKey('live')
  fc.assert(
    fc.property(fc.nat({ max: key.length }), fc.string({ maxLength: 1 }), (at, other) => {
      const replaced = key.slice(0, at) + other + key.slice(at + 1)
      const inserted = key.slice(0, at) + other + key.slice(at)
      if (replaced !== key) assert.equal(readKey(replaced), undefined)
      if (inserted !== key) assert.equal(readKey(inserted), undefined)
    }),
    { numRuns: 2000 },
  )
})

test('a text with another prefix or mode is no key', () => {
  const { key } = generateKey('live')
  for (const prefix of ['svc_staff_', 'svc_test_', 'svc_', 'SVC_LIVE_', 'svc_constructor_']) {
    assert.equal(readKey(key.replace('svc_live_', prefix)), undefined)
  }
})

test('any other text is refused without an exception', () => {
  const long = `svc_live_${'A'.repeat(1_000_000)}`
  for (const text of [
    '',
    ' ',
    long,
    `${generateKey('live').key}\n`,
    'svc_live_',
    '\u0000'.repeat(58),
  ]) {
    assert.equal(readKey(text), undefined)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(readKey(text), undefined)
      assert.equal(readKey(`svc_live_${text}`), undefined)
    }),
  )
})

test('bytes that would favour some characters are skipped', () => {
  let served = 0
  const { key } = generateKey('live', '', (size) =>
    Uint8Array.from({ length: size }, () => (++served % 2 === 0 ? 61 : 248 + (served % 8))),
  )
  assert.equal(key.slice(9, 52), 'z'.repeat(43))
  const counts = new Map<string, number>()
  for (let round = 0; round < 2000; round++) {
    for (const letter of generateKey('test').key.slice(9, 52)) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
  }
  assert.equal(counts.size, 62)
  for (const count of counts.values()) assert.ok(count > 1100 && count < 1700, String(count))
})
