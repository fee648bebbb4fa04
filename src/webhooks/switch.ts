import type { Database } from '../db/connection.ts'
import { ApiError } from '../kernel/errors.ts'

/** The switch for all webhooks: off, events wait and management calls answer webhooks_unavailable. */
export async function webhooksEnabled(db: Database): Promise<boolean> {
  const [row] = await db<{ enabled: boolean }[]>`
    select enabled from service_switches where name = 'webhooks'`
  return row?.enabled ?? true
}

export async function switchWebhooks(db: Database, enabled: boolean): Promise<void> {
  await db`update service_switches set enabled = ${enabled} where name = 'webhooks'`
}

export async function refuseWhileOff(db: Database): Promise<void> {
  if (!(await webhooksEnabled(db))) throw new ApiError('webhooks_unavailable')
}
