import Type, { type Static } from 'typebox'
import type { Mode } from '../clients/mode.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { perform, type Work } from '../db/work.ts'
import { subscribableTypes } from '../events/catalogue.ts'
import { insertEvents, makeEvent, type WrittenEvent, writeEvents } from '../events/outbox.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { type Instant, toTimestamp } from '../kernel/moscow-time.ts'
import { oneOfValues } from '../kernel/schema.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { readTarget } from './addresses.ts'
import type { Egress } from './egress.ts'
import { findWebhook } from './queries.ts'
import { type Attempt, send } from './send.ts'
import { deliveryHeaders, newSecret } from './signature.ts'
import type { Webhook } from './view.ts'

/** Subscriptions per client, disabled ones included. */
export const subscriptionsMax = 10

export const WebhookDraft = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Адрес, доступный из интернета: https, в песочнице также http.',
    }),
    events: Type.Array(oneOfValues(subscribableTypes, 'Тип события.'), {
      minItems: 1,
      maxItems: subscribableTypes.length,
      description: 'Типы событий, хотя бы один.',
    }),
    description: Type.Optional(Type.String({ maxLength: 200, description: 'Описание.' })),
  },
  { $id: 'WebhookDraft', additionalProperties: false, description: 'Новая подписка.' },
)
export type WebhookDraft = Static<typeof WebhookDraft>

export interface SubscriptionDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly egress: Egress
  readonly secretBox: SecretBox
}

interface Subscriber {
  readonly clientId: string
  readonly mode: Mode
}

export interface Subscribed {
  readonly webhook: Webhook
  /** Shown here and never again. */
  readonly secret: string
}

/**
 * Creates a subscription once its address has answered a ping. No transaction is open while the ping
 * runs; the limit is looked at before it, and again under the client's lock when the row is written.
 *
 * Throws validation_error, webhook_limit or webhook_url_unverified, and then nothing is written.
 */
export async function subscribe(
  dependencies: SubscriptionDependencies,
  subscriber: Subscriber,
  draft: WebhookDraft,
): Promise<Subscribed> {
  const { db, clock, egress, secretBox } = dependencies
  const { clientId, mode } = subscriber
  readTarget(draft.url, mode, egress.privateTargets)
  await refuseAtLimit(db, clientId)
  const id = newId()
  const secret = newSecret()
  const ping = preparePing(clock.now(), id)
  const attempt = await send(egress, {
    url: draft.url,
    mode,
    headers: deliveryHeaders({
      eventType: 'webhook.ping',
      deliveryHeaderId: ping.deliveryId,
      timestamp: Math.floor(clock.now() / 1000),
      secret,
      body: Buffer.from(ping.event.body),
    }),
    body: Buffer.from(ping.event.body),
  })
  if (!attempt.ok) throw unverified(attempt)
  return perform(db, clock, 'webhooks', async (work) => {
    await work.tx`select from client_counters where client_id = ${clientId} for update`
    await refuseAtLimit(work.tx, clientId)
    await work.tx`
      insert into webhooks (client_id, id, url, events, description, secret, created_at,
        last_delivery_at, last_status_code)
      values (${clientId}, ${id}, ${draft.url}, ${[...new Set(draft.events)]},
        ${draft.description ?? null}, ${secretBox.seal(secret, id)}, ${work.at}, ${work.at},
        ${attempt.statusCode})`
    await recordFirstPing(work, clientId, id, ping, attempt)
    return { webhook: await readBack(work, clientId, id), secret }
  })
}

interface Ping {
  readonly deliveryId: string
  readonly event: WrittenEvent
}

function preparePing(now: Instant, webhookId: string): Ping {
  const data = { webhook_id: webhookId, message: 'Проверка адреса' }
  return { deliveryId: newId(), event: makeEvent(toTimestamp(now), 'webhook.ping', data) }
}

async function readBack(work: Work, clientId: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(work.tx, clientId, id)
  if (webhook === undefined) throw new Error(`webhook ${id} vanished in its own transaction`)
  return webhook
}

async function refuseAtLimit(db: Queryable, clientId: string): Promise<void> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from webhooks where client_id = ${clientId}`
  if (row.count < subscriptionsMax) return
  throw new ApiError(
    'webhook_limit',
    `Уже есть ${subscriptionsMax} подписок: удалите ненужную и повторите`,
  )
}

function unverified(attempt: Attempt): ApiError {
  return new ApiError('webhook_url_unverified', `Адрес url не прошёл проверку: ${attempt.error}`)
}

async function recordFirstPing(
  work: Work,
  clientId: string,
  webhookId: string,
  { deliveryId, event }: Ping,
  attempt: Attempt,
): Promise<void> {
  const { tx } = work
  await insertEvents(work, clientId, 'webhook.ping', [event])
  await tx`
    insert into deliveries (client_id, id, webhook_id, event_id, event_type, status, attempts,
      last_attempt_at, last_status_code, created_at)
    values (${clientId}, ${deliveryId}, ${webhookId}, ${event.id}, 'webhook.ping', 'DELIVERED', 1,
      ${work.at}, ${attempt.statusCode}, ${work.at})`
  await tx`
    insert into delivery_attempts (client_id, delivery_id, attempt, at, status_code, error, duration_ms)
    values (${clientId}, ${deliveryId}, 1, ${work.at}, ${attempt.statusCode}, null, ${attempt.durationMs})`
}

/** Queues a ping. A disabled subscription gets it as failed at once. Answers the event's id. */
export async function queuePing(work: Work, clientId: string, webhookId: string): Promise<string> {
  const { tx } = work
  const [webhook] = await tx<{ disabled: boolean }[]>`
    select disabled_at is not null as disabled from webhooks
    where client_id = ${clientId} and id = ${webhookId} for key share`
  if (webhook === undefined) throw notFound()
  const { event } = preparePing(work.now, webhookId)
  await writeEvents(work, clientId, 'webhook.ping', [event], [webhookId])
  if (webhook.disabled) {
    await tx`
      update deliveries set status = 'FAILED', next_attempt_at = null,
        last_error = 'Подписка отключена: создайте её заново'
      where client_id = ${clientId} and event_id = ${event.id}`
  }
  return event.id
}

/** Deletes a subscription with its log; nothing more is sent for it. Throws not_found. */
export async function unsubscribe(work: Work, clientId: string, id: string): Promise<void> {
  const { tx } = work
  const { count } = await tx`delete from webhooks where client_id = ${clientId} and id = ${id}`
  if (count === 0) throw notFound()
  await tx`
    delete from delivery_attempts a using deliveries d
    where d.client_id = ${clientId} and d.webhook_id = ${id}
      and a.client_id = d.client_id and a.delivery_id = d.id`
  await tx`delete from deliveries where client_id = ${clientId} and webhook_id = ${id}`
}
