import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplaceWords } from './marketplace-statuses.ts'

test('states of the marketplaces are said in words, once, and unknown ones stay', () => {
  assert.equal(marketplaceWords({ supplier: 'confirm', buyer: 'waiting' }), 'на сборке · в работе')
  assert.equal(marketplaceWords({ supplier: 'cancelled', buyer: 'posting_canceled' }), 'отменён')
  assert.equal(marketplaceWords({ supplier: 'beamed_up', buyer: '' }), 'beamed_up')
  assert.equal(marketplaceWords({ supplier: 'constructor' }), 'constructor')
  assert.equal(marketplaceWords({}), '')
})
