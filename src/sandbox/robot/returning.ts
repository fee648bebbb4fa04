import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import {
  fromTimestamp,
  type Instant,
  minute,
  type Timestamp,
} from '../../platform/kernel/moscow-time.ts'
import { type CancelledOrder, cancelledOutside, takeOrderIn } from '../returning.ts'

/** An order that was cancelled on its way comes back this long afterwards. */
const wayBackMs = 15 * minute

/** The order of a sandbox that is back: of those that were cancelled since the copy, the first. */
export async function orderThatIsBack(
  db: Queryable,
  clientId: string,
  now: Instant,
): Promise<CancelledOrder | undefined> {
  const [copy] = await db<{ copied_at: Timestamp }[]>`
    select copied_at from sandboxes where client_id = ${clientId} and copied_at is not null`
  if (copy === undefined) return undefined
  const since = fromTimestamp(copy.copied_at)
  const [order] = await cancelledOutside(db, clientId, [since, now - wayBackMs], 1)
  return order
}

/** Takes one order in that is back. */
export async function takeBackStep(work: Work, clientId: string): Promise<void> {
  const order = await orderThatIsBack(work.tx, clientId, work.now)
  if (order !== undefined) await takeOrderIn(work, clientId, order)
}
