import type { Queryable } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'

/**
 * Numbers of a cabinet's orders that are being assembled or delivered and whose label is unknown, the newest
 * first, without those that the marketplace was asked about at this moment or later.
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
