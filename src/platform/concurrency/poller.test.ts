import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openPoller } from './poller.ts'

/** A poller whose looks and turns end when the test says so. */
function openScene({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const looks: PromiseWithResolvers<void>[] = []
  const errors: unknown[] = []
  const poller = openPoller<string>({
    everyMs: 2_000,
    look() {
      const one = Promise.withResolvers<void>()
      looks.push(one)
      return one.promise
    },
    onError: (error) => errors.push(error),
  })
  const pass = (ms: number) => {
    mock.timers.tick(ms)
    return settled()
  }
  return { poller, looks, errors, pass }
}

test('looks begin at once, never overlap, and go on after a failure', async (t) => {
  const { poller, looks, errors, pass } = openScene(t)
  poller.start()
  await pass(20_000)
  assert.equal(looks.length, 1)
  looks[0]?.resolve()
  await settled()
  await pass(4_000)
  assert.equal(looks.length, 2)
  const lost = new Error('connection lost')
  looks[1]?.reject(lost)
  await settled()
  await pass(2_000)
  assert.deepEqual([looks.length, errors], [3, [lost]])
})

test('a turn runs beside the looks, and a failed one is reported', async (t) => {
  const { poller, errors } = openScene(t)
  const [good, bad] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  poller.begin('good', good.promise)
  poller.begin('bad', bad.promise)
  assert.deepEqual(poller.running, ['good', 'bad'])
  const lost = new Error('connection lost')
  bad.reject(lost)
  await settled()
  assert.deepEqual([poller.running, errors], [['good'], [lost]])
  good.resolve()
  await settled()
  assert.deepEqual(poller.running, [])
})

test('a stop waits for the look under way and for what that has begun', async (t) => {
  const { poller, looks, pass } = openScene(t)
  poller.start()
  let isStopped = false
  const stop = poller.stop().then(() => {
    isStopped = true
  })
  assert.equal(poller.isStopping, true)
  const turn = Promise.withResolvers<void>()
  poller.begin('begun by the look', turn.promise)
  looks[0]?.resolve()
  await settled()
  assert.equal(isStopped, false)
  turn.resolve()
  await stop
  await pass(20_000)
  assert.equal(looks.length, 1)
})

test('a stop waits a few seconds for a turn that hangs, which is still named', async (t) => {
  const { poller, pass } = openScene(t)
  poller.begin('hangs', new Promise(() => {}))
  const stop = poller.stop()
  await settled()
  await pass(3_000)
  await stop
  assert.deepEqual(poller.running, ['hangs'])
})

const settled = () => new Promise((resolve) => setImmediate(resolve))
