import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBatches } from './batch.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

/** A batch function whose runs end when the test says so. */
function manual(sizeMax: number) {
  const runs: { inputs: readonly number[]; done: PromiseWithResolvers<readonly number[]> }[] = []
  const ask = inBatches<number, number>(sizeMax, (inputs) => {
    const done = Promise.withResolvers<readonly number[]>()
    runs.push({ inputs, done })
    return done.promise
  })
  const finish = (at: number) =>
    runs[at]?.done.resolve((runs[at]?.inputs ?? []).map((input) => input * 10))
  return { ask, runs, finish }
}

test('the first goes at once, those that come meanwhile go together', async () => {
  const { ask, runs, finish } = manual(100)
  const answers = [ask(1), ask(2), ask(3)]
  assert.deepEqual(
    runs.map((run) => run.inputs),
    [[1]],
  )
  finish(0)
  assert.equal(await answers[0], 10)
  await soon()
  assert.deepEqual(runs[1]?.inputs, [2, 3])
  finish(1)
  assert.deepEqual(await Promise.all(answers), [10, 20, 30])
})

test('a batch has a bound', async () => {
  const { ask, runs, finish } = manual(2)
  const answers = [1, 2, 3, 4].map(ask)
  finish(0)
  await soon()
  assert.deepEqual(runs[1]?.inputs, [2, 3])
  finish(1)
  await soon()
  assert.deepEqual(runs[2]?.inputs, [4])
  finish(2)
  await Promise.all(answers)
})

test('a failure is everybody’s of that batch and nobody else’s', async () => {
  const { ask, runs, finish } = manual(100)
  const first = ask(1)
  const second = ask(2)
  runs[0]?.done.reject(new Error('away'))
  await assert.rejects(first, /away/)
  await soon()
  finish(1)
  assert.equal(await second, 20)
})
