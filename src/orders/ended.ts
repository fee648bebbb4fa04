import type { Database } from '../db/connection.ts'
import { afterPosition } from '../db/newest-first.ts'
import type { Timestamp } from '../kernel/moscow-time.ts'

export interface Ended {
  /** Created at this moment or later. */
  readonly createdFrom: Timestamp
  /** The marketplace told nothing of them from here on. */
  readonly unheardSince: Timestamp
  /** Numbers at once. */
  readonly limit: number
  /** The rest waits, the oldest orders of all. */
  readonly pagesMax: number
}

/**
 * Numbers of a cabinet's orders that ended and were not heard of since, page by page, the newest
 * first: what was sold may come back, and a cancellation may get another reason.
 */
export async function* endedOrders(
  db: Database,
  clientId: string,
  cabinetId: string,
  { createdFrom, unheardSince, limit, pagesMax }: Ended,
): AsyncIterable<readonly string[]> {
  let after: readonly [createdAt: Timestamp, id: string] | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await db<{ external_id: string; created_at: Timestamp; id: string }[]>`
      select o.external_id, o.created_at, o.id from orders o
      where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
        and o.status in ('COMPLETED', 'CANCELLED') and o.created_at >= ${createdFrom}
        and (o.synced_at is null or o.synced_at < ${unheardSince})
        ${afterPosition(db, 'o', after)}
      order by o.created_at desc, o.id desc limit ${limit}`
    if (rows.length > 0) yield rows.map((row) => row.external_id)
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    after = [last.created_at, last.id]
  }
}
