import type { Database } from '../db/connection.ts'

/**
 * Ends deliveries that nobody will send: an event that was written while its subscription was being
 * disabled waits for a subscription that is over. Returns how many there were.
 */
export async function failStranded(db: Database): Promise<number> {
  const { count } = await db`
    update deliveries d set status = 'FAILED', next_attempt_at = null,
      last_error = 'Подписка отключена: создайте её заново'
    from webhooks w
    where d.status = 'PENDING' and w.client_id = d.client_id and w.id = d.webhook_id
      and w.disabled_at is not null`
  return count
}
