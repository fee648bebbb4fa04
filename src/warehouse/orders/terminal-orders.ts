import type { Database } from '../../platform/db/connection.ts'
import { afterPosition } from '../../platform/db/newest-first.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

export interface TerminalOrdersQuery {
  /** Created at this moment or later. */
  readonly createdFrom: Timestamp
  /** Last reported before this moment. */
  readonly reportedBefore: Timestamp
  /** Orders per page. */
  readonly limit: number
  readonly pagesMax: number
  /** The position at which the previous walk stopped; null: start with the newest order. */
  readonly after: string | null
}

interface TerminalOrdersPage {
  readonly externalIds: readonly string[]
  /** The position after this page; null after the last page. */
  readonly after: string | null
}

/**
 * Numbers of a cabinet's terminal orders, page by page, the newest first. A terminal order may still
 * change: a buyer returns it, or its cancellation gets another reason. A walk ends after `pagesMax`
 * pages; the next walk continues at its position, so that every order is reached in time.
 */
export async function* terminalOrders(
  db: Database,
  clientId: string,
  cabinetId: string,
  { createdFrom, reportedBefore, limit, pagesMax, after: stopped }: TerminalOrdersQuery,
): AsyncIterable<TerminalOrdersPage> {
  let after = stopped
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await db<{ external_id: string; created_at: Timestamp; id: string }[]>`
      select o.external_id, o.created_at, o.id from orders o
      where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
        and o.status in ('COMPLETED', 'CANCELLED') and o.created_at >= ${createdFrom}
        and (o.synced_at is null or o.synced_at < ${reportedBefore})
        ${afterPosition(db, 'o', after === null ? undefined : JSON.parse(after))}
      order by o.created_at desc, o.id desc limit ${limit}`
    const last = rows.length < limit ? undefined : rows.at(-1)
    after = last === undefined ? null : JSON.stringify([last.created_at, last.id])
    yield { externalIds: rows.map((row) => row.external_id), after }
    if (after === null) return
  }
}
