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
  readonly pagesMax: number
  /** Where the walk before this one stopped; null: it came to the end. */
  readonly after: string | null
}

interface EndedPage {
  readonly externalIds: readonly string[]
  /** What comes after this page; null after the last. */
  readonly after: string | null
}

/**
 * Numbers of a cabinet's orders that ended and were not heard of since, page by page, the newest
 * first: what was sold may come back, and a cancellation may get another reason. A walk of bounded
 * length goes on where the one before it stopped, so that each order has its turn.
 */
export async function* endedOrders(
  db: Database,
  clientId: string,
  cabinetId: string,
  { createdFrom, unheardSince, limit, pagesMax, after: stopped }: Ended,
): AsyncIterable<EndedPage> {
  let after = stopped
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await db<{ external_id: string; created_at: Timestamp; id: string }[]>`
      select o.external_id, o.created_at, o.id from orders o
      where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
        and o.status in ('COMPLETED', 'CANCELLED') and o.created_at >= ${createdFrom}
        and (o.synced_at is null or o.synced_at < ${unheardSince})
        ${afterPosition(db, 'o', after === null ? undefined : JSON.parse(after))}
      order by o.created_at desc, o.id desc limit ${limit}`
    const last = rows.length < limit ? undefined : rows.at(-1)
    after = last === undefined ? null : JSON.stringify([last.created_at, last.id])
    yield { externalIds: rows.map((row) => row.external_id), after }
    if (after === null) return
  }
}
