import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readToken } from './token.ts'

test('a JWT shows its expiry, seller and categories; other tokens show nothing', () => {
  const token = (payload: unknown) =>
    `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`
  assert.deepEqual(readToken(token({ exp: 1_800_000_000, sid: 's', s: 18 })), {
    expiresAt: 1_800_000_000_000,
    seller: 's',
    scopes: 18,
    isForSandbox: false,
  })
  for (const other of [
    '',
    'abc',
    'a.b.c',
    'a.!.c',
    token(null),
    token({ exp: 'x', sid: 7, s: -1 }),
  ]) {
    const nothing = {
      expiresAt: undefined,
      seller: undefined,
      scopes: undefined,
      isForSandbox: false,
    }
    assert.deepEqual(readToken(other), nothing, other)
  }
  assert.equal(readToken(token({ exp: 1e300 })).expiresAt, undefined)
})
