import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/kernel/ids.ts'
import { recordOutcomes } from '../../src/webhooks/record.ts'
import { standardSchedule } from '../../src/webhooks/schedule.ts'
import { answeredWith } from '../../src/webhooks/send.ts'
import { deliveryScene } from '../support/deliveries.ts'
import { addSubscription } from '../support/subscription.ts'

/**
 * A process that slept past its lease may lease the queue again while its attempts of before are still answered. Then one
 * statement gets the outcomes of both leases.
 */
for (const status of [200, 500]) {
  test(`of outcomes ${status} under two leases of a queue only those of the lease that is held are recorded`, async (t) => {
    const { db, clock, client, emit, deliveries } = await deliveryScene(t)
    const { id: webhookId } = await addSubscription(db, client, { url: 'https://example.com/hook' })
    await emit(2)
    const [sentTwice, sentBefore] = await deliveries(webhookId)
    assert.ok(sentTwice && sentBefore)
    const [held, lapsed] = [newId(), newId()]
    await db`update webhook_subscriptions set lease = ${held} where id = ${webhookId}`
    const outcome = (lease: string, { id, event_id, attempts }: typeof sentTwice) => ({
      queue: { clientId: client, webhookId, lease },
      outcome: {
        delivery: { id, event_id, attempts, event_type: 'receipt.created' as const, body: '{}' },
        startedAt: clock.now(),
        attempt: answeredWith(status),
      },
    })
    await recordOutcomes({ db, clock, schedule: standardSchedule, chance: () => 0 }, [
      outcome(lapsed, sentTwice),
      outcome(held, sentTwice),
      outcome(lapsed, sentBefore),
    ])
    const logged = (await deliveries(webhookId)).map(({ id, logged }) => [id, logged])
    assert.deepEqual(logged, [
      [sentTwice.id, 1],
      [sentBefore.id, 0],
    ])
  })
}
