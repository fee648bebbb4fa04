import { audit } from '../src/operations/audit/audit.ts'
import type { Database } from '../src/platform/db/connection.ts'
import { readArguments } from './arguments.ts'
import { fill } from './fill.ts'
import { openPlace } from './place.ts'
import { runLine } from './report.ts'

/** Times the audit of one year of a warehouse and reports the memory that it needs in this process. */

const usage = `node bench/audit.ts [options]

  --orders N   orders of the warehouse (950000 make a million movements)
  --rounds N   number of audits (3)
  --smoke      5,000 orders, one audit
`

const given = readArguments(process.argv.slice(2), usage, ['orders', 'rounds'] as const)
const orders = given.number('orders', { usual: 950_000, smoke: 5_000, least: 5_000, whole: true })
const rounds = given.number('rounds', { usual: 3, smoke: 1, least: 1, whole: true })

await using place = await openPlace()
await fill(place.db, orders)
console.log(`${runLine()}\n${JSON.stringify(await sizes(place.db))}`)
for (let round = 1; round <= rounds; round++) console.log(await measure(place.db))

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
