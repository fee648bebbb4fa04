import type { Database } from '../src/platform/db/connection.ts'
import { day, moscowDate } from '../src/platform/kernel/moscow-time.ts'
import { countCover, listCover } from '../src/warehouse/metrics/cover.ts'
import { findGoodsToBring, findProductCover } from '../src/warehouse/metrics/goods-to-bring.ts'
import { listSoldGoods, readSales, wholeDays } from '../src/warehouse/metrics/sales.ts'
import { listTopGoods } from '../src/warehouse/metrics/top-goods.ts'
import { listOrders } from '../src/warehouse/orders/queries.ts'
import { receiptsOfGoods } from '../src/warehouse/receipts/receipts-of-goods.ts'
import { listMovements } from '../src/warehouse/stock/movements.ts'
import { listStock } from '../src/warehouse/stock/queries.ts'
import { readArguments } from './arguments.ts'
import { fillOne } from './fill.ts'
import { openPlace } from './place.ts'
import { runLine } from './report.ts'

/** Times what the account reads of one large client: a year of sales, days of cover, search by words, a product's page. */

const usage = `node bench/seller.ts [options]

  --orders N   orders of the client within a year (1000000)
  --goods N    its goods (100000)
  --rounds N   reads of each (30)
  --data DIR   keeps the filled database there, and uses one that is there
  --smoke      small, and one read of each
`

const flags = ['orders', 'goods', 'rounds', 'data'] as const
const given = readArguments(process.argv.slice(2), usage, flags)
const whole = true
const orders = given.number('orders', { usual: 1_000_000, smoke: 5_000, least: 5_000, whole })
const goods = given.number('goods', { usual: 100_000, smoke: 500, least: 1, whole })
const rounds = given.number('rounds', { usual: 30, smoke: 1, least: 1, whole })
const all = { barcode: undefined, search: undefined, selection: undefined } as const
const anyOrder = {
  ...{ marketplace: undefined, status: undefined, shipment_id: undefined, barcode: undefined },
  ...{ created_from: undefined, created_to: undefined },
}

await using place = await openPlace(given.text.data)
const { db } = place
const [known] = await db<{ id: string }[]>`select id from clients where mode = 'live' limit 1`
const began = performance.now()
const client = known?.id ?? (await fillOne(db, orders, goods))
console.error(`filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)
console.log(runLine())
await readAll(db, client)

async function readAll(db: Database, client: string): Promise<void> {
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
  const ordersOf = (words: string) => listOrders(db, client, { ...anyOrder, words }, page)
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
    'orders, words of one product': () => ordersOf('вид 4711 рюкзак'),
    'orders, a word of an eighth of the goods': () => ordersOf('плед'),
    'orders, a word of none': () => ordersOf('самовар'),
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
  for (const [name, read] of Object.entries(cases)) await time(name, read)
}

async function time(name: string, read: () => Promise<unknown>): Promise<void> {
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
