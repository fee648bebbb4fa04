import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarketplaceError, PartlyMalformed } from './failure.ts'
import { openPartialReader } from './partial-reader.ts'
import { responseListOf, textOf } from './response-fields.ts'

const malformed = (message: string) => new MarketplaceError('malformed', message)

test('each skips an item that is no object, and finish names that item', () => {
  const items = responseListOf({ list: [null, { id: 1 }, 7, [], { id: 2 }] }, 'list')
  const reader = openPartialReader()
  assert.deepEqual(
    reader.each(items, (item) => textOf(item, 'id')),
    ['1', '2'],
  )
  assert.equal(reader.isComplete(), false)
  assert.throws(
    () => reader.finish(),
    (error) => error instanceof PartlyMalformed && error.message.endsWith(' list[0]'),
  )
})

test('finish throws nothing after items that could all be read', () => {
  const reader = openPartialReader()
  assert.deepEqual(
    reader.each([1, 2, 3], (item) => (item === 2 ? undefined : [item, item])),
    [1, 1, 3, 3],
  )
  assert.equal(reader.isComplete(), true)
  reader.finish()
})

test('attempt skips a refusal, and finish throws the first failure', async () => {
  const refusal = new MarketplaceError('rejected', 'Нет')
  const reader = openPartialReader()
  assert.equal(await reader.attempt(Promise.reject(refusal)), undefined)
  assert.equal(await reader.attempt(Promise.reject(malformed('later'))), undefined)
  assert.equal(await reader.attempt(Promise.resolve(5)), 5)
  assert.throws(() => reader.finish(), refusal)
})

test('an outage and a defect of the program end the reading', async () => {
  const outage = new MarketplaceError('unreachable', 'Нет')
  await assert.rejects(openPartialReader().attempt(Promise.reject(outage)), outage)
  const defect = new TypeError('defect')
  const parse = () => {
    throw defect
  }
  assert.throws(() => openPartialReader().each([1], parse), defect)
})
