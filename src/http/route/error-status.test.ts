import assert from 'node:assert/strict'
import test from 'node:test'
import { errorMessages, publicErrors, staffErrors } from '../../platform/kernel/errors.ts'
import { errorStatus } from './operation.ts'

const codesWith = (status: number, codes: object) =>
  Object.entries(errorStatus).flatMap(([code, its]) =>
    its === status && code in codes ? [code] : [],
  )

test('every public code has the status of the specification', () => {
  assert.deepEqual(codesWith(400, publicErrors), [
    'bad_request',
    'bad_cursor',
    'validation_error',
    'cabinet_required',
    'mixed_marking',
    'webhook_url_unverified',
    'webhook_limit',
  ])
  assert.deepEqual(codesWith(401, publicErrors), ['unauthorized', 'key_revoked'])
  assert.deepEqual(codesWith(403, publicErrors), ['sandbox_only'])
  assert.deepEqual(codesWith(404, publicErrors), ['not_found'])
  assert.deepEqual(codesWith(429, publicErrors), ['rate_limited'])
  assert.deepEqual(codesWith(500, publicErrors), ['internal'])
  assert.deepEqual(codesWith(502, publicErrors), ['warehouse_unavailable'])
  assert.deepEqual(codesWith(503, publicErrors), ['write_disabled', 'webhooks_unavailable'])
  assert.equal(Object.keys(publicErrors).length, 16)
})

test('every code of the staff API has its status', () => {
  assert.deepEqual(codesWith(401, staffErrors), ['device_revoked', 'password_required'])
  assert.deepEqual(codesWith(403, staffErrors), ['forbidden'])
  assert.deepEqual(codesWith(409, staffErrors), ['conflict'])
  assert.deepEqual(codesWith(502, staffErrors), ['marketplace_unavailable'])
  assert.deepEqual(codesWith(503, staffErrors), ['unavailable'])
  assert.equal(Object.keys(staffErrors).length, 6)
})

test('every code has a status, and no other code has one', () => {
  assert.deepEqual(Object.keys(errorStatus).sort(), Object.keys(errorMessages).sort())
})
