import type { Plan } from '../arguments.ts'
import { type Aim, describeAims, type Run, show, table } from '../report.ts'
import type { IdleCost, Latency } from './measure.ts'
import type { WebhookOptions } from './options.ts'

/** The figures of one case: medians of the rounds, except best and max. */
export interface CaseFigures {
  readonly subscriptions: number
  readonly throughput: {
    readonly perSecond: number
    readonly bestPerSecond: number
    readonly barePerSecond: number
    /** Service to bare loop in the same round. */
    readonly ratio: number
    readonly processorMsPerEvent: number
    readonly databaseMsPerEvent: number
  }
  readonly latency: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number }
}

export interface Figures {
  readonly cases: readonly CaseFigures[]
  readonly idle: IdleCost
}

export interface QuietFigures {
  readonly name: string
  readonly idle: IdleCost
  readonly latency: Latency
  readonly perSecond: number
}

export interface WebhookResults extends Run {
  readonly plan: Plan<WebhookOptions> & { readonly rate: number }
  readonly fresh: Figures
  /** With the old deliveries in the log. */
  readonly long: Figures | undefined
  readonly quiet: readonly QuietFigures[]
}

/** Of the bare loop in the same round: twice what the dispatcher managed before it read ahead. */
const ratioAimOf = (subscriptions: number) => (subscriptions === 1 ? 0.09 : 0.15)
const p99AimMs = 20
/** Of the database, milliseconds per second. */
const idleAimMs = 20

export function describeWebhooks(results: WebhookResults): string {
  const { plan, fresh, long, quiet } = results
  const head = [
    'Subscriptions',
    'events/s',
    'best',
    'bare/s',
    'ratio to bare',
    'cpu ms',
    'database cpu ms',
    `p50 ms at ${plan.rate}/s`,
    'p99 ms',
    'max ms',
  ]
  return `# Benchmark of webhooks of ${results.date}

- Commit: ${results.commit}
- Machine: ${results.machine}
- Node ${results.node}, PostgreSQL ${results.postgres} (embedded, durable settings)
- ${plan.rounds} rounds of ${plan.seconds} s; medians of the rounds

With an empty log:

${table(head, fresh.cases.map(row))}
${
  long === undefined
    ? ''
    : `
With ${plan.old} deliveries of the last month in the log:

${table(head, long.cases.map(row))}

${table(
  ['Long log to empty log', 'events/s', 'ratio to bare', 'p99'],
  long.cases.map(({ subscriptions, throughput, latency }, at) => {
    const before = fresh.cases[at]
    return [
      String(subscriptions),
      (throughput.perSecond / (before?.throughput.perSecond ?? Number.NaN)).toFixed(2),
      (throughput.ratio / (before?.throughput.ratio ?? Number.NaN)).toFixed(2),
      (latency.p99Ms / (before?.latency.p99Ms ?? Number.NaN)).toFixed(2),
    ]
  }),
)}
`
}
The cost while nothing happens (milliseconds per second), and 100 subscriptions beside many quiet ones:

${table(
  ['Quiet subscriptions', 'idle: database', 'idle: service', 'events/s', 'p50 ms', 'p99 ms'],
  [
    idleRow(`none, empty log`, fresh.idle),
    ...(long === undefined ? [] : [idleRow(`none, ${plan.old} in the log`, long.idle)]),
    ...quiet.map(({ name, idle, latency, perSecond }) => [
      ...idleRow(`${plan.quiet} ${name}`, idle).slice(0, 3),
      show(perSecond),
      show(latency.p50Ms),
      show(latency.p99Ms),
    ]),
  ],
)}

${describeAims(aims(results))}
`
}

function row({ subscriptions, throughput, latency }: CaseFigures): string[] {
  const { perSecond, bestPerSecond, barePerSecond, ratio } = throughput
  const { processorMsPerEvent, databaseMsPerEvent } = throughput
  return [
    String(subscriptions),
    show(perSecond),
    show(bestPerSecond),
    show(barePerSecond),
    ratio.toFixed(3),
    processorMsPerEvent.toFixed(3),
    databaseMsPerEvent.toFixed(3),
    show(latency.p50Ms),
    show(latency.p99Ms),
    show(latency.maxMs),
  ]
}

function idleRow(name: string, idle: IdleCost): string[] {
  return [name, show(idle.databaseMsPerSecond), show(idle.serviceMsPerSecond), '', '', '']
}

function aims({ fresh, long, quiet, plan }: WebhookResults): Aim[] {
  const phases = [
    { log: 'empty log', cases: fresh.cases },
    ...(long === undefined ? [] : [{ log: 'long log', cases: long.cases }]),
  ]
  // Of paused ones with pending events each scan looks at every queue: there is no aim for them.
  const idle = quiet.slice(0, 1).map(({ name, idle: { databaseMsPerSecond: ms } }) => ({
    name: `database, ${plan.quiet} ${name}`,
    aimed: `below ${idleAimMs} ms a second`,
    reached: `${show(ms)} ms`,
    met: ms < idleAimMs,
  }))
  const busy = phases.flatMap(({ log, cases }) =>
    cases.flatMap(({ subscriptions, throughput, latency }) => {
      const { ratio } = throughput
      const ratioAim = ratioAimOf(subscriptions)
      const of = `${subscriptions} subscriptions, ${log}`
      return [
        {
          name: `events, ${of}`,
          aimed: `at least ${ratioAim} of bare`,
          reached: ratio.toFixed(3),
          met: ratio >= ratioAim,
        },
        {
          name: `p99 at ${plan.rate}/s, ${of}`,
          aimed: `below ${p99AimMs} ms`,
          reached: `${show(latency.p99Ms)} ms`,
          met: latency.p99Ms < p99AimMs,
        },
      ]
    }),
  )
  return [...busy, ...idle]
}
