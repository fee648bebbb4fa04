import type { Plan } from '../arguments.ts'
import { median, quantile } from '../measure.ts'
import type { ProcessorTime } from '../processor-time.ts'
import { type Run, show, table } from '../report.ts'
import type { Measurement } from './cases.ts'
import type { StaffOptions } from './options.ts'

/** Medians of the rounds; `bestPerSecond` is the best round. */
export interface StaffFigures {
  readonly name: string
  readonly perSecond: number
  readonly bestPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly barePerSecond: number
  /** Service to baseline of the same round. */
  readonly ratio: number
  /** Processor time per call, of the service and of the database server. */
  readonly processorMs: number
  readonly databaseMs: number
  readonly bareProcessorMs: number
  readonly bareDatabaseMs: number
}

export interface StaffResults extends Run {
  readonly plan: Plan<StaffOptions>
  readonly cases: readonly StaffFigures[]
  readonly auditFindings: number
}

type Side = (measurement: Measurement) => Measurement['service']

export function figuresOf(name: string, rounds: readonly Measurement[]): StaffFigures {
  const rates = rounds.map(({ service }) => service.requestsPerSecond)
  const costs = (side: Side, part: keyof ProcessorTime) =>
    median(rounds.map((round) => side(round)[part]))
  return {
    name,
    perSecond: median(rates),
    bestPerSecond: Math.max(...rates),
    p50Ms: median(rounds.map(({ service }) => quantile(service.durationsMs, 0.5))),
    p99Ms: median(rounds.map(({ service }) => quantile(service.durationsMs, 0.99))),
    barePerSecond: median(rounds.map(({ bare }) => bare.requestsPerSecond)),
    ratio: median(
      rounds.map(({ service, bare }) => service.requestsPerSecond / bare.requestsPerSecond),
    ),
    processorMs: costs(({ service }) => service, 'processorMsPerRequest'),
    databaseMs: costs(({ service }) => service, 'databaseMsPerRequest'),
    bareProcessorMs: costs(({ bare }) => bare, 'processorMsPerRequest'),
    bareDatabaseMs: costs(({ bare }) => bare, 'databaseMsPerRequest'),
  }
}

export function describeStaff(results: StaffResults): string {
  const { plan, cases } = results
  return `# Staff benchmark of ${results.date}

- Commit: ${results.commit}
- Machine: ${results.machine}
- Node ${results.node}, PostgreSQL ${results.postgres} (embedded, durable settings)
- ${plan.rounds} rounds, scans for ${plan.seconds} s by 20 workers, packing checks and returns by 20, picks and today by 10, else one call at a time
- ${plan.orders} orders a call, and in a shipment; medians of the rounds, "best" of the best round
- The audit at the end found ${results.auditFindings} differences

${table(
  ['Case', 'calls/s', 'best', 'p50 ms', 'p99 ms', 'cpu ms', 'bare/s', 'bare cpu ms', 'ratio'],
  cases.map((figures) => [
    figures.name,
    show(figures.perSecond),
    show(figures.bestPerSecond),
    show(figures.p50Ms),
    show(figures.p99Ms),
    `${figures.processorMs.toFixed(2)} + ${figures.databaseMs.toFixed(2)}`,
    show(figures.barePerSecond),
    `${figures.bareProcessorMs.toFixed(2)} + ${figures.bareDatabaseMs.toFixed(2)}`,
    figures.ratio.toFixed(2),
  ]),
)}
`
}
