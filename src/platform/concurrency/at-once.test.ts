import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce } from './at-once.ts'

test('so many pieces of work run at once, others in the order of asking, also after a failure', async () => {
  const limited = atOnce(2)
  const begun: number[] = []
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const results = works.map(({ promise }, n) =>
    limited(() => {
      begun.push(n)
      return promise
    }),
  )
  const settled = Promise.allSettled(results)
  assert.deepEqual(begun, [0, 1])
  works[1]?.reject(new Error('torn'))
  await assert.rejects(results[1] ?? Promise.resolve(), /torn/)
  assert.deepEqual(begun, [0, 1, 2])
  for (const [n, { resolve }] of works.entries()) resolve(n)
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})
