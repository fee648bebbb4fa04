import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environmentAt, environmentOfToken, isSupplyNumber, paceNameOf } from './environment.ts'

const token = (payload: unknown) =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`

test('a token says whether it is for the sandbox; any other token is for production', () => {
  assert.equal(environmentOfToken(token({ t: true })), 'sandbox')
  for (const other of [token({ t: false }), token({}), token({ t: 'true' }), 'no token']) {
    assert.equal(environmentOfToken(other), 'production', other)
  }
})

test('calls to a host of the sandbox keep its pace, whatever the token says', () => {
  const baseUrl = 'https://marketplace-api-sandbox.wildberries.ru'
  assert.equal(environmentAt('production', { baseUrl }), 'sandbox')
  assert.equal(environmentAt('production', { baseUrl: 'https://marketplace-api' }), 'production')
  assert.equal(environmentAt('sandbox', { baseUrl: 'http://127.0.0.1:9' }), 'sandbox')
})

test('numbers of supplies are those of WB or of its sandbox', () => {
  for (const id of ['WB-GI-1234567', 'WB-GI-SAND-12']) assert.ok(isSupplyNumber(id), id)
  for (const id of ['WB-GI-', 'WB-GI-SAND-', 'WB-GI-SAND', 'WB-GI-1a', 'утро']) {
    assert.ok(!isSupplyNumber(id), id)
  }
})

test('a base token has the slower pace, every other one the usual', () => {
  const real = { baseUrl: 'https://marketplace-api' }
  const sandbox = { baseUrl: 'https://marketplace-api-sandbox.wildberries.ru' }
  assert.equal(paceNameOf(token({ acc: 1 }), real), 'base')
  for (const acc of [3, 4, undefined]) assert.equal(paceNameOf(token({ acc }), real), 'production')
  assert.equal(paceNameOf(token({ acc: 2 }), real), 'sandbox')
  assert.equal(paceNameOf(token({ acc: 1 }), sandbox), 'sandbox')
})
