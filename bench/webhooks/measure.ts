import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/db/connection.ts'
import { quantile } from '../measure.ts'
import type { Server, Worker } from '../processes.ts'
import { databaseServerPid, processorMs, withProcessorTime } from '../processor-time.ts'
import type { BareJob } from './bare.ts'
import type { Committed, ProducerJob, Target } from './producer.ts'

export interface Stage {
  readonly db: Database
  readonly service: Server
  readonly receiver: Server
  readonly producer: Worker<ProducerJob, Committed>
  readonly bare: Worker<BareJob, number>
}

export interface Throughput {
  /** Events per second at the receiver, while as many are written. */
  readonly perSecond: number
  /** Requests per second of the bare loop, right before. */
  readonly barePerSecond: number
  readonly ratio: number
  /** Processor time of the service per event. */
  readonly processorMsPerEvent: number
  /** Processor time of the database server per event; writing the event is a part of it. */
  readonly databaseMsPerEvent: number
}

export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly events: number
}

const warmUpSeconds = 1
const perCommit = 10
const backlog = 2_000
/** As many concurrent requests as one subscription may have, and as a busy dispatcher has. */
const connectionsOf = (subscriptions: number) => (subscriptions === 1 ? 16 : 100)

export async function measureThroughput(
  stage: Stage,
  targets: readonly Target[],
  seconds: number,
): Promise<Throughput> {
  const barePerSecond = await stage.bare.run({
    url: `${stage.receiver.url}/hook`,
    bytes: await bodyBytes(stage.db),
    connections: connectionsOf(targets.length),
    seconds: Math.min(seconds, 3),
  })
  const pids = { server: stage.service.pid, database: await databaseServerPid(stage.db) }
  const { committed, seen, ...cost } = await withProcessorTime(pids, async () => {
    const played = await play(stage, {
      targets,
      seconds: seconds + warmUpSeconds,
      perCommit,
      backlog,
      rate: undefined,
      receiverUrl: stage.receiver.url,
    })
    return { ...played, requests: played.seen.size }
  })
  const commits = Object.values(committed)
  const from = Math.min(...commits) + warmUpSeconds * 1000
  const to = Math.max(...commits)
  const within = [...seen.values()].filter((at) => at >= from && at < to).length
  const perSecond = within / ((to - from) / 1000)
  return {
    perSecond,
    barePerSecond,
    ratio: perSecond / barePerSecond,
    processorMsPerEvent: cost.processorMsPerRequest,
    databaseMsPerEvent: cost.databaseMsPerRequest,
  }
}

export async function measureLatency(
  stage: Stage,
  targets: readonly Target[],
  seconds: number,
  rate: number,
): Promise<Latency> {
  const { committed, seen } = await play(stage, {
    targets,
    seconds,
    perCommit: 1,
    backlog: 0,
    rate,
    receiverUrl: stage.receiver.url,
  })
  const times = Object.entries(committed)
    .map(([id, at]) => (seen.get(id) ?? Number.NaN) - at)
    .toSorted((a, b) => a - b)
  return {
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    maxMs: times.at(-1) ?? Number.NaN,
    events: times.length,
  }
}

const patienceMs = 60_000

/** Makes the producer write events and waits until every one has arrived. Repeats do not count. */
async function play({ receiver, producer }: Stage, job: ProducerJob) {
  await takeSeen(receiver)
  const committed = await producer.run(job)
  const seen = new Map<string, number>()
  const late = performance.now() + patienceMs
  const missing = () => Object.keys(committed).filter((id) => !seen.has(id)).length
  for (;;) {
    for (const [id, at] of await takeSeen(receiver)) if (!seen.has(id)) seen.set(id, at)
    if (missing() === 0) return { committed, seen }
    if (performance.now() > late) throw new Error(`${missing()} events did not arrive`)
    await sleep(50)
  }
}

async function takeSeen({ url }: Server): Promise<[string, number][]> {
  const lines = (await (await fetch(`${url}/seen`)).text()).split('\n')
  return lines.filter(Boolean).map((line) => {
    const [id = '', at] = line.split(' ')
    return [id, Number(at)]
  })
}

/** The size of a typical event. */
async function bodyBytes(db: Database): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`
    select octet_length(body) as bytes from events where type = 'order.status_changed' limit 1`
  return row?.bytes ?? 700
}

export interface IdleCost {
  /** Processor time of the service's sessions at the database, milliseconds per second. */
  readonly databaseMsPerSecond: number
  /** Processor time of the service, milliseconds per second. */
  readonly serviceMsPerSecond: number
}

/** The cost of the service while nothing happens. */
export async function measureIdle({ db, service }: Stage, seconds: number): Promise<IdleCost> {
  await sleep(seconds * 200)
  const started = performance.now()
  const before = { sessions: await sessionsMs(db), service: processorMs(service.pid) }
  await sleep(seconds * 1000)
  const elapsed = (performance.now() - started) / 1000
  const used = [...(await sessionsMs(db))].map(([pid, ms]) => ms - (before.sessions.get(pid) ?? 0))
  return {
    databaseMsPerSecond: used.reduce((sum, ms) => sum + ms, 0) / elapsed,
    serviceMsPerSecond: (processorMs(service.pid) - before.service) / elapsed,
  }
}

/**
 * Processor time of each session but the benchmark's own, by process. What vacuum and checkpoints do after a fill is not
 * counted.
 */
async function sessionsMs(db: Database): Promise<Map<number, number>> {
  const sessions = await db<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and application_name <> 'bench'`
  return new Map(sessions.map(({ pid }) => [pid, processorMs(pid)]))
}
