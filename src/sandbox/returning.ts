import type { Queryable } from '../platform/db/connection.ts'
import type { Work } from '../platform/db/work.ts'
import { type Instant, toTimestamp } from '../platform/kernel/moscow-time.ts'
import { finishReturnBatch } from '../warehouse/returns/batches.ts'
import { takeReturnIn } from '../warehouse/returns/scanning.ts'
import type { ReturnCondition } from '../warehouse/returns/state.ts'

/** Goods that come back to the warehouse of a sandbox: of orders that were cancelled after they left. */

export interface CancelledOrder {
  readonly number: string
  /** Of goods of which a unit is to come. */
  readonly barcode: string
}

/** Goods of orders that were cancelled in the span with units that did not come back, in the order of time. */
export function cancelledOutside(
  db: Queryable,
  clientId: string,
  [from, to]: readonly [Instant, Instant],
  limit: number,
): Promise<CancelledOrder[]> {
  return db<CancelledOrder[]>`
    select o.external_id as number, m.barcode from orders o
    cross join lateral (
      select m.barcode from stock_movements m
      where m.client_id = o.client_id and m.order_id = o.id and m.kind in ('shipment', 'return')
      group by m.barcode having sum(m.delta) < 0
    ) m
    where o.client_id = ${clientId} and o.status = 'CANCELLED' and o.shipment_id is not null
      and o.status_changed_at >= ${toTimestamp(from)} and o.status_changed_at < ${toTimestamp(to)}
    order by o.status_changed_at, o.id, m.barcode limit ${limit}`
}

/** Takes a unit of an order in. Which condition it is in depends on its number. */
export async function takeOrderIn(
  work: Work,
  clientId: string,
  { number, barcode }: CancelledOrder,
): Promise<void> {
  const condition = conditions[Number(number.at(-3)) % conditions.length] ?? 'sellable'
  await takeReturnIn(work, clientId, undefined, {
    scanId: `return ${number} ${barcode}`,
    code: number,
    barcode,
    condition,
  })
}

const conditions: readonly ReturnCondition[] = [
  'sellable',
  'sellable',
  'damaged',
  'sellable',
  'unknown',
]

/** Ends the batches of days before the work's. */
export async function finishBatches(work: Work, clientId: string, before: Instant): Promise<void> {
  const rows = await work.tx<{ id: string }[]>`
    select id from return_batches
    where client_id = ${clientId} and status = 'OPEN' and created_at < ${toTimestamp(before)}
    order by created_at, id`
  for (const { id } of rows) await finishReturnBatch(work, clientId, id)
}
