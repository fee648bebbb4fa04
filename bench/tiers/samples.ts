import type { Database } from '../../src/platform/db/connection.ts'
import { median, quantile } from '../measure.ts'
import { processorMs, processorMsWithChildren } from '../processor-time.ts'
import type { CallOutcome } from '../staff/caller.ts'

export interface Sampled {
  readonly db: Database
  readonly intervalMs: number
  /** Of the pooler to the server; 0: those of the server itself. */
  readonly connectionsMax: number
  readonly metricsPorts: readonly number[]
  readonly pids: {
    readonly api: readonly number[]
    readonly workers: readonly number[]
    readonly database: number
    readonly pooler: number | undefined
    readonly 'stand-ins': number
  }
}

export interface TierSample {
  readonly seconds: number
  readonly reads: number
  readonly refused: number
  readonly readsP50Ms: number
  readonly readsP99Ms: number
  readonly late: number
  /** Cabinets whose last run has ended within the interval. */
  readonly synced: number
  /** Processors in use, of this machine; and those of each part. */
  readonly processors: number
  readonly workersProcessors: number
  readonly databaseProcessors: number
  readonly standInsProcessors: number
  readonly busiestWorkerShare: number
  readonly busiestApiShare: number
  readonly connections: number
  readonly connectionShare: number
  readonly waiting: number
  readonly databaseMb: number
}

interface Before {
  readonly at: number
  readonly times: Times
  readonly moments: Moment[]
  readonly timer: NodeJS.Timeout
}

interface Times {
  readonly api: readonly number[]
  readonly workers: readonly number[]
  readonly database: number
  readonly others: number
  readonly standIns: number
}

/** What is so at a moment, between a beginning and an end. */
interface Moment {
  readonly active: number
  readonly connections: number
  readonly max: number
  readonly waiting: number
}

const momentEveryMs = 1_000

export function openSampler(sampled: Sampled) {
  const { db, intervalMs, connectionsMax, metricsPorts } = sampled

  async function momentNow(): Promise<Moment> {
    const [row] = await db<[{ active: number; connections: number; max: number }]>`
      select count(*) filter (where state <> 'idle' and pid <> pg_backend_pid())::int as active,
        count(*)::int as connections, current_setting('max_connections')::int as max
      from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`
    const waiting = await Promise.all(metricsPorts.map(waitingAt))
    return { ...row, waiting: waiting.reduce((sum, each) => sum + each, 0) }
  }

  return {
    begin(): Before {
      const moments: Moment[] = []
      const look = () => void momentNow().then((moment) => moments.push(moment))
      const timer = setInterval(look, momentEveryMs)
      look()
      return { at: performance.now(), times: timesOf(sampled), moments, timer }
    },
    async end({ at, times, moments, timer }: Before, reads: CallOutcome): Promise<TierSample> {
      clearInterval(timer)
      const seconds = (performance.now() - at) / 1000
      const spent = spentSince(times, timesOf(sampled), seconds * 1000)
      const [row] = await db<[{ late: number; synced: number; bytes: number }]>`
        select (select count(*)::int from cabinet_syncs
            where next_at < now() - make_interval(secs => ${intervalMs / 1000})) as late,
          (select count(*)::int from cabinets
            where synced_at > now() - make_interval(secs => ${intervalMs / 1000})) as synced,
          pg_database_size(current_database())::float8 as bytes`
      const active = most(moments.map((moment) => moment.active))
      const { durationsMs, requests, statuses } = reads
      const good = statuses[200] ?? 0
      return {
        ...{ seconds, reads: requests, refused: requests - good },
        readsP50Ms: quantile(durationsMs, 0.5),
        readsP99Ms: quantile(durationsMs, 0.99),
        late: row.late,
        synced: row.synced,
        ...spent,
        connections: most(moments.map(({ connections }) => connections)),
        connectionShare: active / (connectionsMax || (moments[0]?.max ?? 100)),
        waiting: median(moments.map(({ waiting }) => waiting)),
        databaseMb: row.bytes / 2 ** 20,
      }
    },
  }
}

/** The medians of samples. */
export function middleOf(samples: readonly TierSample[]): TierSample {
  const [first] = samples
  if (first === undefined) throw new Error('there are no samples')
  const names = Object.keys(first) as (keyof TierSample)[]
  const medianOf = (name: keyof TierSample) => median(samples.map((sample) => sample[name]))
  return { ...first, ...Object.fromEntries(names.map((name) => [name, medianOf(name)])) }
}

function timesOf({ pids }: Sampled): Times {
  return {
    api: pids.api.map(processorMs),
    workers: pids.workers.map(processorMs),
    database: processorMsWithChildren(pids.database),
    others: processorMs(process.pid) + (pids.pooler === undefined ? 0 : processorMs(pids.pooler)),
    standIns: processorMs(pids['stand-ins']),
  }
}

function spentSince(before: Times, after: Times, ms: number) {
  const shares = (name: 'api' | 'workers') =>
    after[name].map((each, n) => (each - (before[name][n] ?? 0)) / ms)
  const since = (name: 'database' | 'others' | 'standIns') => (after[name] - before[name]) / ms
  const [api, workers] = [shares('api'), shares('workers')]
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  return {
    processors: sum([...api, ...workers, since('database'), since('others'), since('standIns')]),
    workersProcessors: sum(workers),
    databaseProcessors: since('database'),
    standInsProcessors: since('standIns'),
    busiestWorkerShare: most(workers),
    busiestApiShare: most(api),
  }
}

async function waitingAt(port: number): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  )
  const waits = text.matchAll(/^sklad_database_waiting\{[^}]*\} (\d+)/gm)
  return [...waits].reduce((sum, [, count]) => sum + Number(count), 0)
}

const most = (all: readonly number[]) => Math.max(0, ...all)
