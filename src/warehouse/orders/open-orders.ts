import type { Database } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

export interface OpenOrdersQuery {
  /** Created at this moment or later. */
  readonly createdFrom: Timestamp
  /** Last reported before this moment. */
  readonly reportedBefore: Timestamp
  /** Orders per page. */
  readonly limit: number
}

/** Numbers of a cabinet's open orders, page by page. */
export async function* openOrders(
  db: Database,
  clientId: string,
  cabinetId: string,
  { createdFrom, reportedBefore, limit }: OpenOrdersQuery,
): AsyncIterable<readonly string[]> {
  let last = ''
  for (;;) {
    const rows = await db<{ external_id: string }[]>`
      select external_id from orders
      where client_id = ${clientId} and cabinet_id = ${cabinetId}
        and status in ('NEW', 'ASSEMBLING', 'IN_DELIVERY', 'OTHER')
        and external_id collate "C" > ${last}
        and created_at >= ${createdFrom} and (synced_at is null or synced_at < ${reportedBefore})
      order by external_id collate "C" limit ${limit}`
    if (rows.length > 0) yield rows.map((row) => row.external_id)
    if (rows.length < limit) return
    last = rows.at(-1)?.external_id ?? last
  }
}
