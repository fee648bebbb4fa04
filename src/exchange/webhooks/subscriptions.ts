import Type, { type Static } from 'typebox'
import {
  type Database,
  inTransaction,
  type Queryable,
  type Transaction,
} from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { resealColumn } from '../../platform/db/reseal.ts'
import { type InTurn, perform, type Work } from '../../platform/db/work.ts'
import type { Actor } from '../../platform/kernel/actor.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { invalidField, notFound, ServiceError } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import type { Mode } from '../../platform/kernel/mode.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { oneOfValues } from '../../platform/kernel/schema.ts'
import type { SecretBox } from '../../platform/kernel/secret-box.ts'
import { isOn } from '../../platform/process/switches.ts'
import { subscribableTypes } from '../../warehouse/events/catalogue.ts'
import { deleteLog, failPending, insertDelivered } from '../../warehouse/events/delivery-log.ts'
import {
  insertionOfEvents,
  makeEvent,
  type OutboxEvent,
  writeEvents,
} from '../../warehouse/events/outbox.ts'
import { keepRecording } from '../../warehouse/events/recording.ts'
import { judgeTarget } from './addresses.ts'
import type { Egress } from './egress.ts'
import { attemptWebhook, type OwnReceivers } from './own-receivers.ts'
import { findWebhook } from './queries.ts'
import type { Attempt } from './send.ts'
import { deliveryHeaders, newSecret } from './signature.ts'
import type { Webhook } from './view.ts'

/** Subscriptions of one client, disabled ones included. */
export const subscriptionsMax = 10

export const WebhookDraft = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Адрес, доступный из интернета: https, с тестовым ключом также http.',
    }),
    events: Type.Array(oneOfValues(subscribableTypes, 'Тип события.'), {
      minItems: 1,
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
  /** Absent: everything leaves the service. */
  readonly receivers?: OwnReceivers
  readonly secretBox: SecretBox
}

interface Subscriber {
  readonly clientId: string
  readonly actor: Actor
  readonly mode: Mode
  readonly inTurn: InTurn
}

/** Looks at the transaction that creates a subscription, from its beginning and at its end. */
export interface SubscriptionWitness {
  admit(work: Work): Promise<void>
  record(work: Work, made: { readonly objectId: string; readonly after: Webhook }): Promise<void>
}

export interface Subscribed {
  readonly webhook: Webhook
  /** This answer is the only place that shows it. */
  readonly secret: string
}

/** Why a subscription can't have an address, as far as it shows before anything is sent there; undefined: it may have it. */
export async function problemOfUrl(
  { egress, receivers }: SubscriptionDependencies,
  { clientId, mode }: Pick<Subscriber, 'clientId' | 'mode'>,
  url: string,
): Promise<string | undefined> {
  if (mode === 'test' && (await receivers?.has(clientId, url))) return undefined
  const reading = judgeTarget(url, mode, egress.privateTargets)
  return 'problem' in reading ? reading.problem : undefined
}

/**
 * Creates a subscription after its address has answered a ping. No transaction is open during the
 * ping. The limit is checked before the ping, and again under the client's lock before the insert.
 *
 * Throws validation_error, webhook_limit or webhook_url_unverified, and then writes nothing.
 */
export async function subscribe(
  dependencies: SubscriptionDependencies,
  subscriber: Subscriber,
  draft: WebhookDraft,
  witness?: SubscriptionWitness,
): Promise<Subscribed> {
  const { db, clock, secretBox, egress, receivers } = dependencies
  const { clientId, actor, mode, inTurn } = subscriber
  const problem = await problemOfUrl(dependencies, subscriber, draft.url)
  if (problem !== undefined) throw invalidField('url', problem)
  await refuseAtLimit(db, clientId)
  const id = newId()
  const secret = newSecret()
  const ping = preparePing(clock.now(), id)
  const body = Buffer.from(ping.event.body)
  const headers = deliveryHeaders({
    eventId: ping.event.id,
    eventType: 'webhook.ping',
    deliveryHeaderId: ping.deliveryId,
    timestamp: Math.floor(clock.now() / 1000),
    secret,
    body,
  })
  const destination = egress.destination(draft.url, mode)
  const webhook = { clientId, destination, eventType: 'webhook.ping' as const }
  const attempt = await attemptWebhook(receivers, { ...webhook, headers, body, secret })
  if (!attempt.ok) throw unverified(attempt)
  const write = async (work: Work) => {
    await witness?.admit(work)
    await work.tx`select from client_counters where client_id = ${clientId} for update`
    await refuseAtLimit(work.tx, clientId)
    await work.tx`
      insert into webhook_subscriptions (client_id, id, url, events, description, secret, created_at,
        last_delivery_at, last_status_code)
      values (${clientId}, ${id}, ${draft.url}, ${[...new Set(draft.events)]},
        ${draft.description ?? null}, ${secretBox.seal(secret, id)}, ${work.at}, ${work.at},
        ${attempt.statusCode})`
    await keepRecording(work, clientId)
    await work.tx`${insertionOfEvents(work, clientId, 'webhook.ping', [ping.event])}`
    await insertDelivered(work, clientId, 'webhook.ping', {
      id: ping.deliveryId,
      eventId: ping.event.id,
      webhookId: id,
      statusCode: attempt.statusCode,
      durationMs: attempt.durationMs,
    })
    const created = await readBack(work, clientId, id)
    await witness?.record(work, { objectId: id, after: created })
    return { webhook: created, secret }
  }
  return inTurn((transaction) => perform(db, clock, actor, write, transaction))
}

interface Ping {
  readonly deliveryId: string
  readonly event: OutboxEvent
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
    select count(*)::int as count from webhook_subscriptions where client_id = ${clientId}`
  if (row.count < subscriptionsMax) return
  throw new ServiceError(
    'webhook_limit',
    `Уже есть ${subscriptionsMax} подписок: удалите ненужную и повторите`,
  )
}

function unverified(attempt: Attempt): ServiceError {
  const message = `Подписка не создана, url не прошёл проверку. ${attempt.error}`
  return new ServiceError('webhook_url_unverified', message, {
    breaches: [{ path: 'url', rule: message }],
  })
}

export interface RequestedPing {
  readonly eventId: string
  /** The ping has failed at once: nothing is sent for a disabled subscription. */
  readonly disabled: boolean
}

/** Queues a ping. A disabled subscription gets it as failed at once, under the lock that outcomes are recorded under. Throws not_found. */
export async function queuePing(
  work: Work,
  clientId: string,
  webhookId: string,
): Promise<RequestedPing> {
  const { tx } = work
  const [webhook] = await tx<{ disabled: boolean }[]>`
    select disabled_at is not null as disabled from webhook_subscriptions
    where client_id = ${clientId} and id = ${webhookId} for no key update`
  if (webhook === undefined) throw notFound()
  const { event } = preparePing(work.now, webhookId)
  await writeEvents(work, clientId, 'webhook.ping', [event], [webhookId])
  if (webhook.disabled) await failPending(tx, clientId, webhookId, disabledError)
  return { eventId: event.id, disabled: webhook.disabled }
}

/** Deletes a subscription with its log; nothing more is sent for it. Throws not_found. */
export async function unsubscribe(work: Work, clientId: string, id: string): Promise<void> {
  const { tx } = work
  const deleted = tx`
    delete from webhook_subscriptions where client_id = ${clientId} and id = ${id}`
  if ((await deleted.affected()) === 0) throw notFound()
  await deleteLog(tx, clientId, id)
  await keepRecording(work, clientId)
}

/** While webhooks are off events wait, and calls about subscriptions are refused. */
export async function refuseWhileOff(db: Queryable): Promise<void> {
  if (!(await isOn(db, 'webhooks'))) throw new ServiceError('webhooks_unavailable')
}

/** Why a delivery of a disabled subscription failed, for the seller. */
export const disabledError = 'Подписка отключена: создайте её заново'

/**
 * Ends deliveries that nobody will send: they were committed while their subscription was being
 * disabled. Returns how many it ended.
 */
export async function failDeliveriesOfDisabled(db: Database): Promise<number> {
  const subscriptions = await db<{ client_id: string; id: string }[]>`
    select w.client_id, w.id from webhook_subscriptions w
    where w.disabled_at is not null and ${isStaying(db, 'w.client_id')} and exists (
      select from pending_deliveries d where d.webhook_id = w.id
    )`
  let failed = 0
  for (const { client_id, id } of subscriptions) {
    failed += await inTransaction(db, (tx) => failWithLock(tx, client_id, id))
  }
  return failed
}

/** Whoever records the attempts of a subscription holds the lock, so none is recorded of a delivery on its way to the log. */
async function failWithLock(tx: Transaction, clientId: string, webhookId: string): Promise<number> {
  await tx`
    select from webhook_subscriptions where client_id = ${clientId} and id = ${webhookId} for no key update`
  return failPending(tx, clientId, webhookId, disabledError)
}

export interface Resealing {
  readonly resealed: number
  /** Sealed with the newest key already. */
  readonly current: number
  /** No configured key opens them: the client has to create these subscriptions again. */
  readonly unreadable: readonly UnreadableSecret[]
}

export interface UnreadableSecret {
  readonly client: string
  readonly webhook: string
}

/** Seals all signing secrets with the newest key. Safe to repeat, and to run in several processes. */
export async function resealSecrets(db: Database, secretBox: SecretBox): Promise<Resealing> {
  const sealed = { table: 'webhook_subscriptions', column: 'secret' } as const
  const { unreadable, ...counts } = await resealColumn(db, secretBox, sealed)
  const named = unreadable.map(({ client_id, id }) => ({ client: client_id, webhook: id }))
  return { ...counts, unreadable: named }
}
