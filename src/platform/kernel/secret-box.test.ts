import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import fc from 'fast-check'
import { makeSecretBox } from './secret-box.ts'

const [newKey, oldKey] = [randomBytes(32), randomBytes(32)]
const box = makeSecretBox([newKey])

test('a sealed text opens in the same context', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, (secret, context) => {
      assert.equal(box.open(box.seal(secret, context), context), secret)
    }),
  )
})

test('a box does not open in another row', () => {
  assert.throws(() => box.open(box.seal('secret', 'row 1'), 'row 2'), /of another row/)
})

test('isNewest shows whether the newest key sealed a box', () => {
  const [both, old] = [makeSecretBox([newKey, oldKey]), makeSecretBox([oldKey])]
  assert.ok(both.isNewest(both.seal('secret', 'row')))
  assert.ok(!both.isNewest(old.seal('secret', 'row')))
  assert.ok(!both.isNewest(Buffer.alloc(0)))
})

test('knows shows whether one of the keys sealed a box, by its first bytes', () => {
  const [both, old] = [makeSecretBox([newKey, oldKey]), makeSecretBox([oldKey])]
  assert.ok(both.knows(old.seal('secret', 'row').subarray(0, 5)))
  assert.ok(!box.knows(old.seal('secret', 'row')))
  assert.ok(!both.knows(Buffer.alloc(0)))
})

test('a box with any changed bit does not open', () => {
  const sealed = box.seal('secret', 'row')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => box.open(changed, 'row'), /^Error: sealed secret/)
  }
})

test('a truncated box does not open', () => {
  const sealed = box.seal('secret', 'row')
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => box.open(sealed.subarray(0, length), 'row'), /^Error: sealed secret/)
  }
})

test('equal secrets make different boxes, and none shows its text', () => {
  const [one, two] = [box.seal('secret', 'row'), box.seal('secret', 'row')]
  assert.notDeepEqual(one, two)
  assert.equal(one.includes('secret'), false)
})

test('the first key seals, and all keys open', () => {
  const old = makeSecretBox([oldKey])
  const both = makeSecretBox([newKey, oldKey])
  assert.equal(both.open(old.seal('secret', 'row'), 'row'), 'secret')
  assert.equal(box.open(both.seal('secret', 'row'), 'row'), 'secret')
  assert.throws(() => old.open(both.seal('secret', 'row'), 'row'), /key that is not here/)
})

test('a box needs at least one key, of 32 bytes', () => {
  assert.throws(() => makeSecretBox([]), TypeError)
  assert.throws(() => makeSecretBox([randomBytes(31)]), TypeError)
})
