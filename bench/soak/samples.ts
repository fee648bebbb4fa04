import { loadavg } from 'node:os'
import type { Database } from '../../src/platform/db/connection.ts'
import { median, quantile } from '../measure.ts'
import { residentMb } from '../processes.ts'
import { processorMs, processorMsWithChildren } from '../processor-time.ts'

/** What a soak watches, sample by sample. */

export interface Watched {
  readonly db: Database
  readonly servicePid: number
  readonly databasePid: number
}

export type Sample = Readonly<Record<FigureName, number>>

export type FigureName = (typeof figures)[number]['name']

/**
 * `most`: how many times as large as in the second fifth of the time a figure may be in the last one; undefined: it may
 * grow, since it counts what has happened.
 * `waits`: a time of waiting, which other programs lengthen as well.
 */
export const figures = [
  { name: 'service, MB', most: 1.15 },
  { name: 'connections', most: 1.3 },
  { name: 'deliveries that wait for a receiver that works', most: 2 },
  { name: 'cabinets late by an interval', most: 2 },
  { name: 'dead rows of each live one', most: 2 },
  { name: 'tables of what is so now, MB', most: 1.3 },
  { name: 'processor of the service, ms a second', most: 1.3 },
  { name: 'processor of the database, ms a second', most: 1.3 },
  { name: 'reads, p50 ms', most: 1.5, waits: true },
  { name: 'reads, p99 ms', most: 2, waits: true },
  { name: 'scans, p50 ms', most: 1.5, waits: true },
  { name: 'scans, p99 ms', most: 2, waits: true },
  { name: 'refused or failed calls', most: 1 },
  { name: 'deliveries that wait for a receiver that fails', most: undefined },
  { name: 'tables of what has happened, MB', most: undefined },
  { name: 'database, MB', most: undefined },
  { name: 'load of the machine', most: undefined },
] as const

/** Rows of clients, goods, places, keys and cabinets: changed all the time, and as many afterwards as before. */
const stateTables = [
  'stock_balances',
  'stock_figures',
  'stock_versions',
  'location_contents',
  'box_contents',
  'marketplace_stock',
  'cabinets',
  'cabinet_syncs',
  'client_counters',
  'api_keys',
  'event_feeds',
  'webhook_subscriptions',
  'staff_sessions',
  'rate_buckets',
  'address_buckets',
  'marketplace_buckets',
]

/** Below this a figure is too small to compare. */
const negligible = 20

export interface Processor {
  readonly service: number
  readonly database: number
  readonly at: number
}

export function processorOf({ servicePid, databasePid }: Watched): Processor {
  return {
    service: processorMs(servicePid),
    database: processorMsWithChildren(databasePid),
    at: performance.now(),
  }
}

export interface Durations {
  /** Sorted. */
  readonly reads: readonly number[]
  readonly scans: readonly number[]
  readonly failed: number
}

/** Reads the figures of the time since `before`, and what stands in the database now. */
export async function sampleOf(
  watched: Watched,
  before: Processor,
  { reads, scans, failed }: Durations,
): Promise<Sample> {
  const after = processorOf(watched)
  const seconds = (after.at - before.at) / 1000
  const [row] = await watched.db<
    [
      {
        connections: number
        waiting: number
        failing: number
        late: number
        dead: number
        state: number
        bytes: number
      },
    ]
  >`
    select
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      (select count(*)::int from webhook_deliveries d
        join webhook_subscriptions w on w.client_id = d.client_id and w.id = d.webhook_id
        where d.status = 'PENDING' and w.failures_in_row = 0) as waiting,
      (select count(*)::int from webhook_deliveries d
        join webhook_subscriptions w on w.client_id = d.client_id and w.id = d.webhook_id
        where d.status = 'PENDING' and w.failures_in_row > 0) as failing,
      (select count(*)::int from cabinet_syncs where next_at < now() - interval '3 minutes') as late,
      (select coalesce(sum(n_dead_tup) / nullif(sum(n_live_tup), 0), 0)::float8
        from pg_stat_user_tables) as dead,
      (select sum(pg_total_relation_size(name::regclass))::float8
        from unnest(${stateTables}::text[]) name) as state,
      pg_database_size(current_database())::float8 as bytes`
  return {
    'service, MB': residentMb(watched.servicePid),
    connections: row.connections,
    'deliveries that wait for a receiver that works': row.waiting,
    'cabinets late by an interval': row.late,
    'dead rows of each live one': row.dead,
    'tables of what is so now, MB': row.state / 2 ** 20,
    'processor of the service, ms a second': (after.service - before.service) / seconds,
    'processor of the database, ms a second': (after.database - before.database) / seconds,
    'reads, p50 ms': quantile(reads, 0.5),
    'reads, p99 ms': quantile(reads, 0.99),
    'scans, p50 ms': quantile(scans, 0.5),
    'scans, p99 ms': quantile(scans, 0.99),
    'refused or failed calls': failed,
    'deliveries that wait for a receiver that fails': row.failing,
    'tables of what has happened, MB': (row.bytes - row.state) / 2 ** 20,
    'database, MB': row.bytes / 2 ** 20,
    'load of the machine': loadavg()[0] ?? 0,
  }
}

const parts = 5

/** The medians of each fifth of the time. */
export function fifthsOf(samples: readonly Sample[], name: FigureName): readonly number[] {
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((samples.length * part) / parts)
    const to = Math.max(from + 1, Math.floor((samples.length * (part + 1)) / parts))
    return median(samples.slice(from, to).map((sample) => sample[name]))
  })
}

/**
 * The figures that grew. The first fifth is left out: processes and caches warm up in it. Times of waiting may grow as the
 * load of the machine does: what the service adds to the load shows in its processor time and the database's.
 */
export function grown(samples: readonly Sample[]): readonly FigureName[] {
  const ends = (name: FigureName) => {
    const fifths = fifthsOf(samples, name)
    return { begin: fifths[1] ?? 0, end: fifths.at(-1) ?? 0 }
  }
  const load = ends('load of the machine')
  const busier = Math.max(1, load.end / Math.max(load.begin, 1))
  return figures.flatMap((figure) => {
    const { begin, end } = ends(figure.name)
    if (figure.most === undefined) return []
    const most = figure.most * ('waits' in figure ? busier : 1)
    return end <= Math.max(begin, negligible) * most ? [] : [figure.name]
  })
}
