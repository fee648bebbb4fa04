import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchCalls } from './batching.ts'

const promisesSettled = () => new Promise((resolve) => setImmediate(resolve))

/** Batches whose runs end when the test says so. */
function manualBatches(sizeMax: number) {
  const runs: { inputs: readonly number[]; done: PromiseWithResolvers<readonly number[]> }[] = []
  const call = batchCalls<number, number>(sizeMax, (inputs) => {
    const done = Promise.withResolvers<readonly number[]>()
    runs.push({ inputs, done })
    return done.promise
  })
  const finish = (run: number) =>
    runs[run]?.done.resolve((runs[run]?.inputs ?? []).map((input) => input * 10))
  return { call, runs, finish }
}

test('the first call runs at once; calls that arrive meanwhile share the next batch', async () => {
  const { call, runs, finish } = manualBatches(100)
  const results = [call(1), call(2), call(3)]
  assert.deepEqual(
    runs.map((run) => run.inputs),
    [[1]],
  )
  finish(0)
  assert.equal(await results[0], 10)
  await promisesSettled()
  assert.deepEqual(runs[1]?.inputs, [2, 3])
  finish(1)
  assert.deepEqual(await Promise.all(results), [10, 20, 30])
})

test('a batch holds at most sizeMax calls', async () => {
  const { call, runs, finish } = manualBatches(2)
  const results = [1, 2, 3, 4].map(call)
  finish(0)
  await promisesSettled()
  assert.deepEqual(runs[1]?.inputs, [2, 3])
  finish(1)
  await promisesSettled()
  assert.deepEqual(runs[2]?.inputs, [4])
  finish(2)
  await Promise.all(results)
})

test('a failed batch rejects its own calls and no others', async () => {
  const { call, runs, finish } = manualBatches(100)
  const first = call(1)
  const second = call(2)
  runs[0]?.done.reject(new Error('connection lost'))
  await assert.rejects(first, /connection lost/)
  await promisesSettled()
  finish(1)
  assert.equal(await second, 20)
})
