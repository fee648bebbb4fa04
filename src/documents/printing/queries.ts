import type { Queryable } from '../../platform/db/connection.ts'
import { conditionsOf } from '../../platform/db/lists/filter.ts'
import { afterPosition } from '../../platform/db/lists/newest-first.ts'
import {
  countedMax,
  countOf,
  emptyPage,
  type Page,
  type PageRequest,
  pageOf,
  totalFor,
} from '../../platform/db/lists/page.ts'
import type { Fragment } from '../../platform/db/statements/fragment.ts'
import { isId } from '../../platform/kernel/ids.ts'
import type { PrintStatus } from './state.ts'
import { type PrintJob, type PrintJobRow, type PrintStation, printJobView } from './view.ts'

function stations(db: Queryable): Fragment {
  return db`
    select s.id, s.warehouse_code, s.name, s.formats, s.active, s.created_at, s.seen_at, (
      select count(*)::int from print_jobs j
      where j.warehouse_code = s.warehouse_code and j.status in ('QUEUED', 'PRINTING')
        and j.status = 'QUEUED' and (j.station_id = s.id or j.station_id is null)
        and j.format = any(s.formats)
    ) as waiting
    from print_stations s`
}

const stationView = (row: PrintStation): PrintStation => ({
  id: row.id,
  warehouse_code: row.warehouse_code,
  name: row.name,
  formats: row.formats,
  active: row.active,
  waiting: row.waiting,
  created_at: row.created_at,
  seen_at: row.seen_at,
})

export async function findStation(db: Queryable, id: string): Promise<PrintStation | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<PrintStation[]>`${stations(db)} where s.id = ${id}`
  return row && stationView(row)
}

export interface StationFilter {
  readonly warehouse_code: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses: readonly string[]
  readonly active: 'true' | 'false' | undefined
}

/** Print stations, newest first. */
export async function listStations(
  db: Queryable,
  { warehouses, ...filter }: StationFilter,
  page: PageRequest,
): Promise<Page<PrintStation>> {
  const where = db`${seen(db, 's', warehouses)} ${conditionsOf(db, filter, {
    warehouse_code: (code) => db`s.warehouse_code = ${code}`,
    active: (active) => db`s.active = ${active === 'true'}`,
  })}`
  const total = db`select count(*) from print_stations s where ${where}`
  const rows = await db<(PrintStation & { total: number })[]>`
    select listed.*, ${totalFor(db, total, page)} as total from (
      ${stations(db)} where ${where} ${afterPosition(db, 's', page.after)}
      order by s.created_at desc, s.id desc limit ${page.limit + 1}
    ) listed
    order by listed.created_at desc, listed.id desc`
  return pageOf(rows, page, {
    view: stationView,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

export async function findPrintJob(db: Queryable, id: string): Promise<PrintJob | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db<
    PrintJobRow[]
  >`select ${jobColumns(db)} from print_jobs j where j.id = ${id}`
  return row && printJobView(row)
}

function jobColumns(db: Queryable): Fragment {
  return db`j.id, j.print_id, j.warehouse_code, j.station_id, j.format, j.kind, j.object_id, j.title,
    j.copies, j.status, j.reason, j.attempts, j.taken_station_id, j.leased_until, j.created_at,
    j.created_by, j.ended_at`
}

export interface PrintJobFilter {
  readonly warehouse_code: string | undefined
  /** Codes of the viewer's warehouses; none: all. */
  readonly warehouses: readonly string[]
  /** Jobs for this station, and those that it took. */
  readonly station_id: string | undefined
  readonly status: PrintStatus | undefined
}

/** Print jobs, newest first. */
export async function listPrintJobs(
  db: Queryable,
  { warehouses, ...filter }: PrintJobFilter,
  page: PageRequest,
): Promise<Page<PrintJob>> {
  if (filter.station_id !== undefined && !isId(filter.station_id)) return emptyPage
  const where = db`${seen(db, 'j', warehouses)} ${conditionsOf(db, filter, {
    warehouse_code: (code) => db`j.warehouse_code = ${code}`,
    station_id: (id) => db`(j.station_id = ${id} or j.taken_station_id = ${id})`,
    status: (status) => db`j.status = ${status}`,
  })}`
  const total = db`
    select count(*) from (select from print_jobs j where ${where} limit ${countedMax}) counted`
  const rows = await db<(PrintJobRow & { total: number })[]>`
    select ${jobColumns(db)}, ${totalFor(db, total, page)} as total from print_jobs j
    where ${where} ${afterPosition(db, 'j', page.after)}
    order by j.created_at desc, j.id desc limit ${page.limit + 1}`
  return pageOf(rows, page, {
    view: printJobView,
    position: (row) => [row.created_at, row.id],
    count: () => countOf(db, total),
  })
}

function seen(db: Queryable, alias: string, warehouses: readonly string[]): Fragment {
  if (warehouses.length === 0) return db`true`
  return db`${db(`${alias}.warehouse_code`)} = any(${[...warehouses]})`
}

/** Whether a station or job is of one of these warehouses. */
export async function isPrintOf(
  db: Queryable,
  what: 'station' | 'job',
  id: string,
  warehouses: readonly string[],
): Promise<boolean> {
  if (!isId(id)) return false
  const table = what === 'station' ? 'print_stations' : 'print_jobs'
  const [row] = await db`
    select id from ${db(table)} where id = ${id} and warehouse_code = any(${[...warehouses]})`
  return row !== undefined
}

/** Figures of printing over all warehouses, for the operator. */
export interface PrintFigures {
  /** Jobs that no station has taken. */
  readonly queued: number
  /** How long the oldest of them waits; 0 if none does. */
  readonly oldestQueuedMs: number
}

export async function printFigures(db: Queryable): Promise<PrintFigures> {
  const [row] = await db<[PrintFigures]>`
    select count(*)::int as queued,
      coalesce(greatest(0, extract(epoch from now() - min(created_at)) * 1000), 0)::int8 as "oldestQueuedMs"
    from print_jobs j where status = 'QUEUED'
      and not exists (select from warehouses w where w.code = j.warehouse_code and w.mode = 'moved')`
  return row
}
