import type { Queryable } from '../../platform/db/connection.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'

/**
 * How many units should be found. A count of boxes and locations expects what storage says of them; any other
 * expects the ledger's quantity without units that were picked and wait at the packing table.
 */

export interface CountScope {
  readonly barcodes: readonly string[]
  readonly box_ids: readonly string[]
  readonly location_ids: readonly string[]
}

export function countsPlaces({ box_ids, location_ids }: CountScope): boolean {
  return box_ids.length + location_ids.length > 0
}

/** Rows (barcode, units) of what a count expects, of these goods or of all in its scope. */
export function expectedInScope(
  db: Queryable,
  clientId: string,
  scope: CountScope,
  barcodes: readonly string[] = scope.barcodes,
) {
  const all = barcodes.length === 0
  return countsPlaces(scope)
    ? storedRows(db, clientId, scope, all ? db`` : db`and c.barcode = any(${[...barcodes]})`)
    : ledgerRows(db, clientId, barcodes)
}

function storedRows(
  db: Queryable,
  clientId: string,
  { box_ids, location_ids }: CountScope,
  goods: Fragment,
) {
  return db`
    select barcode, sum(quantity)::bigint as units from (
      select c.barcode, c.quantity from box_contents c
      join boxes b on b.client_id = c.client_id and b.id = c.box_id
      left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
      where c.client_id = ${clientId} ${goods} and (c.box_id = any(${[...box_ids]}::uuid[])
        or coalesce(b.location_id, p.location_id) = any(${[...location_ids]}::uuid[]))
      union all
      select c.barcode, c.quantity from location_contents c
      where c.client_id = ${clientId} ${goods} and c.location_id = any(${[...location_ids]}::uuid[])
    ) stored
    group by barcode`
}

/** Of these goods, or of all. Picked units are those of open picking tasks: they have not left. */
function ledgerRows(db: Queryable, clientId: string, barcodes: readonly string[]) {
  const of = (column: string) =>
    barcodes.length === 0 ? db`` : db`and ${db(column)} = any(${[...barcodes]})`
  return db`
    select b.barcode, b.quantity - coalesce(t.units, 0) as units from stock_balances b
    left join (
      select l.barcode, sum(l.picked)::bigint as units from picking_tasks k
      join orders o on o.client_id = k.client_id and o.shipment_id = k.shipment_id
      join order_lines l on l.client_id = o.client_id and l.order_id = o.id
      where k.client_id = ${clientId} and k.status = 'OPEN' and l.picked > 0 ${of('l.barcode')}
      group by l.barcode
    ) t on t.barcode = b.barcode
    where b.client_id = ${clientId} ${of('b.barcode')}`
}

export interface CountPlace {
  readonly boxId?: string
  readonly locationId?: string
}
