import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidFields } from '../../../src/kernel/errors.ts'
import { forWorkers } from './for-workers.ts'

test('a worker reads what to do, not how the fields of the call are named', () => {
  const { message } = invalidFields([
    { path: 'code', rule: 'у этого клиента нет такого товара' },
    { path: 'items[3].qty', rule: 'целое число от 1' },
  ])
  assert.equal(forWorkers(message), 'У этого клиента нет такого товара. Целое число от 1')
  const other = 'Единица уже на складе: проверьте, не отсканирована ли она раньше'
  assert.equal(forWorkers(other), other)
})
