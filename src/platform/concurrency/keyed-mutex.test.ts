import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyedMutex } from './keyed-mutex.ts'

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
  return { began, action, end: (name: string) => ends.get(name)?.resolve(name), ends }
}

test('actions of one key run one after the other, in the order of the calls', async () => {
  const mutex = new KeyedMutex()
  const { began, action, end } = manualActions()
  const results = ['first', 'second', 'third'].map((name) => mutex.run('key', action(name)))
  await promisesSettled()
  assert.deepEqual(began, ['first'])
  end('first')
  await promisesSettled()
  assert.deepEqual(began, ['first', 'second'])
  end('second')
  await promisesSettled()
  end('third')
  assert.deepEqual(await Promise.all(results), ['first', 'second', 'third'])
})

test('different keys run at the same time', async () => {
  const mutex = new KeyedMutex()
  const { began, action, end } = manualActions()
  const results = [mutex.run('a', action('first')), mutex.run('b', action('second'))]
  await promisesSettled()
  assert.deepEqual(began, ['first', 'second'])
  end('first')
  end('second')
  await Promise.all(results)
})

test('a key is held until its last action has ended, then forgotten', async () => {
  const mutex = new KeyedMutex()
  const { action, end } = manualActions()
  assert.equal(mutex.isHeld('key'), false)
  const results = ['first', 'second'].map((name) => mutex.run('key', action(name)))
  assert.equal(mutex.isHeld('key'), true)
  await promisesSettled()
  end('first')
  await results[0]
  assert.equal(mutex.isHeld('key'), true)
  await promisesSettled()
  end('second')
  await results[1]
  assert.equal(mutex.isHeld('key'), false)
})

test('an action that throws rejects its own call and releases the key', async () => {
  const mutex = new KeyedMutex()
  const { action, end, ends } = manualActions()
  const first = mutex.run('key', action('first'))
  const second = mutex.run('key', action('second'))
  await promisesSettled()
  ends.get('first')?.reject(new Error('refused'))
  await assert.rejects(first, /refused/)
  await promisesSettled()
  end('second')
  assert.equal(await second, 'second')
})
