import type { Queryable } from '../db/connection.ts'
import { ServiceError } from '../kernel/errors.ts'
import { isOn } from '../switches/switches.ts'

/** While webhooks are off events wait, and calls about subscriptions are refused. */
export async function refuseWhileOff(db: Queryable): Promise<void> {
  if (!(await isOn(db, 'webhooks'))) throw new ServiceError('webhooks_unavailable')
}
