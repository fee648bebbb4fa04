import type { Database, Queryable } from '../../platform/db/connection.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import { countOf, type Page, type PageRequest, pageOf } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import { isId } from '../../platform/kernel/ids.ts'
import { countOfDeliveries, newestDeliveries } from './newest-deliveries.ts'
import {
  type Delivery,
  type DeliveryRow,
  type DeliveryStatus,
  deliveryView,
  type Webhook,
  type WebhookRow,
  webhookView,
} from './view.ts'

/** The client that a subscription belongs to. Throws not_found. */
export const ownerOfSubscription = ownerLookup('webhook_subscriptions', 'Подписка не найдена')

function webhookColumns(db: Queryable) {
  return db`
    id, url, events, description, created_at, disabled_at, disabled_reason, last_delivery_at,
    last_status_code, failures_in_row`
}

/** A delivery waits for the pause of its subscription, too; only a ping does not. */
function deliveryColumns(db: Queryable) {
  return db`
    d.id, d.webhook_id, d.event_id, d.event_type, d.status, d.attempts, d.last_attempt_at,
    d.last_status_code, d.last_error, case
      when d.status = 'PENDING' and d.event_type <> 'webhook.ping' then greatest(d.next_attempt_at, (
        select w.paused_until from webhook_subscriptions w
        where w.client_id = d.client_id and w.id = d.webhook_id))
      else d.next_attempt_at end as next_attempt_at, d.created_at`
}

/** The subscriptions of a client, newest first; there are at most ten. */
export async function listWebhooks(db: Queryable, clientId: string): Promise<Webhook[]> {
  const rows = await db<WebhookRow[]>`
    select ${webhookColumns(db)} from webhook_subscriptions
    where client_id = ${clientId} order by created_at desc, id desc`
  return rows.map(webhookView)
}

export async function findWebhook(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<Webhook | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<WebhookRow[]>`
    select ${webhookColumns(db)} from webhook_subscriptions where client_id = ${clientId} and id = ${id}`
  return row === undefined ? undefined : webhookView(row)
}

/** The delivery log of a subscription, newest first, without payloads. */
export async function listDeliveries(
  db: Database,
  clientId: string,
  webhookId: string,
  status: DeliveryStatus | undefined,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const filter = { clientId, webhookId, status }
  const total = db`select ${countOfDeliveries(db, filter)}`
  const newest = newestDeliveries(db, filter, {
    limit: page.limit + 1,
    condition: afterPosition(db, 'd', page.after),
  })
  const rows = await db<(DeliveryRow & { total: number })[]>`
    select ${deliveryColumns(db)}, (${total}) as total from (${newest}) d
    order by d.created_at desc, d.id desc limit ${page.limit + 1}`.planOnce()
  return pageOf(rows, page, {
    view: ({ total: _, ...row }) => deliveryView(row),
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

/**
 * One delivery with its event as it is sent. `name` is the id of the delivery or, as in the header
 * X-SVC-Delivery, of an attempt: the delivery's id and, from the second attempt on, its number.
 */
export async function findDelivery(
  db: Queryable,
  clientId: string,
  webhookId: string,
  name: string,
): Promise<Delivery | undefined> {
  const [, id = '', attempt] = /^([0-9a-f-]{36})(?:\.([1-9]\d?))?$/.exec(name) ?? []
  if (!isId(webhookId) || !isId(id)) return undefined
  const [row] = await db<(DeliveryRow & { body: string })[]>`
    select ${deliveryColumns(db)}, e.body from webhook_deliveries d
    join events e on e.client_id = d.client_id and e.id = d.event_id
    where d.client_id = ${clientId} and d.webhook_id = ${webhookId} and d.id = ${id}`.planOnce()
  if (row === undefined || Number(attempt ?? 1) > Math.max(1, row.attempts)) return undefined
  const { body, ...delivery } = row
  return deliveryView(delivery, body)
}
