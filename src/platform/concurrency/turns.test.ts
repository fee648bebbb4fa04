import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TurnRules, Turns } from './turns.ts'

const promisesSettled = () => new Promise((resolve) => setImmediate(resolve))

/** Actions that end when the test says so, in the order in which they began. */
function manualActions() {
  const began: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const action = (name: string) => () => {
    const end = Promise.withResolvers<string>()
    began.push(name)
    ends.set(name, end)
    return end.promise
  }
  const end = async (name: string) => {
    ends.get(name)?.resolve(name)
    await promisesSettled()
  }
  return { began, action, end }
}

class RefusedError extends Error {}
const patient = {
  ...{ atOnceMax: 2, waitingMax: 10, patienceMs: 60_000 },
  refusal: () => new RefusedError(),
}
const openTurns = (rules: Partial<TurnRules> = {}) => new Turns({ ...patient, ...rules })

test('actions of one key run one after the other, of all keys so many at once, and keys take turns', async () => {
  const turns = openTurns()
  const { began, action, end } = manualActions()
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
  const results = names.map((name) => turns.run(name.charAt(0), action(name)))
  await promisesSettled()
  assert.deepEqual(began, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(began, ['a1', 'b1', 'c1'])
  await end('b1')
  assert.deepEqual(began, ['a1', 'b1', 'c1', 'a2'])
  for (const name of ['c1', 'a2', 'b2', 'a3']) await end(name)
  assert.deepEqual(await Promise.all(results), names)
})

test('calls that name the same share one that waits, never one that runs', async () => {
  const turns = openTurns()
  const { began, action, end } = manualActions()
  const first = turns.run('a', action('first'), { as: 'reset' })
  const second = turns.run('a', action('second'), { as: 'reset' })
  const third = turns.run('a', action('third'), { as: 'reset' })
  const other = turns.run('b', action('other'), { as: 'reset' })
  await promisesSettled()
  assert.deepEqual(began, ['first', 'other'])
  for (const name of ['first', 'other', 'second']) await end(name)
  assert.deepEqual(await Promise.all([first, second, third, other]), [
    'first',
    'second',
    'second',
    'other',
  ])
})

test('long actions leave a place to others, which pass those that wait', async () => {
  const turns = openTurns({ longAtOnceMax: 1 })
  const { began, action, end } = manualActions()
  const long = ['a', 'b'].map((name) => turns.run(name, action(name), { isLong: true }))
  const short = turns.run('c', action('c'))
  await promisesSettled()
  assert.deepEqual(began, ['a', 'c'])
  await end('c')
  assert.deepEqual(began, ['a', 'c'])
  await end('a')
  assert.deepEqual(began, ['a', 'c', 'b'])
  await end('b')
  await Promise.all([...long, short])
})

test('whoever comes behind too many, or waits for too long, is refused and never runs', async () => {
  const { began, action, end } = manualActions()
  const full = openTurns({ waitingMax: 1 })
  const served = [full.run('a', action('runs')), full.run('a', action('waits'))]
  await assert.rejects(full.run('a', action('too many')), RefusedError)
  const hasty = openTurns({ patienceMs: 1 })
  const slow = hasty.run('a', action('slow'))
  await assert.rejects(hasty.run('a', action('too late')), RefusedError)
  for (const name of ['runs', 'waits', 'slow']) await end(name)
  await Promise.all([...served, slow])
  assert.deepEqual(began, ['runs', 'slow', 'waits'])
})

test('a blocked action gives its place to another key, keeps its key, and is tried again', async () => {
  const blocked = new Error('locked')
  const turns = openTurns({ atOnceMax: 1, isBlocked: (error) => error === blocked })
  const steps: string[] = []
  let isLocked = true
  const first = turns.run('a', async () => {
    steps.push(isLocked ? 'a is blocked' : 'a')
    if (isLocked) throw blocked
  })
  const second = turns.run('a', async () => void steps.push('a, second'))
  await turns.run('b', async () => {
    steps.push('b')
    isLocked = false
  })
  await Promise.all([first, second])
  assert.deepEqual(steps, ['a is blocked', 'b', 'a', 'a, second'])
})

test('an action that stays blocked is refused, and one that throws rejects its own call', async () => {
  const blocked = new Error('locked')
  const turns = openTurns({ patienceMs: 1, isBlocked: (error) => error === blocked })
  await assert.rejects(
    turns.run('a', () => Promise.reject(blocked)),
    RefusedError,
  )
  await assert.rejects(
    turns.run('a', () => Promise.reject(new Error('refused'))),
    /refused/,
  )
  assert.equal(await turns.run('a', async () => 'next'), 'next')
})
