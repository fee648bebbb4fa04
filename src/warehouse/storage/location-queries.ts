import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import {
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import {
  type Location,
  type LocationContent,
  type LocationRow,
  locationView,
  shownAtLocation,
} from './location-view.ts'
import { seenByStaff } from './locations.ts'

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
export async function findLocation(db: Queryable, id: string): Promise<Location | undefined> {
  return (await findLocations(db, [id])).get(id)
}

/** Locations by id, each with what lies there. */
export async function findLocations(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Location>> {
  if (ids.length === 0) return new Map()
  const rows = await db<(LocationRow & LocationContent)[]>`
    select ${columns(db)}, ${listed(db, looseAt(db))} as contents, ${listed(db, boxesShown(db))} as boxes,
      ${listed(db, palletsShown(db))} as pallets
    from locations l ${heldAt(db)} where l.id = any(${ids as string[]}::uuid[])`
  return new Map(
    rows.map(({ contents, boxes, pallets, ...row }) => [
      row.id,
      { ...locationView(row), contents, boxes, pallets },
    ]),
  )
}

/** The first rows of a query of what lies at location l, as JSON. */
const listed = (db: Queryable, rows: Fragment) => db`
  (select coalesce(json_agg(x), '[]') from (${rows} limit ${shownAtLocation}) x)`

const looseAt = (db: Queryable) => db`
  select c.client_id, k.name as client_name, c.barcode, p.name, p.article, c.quantity as qty
  from location_contents c
  join clients k on k.id = c.client_id
  join products p on p.client_id = c.client_id and p.barcode = c.barcode
  where c.location_id = l.id order by c.client_id, c.barcode`

const boxesShown = (db: Queryable) => db`
  select b.id, b.client_id, k.name as client_name, n.sscc, b.pallet_id, (
    select coalesce(sum(c.quantity), 0)::bigint from box_contents c
    where c.client_id = b.client_id and c.box_id = b.id) as units
  from ${boxesAt(db)} b
  join clients k on k.id = b.client_id
  left join storage_numbers n on n.client_id = b.client_id and n.object_id = b.id
  order by b.client_id, b.id`

const palletsShown = (db: Queryable) => db`
  select p.id, p.client_id, k.name as client_name, n.sscc from pallets p
  join clients k on k.id = p.client_id
  left join storage_numbers n on n.client_id = p.client_id and n.object_id = p.id
  where p.location_id = l.id order by p.client_id, p.id`

/** A location as lists show it. */
export async function locationSummary(db: Queryable, id: string): Promise<Location | undefined> {
  return (await locationsByIds(db, [id]))[0]
}
export interface LocationFilter {
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
  if (!areIds(client)) return emptyPage
  const where = db`${seenByStaff(db)} ${conditionsOf(db, filter, {
    warehouse_code: (warehouse) => db`l.warehouse_code = ${warehouse}`,
    zone: (zone) => db`l.zone = ${zone}`,
    active: (active) => db`l.active = ${active === 'true'}`,
  })}
    ${warehouses.length === 0 ? db`` : db`and l.warehouse_code = any(${[...warehouses]})`}
    ${client === undefined && barcode === undefined ? db`` : holds(db, client, barcode)}`
  const total = db`select count(*) from locations l where ${where}`
  const rows = await db<(LocationRow & { total: number })[]>`
    select ${columns(db)}, ${totalFor(db, total, page)} as total from (
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

/** The active locations of a warehouse, of a zone or with some codes, in the order of the walk. */
export function locationsToLabel(
  db: Queryable,
  {
    warehouse,
    zone,
    codes,
  }: {
    readonly warehouse: string
    readonly zone: string | undefined
    readonly codes: readonly string[] | undefined
  },
  limit: number,
): Promise<{ code: string; zone: string }[]> {
  return db<{ code: string; zone: string }[]>`
    select code, zone from locations l
    where warehouse_code = ${warehouse} and active and ${seenByStaff(db)}
      ${zone === undefined ? db`` : db`and zone = ${zone}`}
      ${codes === undefined ? db`` : db`and code = any(${[...codes]})`}
    order by zone, walk_order, code limit ${limit}`
}
