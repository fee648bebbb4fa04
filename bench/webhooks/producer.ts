import { openDatabase } from '../../src/platform/db/connection.ts'
import { perform } from '../../src/platform/db/work.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { makeEvent, writeEvents } from '../../src/warehouse/events/outbox.ts'

/**
 * A separate process that writes events through the outbox. Forked as `producer.ts <data directory>`, it
 * takes one job at a time over IPC and answers with the commit time of each event.
 */

export interface Target {
  readonly clientId: string
  readonly webhookId: string
}

export interface ProducerJob {
  readonly targets: readonly Target[]
  readonly seconds: number
  /** Events per transaction; all go to one subscription. */
  readonly perCommit: number
  /** Events per second; undefined: as many as keep `backlog` unsent. */
  readonly rate: number | undefined
  readonly backlog: number
  readonly receiverUrl: string
}

/** Commit times, by event. */
export type Committed = Record<string, number>

const [dataDir = ''] = process.argv.slice(2)
const { target: database, stop } = await startEmbedded({ dataDir, as: 'command' })
const writers = 3
const db = openDatabase(database, { max: writers, applicationName: 'bench producer' })

const clockMs = () => Number(process.hrtime.bigint()) / 1e6
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** An order as a seller sees it. */
const order = {
  id: '0198a3b2-7c1d-7e4f-8a9b-0c1d2e3f4a5b',
  marketplace: 'WB',
  external_id: '4871236590',
  status: 'PACKED',
  supplier_status: 'complete',
  buyer_status: 'waiting',
  status_changed_at: '2026-11-20T18:25:02.123+03:00',
  article: 'ABC-123/красный',
  barcode: '2041234567890',
  nm_id: 123456789,
  is_b2b: false,
  shipment: null,
  created_at: '2026-11-20T12:00:00.000+03:00',
  packed_at: '2026-11-20T18:25:02.123+03:00',
  synced_at: '2026-11-20T18:30:00.000+03:00',
}

async function commit({ clientId, webhookId }: Target, count: number, into: Committed) {
  const at = toTimestamp(systemClock.now())
  const events = Array.from({ length: count }, () =>
    makeEvent(at, 'order.status_changed', { object: order, previous_status: 'ASSEMBLY' }),
  )
  await perform(db, systemClock, { kind: 'service' }, (work) =>
    writeEvents(work, clientId, 'order.status_changed', events, [webhookId]),
  )
  const committed = clockMs()
  for (const { id } of events) into[id] = committed
}

async function receivedCount(url: string): Promise<number> {
  return Number(await (await fetch(url)).text())
}

/** Writes as fast as events arrive: some always wait. */
async function flood(job: ProducerJob, into: Committed): Promise<void> {
  const { targets, seconds, perCommit, backlog, receiverUrl } = job
  const before = await receivedCount(receiverUrl)
  const until = clockMs() + seconds * 1000
  let written = 0
  let received = 0
  const watch = setInterval(async () => {
    received = (await receivedCount(receiverUrl)) - before
  }, 20)
  const write = async () => {
    while (clockMs() < until) {
      if (written - received >= backlog) {
        await pause(2)
        continue
      }
      const target = targets[(written / perCommit) % targets.length]
      written += perCommit
      if (target !== undefined) await commit(target, perCommit, into)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  clearInterval(watch)
}

/** Writes at a fixed rate, evenly, without waiting for arrivals. */
async function trickle({ targets, seconds }: ProducerJob, rate: number, into: Committed) {
  const started = clockMs()
  const commits: Promise<void>[] = []
  for (let n = 0; n < rate * seconds; n += 1) {
    const wait = started + (n * 1000) / rate - clockMs()
    if (wait > 0) await pause(wait)
    const target = targets[n % targets.length]
    if (target !== undefined) commits.push(commit(target, 1, into))
  }
  await Promise.all(commits)
}

process.on('message', async (job: ProducerJob) => {
  const committed: Committed = {}
  if (job.rate === undefined) await flood(job, committed)
  else await trickle(job, job.rate, committed)
  process.send?.(committed)
})

process.on('SIGTERM', async () => {
  await db.end({ timeout: 5 })
  await stop()
  process.exit(0)
})
process.send?.('ready')
