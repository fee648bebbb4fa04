import type { Database } from '../db/connection.ts'
import { failPending } from '../events/delivery-log.ts'

/** Why a delivery of a disabled subscription failed, for the seller. */
export const disabledError = 'Подписка отключена: создайте её заново'

/**
 * Ends deliveries that nobody will send: they were committed while their subscription was being
 * disabled. Returns how many it ended.
 */
export async function failDeliveriesOfDisabled(db: Database): Promise<number> {
  const subscriptions = await db<{ client_id: string; id: string }[]>`
    select w.client_id, w.id from webhook_subscriptions w
    where w.disabled_at is not null and exists (
      select from webhook_deliveries d
      where d.client_id = w.client_id and d.webhook_id = w.id and d.status = 'PENDING'
    )`
  let failed = 0
  for (const { client_id, id } of subscriptions) {
    failed += await failPending(db, client_id, id, disabledError)
  }
  return failed
}
