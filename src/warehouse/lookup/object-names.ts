import type { Queryable } from '../../platform/db/connection.ts'
import { isId } from '../../platform/kernel/ids.ts'
import type { ObjectName } from '../../platform/kernel/object-name.ts'

/** Names of objects that journals know by their ids. */

export interface AskedObject {
  /** Whose it is; null for what belongs to no client. */
  readonly client_id: string | null
  readonly id: string | null
}

/**
 * Names by id. A text that is no id has none, and neither has an object of another client than the one that is asked
 * for.
 */
export async function objectNames(
  db: Queryable,
  asked: readonly AskedObject[],
): Promise<ReadonlyMap<string, ObjectName>> {
  const known = asked.filter((each): each is AskedObject & { id: string } => isId(each.id ?? ''))
  if (known.length === 0) return new Map()
  const clients = known.map(({ client_id }) => client_id)
  const ids = known.map(({ id }) => id)
  const rows = await db<ObjectName[]>`
    with a as (
      select distinct * from unnest(${clients}::uuid[], ${ids}::uuid[]) as asked (client_id, id)
    )
    select 'receipt' as kind, x.id, x.number as title from a join receipts x using (client_id, id)
    union all select 'order', x.id, x.external_id from a join orders x using (client_id, id)
    union all select 'shipment', x.id, x.external_id from a join shipments x using (client_id, id)
    union all select 'picking_task', t.id, x.external_id from a join picking_tasks t using (client_id, id)
      join shipments x on x.client_id = t.client_id and x.id = t.shipment_id
    union all select 'return_batch', x.id, x.number from a join return_batches x using (client_id, id)
    union all select 'count', x.id, '' from a join stock_counts x using (client_id, id)
    union all select 'box', x.id, coalesce(n.sscc, '') from a join boxes x using (client_id, id)
      left join storage_numbers n on n.client_id = x.client_id and n.object_id = x.id
    union all select 'pallet', x.id, coalesce(n.sscc, '') from a join pallets x using (client_id, id)
      left join storage_numbers n on n.client_id = x.client_id and n.object_id = x.id
    union all select 'cabinet', x.id, x.name from a join cabinets x using (client_id, id)
    union all select 'key', x.id, x.name from a join api_keys x using (client_id, id)
    union all select 'webhook', x.id, x.url from a join webhook_subscriptions x using (client_id, id)
    union all select 'location', x.id, x.code from a join locations x using (id)
    union all select 'client', x.id, x.name from a join clients x using (id)
    union all select 'user', x.id, x.shown_name from a join staff_users x using (id)
    union all select 'device', x.id, x.name from a join staff_devices x using (id)
    union all select 'print_station', x.id, x.name from a join print_stations x using (id)`
  return new Map(rows.map((row) => [row.id, row]))
}
