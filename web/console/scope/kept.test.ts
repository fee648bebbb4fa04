import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptAfter, readScope } from './kept.ts'

const here = (scope: object, path = '/orders') => ({ path, scope })

test('a scope outlives every way to another list', () => {
  const kept = { client_id: 'one' }
  assert.deepEqual(keptAfter(kept, undefined, here({})), kept)
  assert.deepEqual(keptAfter(kept, here({ client_id: 'one' }), here({}, '/receipts')), kept)
  assert.deepEqual(
    keptAfter(kept, here({ client_id: 'one' }), here({ client_id: 'two' }, '/receipts')),
    kept,
  )
})

test('a filter of the list that is cleared or changed is the scope that is cleared or changed', () => {
  const kept = { client_id: 'one', warehouse_code: 'A' }
  assert.deepEqual(keptAfter(kept, here(kept), here({ warehouse_code: 'A' })), {
    warehouse_code: 'A',
  })
  assert.deepEqual(keptAfter(kept, here(kept), here({ ...kept, client_id: 'two' })), {
    client_id: 'two',
    warehouse_code: 'A',
  })
  const shown = here({ client_id: 'two' })
  assert.deepEqual(keptAfter(kept, shown, shown), kept, 'a link shows another, and it stays')
  assert.deepEqual(keptAfter({}, here({}), here({ client_id: 'two' })), {}, 'a filter is no scope')
})

test('texts that name nothing are no scope', () => {
  assert.deepEqual(readScope({ client_id: '', warehouse_code: 3, status: 'NEW' }), {})
})
