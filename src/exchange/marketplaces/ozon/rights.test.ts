import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAccess } from './rights.ts'

test('a key expires at the earliest expiry of the key and its roles', () => {
  const at = (day: number) => `2026-12-0${day}T00:00:00Z`
  assert.deepEqual(parseAccess({}), { expiresAt: undefined })
  assert.deepEqual(parseAccess({ expires_at: null, roles: null }), { expiresAt: undefined })
  const roles = [{ expires_at: at(5) }, { name: 'Admin' }]
  assert.deepEqual(parseAccess({ expires_at: at(7), roles }), { expiresAt: Date.parse(at(5)) })
})
