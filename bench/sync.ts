import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../src/platform/db/connection.ts'
import { planOf } from './arguments.ts'
import { addManager, openPlace, postToStaff, timeAudit } from './place.ts'
import { residentMb, residentPeakMb, startFakes, startService } from './processes.ts'
import { processorMs } from './processor-time.ts'
import { describeRun, log, publish, table } from './report.ts'
import type { FakesReady } from './sync/fakes.ts'
import { readSyncOptions } from './sync/options.ts'

/**
 * Measures how long a sync run of all cabinets takes and how much processor time it costs. Cabinets in trouble
 * run beside them and are not waited for.
 */
interface RoundFigures {
  readonly name: string
  readonly seconds: number
  /** Processor time of the service. */
  readonly cpuSeconds: number
  readonly residentMb: number
  readonly failed: number
  /** Orders that the cabinet with the backlog has so far. */
  readonly backlogRead: number
  /** Load of the machine in the minute before the round's end. */
  readonly load: number
}

const options = readSyncOptions(process.argv.slice(2))
const interval = '3m'
const usualName = 'Кабинет'

await using place = await openPlace()
const { dataDir, db } = place
await using open = new AsyncDisposableStack()
const fakes = await startFakes({ ...options, changeSeconds: 10 })
open.defer(fakes.stop)
const ready = JSON.parse(fakes.url) as FakesReady
const service = await startService(dataDir, undefined, {
  SANDBOX_ROBOT: 'off',
  WB_BASE_URL: ready.wildberriesUrl,
  OZON_BASE_URL: ready.ozonUrl,
  // Rounds begin when the benchmark says so.
  SYNC_INTERVAL: '1d',
})
open.defer(service.stop)

const emptyMb = residentMb(service.pid)
const rounds: RoundFigures[] = [await measure('first, 30 days', connectAll)]
for (let round = 1; round <= options.rounds; round += 1) {
  rounds.push(
    await measure(`later, ${round}`, async () => {
      await db`update cabinet_syncs set next_at = now(), stock_at = null`
    }),
  )
}
const results = {
  ...(await describeRun(db)),
  plan: planOf(options),
  emptyMb,
  peakMb: residentPeakMb(service.pid),
  orders: await ordersIn(db),
  findings: (await timeAudit(db)).findings,
  rounds,
}
publish(options.resultsDir, 'sync', describe(), results)
if (results.findings > 0 || rounds.some(({ failed }) => failed > 0)) process.exitCode = 1

async function measure(name: string, begin: () => Promise<void>): Promise<RoundFigures> {
  const [now] = await db<[{ at: string }]>`select clock_timestamp()::text as at`
  const processorMsBefore = processorMs(service.pid)
  const begun = performance.now()
  await begin()
  for (;;) {
    const [row] = await db<[{ done: number; failed: number }]>`
      select count(*) filter (where s.lease is null and s.started_at > ${now.at}::text::timestamptz)::int as done,
        count(*) filter (where k.sync_error is not null)::int as failed
      from cabinet_syncs s join cabinets k on k.client_id = s.client_id and k.id = s.cabinet_id
      where k.name = ${usualName}`
    if (row.done === options.cabinets) {
      const figures = {
        name,
        seconds: (performance.now() - begun) / 1000,
        cpuSeconds: (processorMs(service.pid) - processorMsBefore) / 1000,
        residentMb: residentMb(service.pid),
        failed: row.failed,
        backlogRead: await ordersIn(db, 'backlog'),
        load: loadavg()[0] ?? 0,
      }
      log(
        `${name}: ${figures.seconds.toFixed(1)} s, cpu ${figures.cpuSeconds.toFixed(1)} s, ` +
          `${figures.residentMb.toFixed(0)} MB, ${figures.failed} failed, ${figures.backlogRead} orders of the backlog, load ${figures.load.toFixed(1)}`,
      )
      return figures
    }
    await sleep(100)
  }
}

/** Creates one client per cabinet through the staff API, as managers do. */
async function connectAll(): Promise<void> {
  const api = { url: service.url, token: await addManager(db) }
  for (const [index, { marketplace, credentials, trouble }] of ready.accounts.entries()) {
    const { id } = await postToStaff(api, '/clients', { name: `Клиент ${index}` })
    const shipments = index % 4 < 2 ? 'ours' : 'mirrored'
    await postToStaff(api, `/clients/${id}/cabinets`, {
      marketplace,
      name: trouble ?? usualName,
      credentials,
      shipments,
    })
  }
}

async function ordersIn(from: Database, name = ''): Promise<number> {
  const [row] = await from<[{ n: number }]>`
    select count(*)::int as n from orders o join clients c on c.id = o.client_id
    join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
    where c.mode = 'live' and ${name} in ('', k.name)`
  return row.n
}

function describe(): string {
  const { cabinets, orders, goods, latencyMs, backlog } = options
  const beside =
    backlog === 0
      ? ''
      : ` Beside them one cabinet with ${backlog} orders, one whose answers take 12 s, and one that is answered 429.`
  const rows = rounds.map((round) => [
    round.name,
    round.seconds.toFixed(1),
    round.cpuSeconds.toFixed(1),
    round.residentMb.toFixed(0),
    String(round.failed),
    String(round.backlogRead),
    round.load.toFixed(1),
  ])
  return [
    `# Syncing, ${results.date.slice(0, 10)}`,
    '',
    `${results.machine}, Node ${results.node}, commit ${results.commit}. ${cabinets} cabinets with ` +
      `${orders} open orders and ${goods} goods each; every answer of the marketplaces takes ` +
      `${latencyMs} ms.${beside} The usual interval between sync runs is ${interval}.`,
    '',
    table(
      ['round', 'seconds', 'cpu seconds', 'MB after it', 'cabinets failed', 'backlog read', 'load'],
      rows,
    ),
    '',
    `${results.orders} orders in the end; ${results.findings} findings of the audit. Resident memory: ` +
      `${emptyMb.toFixed(0)} MB after the start, ${results.peakMb?.toFixed(0) ?? '?'} MB at most.`,
    '',
  ].join('\n')
}
