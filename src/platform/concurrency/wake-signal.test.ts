import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WakeSignal } from './wake-signal.ts'

const promisesSettled = () => new Promise((resolve) => setImmediate(resolve))

async function isSet(signal: WakeSignal): Promise<boolean> {
  let woke = false
  void signal.whenSet.then(() => {
    woke = true
  })
  await promisesSettled()
  return woke
}

test('a waiter sleeps until the signal is set', async () => {
  const signal = new WakeSignal()
  assert.equal(await isSet(signal), false)
  const waiting = signal.whenSet
  signal.set()
  await waiting
})

test('a signal that is set before anybody waits is not lost', async () => {
  const signal = new WakeSignal()
  signal.set()
  signal.set()
  assert.equal(await isSet(signal), true)
  assert.equal(await isSet(signal), true)
})

test('after a reset the next wait sleeps again', async () => {
  const signal = new WakeSignal()
  signal.set()
  signal.reset()
  assert.equal(await isSet(signal), false)
  signal.set()
  assert.equal(await isSet(signal), true)
})

test('who waits is woken by the next set, also after a reset', async () => {
  const signal = new WakeSignal()
  const waiting = signal.whenSet
  signal.reset()
  signal.set()
  await waiting
})
