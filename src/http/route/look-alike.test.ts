import assert from 'node:assert/strict'
import test from 'node:test'
import { likelyName } from './look-alike.ts'

const known = ['status', 'created_from', 'external_id', 'limit', 'from', 'to', 'shipment_id']

test('a name of the same letters in another style means the known one', () => {
  for (const [name, meant] of [
    ['externalId', 'external_id'],
    ['createdFrom', 'created_from'],
    ['CREATED_FROM', 'created_from'],
    ['created-from', 'created_from'],
    ['shipmentId', 'shipment_id'],
    ['status[]', 'status'],
    ['Limit', 'limit'],
    ['TO', 'to'],
    ['from[]', 'from'],
  ] as const) {
    assert.equal(likelyName(name, known), meant, name)
  }
})

test('a name one edit, one exchange of neighbours or a plural away means the known one', () => {
  const slips = ['created_form', 'created_fro', 'created_frrom', 'created_frim', 'rceated_from']
  slips.push('Created_from', 'reated_from', 'created_fromm', 'xcreated_from', 'createdFrm')
  for (const name of slips) assert.equal(likelyName(name, known), 'created_from', name)
  for (const name of ['status_', 'statuses', 'statu', 'stauts']) {
    assert.equal(likelyName(name, known), 'status', name)
  }
  for (const name of ['limt', 'limitt', 'limits']) {
    assert.equal(likelyName(name, known), 'limit', name)
  }
})

test('two edits, a typing error in a short name and another word mean nothing', () => {
  const others = [
    'cretead_frmo',
    'created_forn_',
    'form',
    'fromm',
    'lim',
    'too',
    'foo',
    '',
    '_',
    '[]',
  ]
  for (const name of others) assert.equal(likelyName(name, known), undefined, name)
})
