import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readToken } from './token.ts'

const token = (payload: unknown) =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`

test('a JWT shows its expiry, seller and categories; other tokens show nothing', () => {
  assert.deepEqual(readToken(token({ exp: 1_800_000_000, sid: 's', s: 18 })), {
    expiresAt: 1_800_000_000_000,
    seller: 's',
    scopes: 18,
    type: undefined,
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
      type: undefined,
      isForSandbox: false,
    }
    assert.deepEqual(readToken(other), nothing, other)
  }
  assert.equal(readToken(token({ exp: 1e300 })).expiresAt, undefined)
})

test("a token for WB's sandbox names another account than one for the seller's own data", () => {
  assert.equal(readToken(token({ sid: 's', acc: 3 })).seller, 's')
  for (const claims of [{ acc: 2 }, { t: true }]) {
    assert.equal(readToken(token({ sid: 's', ...claims })).seller, 'sandbox s')
    assert.equal(readToken(token(claims)).seller, undefined)
  }
})

test('a token says its kind by acc, an older one by who uses it', () => {
  const kinds: readonly (readonly [claims: object, type: string | undefined, sandbox?: boolean])[] =
    [
      [{ acc: 1, t: false }, 'base'],
      [{ acc: 2 }, 'test', true],
      [{ acc: 1, t: true }, 'test', true],
      [{ acc: 3, for: 'self' }, 'personal'],
      [{ acc: 4, for: 'asid:7c1d2e3f' }, 'service'],
      [{ for: 'self' }, 'personal'],
      [{ for: 'asid:7c1d2e3f' }, 'service'],
      [{ acc: 9, for: 'self' }, undefined],
      [{ acc: '1' }, undefined],
    ]
  for (const [claims, type, isForSandbox = false] of kinds) {
    const read = readToken(token(claims))
    assert.deepEqual([read.type, read.isForSandbox], [type, isForSandbox], JSON.stringify(claims))
  }
})
