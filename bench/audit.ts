import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { audit } from '../src/operations/audit/audit.ts'
import { type Database, openDatabase } from '../src/platform/db/connection.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { startEmbedded } from '../src/platform/postgres/supervisor.ts'
import { fill } from './fill.ts'
import { machine } from './report.ts'

/** Times the audit of one year of a warehouse and reports the memory that it needs in this process. */

const usage = `node bench/audit.ts [options]

  --orders N   orders of the warehouse (950000 make a million movements)
  --rounds N   number of audits (3)
`

const { values } = parseArgs({
  options: { orders: { type: 'string' }, rounds: { type: 'string' }, help: { type: 'boolean' } },
})
if (values.help) {
  console.log(usage)
} else {
  const dataDir = mkdtempSync(join(tmpdir(), 'sklad-bench-'))
  try {
    await bench(dataDir, Number(values.orders ?? 950_000), Number(values.rounds ?? 3))
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function bench(dataDir: string, orders: number, rounds: number): Promise<void> {
  const embedded = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(embedded.target, { applicationName: 'bench' })
  try {
    await migrate(db)
    await fill(db, orders, (line) => console.error(line))
    console.log(`${JSON.stringify(machine())}\n${JSON.stringify(await sizes(db))}`)
    for (let round = 1; round <= rounds; round++) console.log(await measure(db))
  } finally {
    await db.end()
    await embedded.stop()
  }
}

async function measure(db: Database): Promise<string> {
  let residentMax = 0
  const look = () => {
    residentMax = Math.max(residentMax, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 100)
  const began = performance.now()
  const { checks, findings, omitted } = await audit(db)
  const seconds = (performance.now() - began) / 1000
  clearInterval(timer)
  for (const finding of findings.slice(0, 10)) console.log(finding)
  return (
    `${seconds.toFixed(1)} s, ${checks} checks, ${findings.length + omitted} findings, ` +
    `${Math.round(residentMax / 2 ** 20)} MB resident here`
  )
}

async function sizes(db: Database): Promise<Record<string, number>> {
  const [row] = await db<[Record<string, number>]>`
    select (select count(*) from stock_movements) as movements, (select count(*) from orders) as orders,
      (select count(*) from picks) as picks, (select count(*) from order_status_history) as history,
      (select count(*) from clients) as clients`
  return row
}
