import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsPickingVerb, pickingTaskStatuses, pickingTaskVerbs } from './state.ts'

test('every picking verb is allowed while the task is OPEN, and none when it is DONE', () => {
  for (const verb of pickingTaskVerbs) {
    for (const status of pickingTaskStatuses) {
      assert.equal(allowsPickingVerb(status, verb), status === 'OPEN', `${verb} ${status}`)
    }
  }
})
