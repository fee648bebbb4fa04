import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from './turns.ts'

test('so many act at once, of one fewer, and the others in their order', async () => {
  const turns = openTurns(3)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const act = (who: string, what: string) =>
    turns(who, async () => {
      begun.push(what)
      await new Promise<void>((resolve) => ends.set(what, resolve))
    })
  const all = [act('A', 'a1'), act('A', 'a2'), act('A', 'a3'), act('B', 'b1'), act('C', 'c1')]
  const end = async (what: string) => {
    ends.get(what)?.()
    await new Promise(setImmediate)
  }
  await new Promise(setImmediate)
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  await end('b1')
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1'])
  await end('a1')
  assert.equal(begun.at(-1), 'a3')
  for (const what of ['a2', 'a3', 'c1']) await end(what)
  await Promise.all(all)
})

test('one that fails gives its turn back', async () => {
  const turns = openTurns(1)
  await assert.rejects(turns('A', () => Promise.reject(new Error('no'))))
  assert.equal(await turns('A', () => Promise.resolve(1)), 1)
})
