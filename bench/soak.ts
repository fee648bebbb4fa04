import { planOf } from './arguments.ts'
import { openPlace, timeAudit } from './place.ts'
import { startCaller, startFakes, startProducer, startReceiver, startService } from './processes.ts'
import { databaseServerPid } from './processor-time.ts'
import { log, publish, runLine, show, table } from './report.ts'
import { connectCabinets, readsOf } from './soak/load.ts'
import { readSoakOptions } from './soak/options.ts'
import { fifthsOf, figures, grown, processorOf, type Sample, sampleOf } from './soak/samples.ts'
import { buildScene, goods, scansOf, stockUp } from './staff/scene.ts'
import type { FakesReady } from './sync/fakes.ts'
import { subscribe } from './webhooks/scene.ts'

/**
 * Everything that a service does, at once and for long: sellers read, workers scan, cabinets sync, webhooks go out, some
 * to receivers that fail. Memory, connections, queues and the cost of a call must stay as they are.
 */

const options = readSoakOptions(process.argv.slice(2))

await using place = await openPlace()
const { dataDir, db } = place
await using open = new AsyncDisposableStack()
const fakes = await startFakes({
  ...{ cabinets: options.cabinets, orders: 100, goods: 50 },
  ...{ latencyMs: 100, backlog: 0, changeSeconds: 10 },
})
open.defer(fakes.stop)
const ready = JSON.parse(fakes.url) as FakesReady
const service = await startService(dataDir, undefined, {
  SANDBOX_ROBOT: 'off',
  WB_BASE_URL: ready.wildberriesUrl,
  OZON_BASE_URL: ready.ozonUrl,
  SYNC_INTERVAL: '3m',
  WEBHOOK_PRIVATE_TARGETS: 'allow',
  RATE_LIMIT_PER_MINUTE: '60',
  RATE_LIMIT_BURST: '20',
})
open.defer(service.stop)
const receiver = await startReceiver()
open.defer(receiver.stop)
const scene = await buildScene(db)
const api = { url: service.url, token: scene.token }
for (const client of scene.clients) await stockUp(db, api, client)
await connectCabinets(api, ready.accounts)
/** Subscriptions, of which every fifth has a receiver that fails. */
const subscriptions = 20
const failing = subscriptions / 5
const targets = [
  ...(await subscribe(db, service.url, receiver.url, subscriptions - failing)),
  ...(await subscribe(db, service.url, `${receiver.url}/failing`, failing)),
]
const reads = await readsOf(db, scene, options.keys)
const scans = scansOf(
  scene.clients.flatMap(({ receipts }) => receipts),
  goods,
)
const [readers, workers, producer] = [startCaller(), startCaller(), await startProducer(dataDir)]
for (const each of [readers, workers, producer]) open.defer(each.stop)
const watched = {
  db,
  servicePid: service.pid,
  databasePid: await databaseServerPid(db),
}
log('everything is connected')

const samples: Sample[] = []
const until = performance.now() + options.minutes * 60_000
let ending = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    log(`${signal}: the sample under way is the last`)
    ending = true
  })
}
while (performance.now() < until && !ending) samples.push(await soak(options.everySeconds))

const { findings } = await timeAudit(db)
const growing = options.judges ? grown(samples) : []
publish(options.resultsDir, 'soak', describe(), { plan: planOf(options), samples })
if (findings > 0 || growing.length > 0) process.exitCode = 1

/** Plays the load for some seconds. */
async function soak(seconds: number): Promise<Sample> {
  const before = processorOf(watched)
  const manager = { authorization: `Bearer ${scene.token}` }
  const pace = { url: service.url, seconds, everyMs: 1_000 }
  const { keys, events } = options
  const [read, scanned] = await Promise.all([
    readers.run({ ...pace, headers: {}, calls: reads, workers: keys }),
    workers.run({ ...pace, headers: manager, calls: scans, workers: options.workers }),
    producer.run({
      ...{ targets, seconds, rate: events, perCommit: 1, backlog: 0 },
      receiverUrl: receiver.url,
    }),
  ])
  // The receiver forgets the arrivals that it has listed.
  await (await fetch(`${receiver.url}/seen`)).arrayBuffer()
  const failed = [read, scanned].flatMap(({ statuses }) =>
    Object.entries(statuses).flatMap(([status, count]) => (Number(status) >= 300 ? [count] : [])),
  )
  const sample = await sampleOf(watched, before, {
    reads: read.durationsMs,
    scans: scanned.durationsMs,
    failed: failed.reduce((sum, count) => sum + count, 0),
  })
  log(
    Object.entries(sample)
      .map(([name, value]) => `${name} ${show(value)}`)
      .join(', '),
  )
  return sample
}

function describe(): string {
  const { minutes, keys, workers: scanning, cabinets, events } = options
  const head = ['', 'first fifth', 'second', 'third', 'fourth', 'last']
  const rows = figures.map(({ name }) => [name, ...fifthsOf(samples, name).map(show)])
  const grew = growing.length === 0 ? 'Nothing grew.' : `It grew: ${growing.join('; ')}.`
  const verdict = options.judges ? grew : 'Too short to tell what grows.'
  return [
    `# Soak, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `${runLine()}. For ${minutes} minutes ${keys} keys read once a ` +
      `second, ${scanning} workers scan once a second, ${cabinets} cabinets sync every three minutes, and ${events} ` +
      'events a second go to webhooks, a fifth of them to receivers that answer 500. Medians of each fifth of the time.',
    '',
    table(head, rows),
    '',
    `${verdict} The audit at the end found ${findings} differences.`,
    '',
  ].join('\n')
}
