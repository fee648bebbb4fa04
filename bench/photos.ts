import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../src/platform/db/connection.ts'
import { perform } from '../src/platform/db/work.ts'
import { systemClock } from '../src/platform/kernel/clock.ts'
import { addCabinet } from '../src/warehouse/clients/cabinets.ts'
import { createClient } from '../src/warehouse/clients/clients.ts'
import { readArguments } from './arguments.ts'
import type { Flooded } from './flood.ts'
import { quantile } from './measure.ts'
import { addManager, openPlace, postToStaff, type StaffApi, timeAudit } from './place.ts'
import { residentMb, residentPeakMb, startFlood, startService } from './processes.ts'
import { publish, runLine, show, table } from './report.ts'

/**
 * How long a scan takes while as many photos as a warehouse makes in a month come at once. Scans are sent at a fixed pace:
 * if the service stands still for a second, all scans of that second show it. At the end every photo that was acknowledged is looked for.
 */

const usage = `node bench/photos.ts [options]

  --photos N    photos that are sent (10000)
  --callers N   devices that send at once (12)
  --kb N        size of a photo (200)
  --out DIR     directory of the results (bench/results)
  --no-out      print the results only
  --smoke       few and small; print only
`

const given = readArguments(process.argv.slice(2), usage, ['photos', 'callers', 'kb'] as const)
const photos = given.number('photos', { usual: 10_000, smoke: 50, least: 1, whole: true })
const callers = given.number('callers', { usual: 12, smoke: 4, least: 1, whole: true })
const kb = given.number('kb', { usual: 200, smoke: 20, least: 1, most: 2_000 })
const aloneSeconds = given.smoke ? 2 : 15

const scanEveryMs = 40
/** Below what the service takes of an object and, in a day, of a client. */
const photosOfObject = 50
const objectsOfClient = 19
const barcode = '4600000000017'
const shares = [0.5, 0.99, 1]

await using place = await openPlace()
const { dataDir, db } = place
await using open = new AsyncDisposableStack()
const token = await addManager(db)
const service = await startService(dataDir)
open.defer(service.stop)
const flooder = startFlood()
open.defer(flooder.stop)
const api = { url: service.url, token }
const receipts = await openReceipts(api, Math.ceil(photos / photosOfObject))
const counted = await openReceipt(api, await addSeller(db))
await scanning(api, counted, sleep(2_000))
const alone = await scanning(api, counted, sleep(aloneSeconds * 1_000))
const before = residentMb(service.pid)
const paths = receipts.map((id) => `/staff/v1/receipts/${id}/photos`)
const began = performance.now()
const flood = flooder.run({
  ...{ kind: 'photos', url: service.url, seconds: 3_600, token, paths, callers, photos },
  bytes: kb * 1_024,
})
const beside = await scanning(api, counted, flood)
const flooded = await flood
const seconds = (performance.now() - began) / 1_000
const [{ kept }] = await db<[{ kept: number }]>`select count(*)::int as kept from photos`
const acknowledged = flooded.statuses[200] ?? 0
if (kept !== acknowledged) throw new Error(`${acknowledged} acknowledged, ${kept} kept`)
const { findings } = await timeAudit(db)
const grown = (residentPeakMb(service.pid) ?? residentMb(service.pid)) - before
publish(given.resultsDir, 'photos', describe({ alone, beside, flooded, seconds, grown, findings }))

async function openReceipts(api: StaffApi, count: number): Promise<string[]> {
  const receipts: string[] = []
  let seller = ''
  while (receipts.length < count) {
    if (receipts.length % objectsOfClient === 0) seller = await addSeller(db)
    receipts.push(await openReceipt(api, seller))
  }
  return receipts
}

function addSeller(db: Database): Promise<string> {
  return perform(db, systemClock, { kind: 'service' }, async (work) => {
    const clientId = await createClient(work, { mode: 'live', name: 'Продавец' })
    await addCabinet(work, clientId, { marketplace: 'WB', name: 'Кабинет' })
    return clientId
  })
}

async function openReceipt(api: StaffApi, client: string): Promise<string> {
  const items = [{ barcode, name: 'Чай', qty: 100_000 }]
  const { id } = await postToStaff(api, `/clients/${client}/receipts`, { items })
  await postToStaff(api, `/receipts/${id}/start`, {})
  return id
}

/** How long each scan took that was sent until the end. */
async function scanning(api: StaffApi, receipt: string, end: Promise<unknown>): Promise<number[]> {
  let isOver = false
  const over = end.finally(() => {
    isOver = true
  })
  const durations: number[] = []
  const scans: Promise<void>[] = []
  const began = performance.now()
  for (let n = 0; !isOver; n += 1) {
    await Promise.race([over, sleep(Math.max(0, began + n * scanEveryMs - performance.now()))])
    scans.push(scan())
  }
  await Promise.all([over, ...scans])
  return durations

  async function scan(): Promise<void> {
    const sent = performance.now()
    await postToStaff(api, `/receipts/${receipt}/scans`, { scan_id: randomUUID(), barcode })
    durations.push(performance.now() - sent)
  }
}

interface Figures {
  readonly alone: readonly number[]
  readonly beside: readonly number[]
  readonly flooded: Flooded
  readonly seconds: number
  readonly grown: number
  readonly findings: number
}

function describe({ alone, beside, flooded, seconds, grown, findings }: Figures): string {
  const row = (name: string, durations: readonly number[]) => {
    const sorted = durations.toSorted((one, other) => one - other)
    return [name, String(sorted.length), ...shares.map((share) => show(quantile(sorted, share)))]
  }
  const answers = Object.entries(flooded.statuses).map(([status, count]) => `${status}: ${count}`)
  return [
    `# Photos, ${new Date().toISOString().slice(0, 10)}\n`,
    `${runLine()}\n`,
    `${photos} photos of ${kb} KB from ${callers} devices without a pause; ${1000 / scanEveryMs} scans a second beside them. Milliseconds.\n`,
    table(
      ['scans', 'number', 'p50', 'p99', 'most'],
      [row('alone', alone), row('beside photos', beside)],
    ),
    `\n${show(photos / seconds)} photos a second, ${show(seconds)} s in all; answers ${answers.join(', ')};`,
    `the slowest took ${show(flooded.slowestMs / 1_000)} s. The process grew by ${show(grown)} MB. Audit: ${findings} findings.`,
  ].join('\n')
}
