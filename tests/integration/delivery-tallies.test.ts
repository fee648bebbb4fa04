// The totals of the list of deliveries are sums of tallies: they equal the log whatever happens to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDeliveries } from '../../src/exchange/webhooks/queries.ts'
import { resendDelivery } from '../../src/exchange/webhooks/resend.ts'
import { unsubscribe } from '../../src/exchange/webhooks/subscriptions.ts'
import type { DeliveryStatus } from '../../src/exchange/webhooks/view.ts'
import { audit } from '../../src/operations/audit/audit.ts'
import { type Database, inTransaction } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { day, type Instant } from '../../src/platform/kernel/moscow-time.ts'
import { failPending } from '../../src/warehouse/events/delivery-log.ts'
import { announce, rotateEvents } from '../../src/warehouse/events/outbox.ts'
import {
  type DeliveryFacts,
  type DeliveryScene,
  deliveryScene,
  holdQueue,
  recordAnswers,
} from '../support/deliveries.ts'
import { addSubscription } from '../support/subscription.ts'
import { at, noon } from '../support/warehouse.ts'

const actor = { kind: 'service' } as const

/** The totals of the list, which are those of the log, too: waiting, delivered, failed and all. */
async function totals(db: Database, client: string, webhookId: string) {
  const total = async (status?: DeliveryStatus) => {
    const page = { limit: 1, after: undefined }
    const list = await listDeliveries(db, client, webhookId, status, page)
    const [{ counted }] = await db<[{ counted: number }]>`
      select count(*)::int as counted from webhook_deliveries
      where webhook_id = ${webhookId} and status like ${status ?? '%'}`
    assert.equal(list.total, counted)
    return list.total
  }
  return [
    await total('PENDING'),
    await total('DELIVERED'),
    await total('FAILED'),
    await total(),
  ] as const
}

const write = (db: Database, client: string, now: Instant, count: number) =>
  at(db, now, (work) =>
    announce(work, client, 'receipt.created', async () =>
      Array.from({ length: count }, (_, n) => ({ object: { n } })),
    ),
  )

/** Of the audit; an eighth attempt that was the first of its delivery is none of them. */
async function findings({ db, clock }: DeliveryScene) {
  const report = await audit(db, clock)
  return report.findings.filter(({ check }) => check === 'delivery tallies equal the log')
}

test('deliveries that succeed, wait, fail, succeed after all and are sent again are counted once each', async (t) => {
  const scene = await deliveryScene(t)
  const { db, clock, client } = scene
  const { id: webhookId } = await addSubscription(db, client)
  const { id: other } = await addSubscription(db, client)
  const lease = await holdQueue(db, webhookId)
  await scene.emit(6)
  const [first, second, third, fourth] = await scene.deliveries(webhookId)
  assert.ok(first && second && third && fourth)
  const now = () => totals(db, client, webhookId)
  const outcome = (delivery: DeliveryFacts, status: number) =>
    recordAnswers(scene, [{ webhookId, lease, delivery, status }])

  assert.deepEqual(await now(), [6, 0, 0, 6])
  await outcome(first, 200)
  assert.deepEqual(await now(), [5, 1, 0, 6])
  await outcome(second, 500)
  await recordAnswers(scene, [
    { webhookId, lease, delivery: third, status: 200 },
    { webhookId, lease, delivery: { ...fourth, attempts: 7 }, status: 500 },
  ])
  assert.deepEqual(await now(), [3, 2, 1, 6])
  await perform(db, clock, actor, (work) => resendDelivery(work, client, webhookId, first.id))
  assert.deepEqual(await now(), [4, 2, 1, 7])

  await db`update webhook_subscriptions set disabled_at = now() where id = ${webhookId}`
  await inTransaction(db, (tx) => failPending(tx, client, webhookId, 'Отключена'))
  assert.deepEqual(await now(), [0, 2, 5, 7])
  await outcome({ ...second, attempts: 1 }, 200)
  assert.deepEqual(await now(), [0, 3, 4, 7])
  assert.deepEqual(await findings(scene), [])

  await perform(db, clock, actor, (work) => unsubscribe(work, client, webhookId))
  assert.deepEqual(await now(), [0, 0, 0, 0])
  assert.deepEqual(await totals(db, client, other), [6, 0, 0, 6])
  const left = await db`select from delivery_tallies where webhook_id = ${webhookId}`
  assert.equal(left.length, 0)
})

test('what is recorded of several subscriptions at the same time is counted', async (t) => {
  const scene = await deliveryScene(t)
  const { db, client } = scene
  const webhooks = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { id } = await addSubscription(db, client)
      return { id, lease: await holdQueue(db, id) }
    }),
  )
  await scene.emit(20)
  const queues = await Promise.all(
    webhooks.map(async ({ id: webhookId, lease }) =>
      (await scene.deliveries(webhookId)).map((delivery) => ({ webhookId, lease, delivery })),
    ),
  )
  // Every statement has an outcome of each subscription, in one order and in the other; every fifth is a failure.
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const made = queues.flatMap((queue) => queue[n] ?? [])
      const outcomes = made.map((each) => ({ ...each, status: n % 5 === 0 ? 500 : 200 }))
      return recordAnswers(scene, n % 2 === 0 ? outcomes : outcomes.reverse())
    }),
  )
  for (const { id } of webhooks) assert.deepEqual(await totals(db, client, id), [4, 16, 0, 20])
})

test('tallies go with the partitions and the strays that retention drops, and with nothing else', async (t) => {
  const scene = await deliveryScene(t)
  const { db, client } = scene
  const { id: webhookId } = await addSubscription(db, client)
  const fail = () => inTransaction(db, (tx) => failPending(tx, client, webhookId, 'Нет'))
  const now = () => totals(db, client, webhookId)
  // In no partition, and older than the first one.
  await write(db, client, noon - 70 * day, 2)
  await fail()
  await rotateEvents(db, noon - 50 * day, 30)
  await write(db, client, noon - 50 * day, 3)
  await fail()
  // Of the first day that is kept, written before its partition is opened.
  await write(db, client, noon - 29 * day, 4)
  await fail()
  await write(db, client, noon, 5)
  assert.deepEqual(await now(), [5, 0, 9, 14])
  await rotateEvents(db, noon - 29 * day, 90)
  assert.deepEqual(await now(), [5, 0, 9, 14])
  await rotateEvents(db, noon, 30)
  assert.deepEqual(await now(), [5, 0, 4, 9])
  const days = await db<{ failed: number }[]>`select failed from delivery_tallies order by day`
  assert.deepEqual(
    days.map(({ failed }) => failed),
    [4],
  )
  assert.deepEqual(await findings(scene), [])
})

test('outcomes that are recorded while retention drops their days leave the tallies right', async (t) => {
  const scene = await deliveryScene(t)
  const { db, client } = scene
  const { id: webhookId } = await addSubscription(db, client)
  const lease = await holdQueue(db, webhookId)
  await rotateEvents(db, noon - 50 * day, 30)
  await write(db, client, noon - 50 * day, 30)
  await write(db, client, noon, 10)
  const deliveries = await scene.deliveries(webhookId)
  const drop = async () => {
    // It gives way to statements that take longer than its timeout.
    do await rotateEvents(db, noon, 30)
    while ((await db`select from event_partitions where finish < '2026-10-15'`).length > 0)
  }
  await Promise.all([
    ...deliveries.map((delivery) =>
      recordAnswers(scene, [{ webhookId, lease, delivery, status: 200 }]),
    ),
    drop(),
  ])
  assert.deepEqual(await totals(db, client, webhookId), [0, 10, 0, 10])
  assert.deepEqual(await findings(scene), [])
})
