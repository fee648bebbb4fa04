import { planOf } from './arguments.ts'
import { median } from './measure.ts'
import { openPlace, type Place } from './place.ts'
import { startBareSender, startProducer, startReceiver, startService } from './processes.ts'
import { describeRun, log, publish } from './report.ts'
import {
  type Latency,
  measureIdle,
  measureLatency,
  measureThroughput,
  type Stage,
  type Throughput,
} from './webhooks/measure.ts'
import { readWebhookOptions, type WebhookOptions } from './webhooks/options.ts'
import type { Target } from './webhooks/producer.ts'
import { describeWebhooks, type Figures, type WebhookResults } from './webhooks/report.ts'
import { addQuiet, fillLog, subscribe } from './webhooks/scene.ts'

const rate = 100
const options = readWebhookOptions(process.argv.slice(2))
await using place = await openPlace(options.dataDir)
const results = await benchmark(place)
publish(options.resultsDir, 'webhooks', describeWebhooks(results), results)

/** Starts all processes, measures, and stops them in any case. */
async function benchmark({ dataDir, db }: Place): Promise<WebhookResults> {
  await using open = new AsyncDisposableStack()
  const service = await startService(dataDir, options.profileDir, { SANDBOX_ROBOT: 'off' })
  const receiver = await startReceiver()
  open.defer(receiver.stop)
  open.defer(service.stop)
  const producer = await startProducer(dataDir)
  open.defer(producer.stop)
  const bare = startBareSender()
  open.defer(bare.stop)
  const targets = await subscribe(db, service.url, receiver.url, Math.max(...options.subscriptions))
  log(`${targets.length} subscriptions`)
  return await measureAll({ db, service, receiver, producer, bare }, targets)
}

async function measureAll(stage: Stage, targets: readonly Target[]): Promise<WebhookResults> {
  const { db } = stage
  await measureThroughput(stage, targets.slice(0, 1), 1)
  const fresh = await measureFigures(stage, targets, options)
  log('measured with an empty log')
  if (options.old > 0) await fillLog(db, options.old)
  const long = options.old > 0 ? await measureFigures(stage, targets, options) : undefined
  log(`measured with ${options.old} old deliveries`)
  const few = targets.slice(0, 100)
  const quiet = []
  for (const pending of options.quiet > 0 ? [0, 3] : []) {
    await addQuiet(db, options.quiet, pending)
    const name =
      pending === 0 ? 'beside idle subscriptions' : 'and as many paused ones with pending events'
    const idle = await measureIdle(stage, options.seconds * 2)
    const latency = await measureLatency(stage, few, options.seconds, rate)
    const { perSecond } = await measureThroughput(stage, few, options.seconds)
    quiet.push({ name, idle, latency, perSecond })
    log(name)
  }
  return {
    ...(await describeRun(db)),
    plan: { ...planOf(options), rate },
    fresh,
    long,
    quiet,
  }
}

/** Each round runs all cases, so that a disturbance does not affect one of them alone. */
async function measureFigures(
  stage: Stage,
  targets: readonly Target[],
  { rounds, seconds, subscriptions }: WebhookOptions,
): Promise<Figures> {
  const throughput = new Map<number, Throughput[]>()
  const latency = new Map<number, Latency[]>()
  for (let round = 1; round <= rounds; round += 1) {
    for (const count of subscriptions) {
      const some = targets.slice(0, count)
      const flow = await measureThroughput(stage, some, seconds)
      throughput.set(count, [...(throughput.get(count) ?? []), flow])
      const times = await measureLatency(stage, some, seconds, rate)
      latency.set(count, [...(latency.get(count) ?? []), times])
      log(
        `round ${round}, ${count}: ${flow.perSecond.toFixed(0)}/s, cpu ${flow.processorMsPerEvent.toFixed(3)} + ${flow.databaseMsPerEvent.toFixed(3)} ms, bare ${flow.barePerSecond.toFixed(0)}/s, ` +
          `p50 ${times.p50Ms.toFixed(1)} p99 ${times.p99Ms.toFixed(1)} ms`,
      )
    }
  }
  return {
    cases: subscriptions.map((count) => {
      const flows = throughput.get(count) ?? []
      const times = latency.get(count) ?? []
      return {
        subscriptions: count,
        throughput: {
          perSecond: median(flows.map(({ perSecond }) => perSecond)),
          bestPerSecond: Math.max(...flows.map(({ perSecond }) => perSecond)),
          barePerSecond: median(flows.map(({ barePerSecond }) => barePerSecond)),
          ratio: median(flows.map(({ ratio }) => ratio)),
          processorMsPerEvent: median(flows.map((flow) => flow.processorMsPerEvent)),
          databaseMsPerEvent: median(flows.map((flow) => flow.databaseMsPerEvent)),
        },
        latency: {
          p50Ms: median(times.map(({ p50Ms }) => p50Ms)),
          p99Ms: median(times.map(({ p99Ms }) => p99Ms)),
          maxMs: Math.max(...times.map(({ maxMs }) => maxMs)),
        },
      }
    }),
    idle: await measureIdle(stage, seconds * 2),
  }
}
