import assert from 'node:assert/strict'
import test from 'node:test'
import { nextTurn } from './loop-turns.ts'

test('one slice of all that is at work runs in a turn of the event loop, in the order of asking', async () => {
  const ran: string[] = []
  const work = async (name: string) => {
    for (let slice = 0; slice < 2; slice += 1) {
      await nextTurn()
      ran.push(name)
    }
  }
  const both = Promise.all([work('first'), work('second')])
  const seen: number[] = []
  while (ran.length < 4) {
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(ran.length)
  }
  await both
  assert.deepEqual(ran, ['first', 'second', 'first', 'second'])
  assert.ok(seen.every((count, at) => count - (seen[at - 1] ?? 0) <= 1))
})
