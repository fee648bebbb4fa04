import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../src/operations/audit/audit.ts'
import { type Database, openDatabase } from '../src/platform/db/connection.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { startEmbedded } from '../src/platform/postgres/supervisor.ts'
import { resultsDirectory } from './arguments.ts'
import { type Case, metricsBesideTenth, prepareCases } from './cases.ts'
import { describeChanges, lastResults } from './compare.ts'
import { fill, type Subject } from './fill.ts'
import { timeSandbox, timeStarts } from './lifetime.ts'
import { log } from './log.ts'
import { type CaseResult, compareAlone, measureCase } from './measure.ts'
import { type Options, readOptions } from './options.ts'
import {
  residentMb,
  residentPeakMb,
  type Server,
  startBare,
  startLoadGenerator,
  startService,
} from './processes.ts'
import { databaseServerPid } from './processor-time.ts'
import { commit, describe, type Memory, machine, type Results, writeReport } from './report.ts'

const options = readOptions(process.argv.slice(2))
const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sklad-bench-'))
mkdirSync(dataDir, { recursive: true })
try {
  const results = await benchmark(options, dataDir)
  const last = lastResults(resultsDirectory, results)
  const text = describe(results) + (last === undefined ? '' : `\n${describeChanges(last, results)}`)
  console.log(text)
  if (options.resultsDir !== undefined) {
    const kind = options.isQuick ? 'quick' : undefined
    log(writeReport(options.resultsDir, kind, text, results))
  }
  if (results.audit.findings > 0) process.exitCode = 1
} finally {
  if (options.dataDir === undefined) {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function benchmark(options: Options, dataDir: string): Promise<Results> {
  const starts = await timeStarts(options.starts, dataDir)
  log('starts timed')
  const embedded = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(embedded.target, { applicationName: 'bench' })
  try {
    await migrate(db)
    const { subject, fillSeconds } = await filled(db, options.orders, join(dataDir, 'bench.json'))
    const service = await startService(dataDir, options.profileDir)
    const subjectOnServer = { ...subject, databasePid: await databaseServerPid(db) }
    const measured = await measureService(service, subjectOnServer, options, dataDir).finally(
      service.stop,
    )
    return {
      date: new Date().toISOString(),
      commit: commit(),
      machine: machine(),
      node: process.versions.node,
      postgres: await versionOf(db),
      orders: options.orders,
      ordersOfClient: subject.orders,
      plan: {
        rounds: options.rounds,
        seconds: options.seconds,
        connections: options.connections,
      },
      fillSeconds,
      starts,
      ...measured,
      audit: await timeAudit(db),
    }
  } finally {
    await db.end({ timeout: 5 })
    await embedded.stop()
  }
}

/** Fills the database, unless an earlier run filled the same directory. */
async function filled(
  db: Database,
  orders: number,
  note: string,
): Promise<{ subject: Subject; fillSeconds: number | undefined }> {
  if (existsSync(note)) {
    const known = JSON.parse(readFileSync(note, 'utf8')) as { orders: number; subject: Subject }
    if (known.orders !== orders) throw new Error(`the directory holds ${known.orders} orders`)
    return { subject: known.subject, fillSeconds: undefined }
  }
  const began = performance.now()
  const subject = await fill(db, orders, log)
  const fillSeconds = (performance.now() - began) / 1000
  writeFileSync(note, JSON.stringify({ orders, subject }), { mode: 0o600 })
  log('filled')
  return { subject, fillSeconds }
}

type SubjectOnServer = Subject & { readonly databasePid: number }

type Measured = Pick<Results, 'cases' | 'metricsToTenth' | 'memory' | 'sandbox'>

async function measureService(
  service: Server,
  subject: SubjectOnServer,
  options: Options,
  dataDir: string,
): Promise<Measured> {
  const rest = options.seconds * 10_000
  const sandbox = await timeSandbox(service.url, options.copies)
  log('sandbox timed')
  await sleep(Math.min(5_000, rest))
  const idleMb = residentMb(service.pid)
  const cases = await prepareCases((path) => ask(service.url, subject.key, path), subject)
  const wanted = cases.filter(({ name }) => name.includes(options.only ?? ''))
  const results = await measureCases(service, subject, wanted, options, dataDir)
  const afterLoadMb = residentMb(service.pid)
  await sleep(Math.min(30_000, rest))
  const memory: Memory = {
    idleMb,
    afterLoadMb,
    restedMb: residentMb(service.pid),
    peakMb: residentPeakMb(service.pid),
  }
  return { ...results, memory, sandbox }
}

async function measureCases(
  service: Server,
  subject: SubjectOnServer,
  cases: readonly Case[],
  options: Options,
  dataDir: string,
): Promise<Pick<Results, 'cases' | 'metricsToTenth'>> {
  const bare = await startBare(dataDir, subject.clientId)
  const load = startLoadGenerator()
  const targets = {
    service: { url: service.url, pid: service.pid, headers: { 'X-Api-Key': subject.key } },
    bare: { url: bare.url, pid: bare.pid, headers: {} },
    databasePid: subject.databasePid,
  }
  try {
    const results: CaseResult[] = []
    for (const benchCase of cases) {
      results.push(await measureCase(load, targets, benchCase, options))
      log(benchCase.name)
    }
    const beside = metricsBesideTenth(cases)
    return {
      cases: results,
      metricsToTenth: beside && (await compareAlone(load, targets.service, beside, options)),
    }
  } finally {
    await load.stop()
    await bare.stop()
  }
}

async function ask<Answer>(url: string, key: string, path: string) {
  // Not compressed, as the load generator asks: the tag of a compressed answer is another.
  const headers = { 'X-Api-Key': key, 'Accept-Encoding': 'identity' }
  const answer = await fetch(`${url}${path}`, { headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return { body: (await answer.json()) as Answer, etag: answer.headers.get('etag') }
}

async function versionOf(db: Database): Promise<string> {
  const [row] = await db<[{ server_version: string }]>`show server_version`
  return row.server_version
}

async function timeAudit(db: Database): Promise<Results['audit']> {
  const began = performance.now()
  const { findings, omitted } = await audit(db)
  for (const { check, client, object, what } of findings.slice(0, 20)) {
    log(`${check}: ${client} ${object}: ${what}`)
  }
  return { seconds: (performance.now() - began) / 1000, findings: findings.length + omitted }
}
