import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Database } from '../src/platform/db/connection.ts'
import { readArguments } from './arguments.ts'
import { fill, type Subject } from './fill.ts'
import { scenarioBuilt } from './lifetime.ts'
import { median } from './measure.ts'
import { addManager, openPlace, timeAudit } from './place.ts'
import { startService } from './processes.ts'
import { databaseServerPid, processorMsWithChildren, withProcessorTime } from './processor-time.ts'
import { log, publish, runLine, show, table } from './report.ts'

/**
 * The same requests and the same upkeep on a warehouse after one year, three and ten, side by side: as many orders and
 * goods a year, and a million, three and ten million orders.
 */

const usage = `node bench/growth.ts [options]

  --orders LIST   sizes of the warehouse, ascending (1000000,3000000,10000000): the first is a year, the others are
                  as many years more; 5 KB of disk an order in the temporary directory (TMPDIR), one after the other
  --rounds N      how often each request is timed (500)
  --out DIR       directory of the results (bench/results)
  --no-out        print the results only
  --smoke         5,000 and 15,000 orders, a few rounds; print only
`

/** What one size shows, by the name of the row: its unit stands there. */
type Figures = Readonly<Record<string, number>>

const given = readArguments(process.argv.slice(2), usage, ['orders', 'rounds'] as const)
const sizes = (given.text.orders ?? (given.smoke ? '5000,15000' : '1000000,3000000,10000000'))
  .split(',')
  .map((size) => given.checked('orders', size, { least: 5_000, whole: true }))
const rounds = given.number('rounds', { usual: 500, smoke: 3, least: 1, whole: true })

const draftsAtOnce = 100
/** Requests between two looks at the processor time, which the system counts in hundredths of a second. */
const windowOf = 50
/** How much a figure may grow from the first size to the last. */
const flatWithin = 1.3
const dayMs = 24 * 60 * 60 * 1000
/** 3.3 KB of tables and indexes, and what filling writes beside them. */
const diskBytesAnOrder = 5_000

refuseWithoutRoom(Math.max(...sizes))
const measured: Figures[] = []
for (const size of sizes) {
  measured.push(await measureSize(size))
  // Whoever stops the run keeps the sizes that have ended.
  publish(given.resultsDir, 'growth', describe(measured))
}

/** The first size is a year. */
function yearsOf(orders: number): number {
  return Math.max(1, Math.round(orders / (sizes[0] ?? orders)))
}

/** Hours of filling end here, and not at a full disk. */
function refuseWithoutRoom(orders: number): void {
  const place = tmpdir()
  const { bavail, bsize } = statfsSync(place)
  const gigabytes = 1e9
  const needed = (orders * diskBytesAnOrder) / gigabytes
  const free = (bavail * bsize) / gigabytes
  if (free >= needed) return
  console.error(
    `${orders.toLocaleString('en')} orders need ${show(needed)} GB in ${place}, and ${show(free)} GB are free: name another directory by TMPDIR`,
  )
  process.exit(2)
}

async function measureSize(orders: number): Promise<Figures> {
  await using place = await openPlace()
  const { dataDir, db } = place
  const subject = await fill(db, orders, yearsOf(orders))
  const bytes = await bytesOf(db)
  const service = await startService(dataDir)
  const pids = { server: service.pid, database: await databaseServerPid(db) }
  const requests = await withFullPages(db, () =>
    timeRequests(db, service.url, pids, subject).finally(service.stop),
  )
  log(`${orders} orders: requests timed`)
  const upkeep = await timeUpkeep(db, pids.database)
  log(`${orders} orders: upkeep timed`)
  const { findings } = await timeAudit(db)
  if (findings > 0) throw new Error(`the audit found ${findings} differences`)
  return { 'KB an order': bytes / orders / 1_000, ...requests, ...upkeep }
}

/**
 * Orders grow until their pages are full, but filled ones have their last size at once and leave room for one more on each
 * tenth page or so. New orders would go there: at a million orders such pages are used up soon, at ten million each
 * new order would read a page of its own from the disk. While this runs, new orders go onto new pages.
 */
async function withFullPages<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const [row] = await db<[{ options: string[] }]>`
    select reloptions as options from pg_class where oid = 'orders'::regclass`
  const usual = row.options.find((option) => option.startsWith('fillfactor='))
  if (usual === undefined) throw new Error('the table of orders has no fillfactor')
  await db`alter table orders set (fillfactor = 70)`
  return await work().finally(() => db.unsafe(`alter table orders set (${usual})`))
}

async function bytesOf(db: Database): Promise<number> {
  const [row] = await db<[{ bytes: number }]>`
    select pg_database_size(current_database())::float8 as bytes`
  return row.bytes
}

interface Pids {
  readonly server: number
  readonly database: number
}

async function timeRequests(
  db: Database,
  url: string,
  pids: Pids,
  subject: Subject,
): Promise<Figures> {
  await scenarioBuilt(url)
  const token = await addManager(db)
  const seller = (path: string) => () => call(`${url}/v1${path}`, subject.key)
  // No period is longer than 366 days, to the millisecond.
  const now = Date.now()
  const [month, year, end] = [30, 366, 0].map((days) => new Date(now - days * dayMs).toISOString())
  let made = 0
  const takeIn = () => {
    const drafts = Array.from({ length: draftsAtOnce }, () => ({
      cabinet_id: subject.cabinetId,
      external_id: `growth ${++made}`,
      barcode: `growth ${made % 50}`,
    }))
    return call(`${url}/staff/v1/clients/${subject.clientId}/orders`, token, drafts)
  }
  const requests: Readonly<Record<string, () => Promise<void>>> = {
    'orders, page of 100 and total': seller('/orders?limit=100'),
    'orders, total with a page of 1': seller('/orders?limit=1'),
    'orders of a status, page of 100 and total': seller('/orders?limit=100&status=COMPLETED'),
    'orders of 30 days, page of 100 and total': seller(`/orders?limit=100&created_from=${month}`),
    'stock, page of 100': seller('/stock?limit=100'),
    'metrics of a year': seller(`/metrics?from=${year}&to=${end}`),
    'intake of 100 orders': takeIn,
  }
  const times: Record<string, number> = {}
  const costs: Record<string, number> = {}
  for (const request of Object.values(requests)) {
    for (let round = 0; round < rounds / 5; round += 1) await request()
  }
  for (const [name, request] of Object.entries(requests)) {
    const windows = await inWindows(pids, request)
    times[`${name}, ms`] = median(windows.flatMap(({ times }) => times))
    costs[`${name}, ms of processor`] = median(windows.map(({ costMs }) => costMs))
  }
  return { ...times, ...costs }
}

async function call(url: string, token: string, body?: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url, { headers, ...sent })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 500)}`)
}

/** What the server does beside the requests (checkpoints, autovacuum of what was filled) falls into few windows. */
async function inWindows(pids: Pids, request: () => Promise<void>) {
  const windows: { times: number[]; costMs: number }[] = []
  for (let left = rounds; left > 0; left -= windowOf) {
    const requests = Math.min(left, windowOf)
    const { times, processorMsPerRequest, databaseMsPerRequest } = await withProcessorTime(
      pids,
      async () => ({ requests, times: await timesOf(request, requests) }),
    )
    windows.push({ times, costMs: processorMsPerRequest + databaseMsPerRequest })
  }
  return windows
}

async function timesOf(work: () => Promise<void>, count: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < count; round += 1) times.push(await msOf(work))
  return times
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** What a night's work costs for each row that it touches: every hundredth order gets a new time of its last sync. */
async function timeUpkeep(db: Database, databasePid: number): Promise<Figures> {
  const cost = async (work: () => Promise<unknown>) => {
    // The first change of a page after a checkpoint writes the whole page: a large work meets one by itself, a small
    // one does not.
    await db`checkpoint`
    const before = processorMsWithChildren(databasePid)
    const ms = await msOf(work)
    return { ms, processorMs: processorMsWithChildren(databasePid) - before }
  }
  let touched = 0
  const update = await cost(async () => {
    const rows = await db`
      update orders set synced_at = synced_at + interval '1 millisecond'
      where abs(hashtextextended(id::text, 0)) % 100 = 0 returning 1`
    touched = rows.length
  })
  const vacuum = await cost(() => db`vacuum orders`)
  const microseconds = (ms: number) => (ms * 1_000) / touched
  return {
    'update, µs a touched row': microseconds(update.ms),
    'update, µs of processor a touched row': microseconds(update.processorMs),
    'vacuum, µs a touched row': microseconds(vacuum.ms),
    'vacuum, µs of processor a touched row': microseconds(vacuum.processorMs),
  }
}

function describe(all: readonly Figures[]): string {
  const [least = {}] = all
  const larger = all.length > 1 ? all.slice(1) : all
  /** The worst of the larger sizes. */
  const grownBy = (name: string) =>
    Math.max(
      ...larger.map((figures) => (figures[name] ?? Number.NaN) / (least[name] ?? Number.NaN)),
    )
  const rows = Object.keys(least).map((name) => {
    const values = all.map((figures) => figures[name] ?? Number.NaN)
    return [name, ...values.map(show), `${grownBy(name).toFixed(2)} ×`]
  })
  const grown = Object.keys(least).filter((name) => grownBy(name) > flatWithin)
  const heads = sizes.slice(0, all.length).map((size) => `${size.toLocaleString('en')} orders`)
  return [
    `# Growth, ${new Date().toISOString().slice(0, 10)}`,
    runLine(),
    `${rounds} requests of each kind, one at a time: the median of their times, and what one costs the processors of service and database together, the
median of windows of ${windowOf} requests. A third of the orders belong to the client that asks.`,
    table(['', ...heads, 'most to first'], rows),
    grown.length === 0
      ? `All are flat within ${flatWithin} ×.`
      : `Beyond ${flatWithin} ×: ${grown.join('; ')}.`,
  ].join('\n\n')
}
