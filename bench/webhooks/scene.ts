import { setTimeout as sleep } from 'node:timers/promises'
import { subscriptionsMax } from '../../src/exchange/webhooks/subscriptions.ts'
import { issueApiKey } from '../../src/identity/keys/api-keys.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { ownSchema } from '../../src/platform/db/migrate.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { day } from '../../src/platform/kernel/moscow-time.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { rotateEvents } from '../../src/warehouse/events/outbox.ts'
import type { Target } from './producer.ts'

/** Creates subscriptions through the API, ten per client. The keys are test keys, which may use http. */
export async function subscribe(
  db: Database,
  serviceUrl: string,
  receiverUrl: string,
  count: number,
): Promise<Target[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const key = await addClient(db)
    const own = Math.min(subscriptionsMax, count - ids.length)
    const path = (n: number) => `${receiverUrl}/hook/${ids.length + n}`
    const made = Array.from({ length: own }, (_, n) => makeSubscription(serviceUrl, key, path(n)))
    ids.push(...(await Promise.all(made)))
  }
  const owners = await db<
    { id: string; client_id: string }[]
  >`select id, client_id from webhook_subscriptions`
  const ownerOf = new Map(owners.map(({ id, client_id }) => [id, client_id]))
  return ids.map((webhookId) => ({ clientId: ownerOf.get(webhookId) ?? '', webhookId }))
}

/** A test client without data, which counts as a copy of this version, so that it is kept; returns its key. */
async function addClient(db: Database): Promise<string> {
  const { key } = await perform(db, systemClock, { kind: 'service' }, async (work) => {
    const clientId = await createClient(work, { mode: 'test', name: 'Продавец' })
    await work.tx`
      insert into sandboxes (client_id, copied_at, made_at, made_schema, last_request_at)
      values (${clientId}, ${work.at}, ${work.at}, ${ownSchema()}, ${work.at})`
    return issueApiKey(work, clientId, { name: 'bench', receiptsEnabled: true })
  })
  return key
}

async function makeSubscription(serviceUrl: string, key: string, url: string): Promise<string> {
  const answer = await fetch(`${serviceUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events: ['order.status_changed'] }),
  })
  if (answer.status === 429) {
    await sleep(Number(answer.headers.get('retry-after')) * 1_000)
    return makeSubscription(serviceUrl, key, url)
  }
  if (answer.status !== 201) throw new Error(`not subscribed: ${await answer.text()}`)
  return ((await answer.json()) as { webhook: { id: string } }).webhook.id
}

const perStatement = 50_000
const fillDays = 29
const retentionDays = 30

/**
 * Adds deliveries of the last 29 days, spread over all subscriptions, one attempt each. The events have
 * the body of the newest one.
 */
export async function fillLog(db: Database, count: number): Promise<void> {
  for (let ago = fillDays + 1; ago > 0; ago -= 7) {
    await rotateEvents(db, Date.now() - ago * day, retentionDays)
  }
  for (let made = 0; made < count; made += perStatement) {
    const size = Math.min(perStatement, count - made)
    await db.begin(async (tx) => {
      await tx`set local synchronous_commit = off`
      await tx`
        create temp table old on commit drop as
        with targets as (
          select client_id, id as webhook_id, row_number() over (order by client_id, id) - 1 as place,
            count(*) over () as places
          from webhook_subscriptions where paused_until is null
        )
        select t.client_id, t.webhook_id, uuidv7(-age) as event_id, uuidv7(-age) as id, now() - age as at
        from (
          select ${made}::int + n as place,
            (1 - (${made}::int + n)::float / ${count}::int) * ${fillDays} * interval '1 day' as age
          from generate_series(0, ${size}::int - 1) n
        ) o
        join targets t on t.place = o.place % t.places`
      await tx`
        insert into events (client_id, id, type, occurred_at, body)
        select o.client_id, o.event_id, e.type, o.at, e.body
        from old o, (
          select type, body from events where type = 'order.status_changed'
          order by occurred_at desc limit 1
        ) e`
      await tx`
        insert into ended_deliveries (client_id, id, webhook_id, event_id, event_type, status, attempts,
          last_attempt_at, last_status_code, last_duration_ms, created_at)
        select client_id, id, webhook_id, event_id, 'order.status_changed', 'DELIVERED', 1, at, 204, 5, at
        from old`
    })
  }
  await db`vacuum (analyze)`
  await db`checkpoint`
}

/**
 * Adds subscriptions of new clients. With pending deliveries their receivers are gone and they are
 * paused for hours; without, they are idle.
 */
export async function addQuiet(db: Database, count: number, pending: number): Promise<void> {
  const paused = pending > 0
  await db`
    with owners as (
      insert into clients (id, mode, name, warehouse_code, created_at)
      select uuidv7(), 'live', 'Продавец', (select code from warehouses limit 1), now()
      from generate_series(1, ${Math.ceil(count / subscriptionsMax)}::int)
      returning id
    ), made as (
      insert into webhook_subscriptions (client_id, id, url, events, secret, created_at, failures_in_row,
        last_failure_at, paused_until)
      select o.id, uuidv7(), 'http://127.0.0.1:9/', '{order.status_changed}', '\\x00', now(),
        ${paused ? 5 : 0}::int, case when ${paused} then now() end,
        case when ${paused} then now() + interval '12 hours' end
      from owners o, generate_series(1, ${subscriptionsMax}::int)
      returning client_id, id
    )
    insert into pending_deliveries (client_id, id, webhook_id, event_id, event_type, next_attempt_at, created_at)
    select m.client_id, uuidv7(), m.id, uuidv7(), 'order.status_changed', now(), now()
    from made m, generate_series(1, ${pending}::int)`
  await db`vacuum (analyze)`
}
