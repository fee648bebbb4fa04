import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { issueApiKey } from '../src/identity/keys/api-keys.ts'
import type { DatabaseTarget } from '../src/platform/db/connections/address.ts'
import { perform } from '../src/platform/db/work.ts'
import { systemClock } from '../src/platform/kernel/clock.ts'
import { hasPooler, openPooler } from '../tests/support/pooler.ts'
import { planOf } from './arguments.ts'
import { openPlace, timeAudit } from './place.ts'
import { startCaller, startFakes, startTier } from './processes.ts'
import { databaseServerPid } from './processor-time.ts'
import { describeRun, log, publish } from './report.ts'
import type { FakesReady } from './sync/fakes.ts'
import { readTierOptions } from './tiers/options.ts'
import { describeTier } from './tiers/report.ts'
import { middleOf, openSampler, type TierSample } from './tiers/samples.ts'
import { connectSellers } from './tiers/sellers.ts'
import { wallOf } from './tiers/wall.ts'

/**
 * Plays sellers with two cabinets each through one API process and several workers, and says what kept them from more. With
 * `--speed` the marketplaces' time, the intervals and the sellers' reads pass faster, so an hour is played in minutes.
 */

const options = readTierOptions(process.argv.slice(2))
const { sellers, speed } = options
const intervalMs = Math.round(180_000 / speed)
/** Sellers read once a minute, one after the other: so many at a time, each after its pause. */
const readers = Math.ceil(sellers / 60)
const readEveryMs = ((60_000 / speed) * readers) / sellers

await using place = await openPlace()
const { dataDir, target, db } = place
await using open = new AsyncDisposableStack()
const { orders, goods, latencyMs, changeSeconds } = options
const fakes = await startFakes({
  ...{ cabinets: 2 * sellers, orders, goods, latencyMs },
  ...{ backlog: 0, changeSeconds, speed },
})
open.defer(fakes.stop)
const ready = JSON.parse(fakes.url) as FakesReady

const pooled = options.pooler > 0 && hasPooler
const pooler = pooled ? await openPooler(target, options.pooler) : undefined
if (pooler !== undefined) open.defer(pooler.stop)
const direct = addressOf(target, join(dataDir, 'postgres'))
const settings = {
  DATABASE_URL: pooler?.url ?? direct,
  DATABASE_LISTEN_URL: direct,
  DATABASE_PREPARED_STATEMENTS: pooled ? 'off' : 'on',
  SECRET_KEY: randomBytes(32).toString('base64'),
  SANDBOX_ROBOT: 'off',
  PORT: '0',
  METRICS_PORT: '0',
  WB_BASE_URL: ready.wildberriesUrl,
  OZON_BASE_URL: ready.ozonUrl,
  OZON_LIST_PAUSE: `${Math.max(1, Math.round(1_500 / speed))}ms`,
  SYNC_INTERVAL: `${intervalMs}ms`,
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_BURST: '1000000',
}
const api = await startTier({ role: 'api', speed }, settings)
open.defer(api.stop)
const workers = []
for (let n = 0; n < options.workers; n += 1) {
  const worker = await startTier({ role: 'worker', speed }, settings)
  open.defer(worker.stop)
  workers.push(worker)
}
const portsOf = (line: string) => JSON.parse(line) as { port: number; metricsPort: number }
const url = `http://127.0.0.1:${portsOf(api.url).port}`
const clients = await connectSellers(db, url, ready.accounts)
const keys = await perform(db, systemClock, { kind: 'service' }, async (work) => {
  const issued: string[] = []
  for (const id of clients)
    issued.push((await issueApiKey(work, id, { name: 'tiers', receiptsEnabled: false })).key)
  return issued
})
const firstSeconds = await firstRuns()
log(`all cabinets were synced, ${firstSeconds.toFixed(0)} s after the last one was connected`)

const caller = startCaller()
open.defer(caller.stop)
const sampler = openSampler({
  db,
  intervalMs,
  connectionsMax: pooler === undefined ? 0 : options.pooler,
  metricsPorts: [api, ...workers].map((each) => portsOf(each.url).metricsPort),
  pids: {
    api: [api.pid],
    workers: workers.map(({ pid }) => pid),
    database: await databaseServerPid(db),
    pooler: pooler?.pid,
    'stand-ins': fakes.pid,
  },
})
const sampleSeconds = Math.min(30, options.minutes * 10)
const samples: TierSample[] = []
const until = performance.now() + options.minutes * 60_000
while (performance.now() < until) {
  const before = sampler.begin()
  const reads = await caller.run({
    ...{ url, headers: {}, calls: readsOf(keys), workers: readers },
    ...{ seconds: sampleSeconds, everyMs: readEveryMs },
  })
  samples.push(await sampler.end(before, reads))
  log(JSON.stringify(samples.at(-1)))
}

const { findings } = await timeAudit(db)
const middle = middleOf(samples.slice(Math.floor(samples.length / 2)))
const wall = wallOf({
  ...middle,
  cabinets: 2 * sellers,
  processorShare: middle.processors / availableParallelism(),
})
const results = {
  ...(await describeRun(db)),
  plan: planOf(options),
  pooled,
  ...{ firstSeconds, samples, middle, wall, findings },
}
publish(options.resultsDir, 'tiers', describeTier(results), results)
if (findings > 0) process.exitCode = 1

/** As a setting names it. The directory of the socket may be an open file of this process. */
function addressOf(target: DatabaseTarget, directory: string): string {
  if ('url' in target) return target.url
  const { user, port, database } = target
  return `postgres://${user}@${encodeURIComponent(directory)}:${port}/${database}`
}

function readsOf(of: readonly string[]) {
  const paths = ['/v1/stock?limit=100', '/v1/orders?limit=100', '/v1/events?limit=100', '/v1/me']
  return paths.flatMap((_, turn) =>
    of.map((key, n) => ({
      method: 'GET' as const,
      path: paths[(turn + n) % paths.length] ?? '',
      body: '',
      headers: { 'x-api-key': key },
    })),
  )
}

async function firstRuns(): Promise<number> {
  const since = performance.now()
  for (;;) {
    const [row] = await db<[{ left: number }]>`
      select count(*)::int as left from cabinets k where k.synced_at is null`
    if (row.left === 0) return (performance.now() - since) / 1000
    await sleep(200)
  }
}
