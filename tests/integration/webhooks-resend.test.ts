import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resendMissed } from '../../src/exchange/webhooks/resend.ts'
import { perform } from '../../src/platform/db/work.ts'
import { deliveryScene } from '../support/deliveries.ts'
import { openReceiver } from '../support/receiver.ts'
import { addSubscription } from '../support/subscription.ts'

const hour = 60 * 60_000

// Guarantee (webhooks): An event that is sent again gets one new delivery, however many ask at once.
test('failed deliveries of a period are sent again once, however many ask for it at once', async (t) => {
  const scene = await deliveryScene(t)
  const { db, clock, client } = scene
  let refused = ''
  const receiver = await openReceiver(({ event }) => (event.id === refused ? 422 : 200))
  const { id } = await addSubscription(db, client, { url: receiver.url })
  const dispatcher = scene.open()
  await scene.emit(1)
  clock.advance(hour)
  const since = new Date(clock.now()).toISOString()
  await scene.emit(2)
  refused = (await scene.deliveries(id)).at(-1)?.event_id ?? ''
  // The other events succeed in between, so that the subscription stays on.
  for (let passed = 0; passed < 60; passed += 1) {
    await dispatcher.runOnce()
    await scene.emit(1)
    clock.advance(hour)
  }
  const failed = (await scene.deliveries(id)).filter(({ status }) => status === 'FAILED')
  assert.deepEqual(
    failed.map(({ event_id, attempts }) => [event_id, attempts]),
    [[refused, 8]],
  )
  const actor = { kind: 'service' } as const
  const draft = { since, status: 'FAILED' } as const
  const resend = (more: object = {}) =>
    perform(db, clock, actor, (work) => resendMissed(work, client, id, { ...draft, ...more }))
  assert.equal((await resend({ until: since })).queued, 0)
  const queued = await Promise.all(Array.from({ length: 8 }, () => resend()))
  assert.equal(
    queued.reduce((sum, each) => sum + each.queued, 0),
    1,
  )
  refused = ''
  await dispatcher.runOnce()
  const again = (await scene.deliveries(id)).filter(
    ({ event_id }) => event_id === failed[0]?.event_id,
  )
  assert.deepEqual(
    again.map(({ status, attempts }) => [status, attempts]),
    [
      ['FAILED', 8],
      ['DELIVERED', 1],
    ],
  )
  assert.equal((await resend()).queued, 0)
})
