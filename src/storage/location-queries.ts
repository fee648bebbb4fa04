import type { Database, Queryable } from '../db/connection.ts'
import { conditionsOf } from '../db/filter.ts'
import { countOf, emptyPage, type Page, type PageRequest, pageOf } from '../db/page.ts'
import { inSnapshot } from '../db/snapshot.ts'
import { isId } from '../kernel/ids.ts'
import {
  type Location,
  type LocationContent,
  type LocationRow,
  locationView,
  shownAtLocation,
} from './location-view.ts'

/** Reads of locations, in the order of the walk: warehouse, zone, order, code. */

/** The columns of LocationRow, of locations l beside `heldAt`. */
function columns(db: Queryable) {
  return db`
    l.id, l.warehouse_code, l.code, l.zone, l.walk_order, l.active, l.created_at,
    loose.units + boxed.units as units, boxed.boxes_count, carried.pallets_count`
}

/** The boxes at location l, alone or on a pallet, as rows (client_id, id, pallet_id). */
function boxesAt(db: Queryable) {
  return db`(
    select b.client_id, b.id, b.pallet_id from boxes b where b.location_id = l.id
    union all
    select b.client_id, b.id, b.pallet_id from pallets p
    join boxes b on b.client_id = p.client_id and b.pallet_id = p.id
    where p.location_id = l.id
  )`
}

function heldAt(db: Queryable) {
  return db`
    cross join lateral (
      select coalesce(sum(c.quantity), 0)::bigint as units from location_contents c
      where c.location_id = l.id
    ) loose
    cross join lateral (
      select count(distinct b.id)::int as boxes_count, coalesce(sum(c.quantity), 0)::bigint as units
      from ${boxesAt(db)} b
      left join box_contents c on c.client_id = b.client_id and c.box_id = b.id
    ) boxed
    cross join lateral (
      select count(*)::int as pallets_count from pallets p where p.location_id = l.id
    ) carried`
}

/** A location with what lies there. */
export function findLocation(db: Queryable, id: string): Promise<Location | undefined> {
  return inSnapshot(db, async (tx) => {
    const summary = await locationSummary(tx, id)
    return summary && { ...summary, ...(await contentAt(tx, id)) }
  })
}

/** A location as lists show it. */
export async function locationSummary(db: Queryable, id: string): Promise<Location | undefined> {
  const [row] = await db<LocationRow[]>`
    select ${columns(db)} from locations l ${heldAt(db)} where l.id = ${id}`
  return row && locationView(row)
}

async function contentAt(db: Queryable, id: string): Promise<LocationContent> {
  const contents = await db<LocationContent['contents']>`
    select c.client_id, c.barcode, p.name, c.quantity as qty from location_contents c
    join products p on p.client_id = c.client_id and p.barcode = c.barcode
    where c.location_id = ${id} order by c.client_id, c.barcode limit ${shownAtLocation}`
  const boxes = await db<LocationContent['boxes']>`
    select b.id, b.client_id, n.sscc, b.pallet_id, (
      select coalesce(sum(c.quantity), 0)::bigint from box_contents c
      where c.client_id = b.client_id and c.box_id = b.id) as units
    from locations l cross join lateral ${boxesAt(db)} b
    left join storage_numbers n on n.client_id = b.client_id and n.object_id = b.id
    where l.id = ${id} order by b.client_id, b.id limit ${shownAtLocation}`
  const pallets = await db<LocationContent['pallets']>`
    select p.id, p.client_id, n.sscc from pallets p
    left join storage_numbers n on n.client_id = p.client_id and n.object_id = p.id
    where p.location_id = ${id} order by p.client_id, p.id limit ${shownAtLocation}`
  return { contents, boxes, pallets }
}

export interface LocationFilter {
  /** Undefined: all warehouses of live clients. */
  readonly warehouse_code: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[]
  readonly zone: string | undefined
  readonly active: 'true' | 'false' | undefined
  /** Locations where goods of this client lie. */
  readonly client_id: string | undefined
  /** Locations where goods with this barcode lie. */
  readonly barcode: string | undefined
}

/** Lists locations in walking order. */
export async function listLocations(
  db: Database,
  { client_id: client, barcode, warehouses = [], ...filter }: LocationFilter,
  page: PageRequest,
): Promise<Page<Location>> {
  if (client !== undefined && !isId(client)) return emptyPage
  const where = db`true ${conditionsOf(db, filter, {
    warehouse_code: (warehouse) => db`l.warehouse_code = ${warehouse}`,
    zone: (zone) => db`l.zone = ${zone}`,
    active: (active) => db`l.active = ${active === 'true'}`,
  })}
    ${
      filter.warehouse_code === undefined
        ? db`and exists (
      select from warehouses w where w.code = l.warehouse_code and w.mode = 'live')`
        : db``
    }
    ${warehouses.length === 0 ? db`` : db`and l.warehouse_code = any(${[...warehouses]})`}
    ${client === undefined && barcode === undefined ? db`` : holds(db, client, barcode)}`
  const total = db`select count(*) from locations l where ${where}`
  const rows = await db<(LocationRow & { total: number })[]>`
    select ${columns(db)}, (${total}) as total from (
      select * from locations l where ${where} ${afterLocation(db, page)}
      order by l.warehouse_code, l.zone, l.walk_order, l.code limit ${page.limit + 1}
    ) l ${heldAt(db)}
    order by l.warehouse_code, l.zone, l.walk_order, l.code`
  return pageOf(rows, page, {
    view: (row) => locationView(row),
    position: (row) => [row.warehouse_code, row.zone, row.walk_order, row.code],
    count: () => countOf(db, total),
  })
}

function holds(db: Queryable, client: string | undefined, barcode: string | undefined) {
  const own = client === undefined ? db`` : db`and c.client_id = ${client}`
  const goods = barcode === undefined ? db`` : db`and c.barcode = ${barcode}`
  return db`and (
    exists (select from location_contents c where c.location_id = l.id ${own} ${goods})
    or exists (
      select from ${boxesAt(db)} b
      join box_contents c on c.client_id = b.client_id and c.box_id = b.id
      where true ${own} ${goods}))`
}

function afterLocation(db: Queryable, { after }: PageRequest) {
  if (after === undefined) return db``
  const [warehouse, zone, order, code] = after
  return db`and (l.warehouse_code, l.zone, l.walk_order, l.code) >
    (${String(warehouse)}, ${String(zone)}, ${Number(order)}::integer, ${String(code)})`
}

/** Finds locations by their ids, in walking order. */
export async function locationsByIds(db: Queryable, ids: readonly string[]): Promise<Location[]> {
  const rows = await db<LocationRow[]>`
    select ${columns(db)} from locations l ${heldAt(db)} where l.id = any(${ids}::uuid[])
    order by l.warehouse_code, l.zone, l.walk_order, l.code`
  return rows.map((row) => locationView(row))
}
