import type { Database } from '../src/platform/db/connection.ts'
import { planOf } from './arguments.ts'
import { quantile } from './measure.ts'
import { openPlace, type Place, timeAudit } from './place.ts'
import { startCaller, startService, startStaffBare } from './processes.ts'
import { databaseServerPid } from './processor-time.ts'
import { describeRun, log, publish } from './report.ts'
import {
  countCase,
  type Measurement,
  measureCount,
  measurePutAway,
  measureScans,
  measureShipment,
  measureToday,
  putAwayCase,
  type Stage,
  scanCases,
  shipmentCases,
  todayCase,
} from './staff/cases.ts'
import { readStaffOptions } from './staff/options.ts'
import { describeStaff, figuresOf, type StaffFigures, type StaffResults } from './staff/report.ts'
import { buildScene, stockUp } from './staff/scene.ts'

/** Makes order numbers unique when a data directory is reused. */
const run = Date.now().toString(36)
const options = readStaffOptions(process.argv.slice(2))
await using place = await openPlace(options.dataDir)
const results = await benchmark(place)
publish(options.resultsDir, 'staff', describeStaff(results), results)
if (results.auditFindings > 0) process.exitCode = 1

/** Starts all processes and stops them in reverse order, also after an error. */
async function benchmark({ dataDir, db }: Place): Promise<StaffResults> {
  await using open = new AsyncDisposableStack()
  const service = await startService(dataDir, options.profileDir, { SANDBOX_ROBOT: 'off' })
  open.defer(service.stop)
  const bare = await startStaffBare(dataDir)
  open.defer(bare.stop)
  const caller = startCaller()
  open.defer(caller.stop)
  const scene = await buildScene(db)
  for (const client of scene.clients.slice(0, 1)) {
    await stockUp(db, { url: service.url, token: scene.token }, client)
  }
  log('goods are on the shelf')
  const databasePid = await databaseServerPid(db)
  const cases = await measureAll(db, { service, bare, caller, scene, databasePid })
  return {
    ...(await describeRun(db)),
    plan: planOf(options),
    cases,
    auditFindings: (await timeAudit(db)).findings,
  }
}

/** Every round runs all cases, so that a disturbance of the machine does not hit a single case. */
async function measureAll(db: Database, stage: Stage): Promise<StaffFigures[]> {
  const { rounds, seconds, orders, only = '' } = options
  const measured = new Map<string, Measurement[]>()
  const isWanted = (name: string) => name.includes(only)
  const note = (name: string, measurement: Measurement) => {
    if (!isWanted(name)) return
    measured.set(name, [...(measured.get(name) ?? []), measurement])
    const { service, bare } = measurement
    const p50 = quantile(service.durationsMs, 0.5).toFixed(1)
    const rate = service.requestsPerSecond.toFixed(1)
    const cost = `${service.processorMsPerRequest.toFixed(2)} + ${service.databaseMsPerRequest.toFixed(2)} ms`
    const bareRate = bare.requestsPerSecond.toFixed(1)
    log(`${name}: ${rate}/s, p50 ${p50} ms, cpu ${cost}, bare ${bareRate}/s`)
  }
  const scans = scanCases(stage.scene).filter(({ name }) => isWanted(name))
  const ships = Object.values(shipmentCases).some(isWanted)
  const ignore = () => {}
  for (const scan of scans) await measureScans(stage, scan, Math.min(1, seconds), ignore)
  if (ships) await measureShipment(stage, `${run}-0`, orders, ignore)
  // The planner needs statistics, as autovacuum gathers them in service.
  await db`vacuum (analyze)`
  log('warm')
  for (let round = 1; round <= rounds; round += 1) {
    for (const scan of scans) await measureScans(stage, scan, seconds, note)
    if (ships) await measureShipment(stage, `${run}-${round}`, orders, note)
    if (isWanted(countCase)) await measureCount(stage, seconds, note)
    if (isWanted(putAwayCase)) await measurePutAway(stage, `${run}-${round}`, seconds, note)
    if (isWanted(todayCase)) await measureToday(stage, seconds, note)
  }
  return [...measured].map(([name, rounds]) => figuresOf(name, rounds))
}
