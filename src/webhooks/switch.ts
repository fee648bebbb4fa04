import type { Queryable } from '../db/connection.ts'
import { ServiceError } from '../kernel/errors.ts'

/** The switch for all webhooks. While it is off events wait, and calls get webhooks_unavailable. */
export async function webhooksEnabled(db: Queryable): Promise<boolean> {
  const [row] = await db<{ enabled: boolean }[]>`
    select enabled from service_switches where name = 'webhooks'`
  return row?.enabled ?? true
}

/** Returns false if the switch was so already. */
export async function switchWebhooks(db: Queryable, enabled: boolean): Promise<boolean> {
  const changed = await db`
    update service_switches set enabled = ${enabled}
    where name = 'webhooks' and enabled <> ${enabled} returning name`
  return changed.length > 0
}

export async function refuseWhileOff(db: Queryable): Promise<void> {
  if (!(await webhooksEnabled(db))) throw new ServiceError('webhooks_unavailable')
}
