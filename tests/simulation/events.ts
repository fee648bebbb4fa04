import assert from 'node:assert/strict'
import type { Queryable } from '../../src/platform/db/connection.ts'
import type { Client, ExpectedEvent } from './model.ts'
import { statusOf } from './model.ts'
import type { World } from './world.ts'

/** Compares the events of a client with the changes of the model. */

interface Body {
  readonly type: string
  readonly data: { readonly id?: string; readonly status?: string } & {
    readonly object?: { readonly id: string; readonly status: string }
    readonly previous_status?: string
  }
}

async function eventsOf(db: Queryable, client: Client): Promise<ExpectedEvent[]> {
  const rows = await db<{ body: string }[]>`
    select body from events where client_id = ${client.id} order by number`
  return rows.map(({ body }) => {
    const { type, data } = JSON.parse(body) as Body
    const { id = '', status = '' } = data.object ?? data
    return { type, object: id, before: data.previous_status, status }
  })
}

async function isSubscribed(db: Queryable, client: Client): Promise<boolean> {
  const rows = await db`select id from webhook_subscriptions where client_id = ${client.id}`
  return rows.length > 0
}

/** Every change has its event, once, in the order in which its object changed. */
export async function compareEvents({ db }: World, client: Client): Promise<void> {
  const reported = Map.groupBy(await eventsOf(db, client), ({ object }) => object)
  if (!(await isSubscribed(db, client))) return assert.equal(reported.size, 0)
  const expected = Map.groupBy(client.events, ({ object }) => object)
  // Only *.status_changed has the status before.
  const shown = (events: readonly ExpectedEvent[] | undefined) =>
    (events ?? []).map(({ type, before, status }) => [
      type,
      type.endsWith('.status_changed') ? before : undefined,
      status,
    ])
  for (const object of new Set([...reported.keys(), ...expected.keys()])) {
    assert.deepEqual(shown(reported.get(object)), shown(expected.get(object)), object)
  }
}

/** With concurrent workers: the events of an object form a chain that ends at its status. */
export async function followEvents({ db }: World, client: Client): Promise<void> {
  if (!(await isSubscribed(db, client))) return
  const reported = Map.groupBy(await eventsOf(db, client), ({ object }) => object)
  const now = [
    ...[...client.receipts.values()].map(({ id, status }) => [id, status] as const),
    ...[...client.shipments.values()].map(({ id, status }) => [id, status] as const),
    ...[...client.orders.values()].map((order) => [order.id, statusOf(client, order)] as const),
  ]
  for (const [id, status] of now) {
    const events = reported.get(id) ?? []
    for (const [index, { type, before }] of events.entries()) {
      if (index === 0 || !type.endsWith('.status_changed')) continue
      assert.equal(before, events[index - 1]?.status, `${id}: ${JSON.stringify(events)}`)
    }
    const last = events.at(-1)
    if (last !== undefined) assert.equal(last.status, status, `${id}: ${JSON.stringify(events)}`)
  }
}
