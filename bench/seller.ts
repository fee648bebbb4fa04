import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../src/platform/db/connection.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { day, moscowDate } from '../src/platform/kernel/moscow-time.ts'
import { startEmbedded } from '../src/platform/postgres/supervisor.ts'
import { countCover, listCover } from '../src/warehouse/metrics/cover.ts'
import { findGoodsToBring, findProductCover } from '../src/warehouse/metrics/goods-to-bring.ts'
import { listSoldGoods, readSales, wholeDays } from '../src/warehouse/metrics/sales.ts'
import { listTopGoods } from '../src/warehouse/metrics/top-goods.ts'
import { listOrders } from '../src/warehouse/orders/queries.ts'
import { receiptsOfGoods } from '../src/warehouse/receipts/receipts-of-goods.ts'
import { listMovements } from '../src/warehouse/stock/movements.ts'
import { listStock } from '../src/warehouse/stock/queries.ts'
import { fillOne } from './fill.ts'
import { machine } from './report.ts'

/** Times what the account reads of one large client: a year of sales, days of cover, search by words, a product's page. */

const usage = `node bench/seller.ts [options]

  --orders N       orders of the client within a year (1000000)
  --goods N        its goods (100000)
  --rounds N       reads of each (30)
  --data-dir DIR   keeps the filled database there, and uses one that is there
`

const { values } = parseArgs({
  options: {
    orders: { type: 'string' },
    goods: { type: 'string' },
    rounds: { type: 'string' },
    'data-dir': { type: 'string' },
    help: { type: 'boolean' },
  },
})
const all = { barcode: undefined, search: undefined, selection: undefined } as const
const anyOrder = {
  ...{ marketplace: undefined, status: undefined, shipment_id: undefined, barcode: undefined },
  ...{ created_from: undefined, created_to: undefined },
}

if (values.help) {
  console.log(usage)
} else {
  const kept = values['data-dir']
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'sklad-bench-'))
  try {
    await bench(dataDir)
  } finally {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function bench(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir, as: 'command' })
  const db = openDatabase(embedded.target, { applicationName: 'bench' })
  try {
    await migrate(db)
    const [known] = await db<{ id: string }[]>`select id from clients where mode = 'live' limit 1`
    const began = performance.now()
    const client =
      known?.id ??
      (await fillOne(db, Number(values.orders ?? 1_000_000), Number(values.goods ?? 100_000)))
    console.error(`filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    console.log(machine())
    await readAll(db, client, Number(values.rounds ?? 30))
  } finally {
    await db.end()
    await embedded.stop()
  }
}

async function readAll(db: Database, client: string, rounds: number): Promise<void> {
  const [{ finish, barcode }] = await db<[{ finish: number; barcode: string }]>`
    select (extract(epoch from max(created_at)) * 1000)::double precision as finish,
      (select barcode from sales_tallies where client_id = ${client} and span = 'day'
        group by 1 order by sum(ordered) desc limit 1) as barcode
    from orders where client_id = ${client}`
  const period = wholeDays({ from: finish - 365 * day, to: finish })
  console.log(`${moscowDate(period.from)} to ${moscowDate(period.to)}`)
  const filter = { cabinet: undefined, marketplace: undefined }
  const page = { limit: 50, after: undefined }
  const stock = (words: string) => listStock(db, client, { ...all, words }, page)
  const orders = (words: string) => listOrders(db, client, { ...anyOrder, words }, page)
  const cases: Readonly<Record<string, () => Promise<unknown>>> = {
    'sales of a year': () => readSales(db, client, period, filter),
    'sales of a year by product, the first page': () =>
      listTopGoods(db, client, period, { ...filter, by: 'ordered' }, page),
    'sales of a year by product, returned': () =>
      listTopGoods(db, client, period, { ...filter, by: 'returned' }, page),
    'sales of a year by product, all added up': () =>
      listSoldGoods(db, client, period, { ...filter, by: 'ordered' }, page),
    'days of cover, counted by state': () => countCover(db, client, finish, 14),
    'days of cover, a page': () =>
      listCover(db, client, finish, { state: undefined, lowDays: 14 }, page),
    'stock, words of one product': () => stock('вид 4711 рюкзак'),
    'stock, a word of an eighth of the goods': () => stock('плед'),
    'stock, a word of none': () => stock('самовар'),
    'orders, words of one product': () => orders('вид 4711 рюкзак'),
    'orders, a word of an eighth of the goods': () => orders('плед'),
    'orders, a word of none': () => orders('самовар'),
    'goods to announce, by a word': () => findGoodsToBring(db, client, finish, 'плед'),
    'a product: cover': () => findProductCover(db, client, finish, barcode),
    'a product: receipts': () => receiptsOfGoods(db, client, barcode),
    'a product: movements': () =>
      listMovements(
        db,
        {
          ...{ client_id: client, barcode, kind: undefined, reason: undefined },
          ...{ from: undefined, to: undefined },
        },
        { limit: 100, after: undefined },
      ),
    'a product: orders': () => listOrders(db, client, { ...anyOrder, barcode }, page),
  }
  for (const [name, read] of Object.entries(cases)) await time(name, rounds, read)
}

async function time(name: string, rounds: number, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await read()
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => (times[Math.floor(part * (rounds - 1))] ?? 0).toFixed(1)
  console.log(`| ${name} | ${at(0.5)} | ${at(1)} |`)
}
