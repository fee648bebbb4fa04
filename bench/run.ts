import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../src/platform/db/connection.ts'
import { resultsDirectory } from './arguments.ts'
import { type Case, metricsBesideTenth, prepareCases } from './cases.ts'
import { describeChanges, lastResults } from './compare.ts'
import { fill, type Subject } from './fill.ts'
import { timeSandbox, timeStarts } from './lifetime.ts'
import { type CaseResult, compareAlone, measureCase } from './measure.ts'
import { readOptions } from './options.ts'
import { openPlace, type Place, timeAudit } from './place.ts'
import {
  residentMb,
  residentPeakMb,
  type Server,
  startBare,
  startLoadGenerator,
  startService,
} from './processes.ts'
import { databaseServerPid } from './processor-time.ts'
import { describe, describeRun, log, type Memory, publish, type Results } from './report.ts'

const options = readOptions(process.argv.slice(2))
const starts = await timeStarts(options.starts)
log('starts timed')
await using place = await openPlace(options.dataDir)
const results = await benchmark(place)
const last = lastResults(resultsDirectory, results)
const text = describe(results) + (last === undefined ? '' : `\n${describeChanges(last, results)}`)
publish(options.resultsDir, options.isQuick ? 'quick' : undefined, text, results)
if (results.audit.findings > 0) process.exitCode = 1

async function benchmark({ dataDir, db }: Place): Promise<Results> {
  const { subject, fillSeconds } = await filled(db, options.orders, join(dataDir, 'bench.json'))
  const service = await startService(dataDir, options.profileDir)
  const subjectOnServer = { ...subject, databasePid: await databaseServerPid(db) }
  const measured = await measureService(service, subjectOnServer, dataDir).finally(service.stop)
  const { orders, rounds, seconds, connections } = options
  return {
    ...(await describeRun(db)),
    orders,
    ordersOfClient: subject.orders,
    plan: { rounds, seconds, connections },
    fillSeconds,
    starts,
    ...measured,
    audit: await timeAudit(db),
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
  const subject = await fill(db, orders)
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
  dataDir: string,
): Promise<Measured> {
  const rest = options.seconds * 10_000
  const sandbox = await timeSandbox(service.url, options.copies)
  log('sandbox timed')
  await sleep(Math.min(5_000, rest))
  const idleMb = residentMb(service.pid)
  const cases = await prepareCases((path) => ask(service.url, subject.key, path), subject)
  const wanted = cases.filter(({ name }) => name.includes(options.only ?? ''))
  const results = await measureCases(service, subject, wanted, dataDir)
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
