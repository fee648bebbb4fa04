import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Queryable } from '../src/platform/db/connection.ts'
import type { SandboxTimes, StartTimes } from './lifetime.ts'
import type { CaseResult, Plan } from './measure.ts'

export interface Memory {
  readonly idleMb: number
  readonly afterLoadMb: number
  /** After half a minute without requests. */
  readonly restedMb: number
  readonly peakMb: number | undefined
}

/** What every benchmark says of its run. */
export interface Run {
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly node: string
  readonly postgres: string
}

export interface Results extends Run {
  readonly orders: number
  readonly ordersOfClient: number
  readonly plan: Plan
  readonly fillSeconds: number | undefined
  readonly cases: readonly CaseResult[]
  /** Metrics of a year to those of a client with a tenth of the orders, asked in turn. */
  readonly metricsToTenth: number | undefined
  readonly memory: Memory
  readonly starts: StartTimes
  readonly sandbox: SandboxTimes
  readonly audit: { readonly seconds: number; readonly findings: number }
}

export async function describeRun(db: Queryable): Promise<Run> {
  const [row] = await db<[{ server_version: string }]>`show server_version`
  return {
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    node: process.versions.node,
    postgres: row.server_version,
  }
}

/** The same in a line. */
export function runLine(): string {
  return `${machine()}, Node ${process.versions.node}, commit ${commit()}`
}

export function machine(): string {
  const model = (cpus()[0]?.model ?? 'unknown processor').replaceAll(/\((R|TM)\)/g, '')
  return `${model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
}

/** The measured commit. The benchmark's own code may be newer. */
export function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: new URL('..', import.meta.url), encoding: 'utf8' }).trim()
  try {
    const changes = git('status', '--porcelain', '--', 'src', 'bin', 'migrations', 'package.json')
    return `${git('rev-parse', '--short=10', 'HEAD')}${changes === '' ? '' : ' with changes'}`
  } catch {
    return 'unknown'
  }
}

export interface Aim {
  readonly name: string
  readonly aimed: string
  readonly reached: string
  readonly met: boolean
}

function aimsOf({ cases, metricsToTenth, memory, sandbox, audit, orders }: Results): Aim[] {
  const find = (name: string) => cases.find((result) => result.name === name)
  const ratios: readonly (readonly [name: string, least: number])[] = [
    ['stock, one item', 0.75],
    ['order, one', 0.75],
    ['stock, page of 100', 0.9],
    ['stock, page of 100, unchanged (304)', 0.8],
    ['orders, page of 100, first', 0.9],
    ['orders, page of 100, last', 0.9],
    ['orders, page of 1000, first', 0.9],
    ['receipt request, 5 lines', 0.8],
  ]
  const processorTimes: readonly (readonly [name: string, most: number])[] = [
    ['stock, one item', 1.25],
    ['order, one', 1.25],
    ['stock, page of 100, unchanged (304)', 1.1],
    ['orders, page of 100, first', 1.25],
    ['orders, page of 100, last', 1.25],
  ]
  const alone: readonly (readonly [name: string, mostMs: number])[] = [
    ['orders, page of 1000, first', 8],
    ['metrics, 30 days', 5],
    ['metrics, 366 days', 5],
  ]
  const stockPage = find('stock, page of 100')?.service.requestsPerSecond
  return [
    ...ratios.flatMap(([name, aim]) => {
      const found = find(name)
      return found === undefined ? [] : [least(`${name}: ratio`, found.ratio, aim)]
    }),
    ...processorTimes.flatMap(([name, aim]) => {
      const found = find(name)
      return found === undefined ? [] : [most(`${name}: cpu ratio`, found.processorRatio, aim, '')]
    }),
    ...alone.flatMap(([name, aim]) => {
      const found = find(name)
      return found === undefined
        ? []
        : [most(`${name}: alone p50`, found.service.aloneP50Ms, aim, ' ms')]
    }),
    ...(stockPage ? [least('stock, page of 100: requests a second', stockPage, 1_000)] : []),
    ...(metricsToTenth ? [most('metrics to those of a tenth', metricsToTenth, 1.2, '')] : []),
    most('memory idle', memory.idleMb, 200, ' MB'),
    most('memory after load', memory.afterLoadMb, 260, ' MB'),
    most('first call of the first key', sandbox.firstCallMs, 1_000, ' ms'),
    most('sandbox copy', sandbox.copyMs, 1_000, ' ms'),
    ...(orders >= 1_000_000 ? [most('audit', audit.seconds, 30, ' s')] : []),
  ]
}

function least(name: string, value: number, aim: number): Aim {
  return { name, aimed: `at least ${aim}`, reached: value.toFixed(2), met: value >= aim }
}

function most(name: string, value: number, aim: number, unit: string): Aim {
  const reached = `${show(value)}${unit}`
  return { name, aimed: `at most ${aim}${unit}`, reached, met: value <= aim }
}

export function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export function describe(results: Results): string {
  const { plan, memory, starts, sandbox, audit } = results
  return `# Benchmark of ${results.date}

- Commit: ${results.commit}
- Machine: ${results.machine}
- Node ${results.node}, PostgreSQL ${results.postgres} (embedded, durable settings)
- ${results.orders} orders, ${results.ordersOfClient} of them of the measured client
- ${plan.rounds} rounds of ${plan.seconds} s, ${plan.connections} connections; medians of the rounds

${table(
  [
    'Case',
    'req/s',
    'p50 ms',
    'p99 ms',
    'alone p50',
    'alone p99',
    'bare req/s',
    'bare alone p50',
    'ratio',
    'cpu ms',
    'database cpu ms',
    'bare cpu ms',
    'cpu ratio',
    'KB',
  ],
  results.cases.map(({ name, service, bare, ratio, processorRatio }) => [
    name,
    ...[
      service.requestsPerSecond,
      service.p50Ms,
      service.p99Ms,
      service.aloneP50Ms,
      service.aloneP99Ms,
      bare.requestsPerSecond,
      bare.aloneP50Ms,
    ].map(show),
    ratio.toFixed(2),
    service.processorMsPerRequest.toFixed(3),
    service.databaseMsPerRequest.toFixed(3),
    (bare.processorMsPerRequest + bare.databaseMsPerRequest).toFixed(3),
    processorRatio.toFixed(2),
    show(service.bytesPerAnswer / 1024),
  ]),
)}

${table(
  ['Figure', 'Value'],
  [
    ['First start, empty directory', `${show(starts.firstMs)} ms`],
    ['Second start', `${show(starts.secondMs)} ms`],
    [
      'Sandbox copy (first call of a key)',
      `${show(sandbox.copyMs)} ms, at most ${show(sandbox.copyMaxMs)} ms`,
    ],
    ['The same call once the copy is there', `${show(sandbox.laterMs)} ms`],
    ['Sandbox reset', `${show(sandbox.resetMs)} ms`],
    ['Memory of the service, idle', `${show(memory.idleMb)} MB`],
    ['Memory of the service, after load', `${show(memory.afterLoadMb)} MB`],
    ['Memory of the service, half a minute later', `${show(memory.restedMb)} MB`],
    ...(memory.peakMb === undefined
      ? []
      : [['Memory of the service, peak', `${show(memory.peakMb)} MB`]]),
    ['Audit of everything, after the load', `${show(audit.seconds)} s, ${audit.findings} findings`],
    ...(results.fillSeconds === undefined
      ? []
      : [['Filling the database', `${show(results.fillSeconds)} s`]]),
  ],
)}

${describeAims(aimsOf(results))}
`
}

/** Those that were met are in the figures above. */
export function describeAims(aims: readonly Aim[]): string {
  const missed = aims.filter(({ met }) => !met)
  if (missed.length === 0) return `All ${aims.length} aims are met.`
  const rows = missed.map(({ name, aimed, reached }) => [name, aimed, reached])
  return `Missed of ${aims.length} aims:\n\n${table(['Aim', 'Aimed', 'Reached'], rows)}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((text, at) =>
    Math.max(text.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** Says how far a benchmark is, with the seconds since its start. */
export function log(line: string): void {
  console.error(`${(performance.now() / 1000).toFixed(1).padStart(7)} s  ${line}`)
}

/**
 * Prints the report of a benchmark. Where a directory is given, writes it there, and its figures if there are any, under
 * the day, the kind of benchmark and the machine.
 */
export function publish(
  directory: string | undefined,
  kind: string | undefined,
  report: string,
  figures?: object,
): void {
  console.log(report)
  if (directory === undefined) return
  const path = resultsPath(directory, kind)
  if (figures !== undefined) writeFileSync(`${path}.json`, `${JSON.stringify(figures, null, 2)}\n`)
  writeFileSync(`${path}.md`, `${report.trimEnd()}\n`)
  log(`${path}.md`)
}

/** Where results of the day go, without the ending of the file. */
export function resultsPath(directory: string, kind: string | undefined): string {
  mkdirSync(directory, { recursive: true })
  const day = new Date().toISOString().slice(0, 10)
  const summary = machine()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return join(directory, [day, kind, summary].filter((part) => part !== undefined).join('-'))
}
