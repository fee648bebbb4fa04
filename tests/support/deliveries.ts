import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Database } from '../../src/db/connection.ts'
import { ManualClock } from '../../src/kernel/clock.ts'
import { registerReceipt } from '../../src/receipts/verbs.ts'
import {
  type Dispatcher,
  type DispatcherOptions,
  openDispatcher,
} from '../../src/webhooks/dispatcher.ts'
import { makeEgress } from '../../src/webhooks/egress.ts'
import { standardSchedule } from '../../src/webhooks/schedule.ts'
import { webhooksEnabled } from '../../src/webhooks/switch.ts'
import { testDatabase } from './database.ts'
import type { Received } from './receiver.ts'
import { secretBox } from './subscription.ts'
import { at, makeClient, noon } from './warehouse.ts'

/** Dispatchers on a database and a clock of their own, and one client whose deliveries they make. */
export interface DeliveryScene {
  readonly db: Database
  readonly clock: ManualClock
  readonly client: string
  /** Failures that dispatchers logged; none are expected, and the test fails where there are. */
  readonly logged: unknown[]
  open(options?: Partial<DispatcherOptions> & { readonly timeoutMs?: number }): Dispatcher
  /** So many receipts are registered, each in a transaction of its own. */
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
  /** As they are kept one by one. */
  readonly kept: number
}

export interface WebhookFacts {
  readonly failures_in_row: number
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
  readonly last_status_code: number | null
}

export async function deliveryScene(t: TestContext): Promise<DeliveryScene> {
  const { db } = await testDatabase()
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
        enabled: () => webhooksEnabled(db),
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
        from webhooks where id = ${id}`
      assert.ok(row)
      return row
    },
  }
}

export async function deliveriesOf(db: Database, webhookId: string): Promise<DeliveryFacts[]> {
  const rows = await db<DeliveryFacts[]>`
    select id, event_id, status, attempts, last_status_code, last_error, next_attempt_at,
      (select count(*)::int from delivery_attempts a
        where a.client_id = d.client_id and a.delivery_id = d.id) as kept
    from deliveries d where webhook_id = ${webhookId} order by created_at, id`
  return [...rows]
}

/** Every attempt that came is in the log, under the id that its header names, and no other is. */
export function assertLogged(
  deliveries: readonly DeliveryFacts[],
  requests: readonly Received[],
): void {
  const came = requests.map(nameOf)
  assert.deepEqual(came.sort(), namesOf(deliveries).sort())
  for (const { kept, attempts } of deliveries) assert.equal(kept, attempts)
}

/**
 * As `assertLogged` where processes were killed, and answers how many attempts came that the log does
 * not have. Such an attempt was made by a process that could not write it down any more, and was made
 * again under the same name: as the same event with the same bytes.
 */
export function countUnrecorded(
  deliveries: readonly DeliveryFacts[],
  requests: readonly Received[],
): number {
  const names = namesOf(deliveries)
  assert.deepEqual(new Set(requests.map(nameOf)), new Set(names))
  for (const { kept, attempts } of deliveries) assert.equal(kept, attempts)
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
