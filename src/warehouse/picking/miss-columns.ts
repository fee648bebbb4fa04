import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'

/** What every read of misses `m` takes. */

/** Misses `m` with their orders `o` and reasons `r`. */
export function missTables(db: Queryable): Fragment {
  return db`
    pick_misses m
    join orders o on o.client_id = m.client_id and o.id = m.order_id
    join reasons r on r.kind = 'not_found' and r.code = m.reason`
}

/** The columns of MissFactsRow. */
export function missColumns(db: Queryable): Fragment {
  return db`
    m.id, m.order_id, o.external_id as order_external_id, m.barcode, m.units as qty, m.reason, r.label as reason_label,
    m.at, m.outcome, m.comment, o.status = 'CANCELLED' as cancelled, ${missPlaceColumn(db)} as place,
    ${placeColumn(db, db`m.to_location_id`, db`m.to_box_id`)} as look_at`
}

/** Where goods were looked for; null where nobody knows. */
export function missPlaceColumn(db: Queryable): Fragment {
  return placeColumn(db, db`m.location_id`, db`m.box_id`)
}

function placeColumn(db: Queryable, location: Fragment, box: Fragment): Fragment {
  return db`(
    select json_strip_nulls(json_build_object('location_id', l.id, 'location_code', l.code,
      'box_id', s.box_id, 'sscc', s.sscc))
    from (
      select ${location} as location_id, null::uuid as box_id, null as sscc where ${location} is not null
      union all
      select coalesce(b.location_id, p.location_id), b.id, n.sscc
      from boxes b
      left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
      left join storage_numbers n on n.client_id = b.client_id and n.object_id = b.id and n.kind = 'box'
      where b.client_id = m.client_id and b.id = ${box}
    ) s
    left join locations l on l.id = s.location_id
    limit 1)`
}
