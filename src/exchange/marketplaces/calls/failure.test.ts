import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarketplaceError } from './failure.ts'

test('sellers read the text of a marketplace only if it is Russian', () => {
  const refusal = (remoteText?: string) =>
    new MarketplaceError('rejected', 'WB отказал', { remoteText })
  assert.equal(refusal().forSeller, 'WB отказал')
  const english = refusal('Parameter dateFrom is wrong')
  assert.equal(english.message, 'WB отказал: Parameter dateFrom is wrong')
  assert.equal(english.forSeller, 'WB отказал')
  assert.equal(refusal('Поставка закрыта').forSeller, 'WB отказал: Поставка закрыта')
})
