import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsReturnBatchVerb, returnBatchStatuses, returnBatchVerbs } from './state.ts'

test('an open batch allows every verb, a finished one none', () => {
  const allowed = returnBatchStatuses.flatMap((status) =>
    returnBatchVerbs
      .filter((verb) => allowsReturnBatchVerb(status, verb))
      .map((verb) => `${status} ${verb}`),
  )
  assert.deepEqual(allowed, ['OPEN scan', 'OPEN undo', 'OPEN finish'])
})
