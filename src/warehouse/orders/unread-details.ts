import type { Queryable } from '../../platform/db/connection.ts'

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
