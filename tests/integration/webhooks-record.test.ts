import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryScene, holdQueue, recordAnswers } from '../support/deliveries.ts'
import { addSubscription } from '../support/subscription.ts'

/**
 * A process that slept past its lease may lease the queue again while its attempts of before are still answered. Then one
 * statement gets the outcomes of both leases.
 */
for (const status of [200, 500]) {
  test(`of outcomes ${status} under two leases of a queue only those of the lease that is held are recorded`, async (t) => {
    const scene = await deliveryScene(t)
    const { db, client, emit, deliveries } = scene
    const { id: webhookId } = await addSubscription(db, client, { url: 'https://example.com/hook' })
    await emit(2)
    const [sentTwice, sentBefore] = await deliveries(webhookId)
    assert.ok(sentTwice && sentBefore)
    const lapsed = await holdQueue(db, webhookId)
    const held = await holdQueue(db, webhookId)
    await recordAnswers(scene, [
      { webhookId, lease: lapsed, delivery: sentTwice, status },
      { webhookId, lease: held, delivery: sentTwice, status },
      { webhookId, lease: lapsed, delivery: sentBefore, status },
    ])
    const logged = (await deliveries(webhookId)).map(({ id, logged }) => [id, logged])
    assert.deepEqual(logged, [
      [sentTwice.id, 1],
      [sentBefore.id, 0],
    ])
  })
}
