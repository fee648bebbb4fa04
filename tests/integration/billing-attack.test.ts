import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../src/operations/audit/audit.ts'
import { inTransaction, type Transaction } from '../../src/platform/db/connection.ts'
import { workAt } from '../../src/platform/db/work.ts'
import { ServiceError } from '../../src/platform/kernel/errors.ts'
import { day, type Instant, midnight } from '../../src/platform/kernel/moscow-time.ts'
import { computeDueCharges } from '../../src/warehouse/billing/daily.ts'
import { closeMonth, listActs } from '../../src/warehouse/billing/periods.ts'
import { putProvider } from '../../src/warehouse/billing/providers.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { addTariff } from '../../src/warehouse/billing/tariffs.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, stockUp, testProvider } from '../support/warehouse.ts'

/** What may befall a run or a closing: many at once, killed connections, clocks that step, prices that change meanwhile. */

const { db } = await testDatabase()
const hour = 60 * 60_000
const warehouse = 'ATTACK'
const november = '2026-11-01'
const december: Instant = midnight('2026-12-02') + hour
const onDay = (date: string): Instant => midnight(date) + 12 * hour

await db`insert into warehouses (code, name, created_at) values (${warehouse}, 'W', now())`
await at(db, december, (work) => putProvider(work, warehouse, testProvider))

const prices = (received: string) => [
  {
    service: 'UNIT_RECEIVED',
    steps: [
      { up_to: 4, price: received },
      { up_to: null, price: '1' },
    ],
  },
  { service: 'STORAGE_UNIT_DAY', steps: [{ up_to: null, price: '0.10' }] },
]

function setPrices(clientId: string, firstDay: string, received: string, now = december) {
  const of = { clientId, servicesOf: warehouse }
  const draft = { first_day: firstDay, prices: prices(received), monthly_minimum: '500' }
  return at(db, now, (work) => addTariff(work, of, draft))
}

/** A client with receipts in November and at the beginning of December. */
async function chargedClient(): Promise<string> {
  const { id } = await makeClient(db)
  await db`update clients set warehouse_code = ${warehouse} where id = ${id}`
  await setPrices(id, november, '7')
  for (const date of ['2026-11-20', '2026-11-25', '2026-12-01'])
    await stockUp(db, id, { [date]: 3 }, onDay(date))
  return id
}

const compute = (id: string, now = december) => at(db, now, (work) => computeCharges(work, id))
const close = (id: string, now = december) => at(db, now, (work) => closeMonth(work, id, november))

async function billOf(id: string) {
  const charges = await db`
    select month, day, service, step, quantity, price, amount from charges where client_id = ${id}
    order by month, day, service, source, step`
  const { items } = await listActs(db, id, { limit: 10, after: undefined })
  return { charges, acts: items.map(({ period, amount, total }) => [period, amount, total]) }
}

const silent = async () => assert.deepEqual((await audit(db)).findings, [])

/** Refused by the service is one thing, broken another. */
function assertRefusedOnly(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) {
    if (result.status === 'rejected')
      assert.ok(result.reason instanceof ServiceError, String(result.reason))
  }
}

// Guarantee (billing): Runs and closings at once, on clocks that differ by days, charge what one does.
test('fifty runs and closings at once, on clocks that step, with a price that changes meanwhile', async () => {
  const [calm, attacked] = [await chargedClient(), await chargedClient()]
  await setPrices(calm, '2026-11-22', '9')
  await close(calm)
  await compute(calm)
  const clocks = [0, -hour, -3 * day, -8 * day, 5 * hour]
  const runs = Array.from({ length: 50 }, (_, n) => {
    const now = december + (clocks[n % clocks.length] ?? 0)
    if (n === 20) return setPrices(attacked, '2026-11-22', '9')
    return n % 10 === 7 ? computeDueCharges(db, now) : compute(attacked, now)
  })
  assertRefusedOnly(await Promise.allSettled(runs))
  const closings = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0 ? close(attacked) : compute(attacked, december + (clocks[n % clocks.length] ?? 0)),
  )
  const closed = await Promise.allSettled(closings)
  assertRefusedOnly(closed)
  assert.equal(closed.filter(({ status }, n) => n % 2 === 0 && status === 'fulfilled').length, 1)
  await compute(attacked)
  assert.deepEqual(await billOf(attacked), await billOf(calm))
  await silent()
})

/** The transaction, whose session ends right before its so many-th statement. */
function cutAt(tx: Transaction, statement: number): Transaction {
  let statements = 0
  return new Proxy(tx, {
    apply(target, self, given) {
      // Its own session: another one could be late, and meet who has the connection next.
      if (++statements === statement) {
        tx`select pg_terminate_backend(pg_backend_pid())`.then(undefined, () => {})
      }
      return Reflect.apply(target, self, given)
    },
  })
}

async function killed(
  verbs: (tx: Transaction) => Promise<unknown>,
  statement: number,
): Promise<boolean> {
  let isDone = false
  const outcome = inTransaction(db, async (tx) => {
    await verbs(cutAt(tx, statement))
    isDone = true
  })
  return outcome.then(
    () => false,
    () => !isDone,
  )
}

// Guarantee (billing): A run or a closing that is killed leaves all of its work or none.
test('a run and a closing that are killed at any statement leave what was, and are made again', async () => {
  const calm = await chargedClient()
  await close(calm)
  await compute(calm)
  const expected = await billOf(calm)
  for (const verb of [computeCharges, closing]) {
    const victim = await chargedClient()
    await compute(victim, december - 5 * day)
    let cut = 0
    for (let statement = 1; statement <= 40; statement += 3) {
      const work = (tx: Transaction) => verb(workAt(tx, december, { kind: 'service' }), victim)
      if (await killed(work, statement)) cut++
    }
    assert.ok(cut > 3, `${cut} were cut`)
    await close(victim).catch((error: unknown) => assert.ok(error instanceof ServiceError))
    await compute(victim)
    assert.deepEqual(await billOf(victim), expected)
  }
  await silent()
})

const closing = (work: Parameters<typeof closeMonth>[0], id: string) =>
  closeMonth(work, id, november)

// A clock that runs ahead for an hour opens months that have not begun; what they lack comes when it is right again.
test('a clock that ran ahead loses nothing of the days that it skipped', async () => {
  const id = await chargedClient()
  await compute(id, december + 40 * day)
  await close(id)
  await stockUp(db, id, { late: 2 }, onDay('2026-11-28'))
  await stockUp(db, id, { next: 2 }, onDay('2026-12-03'))
  const later = midnight('2026-12-05')
  await compute(id, later)
  await compute(id, later)
  const rows = await db`
    select month, day, sum(quantity)::integer as units from charges
    where client_id = ${id} and service = 'UNIT_RECEIVED' group by 1, 2 order by 1, 2`
  assert.deepEqual(rows, [
    { month: november, day: '2026-11-20', units: 3 },
    { month: november, day: '2026-11-25', units: 3 },
    { month: '2026-12-01', day: '2026-11-28', units: 2 },
    { month: '2026-12-01', day: '2026-12-01', units: 3 },
    { month: '2026-12-01', day: '2026-12-03', units: 2 },
  ])
  await silent()
})
