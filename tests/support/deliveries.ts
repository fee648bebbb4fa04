import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  type Dispatcher,
  type DispatcherOptions,
  openDispatcher,
} from '../../src/exchange/webhooks/dispatcher.ts'
import { makeEgress } from '../../src/exchange/webhooks/egress.ts'
import { recordOutcomes } from '../../src/exchange/webhooks/record-outcomes.ts'
import { standardSchedule } from '../../src/exchange/webhooks/schedule.ts'
import { answeredWith } from '../../src/exchange/webhooks/send.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { type Clock, ManualClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { deliveriesChannel } from '../../src/warehouse/events/outbox.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { testDatabase } from './database.ts'
import type { Received } from './receiver.ts'
import { secretBox } from './subscription.ts'
import { at, makeClient, noon } from './warehouse.ts'

/** Dispatchers with a database and a clock of their own, and one client with test keys. */
export interface DeliveryScene {
  readonly db: Database
  readonly clock: ManualClock
  readonly client: string
  /** Errors that dispatchers logged. The test fails when there are any at its end. */
  readonly logged: unknown[]
  open(options?: Partial<DispatcherOptions> & { readonly timeoutMs?: number }): Dispatcher
  /** Registers receipts, each in its own transaction and with its own event. */
  emit(count: number): Promise<void>
  deliveries(webhookId: string): Promise<DeliveryFacts[]>
  webhook(id: string): Promise<WebhookFacts>
}

export interface DeliveryFacts {
  readonly id: string
  readonly event_id: string
  readonly status: string
  readonly attempts: number
  readonly last_status_code: number | null
  readonly last_error: string | null
  readonly next_attempt_at: string | null
  /** Attempts in the log, one row each. */
  readonly logged: number
}

export interface WebhookFacts {
  readonly failures_in_row: number
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
  readonly last_status_code: number | null
}

/** On a database of its own, or on one from which it deletes the events and subscriptions of earlier scenes. */
export async function deliveryScene(t: TestContext, given?: Database): Promise<DeliveryScene> {
  const db = given ?? (await testDatabase()).db
  if (given) await forgetEvents(given)
  const clock = new ManualClock(noon)
  const { id: client } = await makeClient(db, ['WB'], 'test')
  const logged: unknown[] = []
  t.after(() => assert.deepEqual(logged, []))
  return {
    db,
    clock,
    client,
    logged,
    open({ timeoutMs = 10_000, ...options } = {}) {
      const egress = makeEgress({ privateTargets: 'sandbox', timeoutMs })
      const dispatcher = openDispatcher({
        db,
        clock,
        egress,
        secretBox,
        schedule: standardSchedule,
        chance: () => 0,
        log: { error: (...facts: unknown[]) => logged.push(facts) },
        ...options,
      })
      t.after(() => dispatcher.stop().then(() => egress.close()))
      return dispatcher
    },
    async emit(count) {
      const receipt = { source: 'file', items: [{ barcode: 'Ж', name: 'Ёлка', qty: 1 }] } as const
      for (let n = 0; n < count; n++) {
        await at(db, clock.now(), (work) => registerReceipt(work, client, receipt))
      }
    },
    deliveries: (webhookId) => deliveriesOf(db, webhookId),
    async webhook(id) {
      const [row] = await db<WebhookFacts[]>`
        select failures_in_row, disabled_at, disabled_reason, last_status_code
        from webhook_subscriptions where id = ${id}`
      assert.ok(row)
      return row
    },
  }
}

/** Leases the queue of a subscription, whoever holds it, and answers with the lease. */
export async function holdQueue(db: Database, webhookId: string): Promise<string> {
  const lease = newId()
  await db`update webhook_subscriptions set lease = ${lease} where id = ${webhookId}`
  return lease
}

export interface Answer {
  readonly webhookId: string
  /** Under which the delivery was sent. */
  readonly lease: string
  readonly delivery: Pick<DeliveryFacts, 'id' | 'event_id' | 'attempts'>
  readonly status: number
}

/** Records answers of receivers in one statement, as a dispatcher does. */
export function recordAnswers(
  { db, clock, client }: Pick<DeliveryScene, 'db' | 'client'> & { readonly clock: Clock },
  answers: readonly Answer[],
): Promise<void> {
  return recordOutcomes(
    { db, clock, schedule: standardSchedule, chance: () => 0 },
    answers.map(({ webhookId, lease, delivery: { id, event_id, attempts }, status }) => ({
      queue: { clientId: client, webhookId, lease },
      outcome: {
        delivery: {
          id,
          event_id,
          attempts,
          event_type: 'receipt.created' as const,
          body: Buffer.from('{}'),
        },
        startedAt: clock.now(),
        attempt: answeredWith(status),
      },
    })),
  )
}

function forgetEvents(db: Database) {
  return db`truncate pending_deliveries, ended_deliveries, delivery_tallies, webhook_subscriptions, events`
}

export async function deliveriesOf(db: Database, webhookId: string): Promise<DeliveryFacts[]> {
  const rows = await db<DeliveryFacts[]>`
    select id, event_id, status, attempts, last_status_code, last_error, next_attempt_at,
      (select count(*)::int from webhook_attempts a
        where a.client_id = d.client_id and a.delivery_id = d.id) as logged
    from webhook_deliveries d where webhook_id = ${webhookId} order by created_at, id`
  return [...rows]
}

/** The lease under which a process holds the subscription's queue; null where none does. */
export async function leaseOf(db: Database, webhookId: string): Promise<string | null> {
  const [row] = await db<{ lease: string | null }[]>`
    select lease from webhook_subscriptions where id = ${webhookId}`
  assert.ok(row)
  return row.lease
}

/** Moves the end of a lease to so far from now, and wakes the dispatchers: no test waits for a lease. */
export async function setLeaseEnd(
  db: Database,
  webhookId: string,
  fromNow: '1 hour' | '-1 second',
): Promise<void> {
  await db`
    with moved as (
      update webhook_subscriptions set leased_until = now() + ${fromNow}::interval
      where id = ${webhookId} and lease is not null returning client_id
    )
    select pg_notify(${deliveriesChannel}, client_id::text) from moved`
}

/** Wakes the dispatchers for all clients with subscriptions, after a test has moved the clock. */
export async function wakeDispatchers(db: Database): Promise<void> {
  await db`
    select pg_notify(${deliveriesChannel}, client_id::text)
    from (select distinct client_id from webhook_subscriptions) clients`
}

/** Asserts that the log's attempts are exactly the requests that arrived, by the id in their header. */
export function assertLogged(
  deliveries: readonly DeliveryFacts[],
  requests: readonly Received[],
): void {
  const came = requests.map(nameOf)
  assert.deepEqual(came.sort(), namesOf(deliveries).sort())
  for (const { logged, attempts } of deliveries) assert.equal(logged, attempts)
}

/**
 * Like `assertLogged` after processes were killed. Returns how many attempts arrived that the log does not
 * have: a killed process made them and could not record them. Each must have been repeated under the same
 * id, with the same event and the same bytes.
 */
export function countUnrecorded(
  deliveries: readonly DeliveryFacts[],
  requests: readonly Received[],
): number {
  const names = namesOf(deliveries)
  assert.deepEqual(new Set(requests.map(nameOf)), new Set(names))
  for (const { logged, attempts } of deliveries) assert.equal(logged, attempts)
  const byName = Map.groupBy(requests, nameOf)
  for (const [first, ...again] of byName.values()) {
    for (const { event, bytes } of again) {
      assert.equal(event.id, first?.event.id)
      assert.deepEqual(bytes, first?.bytes)
    }
  }
  return requests.length - names.length
}

function namesOf(deliveries: readonly DeliveryFacts[]): string[] {
  return deliveries.flatMap(({ id, attempts }) =>
    Array.from({ length: attempts }, (_, n) => (n === 0 ? id : `${id}.${n + 1}`)),
  )
}

function nameOf({ headers }: Received): string {
  return String(headers['x-svc-delivery'])
}
