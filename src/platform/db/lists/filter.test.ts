import assert from 'node:assert/strict'
import test from 'node:test'
import type { Queryable } from '../connection.ts'
import { compose } from '../statements/fragment.ts'
import { tagOf } from '../statements/tag.ts'
import { conditionsOf } from './filter.ts'

interface BoxFilter {
  readonly number: string | undefined
  readonly pallet: string | undefined
}

const db = tagOf({ execute: () => assert.fail('nothing is to be executed') }) as Queryable
const conditions = {
  number: (number: string) => db`n = ${number}`,
  pallet: (pallet: string) => db`p = ${pallet}`,
}

test('fields with a value filter, each after an and; undefined fields filter nothing', () => {
  const statement = compose(
    db`where true${conditionsOf<BoxFilter>(db, { number: '7', pallet: undefined }, conditions)}`,
  )
  assert.equal(statement.text.replaceAll(/\s+/g, ' '), 'where true and n = $1')
  assert.deepEqual(statement.values, ['7'])
})

test('a field without a condition is refused, even without a value', () => {
  const parsed = { number: undefined, pallet: undefined, color: undefined }
  assert.throws(() => conditionsOf<BoxFilter>(db, parsed, conditions), /color/)
})
