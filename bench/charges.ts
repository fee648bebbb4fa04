import { parseArgs } from 'node:util'
import { type Database, inTransaction } from '../src/platform/db/connection.ts'
import { sharedWorkAt } from '../src/platform/db/work.ts'
import { minute } from '../src/platform/kernel/moscow-time.ts'
import { type ChargeFilter, listCharges, sumCharges } from '../src/warehouse/billing/charges.ts'
import { computeCharges } from '../src/warehouse/billing/run.ts'
import { fill, fillOne } from './fill.ts'
import { openPlace } from './place.ts'
import { databaseServerPid, processorMsWithChildren } from './processor-time.ts'
import { runLine } from './report.ts'

/** Times the charges of one year of a warehouse: all open months of every client, then pages of the largest one. */

const usage = `node bench/charges.ts [options]

  --orders N   orders of the warehouse (1000000)
  --rounds N   reads of each page (20)
  --alone      one client has all orders
  --data DIR   the filled database stays there, and the next run begins at once
`

const prices = Object.fromEntries(
  ['UNIT_RECEIVED', 'STORAGE_UNIT_DAY', 'ORDER_PACKED', 'FURTHER_UNIT', 'SHIPMENT_HANDED_OVER'].map(
    (service) => [
      service,
      [
        { up_to: 1_000, price: 1_200 },
        { up_to: null, price: 900 },
      ],
    ],
  ),
)

const { values } = parseArgs({
  options: {
    orders: { type: 'string' },
    rounds: { type: 'string' },
    alone: { type: 'boolean' },
    data: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(usage)
} else {
  await bench()
}

async function bench(): Promise<void> {
  await using place = await openPlace(values.data)
  const { db } = place
  const orders = Number(values.orders ?? 1_000_000)
  const [filled] = await db`select from clients limit 1`
  if (filled === undefined) {
    await (values.alone === true ? fillOne(db, orders) : fill(db, orders))
  }
  await setPrices(db)
  console.log(runLine())
  const server = await databaseServerPid(db)
  for (const run of ['first run', 'again']) console.log(`${run}: ${await chargeAll(db, server)}`)
  await db`vacuum (analyze) charges`.affected()
  await readPages(db, { rounds: Number(values.rounds ?? 20), server })
}

async function setPrices(db: Database): Promise<void> {
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, free_days, created_at, created_by)
    select id, coalesce((select max(version) from client_tariffs where client_id = id), 0) + 1, '2020-01-01',
      ${db.json(prices)}, 30, now(), 'bench' from clients where mode = 'live'`
}

async function chargeAll(db: Database, server: number): Promise<string> {
  const clients = await db<{ id: string }[]>`select id from clients where mode = 'live'`
  const [{ end }] = await db<[{ end: number }]>`
    select (extract(epoch from max(at)) * 1000)::double precision as end from stock_movements`
  let changed = 0
  let longest = 0
  const before = processorMsWithChildren(server)
  const began = performance.now()
  for (const { id } of clients) {
    const started = performance.now()
    changed += await inTransaction(db, (tx) =>
      computeCharges(sharedWorkAt(tx, end + 2 * minute), id),
    )
    longest = Math.max(longest, performance.now() - started)
  }
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return `${changed} charges written for ${clients.length} clients in ${seconds(performance.now() - began)}, ${seconds(longest)} the longest; ${seconds(processorMsWithChildren(server) - before)} of processor time`
}

interface Reading {
  readonly rounds: number
  /** The process of the database server. */
  readonly server: number
}

async function readPages(db: Database, reading: Reading): Promise<void> {
  const [large] = await db<{ id: string; month: string; count: number; from: number }[]>`
    select client_id as id, count(*) as count, max(month) as month,
      (extract(epoch from month_of(max(month)::date - 90)::timestamptz) * 1000)::double precision as from
    from charges group by 1 order by 2 desc limit 1`
  if (large === undefined) throw new Error('nothing was charged')
  console.log(`the largest client has ${large.count} charges`)
  const page = { limit: 100, after: undefined }
  const { next } = await listCharges(db, large.id, {}, page)
  const filters: Readonly<Record<string, ChargeFilter>> = {
    'all charges': {},
    'a month': { period: large.from },
    'a service': { service: 'STORAGE_UNIT_DAY' },
    days: { from: large.from },
  }
  for (const [name, filter] of Object.entries(filters))
    await time(`a page of ${name}`, reading, () => listCharges(db, large.id, filter, page))
  if (next !== null)
    await time('the next page', reading, () =>
      listCharges(db, large.id, {}, { ...page, after: next }),
    )
  await time('sums of a month', reading, () => sumCharges(db, large.id, { period: large.from }))
}

async function time(
  name: string,
  { rounds, server }: Reading,
  read: () => Promise<unknown>,
): Promise<void> {
  const times: number[] = []
  const before = processorMsWithChildren(server)
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await read()
    times.push(performance.now() - began)
  }
  const processor = ((processorMsWithChildren(server) - before) / rounds).toFixed(1)
  times.sort((a, b) => a - b)
  const at = (part: number) => (times[Math.floor(part * (rounds - 1))] ?? 0).toFixed(1)
  console.log(`${name}: median ${at(0.5)} ms, longest ${at(1)} ms, processor ${processor} ms`)
}
