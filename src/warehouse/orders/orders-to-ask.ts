import type { Database, Queryable } from '../../platform/db/connection.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
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

export interface UnreadOrder {
  readonly id: string
  readonly externalId: string
  /** What lists show of it. */
  readonly listed: string
}

/** Waiting orders of a cabinet to be read alone: those in shipments first, then the most urgent. */
export function ordersWithUnreadDetails(
  db: Queryable,
  clientId: string,
  cabinetId: string,
  limit: number,
): Promise<readonly UnreadOrder[]> {
  return db<UnreadOrder[]>`
    select o.id, o.external_id as "externalId", f.listed
    from order_facts f join orders o on o.client_id = f.client_id and o.id = f.order_id
    where f.client_id = ${clientId} and f.listed <> coalesce(f.details_of, '')
      and o.cabinet_id = ${cabinetId} and o.status in ('NEW', 'ASSEMBLING')
    order by o.shipment_id is null, o.deadline_at, o.id limit ${limit}`
}

/**
 * Numbers of a cabinet's orders that are being assembled or delivered and whose label is unknown, the newest first.
 * Those that the marketplace was asked about at this moment or later are left out.
 */
export async function ordersWithoutLabelCodes(
  db: Queryable,
  { clientId, cabinetId }: { readonly clientId: string; readonly cabinetId: string },
  askedBefore: Timestamp,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ number: string }[]>`
    select o.external_id as number
    from orders o left join order_facts f on f.client_id = o.client_id and f.order_id = o.id
    where o.client_id = ${clientId} and o.cabinet_id = ${cabinetId}
      and o.status in ('ASSEMBLING', 'IN_DELIVERY')
      and coalesce(f.label_codes, '{}') = '{}'
      and (f.label_asked_at is null or f.label_asked_at < ${askedBefore})
    order by o.created_at desc, o.id desc limit ${limit}`
  return rows.map(({ number }) => number)
}
