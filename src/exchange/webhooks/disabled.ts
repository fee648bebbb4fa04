import { type Database, inTransaction, type Transaction } from '../../platform/db/connection.ts'
import { failPending } from '../../warehouse/events/delivery-log.ts'

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
