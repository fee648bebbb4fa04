import assert from 'node:assert/strict'
import test from 'node:test'
import { KeptAnswer } from './kept-answer.ts'

/** Answers are numbered, and kept for as long as the test says. */
function scene(staleMs = 0) {
  const state = { nowMs: 0, keptMs: 0, made: 0, fails: false }
  const kept = new KeptAnswer({
    make: async () => {
      const number = ++state.made
      if (state.fails) throw new Error('failed')
      return number
    },
    keptMs: () => state.keptMs,
    staleMs,
    elapsedMs: () => state.nowMs,
  })
  return { state, kept }
}

test('an answer that is not kept is made for every caller, also for callers at once', async () => {
  const { kept } = scene()
  assert.deepEqual([await kept.get(), await kept.get()], [1, 2])
  assert.deepEqual(await Promise.all([kept.get(), kept.get()]), [3, 4])
})

test('an answer is kept for its time', async () => {
  const { state, kept } = scene()
  state.keptMs = 2000
  assert.equal(await kept.get(), 1)
  state.nowMs += 1999
  assert.equal(await kept.get(), 1)
  state.nowMs += 1
  state.keptMs = 0
  assert.equal(await kept.get(), 2)
  assert.equal(await kept.get(), 3, 'it is kept no more')
})

test('callers share the answer that follows a kept one while it is being made', async () => {
  const { state, kept } = scene()
  state.keptMs = 2000
  await kept.get()
  state.nowMs += 2000
  assert.deepEqual(await Promise.all([kept.get(), kept.get(), kept.get()]), [2, 2, 2])
})

test('an answer that is not too old is given while the next one is being made, once', async () => {
  const { state, kept } = scene(1000)
  state.keptMs = 2000
  await kept.get()
  state.nowMs += 2999
  assert.deepEqual(await Promise.all([kept.get(), kept.get()]), [1, 1])
  assert.equal(state.made, 2)
  assert.equal(await kept.get(), 2, 'the next one is there')
  state.nowMs += 3000
  assert.equal(await kept.get(), 3, 'too old: it waits')
  state.nowMs += 2000
  state.fails = true
  assert.equal(await kept.get(), 3, 'nobody waits for what fails')
  state.fails = false
  assert.equal(await kept.get(), 5)
})

test('a failure is not kept', async () => {
  const { state, kept } = scene()
  state.keptMs = 2000
  await kept.get()
  state.nowMs += 2000
  state.fails = true
  await assert.rejects(kept.get(), /failed/)
  state.fails = false
  assert.equal(await kept.get(), 3)
})
