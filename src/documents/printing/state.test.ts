import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterPrintVerb, printStatuses, printVerbs, printVerbTo } from './state.ts'

test('a print job goes along its diagram, and every other verb is refused in every other state', () => {
  const allowed = printStatuses.flatMap((status) =>
    printVerbs.flatMap((verb) => {
      const after = afterPrintVerb(status, verb)
      return after === undefined ? [] : [`${status} ${verb} ${after}`]
    }),
  )
  assert.deepEqual(allowed, [
    'QUEUED take PRINTING',
    'QUEUED finish PRINTED',
    'QUEUED fail FAILED',
    'PRINTING keep PRINTING',
    'PRINTING giveBack QUEUED',
    'PRINTING finish PRINTED',
    'PRINTING fail FAILED',
    'PRINTED again QUEUED',
    'FAILED again QUEUED',
  ])
})

test('a wanted status names its verb, and what is printed does not fail afterwards', () => {
  assert.equal(printVerbTo('PRINTING', 'QUEUED'), 'giveBack')
  assert.equal(printVerbTo('FAILED', 'QUEUED'), 'again')
  assert.equal(printVerbTo('PRINTED', 'FAILED'), undefined)
  assert.equal(printVerbTo('FAILED', 'PRINTED'), undefined)
})
