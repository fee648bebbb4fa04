import assert from 'node:assert/strict'
import test from 'node:test'
import { gatherExamples } from '../../scripts/examples/gather.ts'
import { examples } from '../../src/http/public/examples.ts'
import { staffExamples } from '../../src/http/staff/operation.ts'
import { addressOf } from '../support/database.ts'
import { scenarioDatabase } from '../support/scenario.ts'

/** A value without what differs between two runs: which fields it has, and which of them are empty. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outline)
  if (value === null || value === '') return value
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'headers' ? 'headers' : outline(inner),
    ]),
  )
}

test('the examples of the references are what the service answers; "npm run examples" gathers them', async () => {
  const { target } = await scenarioDatabase()
  const answered = await gatherExamples(addressOf(target))
  for (const [gathered, known] of [
    [answered.seller, examples],
    [answered.staff, staffExamples],
  ] as const) {
    assert.deepEqual(Object.keys(gathered).sort(), Object.keys(known).sort())
    for (const [name, example] of Object.entries(gathered)) {
      const { path: _, ...now } = example
      const { path: __, ...kept } = known[name] ?? { answers: {} }
      assert.deepEqual(outline(kept), outline(now), name)
    }
  }
})

test('most operations of the staff API have an example', () => {
  assert.ok(Object.keys(staffExamples).length > 120)
})
