import { type Run, show, table } from '../report.ts'
import type { TierOptions } from './options.ts'
import type { TierSample } from './samples.ts'

export interface TierResults extends Run {
  readonly plan: Partial<TierOptions>
  readonly pooled: boolean
  /** From the last cabinet's connection to the end of the last first run. */
  readonly firstSeconds: number
  readonly samples: readonly TierSample[]
  readonly middle: TierSample
  readonly wall: string
  readonly findings: number
}

const rows: readonly (readonly [string, keyof TierSample])[] = [
  ['cabinets late by an interval', 'late'],
  ['cabinets synced within an interval', 'synced'],
  ['reads, p50 ms', 'readsP50Ms'],
  ['reads, p99 ms', 'readsP99Ms'],
  ['reads refused or failed', 'refused'],
  ['processors in use, all programs of the benchmark', 'processors'],
  ['processors of the workers', 'workersProcessors'],
  ['processors of the database', 'databaseProcessors'],
  ['processors of the stand-ins', 'standInsProcessors'],
  ['busiest worker, of one processor', 'busiestWorkerShare'],
  ['API process, of one processor', 'busiestApiShare'],
  ['connections of the server', 'connections'],
  ['of those that may be, at work at most', 'connectionShare'],
  ['statements that wait for a connection', 'waiting'],
  ['database, MB', 'databaseMb'],
]

export function describeTier(results: TierResults): string {
  const { plan, samples, middle, wall, findings, firstSeconds } = results
  const { sellers = 0, orders, goods, latencyMs, workers, minutes, speed = 1, pooler } = plan
  const { changeSeconds } = plan
  const played =
    speed === 1
      ? ''
      : `, ${speed} times as fast as the clock: ${show((minutes ?? 0) * speed)} minutes of business`
  const way = results.pooled
    ? `behind pgbouncer with ${pooler} connections`
    : 'on the server itself, without a pooler'
  const [first] = samples
  const last = samples.at(-1)
  const cell = (sample: TierSample | undefined, name: keyof TierSample) =>
    show(sample?.[name] ?? Number.NaN)
  return [
    `# Tiers, ${results.date.slice(0, 10)}`,
    '',
    `${results.machine}, Node ${results.node}, commit ${results.commit}. ${sellers} sellers with a cabinet of each marketplace, ` +
      `${orders} open orders and ${goods} goods in each; one API process and ${workers} workers ${way}; every answer of the marketplaces takes ` +
      `${latencyMs} ms. Each cabinet is synced every 3 minutes, something changes in it every ${changeSeconds} s, and each seller reads once a minute, ` +
      `for ${minutes} minutes${played}.`,
    '',
    `**${wall}**`,
    '',
    table(
      ['', 'first', 'middle of the second half', 'last'],
      rows.map(([label, name]) => [label, cell(first, name), cell(middle, name), cell(last, name)]),
    ),
    '',
    `All cabinets had their first run ${show(firstSeconds)} s after the last was connected. The audit at the end found ${findings} differences.`,
    '',
  ].join('\n')
}
