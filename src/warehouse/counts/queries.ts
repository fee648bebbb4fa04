import type { Database, Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { byStatus, pageInOrder } from '../../platform/db/lists/list-order.ts'
import { emptyPage, type Page, type PageRequest } from '../../platform/db/lists/page.ts'
import { ownerLookup } from '../../platform/db/owner-lookup.ts'
import { inSnapshot } from '../../platform/db/work.ts'
import { areIds } from '../../platform/kernel/ids.ts'
import type { Instant, Timestamp } from '../../platform/kernel/moscow-time.ts'
import { byClient, clientsOf } from '../clients/list-conditions.ts'
import { countsPlaces, expectedInScope } from './expected.ts'
import type { CountScanName } from './scan-statements.ts'
import { type CountOutcome, type CountStatus, countStatuses, differenceOf } from './state.ts'
import {
  type CountLine,
  type CountRow,
  type CountScan,
  countView,
  type StockCount,
  uncountedMax,
} from './view.ts'
import { isCountedInTime } from './workers.ts'

/** The client that a count belongs to. Throws not_found. */
export const ownerOfCount = ownerLookup('stock_counts', 'Пересчёт не найден')

/** Lines shown of a count. */
const linesMax = 5_000

/** Who reads: workers see no figures of the ledger in a blind count. */
export type CountReader = 'worker' | 'manager'

/** The columns of CountRow, of counts x beside `figuresOf`. */
function columns(db: Queryable) {
  return db`
    x.id, x.client_id, (select k.name from clients k where k.id = x.client_id) as client_name, x.status, x.blind,
    x.for_client, x.barcodes, x.box_ids, x.location_ids, x.created_at, x.created_by, x.started_at, x.reviewed_at,
    counters.counted_at, x.ended_at, x.ended_by, done.goods_count, done.units, done.scans,
    result.differing, result.undecided`
}

function figuresOf(db: Queryable) {
  return db`
    cross join lateral (
      select count(*)::int as goods_count, coalesce(sum(g.units), 0)::bigint as units,
        coalesce(sum(g.scans), 0)::int as scans
      from count_goods g
      where g.client_id = x.client_id and g.count_id = x.id and g.scans > 0
    ) done
    cross join lateral (
      select count(*)::int as differing, count(*) filter (where l.outcome is null)::int as undecided
      from count_lines l
      where l.client_id = x.client_id and l.count_id = x.id
        and l.counted not between l.expected_min and l.expected_max
    ) result
    cross join lateral (
      select case when count(w.done_at) = count(*) then max(w.done_at) end as counted_at
      from count_workers w where w.client_id = x.client_id and w.count_id = x.id
    ) counters`
}

export interface CountFilter {
  /** Undefined: all live clients. */
  readonly client_id: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses?: readonly string[] | undefined
  readonly status: CountStatus | undefined
  readonly created_from: Instant | undefined
  readonly created_to: Instant | undefined
  /** The text of an actor who still has something to count there: not done, and nor are all others. */
  readonly left_to?: string | undefined
}

/** What counts are listed by. */
export const countSorts = ['created', 'client', 'status'] as const

/** Counts of all live clients or of one. */
export async function listCounts(
  db: Database,
  { client_id: client, warehouses, created_from: from, created_to: to, ...filter }: CountFilter,
  page: PageRequest,
  reader: CountReader,
): Promise<Page<StockCount>> {
  if (!areIds(client)) return emptyPage
  const clients = clientsOf(db, client, warehouses)
  const matching = db`true ${conditionsOf(db, filter, {
    status: (status) => db`x.status = ${status}`,
    left_to: (actor) => db`x.status = 'COUNTING' and not exists (
      select from count_workers w where w.client_id = x.client_id and w.count_id = x.id
      having count(*) > 0 and (count(w.done_at) = count(*)
        or count(w.done_at) filter (where w.actor = ${actor}) > 0))`,
  })}`
  const orders = {
    created: { column: 'created_at' },
    client: byClient(db, clients),
    status: byStatus(db, countStatuses),
  }
  const across = { clients, table: 'stock_counts', where: matching, within: { from, to } }
  const tables = db`
    stock_counts x on x.client_id = k.client_id and x.id = k.id
    ${figuresOf(db)}`
  const view = (row: CountRow) => countView(row, isBlinded(row, reader))
  return pageInOrder(db, { across, orders, columns: columns(db), tables, view }, page)
}

function isBlinded({ blind }: Pick<CountRow, 'blind'>, reader: CountReader): boolean {
  return blind && reader === 'worker'
}

/** A count as lists show it, to a manager unless said otherwise. */
export async function countSummary(
  db: Queryable,
  clientId: string,
  id: string,
  reader: CountReader = 'manager',
): Promise<StockCount | undefined> {
  const row = await countRow(db, clientId, id)
  return row && countView(row, isBlinded(row, reader))
}

async function countRow(
  db: Queryable,
  clientId: string,
  id: string,
): Promise<CountRow | undefined> {
  const [row] = await db<CountRow[]>`
    select ${columns(db)} from stock_counts x ${figuresOf(db)}
    where x.client_id = ${clientId} and x.id = ${id}`
  return row
}

/** A count with who counted what, line by line. */
export function findCount(
  db: Queryable,
  clientId: string,
  id: string,
  reader: CountReader,
): Promise<StockCount | undefined> {
  return inSnapshot(db, async (tx) => {
    const row = await countRow(tx, clientId, id)
    if (row === undefined) return undefined
    const blinded = isBlinded(row, reader)
    const isAgain = row.status === 'COUNTING' && row.reviewed_at !== null
    return countView(row, blinded, {
      places: await placesOfCount(tx, row),
      ...(isAgain ? { recount: await goodsToRecount(tx, row) } : {}),
      ...(row.status === 'COUNTING' && !countsPlaces(row)
        ? { uncounted: await uncountedGoods(tx, row) }
        : {}),
      workers: await workersOfCount(tx, row),
      lines: await linesOfCount(tx, clientId, id, blinded),
    })
  })
}

/** Who has counted, and who has said that there was nothing to count. */
function workersOfCount(
  db: Queryable,
  { client_id: clientId, id }: CountRow,
): Promise<NonNullable<StockCount['workers']>> {
  return db<NonNullable<StockCount['workers']>>`
    select actor, coalesce(s.scans, 0) as scans, coalesce(s.units, 0) as units,
      coalesce(s.last_at, w.done_at) as last_at, w.done_at as finished_at
    from (
      select actor, count(*)::int as scans, sum(units)::bigint as units, max(at) as last_at
      from count_scans s
      where client_id = ${clientId} and count_id = ${id} and undone_at is null and ${isCountedInTime(db)}
      group by actor
    ) s
    full join (
      select actor, done_at from count_workers where client_id = ${clientId} and count_id = ${id}
    ) w using (actor)
    where s.actor is not null or w.done_at is not null
    order by actor`
}

/** Goods that a review would give a line of 0 now, because nobody has scanned them in this round. */
function uncountedGoods(
  db: Queryable,
  row: CountRow,
): Promise<NonNullable<StockCount['uncounted']>> {
  const { client_id: clientId, id, barcodes } = row
  return db<NonNullable<StockCount['uncounted']>>`
    select p.barcode, p.name from products p
    where p.client_id = ${clientId} and p.barcode in (
        select e.barcode from (${expectedInScope(db, clientId, row)}) e
        where e.units > 0 or e.barcode = any(${[...barcodes]}::text[])
      ) and not exists (
        select from count_goods g where g.client_id = ${clientId} and g.count_id = ${id}
          and g.barcode = p.barcode and g.scans > 0
      ) and not exists (
        select from count_lines l
        where l.client_id = ${clientId} and l.count_id = ${id} and l.barcode = p.barcode)
    order by p.name, p.barcode limit ${uncountedMax}`
}

/** Goods that the next review will give a line: those that a manager wants counted again. */
function goodsToRecount(db: Queryable, row: CountRow): Promise<NonNullable<StockCount['recount']>> {
  const { client_id: clientId, id, barcodes } = row
  return db<NonNullable<StockCount['recount']>>`
    select p.barcode, p.name from products p
    where p.client_id = ${clientId} and p.barcode in (
        select s.barcode from count_scans s where s.client_id = ${clientId} and s.count_id = ${id}
        union
        select e.barcode from (${expectedInScope(db, clientId, row)}) e
        where e.units > 0 or e.barcode = any(${[...barcodes]}::text[])
      ) and not exists (
        select from count_lines l
        where l.client_id = ${clientId} and l.count_id = ${id} and l.barcode = p.barcode)
    order by p.name, p.barcode limit ${linesMax}`
}

/** The boxes and locations of a count's scope, in walking order. */
function placesOfCount(
  db: Queryable,
  { client_id, id, box_ids, location_ids }: CountRow,
): Promise<NonNullable<StockCount['places']>> {
  return db<NonNullable<StockCount['places']>>`
    select x.box_id, n.sscc, l.id as location_id, l.code as location_code, l.zone, (
        select count(*)::int from count_scans s
        where s.client_id = ${client_id} and s.count_id = ${id} and s.undone_at is null
          and case when x.box_id is not null then s.box_id = x.box_id
            else s.location_id = x.location_id or s.box_id in (
              select b.id from boxes b
              left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
              where b.client_id = ${client_id} and coalesce(b.location_id, p.location_id) = x.location_id
            ) end
      ) as scans
    from (
      select b.id as box_id, coalesce(b.location_id, p.location_id) as location_id from boxes b
      left join pallets p on p.client_id = b.client_id and p.id = b.pallet_id
      where b.client_id = ${client_id} and b.id = any(${[...box_ids]}::uuid[])
      union all
      select null, unnest(${[...location_ids]}::uuid[])
    ) x
    left join storage_numbers n on n.client_id = ${client_id} and n.object_id = x.box_id
    left join locations l on l.id = x.location_id
    order by l.zone, l.walk_order, l.code, x.box_id nulls first`
}

interface LineRow {
  barcode: string
  name: string
  counted: number
  scans: number
  expected: number
  expected_min: number
  expected_max: number
  settled: boolean
  outcome: CountOutcome | null
  reason: string | null
  decided_at: Timestamp | null
  decided_by: string | null
  places: CountLine['places'] | null
}

async function linesOfCount(
  db: Queryable,
  clientId: string,
  id: string,
  blinded: boolean,
): Promise<CountLine[]> {
  const rows = await db<LineRow[]>`
    select coalesce(l.barcode, s.barcode) as barcode, p.name, coalesce(l.counted, s.counted) as counted,
      coalesce(s.scans, 0) as scans, coalesce(s.expected, l.expected_max) as expected,
      coalesce(l.expected_min, s.expected_min) as expected_min,
      coalesce(l.expected_max, s.expected_max) as expected_max, l.barcode is not null as settled,
      l.outcome, l.reason, l.decided_at, l.decided_by, s.places
    from (
      select * from count_lines where client_id = ${clientId} and count_id = ${id}
    ) l
    full join (${scannedLines(db, clientId, id)}) s on s.barcode = l.barcode
    join products p on p.client_id = ${clientId} and p.barcode = coalesce(l.barcode, s.barcode)
    order by 1 limit ${linesMax}`
  return rows.map((row) => lineView(row, blinded))
}

/** What was scanned, by barcode, with the places. */
function scannedLines(db: Queryable, clientId: string, id: string) {
  return db`
    select barcode, sum(counted)::bigint as counted, sum(scans)::int as scans,
      min(expected_min) as expected_min, max(expected_max) as expected_max,
      (array_agg(expected order by last_at desc))[1] as expected,
      json_agg(json_build_object('box_id', box_id, 'sscc', sscc, 'location_id', location_id,
        'location_code', location_code, 'counted', counted, 'expected', expected_here)
        order by location_code, box_id) as places
    from (
      select s.barcode, s.box_id, n.sscc, s.location_id, l.code as location_code,
        sum(s.units) as counted, count(*) as scans, min(s.expected) as expected_min,
        max(s.expected) as expected_max, max(s.at) as last_at,
        (array_agg(s.expected order by s.at desc, s.scan_id desc))[1] as expected,
        (array_agg(s.expected_here order by s.at desc, s.scan_id desc))[1] as expected_here
      from count_scans s
      left join storage_numbers n on n.client_id = s.client_id and n.object_id = s.box_id
      left join locations l on l.id = s.location_id
      where s.client_id = ${clientId} and s.count_id = ${id} and s.undone_at is null
      group by s.barcode, s.box_id, n.sscc, s.location_id, l.code
    ) places
    group by barcode`
}

function lineView(row: LineRow, blinded: boolean): CountLine {
  const { barcode, name, counted, scans, settled } = row
  const places = row.places ?? []
  if (blinded) {
    const seen = places.map(({ expected: _, ...place }) => place)
    return { barcode, name, counted, scans, settled, places: seen }
  }
  const { expected, expected_min, expected_max, outcome, reason, decided_at, decided_by } = row
  const difference = differenceOf(row)
  return {
    ...{ barcode, name, counted, scans, expected, expected_min, expected_max, difference, settled },
    ...{ outcome, reason, decided_at, decided_by, places },
  }
}

interface ScanRow extends Omit<CountScan, 'repeated' | 'expected'> {
  n: number
  expected_here: number
  blind: boolean
}

/** A recorded scan, or undefined where the count has none of this id. */
export async function findCountScan(
  db: Queryable,
  clientId: string,
  countId: string,
  scanId: string,
): Promise<Omit<CountScan, 'repeated'> | undefined> {
  const [scan] = await findCountScans(db, [{ clientId, countId, scanId }])
  return scan
}

/** Recorded scans in the order of their names, like findCountScan. */
export async function findCountScans(
  db: Queryable,
  names: readonly CountScanName[],
): Promise<(Omit<CountScan, 'repeated'> | undefined)[]> {
  if (names.length === 0) return []
  const named = names.map(({ clientId, countId, scanId }, n) => ({
    n,
    client_id: clientId,
    count_id: countId,
    scan_id: scanId,
  }))
  const rows = await db<ScanRow[]>`
    select q.n, r.*
    from jsonb_to_recordset(${db.json(named)}) as q
      (n integer, client_id uuid, count_id uuid, scan_id text)
    cross join lateral (
      select s.scan_id, s.undone_at is not null as undone, s.barcode, p.name, s.box_id, n.sscc,
        s.location_id, l.code as location_code,
        s.units as qty, s.expected_here, c.blind, s.at, coalesce((
          select g.units from count_goods g
          where g.client_id = s.client_id and g.count_id = s.count_id and g.barcode = s.barcode
        ), 0) as counted
      from count_scans s
      join stock_counts c on c.client_id = s.client_id and c.id = s.count_id
      join products p on p.client_id = s.client_id and p.barcode = s.barcode
      left join storage_numbers n on n.client_id = s.client_id and n.object_id = s.box_id
      left join locations l on l.id = s.location_id
      where s.client_id = q.client_id and s.count_id = q.count_id and s.scan_id = q.scan_id
      offset 0
    ) r`
  const found = new Map(
    rows.map(({ n, expected_here, blind, at, ...scan }) => [
      n,
      { ...scan, ...(blind ? {} : { expected: expected_here }), at },
    ]),
  )
  return names.map((_, n) => found.get(n))
}
