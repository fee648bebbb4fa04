import type { Queryable } from '../../platform/db/connection.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import { type PhotosOnPaper, photosOnPaper } from './photos-on-paper.ts'

/** What the warehouse did with an order, and what was photographed of it: for a file that settles a dispute. */

export interface ScanOfOrder {
  readonly what: 'pick' | 'check' | 'return'
  readonly at: Timestamp
  readonly barcode: string
  readonly marking_code: string | null
  /** Marks of the unit by kind, such as its IMEI; a mark that it lacks is null. */
  readonly marks: Readonly<Record<string, string | null>>
  readonly condition: string | null
  readonly undone: boolean
  /** Of the person who scanned; null where nobody of the staff did. */
  readonly role: 'worker' | 'manager' | 'administrator' | null
}

const scansMax = 500

/** The scans of an order by people's roles, the oldest first. */
export function scansOfOrder(
  db: Queryable,
  clientId: string,
  orderId: string,
): Promise<ScanOfOrder[]> {
  return db<ScanOfOrder[]>`
    select s.what, s.at, s.barcode, s.marking_code, s.marks, s.condition, s.undone, u.role
    from (
      select 'pick' as what, at, barcode, marking_code, marks, null as condition, undone_at is not null as undone,
        actor
      from picks where client_id = ${clientId} and order_id = ${orderId}
      union all
      select 'check', at, barcode, marking_code, '{}', null, undone_at is not null, actor
      from pack_checks where client_id = ${clientId} and order_id = ${orderId}
      union all
      select 'return', at, barcode, marking_code, '{}', condition, undone_at is not null, actor
      from return_scans where client_id = ${clientId} and order_id = ${orderId}
    ) s
    left join staff_users u on s.actor = 'staff:' || u.id
    order by s.at, s.what limit ${scansMax}`
}

/**
 * What a unit weighs, by barcode: by the measures of the day on which the order was packed, else those of today. Goods
 * that nobody weighed are left out.
 */
export async function weightsOfOrder(
  db: Queryable,
  clientId: string,
  orderId: string,
  today: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ barcode: string; weight_g: number }[]>`
    select l.barcode, m.weight_g
    from orders o
    join order_lines l on l.client_id = o.client_id and l.order_id = o.id
    cross join lateral (
      select m.weight_g from product_measures m
      where m.client_id = l.client_id and m.barcode = l.barcode
        and m.first_day <= coalesce(moscow_day(o.packed_at), ${today}::date)
      order by m.first_day desc limit 1
    ) m
    where o.client_id = ${clientId} and o.id = ${orderId} and m.weight_g is not null`
  return new Map(rows.map(({ barcode, weight_g: grams }) => [barcode, grams]))
}

/** The photos of an order and of its units that came back. */
export function photosOfOrder(
  db: Queryable,
  clientId: string,
  orderId: string,
): Promise<PhotosOnPaper> {
  return photosOnPaper(
    db,
    db`p.client_id = ${clientId} and (
        (p.kind = 'order' and p.object_id = ${orderId})
        or (p.kind = 'return' and exists (
          select from return_scans s
          where s.client_id = p.client_id and s.order_id = ${orderId}
            and s.return_id::text = p.object_id and s.scan_id = p.scan_id
        ))
      )`,
  )
}
