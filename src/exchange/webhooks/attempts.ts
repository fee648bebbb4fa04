import Type, { type Static } from 'typebox'
import type { Queryable } from '../../platform/db/connection.ts'
import {
  countedMax,
  countOf,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { moment, oneOfValues, textOrNull } from '../../platform/kernel/schema.ts'
import { eventTypes } from '../../warehouse/events/catalogue.ts'
import { newestDeliveries } from './newest-deliveries.ts'

export const DeliveryAttempt = Type.Object(
  {
    delivery_id: Type.String({ description: 'Доставка.' }),
    event_id: Type.String({ description: 'Событие.' }),
    event_type: oneOfValues(eventTypes, 'Тип события.'),
    attempt: Type.Integer({ minimum: 1, description: 'Которая попытка этой доставки.' }),
    at: moment('Когда она началась.'),
    status_code: Type.Integer({ description: 'Код ответа; 0 — ответа не было.' }),
    error: Type.Optional(Type.String({ description: 'Почему не удалась; при удаче поля нет.' })),
    duration_ms: Type.Integer({ minimum: 0, description: 'Сколько длилась, в миллисекундах.' }),
  },
  { $id: 'DeliveryAttempt', description: 'Попытка доставки.' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const LoggedAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Которая попытка этой доставки.' }),
    at: moment('Когда она началась.'),
    status_code: Type.Integer({ description: 'Код ответа; 0 — ответа не было.' }),
    error: textOrNull('Почему не удалась; null при удаче.'),
    duration_ms: Type.Integer({ minimum: 0, description: 'Сколько длилась, в миллисекундах.' }),
  },
  { $id: 'LoggedAttempt', description: 'Попытка одной доставки.' },
)
export type LoggedAttempt = Static<typeof LoggedAttempt>

/** The attempts of one delivery, in their order; there are never more than the schedule has. */
export async function attemptsOf(
  db: Queryable,
  clientId: string,
  deliveryId: string,
): Promise<LoggedAttempt[]> {
  return db<LoggedAttempt[]>`
    select attempt as number, at, status_code, error, duration_ms from webhook_attempts
    where client_id = ${clientId} and delivery_id = ${deliveryId} order by attempt`.planOnce()
}

interface AttemptRow {
  delivery_id: string
  event_id: string
  event_type: DeliveryAttempt['event_type']
  delivery_created_at: Timestamp
  attempt: number
  at: Timestamp
  status_code: number
  error: string | null
  duration_ms: number
}

/** All attempts of a subscription: newest delivery first, then newest attempt first. */
export async function listAttempts(
  db: Queryable,
  clientId: string,
  webhookId: string,
  page: PageRequest,
): Promise<Page<DeliveryAttempt>> {
  const total = db`
    select count(*) from (
      select from webhook_attempts where client_id = ${clientId} and webhook_id = ${webhookId} limit ${countedMax}) counted`
  // Each of them has an attempt to show, except perhaps the one with which the last page ended.
  const newest = newestDeliveries(
    db,
    { clientId, webhookId },
    { limit: page.limit + 2, condition: db`and d.attempts > 0 ${fromDelivery(db, page)}` },
  )
  const rows = await db<(AttemptRow & { total: number })[]>`
    select d.id as delivery_id, d.event_id, d.event_type, d.created_at as delivery_created_at, a.attempt, a.at, a.status_code, a.error,
      a.duration_ms, ${totalFor(db, total, page)} as total
    from (${newest}) d cross join lateral attempts_of(d.earlier_attempts, d.attempts, d.last_attempt_at, d.last_status_code,
      d.last_error, d.last_duration_ms) a
    where true ${afterAttempt(db, page)}
    order by d.created_at desc, d.id desc, a.attempt desc limit ${page.limit + 1}`.planOnce()
  return pageOf(rows, page, {
    view: (row) => ({
      delivery_id: row.delivery_id,
      event_id: row.event_id,
      event_type: row.event_type,
      attempt: row.attempt,
      at: row.at,
      status_code: row.status_code,
      ...(row.error === null ? {} : { error: row.error }),
      duration_ms: row.duration_ms,
    }),
    position: (row) => [row.delivery_created_at, row.delivery_id, row.attempt],
    count: () => countOf(db, total),
  })
}

/** From the delivery on with which the last page ended. */
function fromDelivery(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  return db`and (d.created_at, d.id) <= (${String(after[0])}::timestamptz, ${String(after[1])}::uuid)`
}

/** Leaves out the attempts of that delivery that were shown. */
function afterAttempt(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  const [createdAt, id, attempt] = [String(after[0]), String(after[1]), Number(after[2])]
  return db`
    and (d.created_at, d.id, a.attempt) < (${createdAt}::timestamptz, ${id}::uuid, ${attempt}::int)`
}
