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

test('after a batch of many calls the next one gathers more for a while, or until it is full', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const runs: (readonly number[])[] = []
  const run = async (inputs: readonly number[]) => {
    runs.push(inputs)
    return inputs
  }
  const call = batchCalls<number, number>(4, run, { msPerCall: 2, msMax: 5 })
  const calls = [call(1)]
  await promisesSettled()
  calls.push(call(2), call(3))
  await promisesSettled()
  assert.deepEqual(runs, [[1]])
  t.mock.timers.tick(2)
  await promisesSettled()
  assert.deepEqual(runs, [[1], [2, 3]])
  calls.push(call(4))
  t.mock.timers.tick(3)
  await promisesSettled()
  assert.equal(runs.length, 2)
  t.mock.timers.tick(1)
  await promisesSettled()
  assert.deepEqual(runs[2], [4])
  calls.push(...[5, 6, 7].map(call))
  await promisesSettled()
  assert.equal(runs.length, 3)
  calls.push(call(8))
  await promisesSettled()
  assert.deepEqual(runs[3], [5, 6, 7, 8])
  t.mock.timers.tick(5)
  assert.deepEqual(await Promise.all(calls), [1, 2, 3, 4, 5, 6, 7, 8])
})

test('single calls that are far enough apart do not wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const call = batchCalls<number, number>(4, async (inputs) => inputs, { msPerCall: 0.2, msMax: 5 })
  assert.equal(await call(1), 1)
  await promisesSettled()
  assert.equal(await call(2), 2)
})

test('a batch that hangs keeps its own calls waiting and no others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { call, runs, finish } = manualBatches(100)
  const hanging = call(1)
  const later = call(2)
  t.mock.timers.tick(1_999)
  await promisesSettled()
  assert.equal(runs.length, 1)
  t.mock.timers.tick(1)
  await promisesSettled()
  finish(1)
  assert.equal(await later, 20)
  finish(0)
  assert.equal(await hanging, 10)
})
