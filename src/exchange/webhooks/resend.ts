import Type, { type Static } from 'typebox'
import type { Work } from '../../platform/db/work.ts'
import { badRequest, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { type Timestamp, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { givenTime } from '../../platform/kernel/schema.ts'
import { readTimeField } from '../../platform/kernel/time-field.ts'
import type { EventType, SubscribableType } from '../../warehouse/events/catalogue.ts'
import {
  insertionOfPending,
  insertMissed,
  newDelivery,
} from '../../warehouse/events/delivery-log.ts'
import { deliveriesChannel } from '../../warehouse/events/outbox.ts'

/**
 * Sends events again: each time as a new delivery, with its own attempts, of the same event. Only
 * subscriptions that are on get anything.
 */

export const ResendDraft = Type.Object(
  {
    since: givenTime(
      'Начало периода: время RFC 3339 или дата YYYY-MM-DD. Считается время события.',
    ),
    until: Type.Optional(givenTime('Конец периода, не включая его; без него — сейчас.')),
    status: Type.Optional(
      Type.Literal('FAILED', {
        description:
          'FAILED — только события, доставка которых по этой подписке не удалась. Без него — все события её ' +
          'типов, которые она не получила, и те, что были до её создания.',
      }),
    ),
  },
  { $id: 'ResendDraft', additionalProperties: false, description: 'Что отправить ещё раз.' },
)
export type ResendDraft = Static<typeof ResendDraft>

/** One call queues no more; the next one goes on. */
export const resentMax = 10_000

export const disabledMessage =
  'Подписка отключена и ничего не отправит: создайте новую и повторите запрос для неё с since'

const latest = toTimestamp(Date.parse('9999-12-31T00:00:00Z'))

export interface ResentEvents {
  readonly queued: number
  readonly has_more: boolean
}

/** Queues one more delivery of the event of a delivery, and returns its id. Throws not_found, bad_request. */
export async function resendDelivery(
  work: Work,
  clientId: string,
  webhookId: string,
  deliveryId: string,
): Promise<{ readonly delivery_id: string; readonly event_id: string }> {
  await lockActive(work, clientId, webhookId)
  const [delivery] = await work.tx<{ event_id: string; event_type: EventType }[]>`
    select event_id, event_type from webhook_deliveries
    where client_id = ${clientId} and webhook_id = ${webhookId} and id = ${deliveryId}`
  if (delivery === undefined) throw notFound()
  const eventId = delivery.event_id
  const again = newDelivery({ eventId, webhookId })
  await work.tx`${insertionOfPending(work, clientId, delivery.event_type, [again])}`
  await wake(work, clientId)
  return { delivery_id: again.id, event_id: eventId }
}

/**
 * Queues the events of a period that the subscription has missed: of its types, with no delivery that was
 * successful or waits. At most 10,000 a call, the oldest first. Throws not_found, bad_request,
 * validation_error.
 */
export async function resendMissed(
  work: Work,
  clientId: string,
  webhookId: string,
  draft: ResendDraft,
): Promise<ResentEvents> {
  const since = momentOf('since', draft.since)
  const until = draft.until === undefined ? latest : momentOf('until', draft.until)
  if (Date.parse(since) > Date.parse(until)) {
    throw invalidField('since', 'не может быть позже until')
  }
  const types = await lockActive(work, clientId, webhookId)
  const failedOnly = draft.status === 'FAILED'
  const missed = { webhookId, types, since, until, failedOnly, limit: resentMax }
  const queued = await insertMissed(work, clientId, missed)
  if (queued > 0) await wake(work, clientId)
  return { queued, has_more: queued === resentMax }
}

/** The types of a subscription, locked against other resends and its deletion. */
async function lockActive(
  { tx }: Work,
  clientId: string,
  webhookId: string,
): Promise<readonly SubscribableType[]> {
  const [webhook] = await tx<{ events: SubscribableType[]; disabled: boolean }[]>`
    select events, disabled_at is not null as disabled from webhook_subscriptions
    where client_id = ${clientId} and id = ${webhookId} for no key update`
  if (webhook === undefined) throw notFound()
  if (webhook.disabled) {
    throw badRequest(disabledMessage)
  }
  return webhook.events
}

function momentOf(field: string, text: string): Timestamp {
  return toTimestamp(readTimeField(field, text))
}

async function wake({ tx }: Work, clientId: string): Promise<void> {
  await tx`select pg_notify(${deliveriesChannel}, ${clientId})`
}
