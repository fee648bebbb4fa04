import { issueApiKey } from '../src/identity/keys/api-keys.ts'
import { type Database, inTransaction, type Transaction } from '../src/platform/db/connection.ts'
import { perform, workAt } from '../src/platform/db/work.ts'
import { systemClock } from '../src/platform/kernel/clock.ts'
import { toTimestamp } from '../src/platform/kernel/moscow-time.ts'
import { addCabinet, startHistory } from '../src/warehouse/clients/cabinets.ts'
import { createClient } from '../src/warehouse/clients/clients.ts'
import { fillGoods, insertGoods } from './fill-goods.ts'
import { draftOrders, insertOrders } from './fill-orders.ts'
import { log } from './report.ts'

/**
 * Fills the database with one year of a warehouse, or with several. Set-based statements write to the tables directly, so the
 * triggers maintain tallies and versions as they do in service, and the audit finds no difference. The
 * database draws random numbers from a fixed seed for each client.
 */

/** The client that the benchmark measures. */
export interface Subject {
  readonly clientId: string
  readonly key: string
  readonly cabinetId: string
  readonly orders: number
  readonly products: number
  /** A client with a tenth of its orders: what costs more here grows with the orders. */
  readonly tenth: { readonly clientId: string; readonly key: string }
}

const subjectShare = 0.33
const otherClients = 20
const daysOfYear = 366
const day = 24 * 60 * 60 * 1000

/** @param years over which the orders are spread; as many orders in more years are less business for as long */
export async function fill(db: Database, orders: number, years = 1): Promise<Subject> {
  const time = { finish: Date.now(), years }
  const own = Math.round(orders * subjectShare)
  const tenth = await makeClient(db, time, Math.round(own / 10), otherClients + 1)
  const others = await makeOthers(db, time, orders - own - tenth.orders)
  const subject = await makeClient(db, time, own, 0)
  const clients = [subject, tenth, ...others]
  await drain(clients, 2, async (client) => {
    await inTransaction(db, (tx) => fillClient(tx, client))
    log(`client with ${client.orders} orders`)
  })
  await db`vacuum (analyze)`
  await db`checkpoint`
  const { clientId, products, wb: cabinetId } = subject
  const key = await issueKey(db, clientId)
  const ofTenth = { clientId: tenth.clientId, key: await issueKey(db, tenth.clientId) }
  return { clientId, key, cabinetId, orders: own, products, tenth: ofTenth }
}

/** Fills the database with a year of one client alone, who has all orders, with so many goods. Returns its id. */
export async function fillOne(db: Database, orders: number, products?: number): Promise<string> {
  const client = await makeClient(db, { finish: Date.now(), years: 1 }, orders, 0)
  await inTransaction(db, (tx) => fillClient(tx, { ...client, ...(products && { products }) }))
  await db`vacuum (analyze)`
  await db`checkpoint`
  return client.clientId
}

interface ClientDraft {
  readonly clientId: string
  readonly wb: string
  readonly ozon: string
  readonly orders: number
  readonly products: number
  readonly time: Time
  readonly seed: number
}

interface Time {
  readonly finish: number
  readonly years: number
}

async function issueKey(db: Database, clientId: string): Promise<string> {
  const { key } = await perform(db, systemClock, { kind: 'service' }, (work) =>
    issueApiKey(work, clientId, { name: 'bench', receiptsEnabled: true }),
  )
  return key
}

async function makeOthers(db: Database, time: Time, orders: number): Promise<ClientDraft[]> {
  const drafts: ClientDraft[] = []
  for (let index = 0; index < otherClients; index += 1) {
    const share = Math.floor((orders + index) / otherClients)
    drafts.push(await makeClient(db, time, share, index + 1))
  }
  return drafts
}

/** Its cabinets were connected before every period that a request can name. */
function makeClient(db: Database, time: Time, orders: number, index: number): Promise<ClientDraft> {
  return inTransaction(db, async (tx) => {
    const { finish, years } = time
    const founded = finish - (years * daysOfYear + 34) * day + index
    const founding = workAt(tx, founded, { kind: 'service' })
    const clientId = await createClient(founding, { mode: 'live', name: `Продавец ${index}` })
    const wb = await addCabinet(founding, clientId, { marketplace: 'WB', name: 'WB' })
    const ozon = await addCabinet(founding, clientId, { marketplace: 'OZON', name: 'OZON' })
    for (const cabinet of [wb, ozon]) await startHistory(founding, clientId, cabinet)
    const products = Math.max(100, Math.round(orders / years / 66))
    return { clientId, wb, ozon, orders, products, time, seed: 1 / (index + 2) }
  })
}

async function fillClient(tx: Transaction, client: ClientDraft): Promise<void> {
  const { time } = client
  const days = time.years * daysOfYear
  const finish = toTimestamp(time.finish)
  const start = toTimestamp(time.finish - days * day)
  await tx`set local synchronous_commit = off`
  await tx`set local work_mem = '64MB'`
  await tx`select setseed(${client.seed})`
  await tx`
    create temp table spec on commit drop as
    select ${client.clientId}::uuid as client_id, ${client.wb}::uuid as wb, ${client.ozon}::uuid as ozon,
      ${client.orders}::int as orders, ${client.products}::int as products,
      ${days}::int as days, ${start}::timestamptz(3) as start, ${finish}::timestamptz(3) as finish`
  await insertGoods(tx)
  await draftOrders(tx)
  await insertOrders(tx, client.orders)
  await fillGoods(tx)
}

/** Works through all items, so many at a time. */
async function drain<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
