import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import fc from 'fast-check'
import { makeCursors, type Position } from './cursor.ts'

const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const cursors = makeCursors([newKey, oldKey])
const scope = ['client-1', 'orders', 'status=NEW']
const token = cursors.issue(scope, ['2026-11-20T18:25:02.123+03:00', 'id-1'])

const aText = fc.string({ unit: 'binary', maxLength: 20 })
const aScope = fc.array(aText, { maxLength: 5 })
const aPosition: fc.Arbitrary<Position> = fc.array(fc.oneof(aText, fc.maxSafeInteger()), {
  maxLength: 4,
})

test('an issued position is read back', () => {
  fc.assert(
    fc.property(aScope, aPosition, (anyScope, position) => {
      assert.deepEqual(cursors.read(anyScope, cursors.issue(anyScope, position)), position)
    }),
  )
})

test('a token is safe in a URL and does not show its position', () => {
  assert.match(token, /^[A-Za-z0-9_-]+$/)
  assert.ok(!token.includes('id-1'))
})

test('a cursor is valid only for its own scope', () => {
  fc.assert(
    fc.property(aScope, aScope, aPosition, (one, other, position) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other))
      assert.equal(cursors.read(other, cursors.issue(one, position)), undefined)
    }),
  )
  const joined: string[][] = [['client-1orders', 'status=NEW'], [scope.join()], [...scope, ''], []]
  for (const other of joined) assert.equal(cursors.read(other, token), undefined)
})

test('a damaged token, or another spelling of it, is refused', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n.'
  for (let at = 0; at <= token.length; at++) {
    for (const letter of alphabet) {
      const replaced = token.slice(0, at) + letter + token.slice(at + 1)
      const inserted = token.slice(0, at) + letter + token.slice(at)
      if (replaced !== token) assert.equal(cursors.read(scope, replaced), undefined)
      assert.equal(cursors.read(scope, inserted), undefined)
    }
    if (at < token.length) assert.equal(cursors.read(scope, token.slice(0, at)), undefined)
  }
  assert.equal(cursors.read(scope, Buffer.from(token, 'base64url').toString('base64')), undefined)
})

test('a token with unused trailing bits set is refused', () => {
  const lengths = new Set<number>()
  for (const position of [[1], [12], [123]]) {
    const issued = cursors.issue([], position)
    lengths.add(issued.length % 4)
    const stem = issued.slice(0, -1)
    const accepted = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((letter) => stem + letter)
      .filter((text) => cursors.read([], text) !== undefined)
    assert.deepEqual(accepted, [issued])
  }
  assert.equal(lengths.size, 3)
})

test('any other text is refused without an exception', () => {
  for (const text of ['', 'A', 'a'.repeat(22), 'a'.repeat(1024), 'a'.repeat(2_000_000), '\ud800']) {
    assert.equal(cursors.read(scope, text), undefined)
  }
  fc.assert(
    fc.property(fc.oneof(aText, fc.base64String()), (text) => {
      assert.equal(cursors.read(scope, text), undefined)
    }),
  )
})

test('cursors stay valid while their key is replaced', () => {
  const before = makeCursors([oldKey])
  const after = makeCursors([newKey])
  assert.deepEqual(cursors.read(scope, before.issue(scope, [1])), [1])
  assert.deepEqual(after.read(scope, cursors.issue(scope, [1])), [1])
  assert.equal(after.read(scope, before.issue(scope, [1])), undefined)
  assert.throws(() => makeCursors([]), RangeError)
})

test('a position too long to be read back is not issued', () => {
  assert.throws(() => cursors.issue(scope, ['a'.repeat(1000)]), RangeError)
  assert.ok(cursors.read(scope, cursors.issue(scope, ['ж'.repeat(300), 1])))
})
