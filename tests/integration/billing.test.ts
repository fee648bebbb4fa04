import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storeCards } from '../../src/exchange/marketplaces/sync/card-store.ts'
import { auditWithin } from '../../src/operations/audit/audit.ts'
import { inTransaction, type Transaction } from '../../src/platform/db/connection.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import { day, type Instant, midnight } from '../../src/platform/kernel/moscow-time.ts'
import { computeDueCharges } from '../../src/warehouse/billing/daily.ts'
import { addMeasures } from '../../src/warehouse/billing/measures.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { addOtherBarcode } from '../../src/warehouse/catalogue/other-barcodes.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase()

const hour = 60 * 60_000
const lateNovember: Instant = midnight('2026-11-29') + hour
const december: Instant = midnight('2026-12-02') + hour

interface Prices {
  readonly [service: string]: readonly { readonly up_to: number | null; readonly price: number }[]
}

const flat = (price: number) => [{ up_to: null, price }]

interface Tariff {
  readonly version?: number
  readonly firstDay?: string
  readonly minimum?: number
  readonly freeDays?: number
}

function setTariff(client: string, prices: Prices, tariff: Tariff = {}): PromiseLike<unknown> {
  const { version = 1, firstDay = '2026-11-01', minimum = null, freeDays = null } = tariff
  return db`
    insert into client_tariffs (client_id, version, first_day, prices, monthly_minimum, free_days, created_at, created_by)
    values (${client}, ${version}, ${firstDay}, ${db.json(prices)}, ${minimum}, ${freeDays}, now(), 'test')`
}

const compute = (client: string, now: Instant) =>
  inTransaction(db, (tx) => computeCharges(sharedWorkAt(tx, now), client))

interface ChargeRow {
  month: string
  day: string
  service: string
  step: number
  quantity: string
  price: number
  amount: number
}

const chargesOf = (client: string) => db<ChargeRow[]>`
  select month, day, service, step, quantity, price, amount from charges where client_id = ${client}
  order by month, day, service, step, quantity`

const shortly = (rows: readonly ChargeRow[]) =>
  rows.map(({ day, service, step, quantity, amount }) => [
    `${day} ${service} ${step}`,
    Number(quantity),
    amount,
  ])

/** Closes the period as it was computed, without an act. */
const close = (client: string, month: string) => db`
  update billing_periods set closed_at = now(), closed_by = 'test' where client_id = ${client} and month = ${month}`

test('no server compiles what derives charges, in a run or in the audit', async () => {
  const { id: client } = await makeClient(db)
  const compiles = async (work: (tx: Transaction) => Promise<unknown>) =>
    inTransaction(db, async (tx) => {
      await tx`set local jit = on`
      await work(tx)
      const [row] = await tx<{ jit: string }[]>`show jit`
      return row?.jit
    })
  assert.equal(await compiles((tx) => computeCharges(sharedWorkAt(tx, december), client)), 'off')
  assert.equal(await compiles((tx) => auditWithin(tx, { now: () => december })), 'off')
})

test('a receipt that crosses the end of a step is charged by both prices', async () => {
  const { id } = await makeClient(db)
  await setTariff(id, {
    UNIT_RECEIVED: [
      { up_to: 10, price: 1_200 },
      { up_to: null, price: 900 },
    ],
  })
  await stockUp(db, id, { A: 7 })
  await stockUp(db, id, { B: 8 }, noon + day)
  await compute(id, lateNovember)
  assert.deepEqual(shortly(await chargesOf(id)), [
    ['2026-11-20 UNIT_RECEIVED 1', 7, 8_400],
    ['2026-11-21 UNIT_RECEIVED 1', 3, 3_600],
    ['2026-11-21 UNIT_RECEIVED 2', 5, 4_500],
  ])
})

test('a tariff that changes within a month holds from its day on, and the steps of the month go on', async () => {
  const { id } = await makeClient(db)
  const steps = (first: number, further: number) => ({
    UNIT_RECEIVED: [
      { up_to: 10, price: first },
      { up_to: null, price: further },
    ],
  })
  await setTariff(id, steps(1_200, 900))
  await setTariff(id, steps(2_000, 1_500), { version: 2, firstDay: '2026-11-22' })
  await stockUp(db, id, { A: 7 })
  await stockUp(db, id, { B: 8 }, noon + 2 * day)
  await compute(id, lateNovember)
  assert.deepEqual(shortly(await chargesOf(id)), [
    ['2026-11-20 UNIT_RECEIVED 1', 7, 8_400],
    ['2026-11-22 UNIT_RECEIVED 1', 3, 6_000],
    ['2026-11-22 UNIT_RECEIVED 2', 5, 7_500],
  ])
})

test('a price of the client goes before that of the warehouse, service by service', async () => {
  const [{ id }, other] = [await makeClient(db), await makeClient(db)]
  const code = 'PRICED'
  await db`insert into warehouses (code, name, created_at) values (${code}, 'W', now())`
  await db`update clients set warehouse_code = ${code} where id in (${id}, ${other.id})`
  await db`
    insert into warehouse_tariffs (warehouse_code, version, first_day, prices, created_at, created_by)
    values (${code}, 1, '2026-11-28', ${db.json({ STORAGE_UNIT_DAY: flat(10), UNIT_RECEIVED: flat(700) })}, now(), 'test')`
  await setTariff(id, { UNIT_RECEIVED: flat(500) })
  for (const client of [id, other.id]) await stockUp(db, client, { A: 2 })
  await compute(id, lateNovember)
  await compute(other.id, lateNovember)
  assert.deepEqual(shortly(await chargesOf(id)), [
    ['2026-11-20 UNIT_RECEIVED 1', 2, 1_000],
    ['2026-11-28 STORAGE_UNIT_DAY 1', 2, 20],
  ])
  assert.deepEqual(shortly(await chargesOf(other.id)), [['2026-11-28 STORAGE_UNIT_DAY 1', 2, 20]])
})

test('goods are charged by their measures of the day, up to 0.1 l, and others by assumed litres', async () => {
  const { id } = await makeClient(db)
  await setTariff(id, { STORAGE_LITRE_DAY: flat(101) })
  await stockUp(db, id, { A: 3, B: 1 }, midnight('2026-11-26') + hour)
  await db`
    insert into storage_terms values (${id}, '2026-11-01', 'litre', 2.5, now(), 'test')`
  await db`
    insert into product_measures values (${id}, 'A', '2026-11-28', 101, 100, 100, now(), 'test')`
  await compute(id, lateNovember)
  assert.deepEqual(shortly(await chargesOf(id)), [
    ['2026-11-26 STORAGE_LITRE_DAY 1', 10, 1_010],
    ['2026-11-27 STORAGE_LITRE_DAY 1', 10, 1_010],
    ['2026-11-28 STORAGE_LITRE_DAY 1', 5.8, 586],
  ])
})

test('goods that nobody measured have the measures of their cards, and hands go before cards', async () => {
  const {
    id,
    cabinets: [cabinet = ''],
  } = await makeClient(db)
  await setTariff(id, { STORAGE_LITRE_DAY: flat(100) })
  await db`insert into storage_terms values (${id}, '2026-11-01', 'litre', null, now(), 'test')`
  await stockUp(db, id, { A: 1, B: 1 }, midnight('2026-11-26') + hour)
  await at(db, noon, (work) => addOtherBarcode(work, { clientId: id, barcode: 'A' }, 'A-2'))
  const cards = (length_mm: number) =>
    ['A-2', 'B', 'none'].map((barcode, itemId) => ({
      ...{ itemId, barcodes: [barcode], article: undefined, name: barcode },
      measures: { length_mm, width_mm: 100, height_mm: 100, weight_g: 5 },
    }))
  const report = (length: number) =>
    at(db, noon, (work) => storeCards(work, id, cabinet, cards(length)))
  const sides = { length_cm: 30, width_cm: 10, height_cm: 10 }
  await report(100)
  await computeDueCharges(db, midnight('2026-11-26') + 2 * hour)
  const byHand = { clientId: id, barcode: 'B' }
  await at(db, midnight('2026-11-26') + 3 * hour, (work) => addMeasures(work, byHand, sides))
  await report(200)
  for (const date of ['2026-11-27', '2026-11-28', '2026-11-29']) {
    await computeDueCharges(db, midnight(date) + hour)
  }
  const rows = await db`
    select barcode, first_day, length_mm from product_measures where client_id = ${id} order by 1, 2`
  assert.deepEqual(rows, [
    { barcode: 'A', first_day: '2026-11-26', length_mm: 100 },
    { barcode: 'A', first_day: '2026-11-27', length_mm: 200 },
    { barcode: 'B', first_day: '2026-11-26', length_mm: 300 },
  ])
  assert.deepEqual(shortly(await chargesOf(id)), [
    ['2026-11-26 STORAGE_LITRE_DAY 1', 4, 400],
    ['2026-11-27 STORAGE_LITRE_DAY 1', 5, 500],
    ['2026-11-28 STORAGE_LITRE_DAY 1', 5, 500],
  ])
})

test('the minimum of a month is charged when it has ended', async () => {
  const { id } = await makeClient(db)
  await setTariff(id, { UNIT_RECEIVED: flat(500) }, { minimum: 100_000 })
  await stockUp(db, id, { A: 2 })
  await compute(id, lateNovember)
  assert.equal((await chargesOf(id)).length, 1)
  await compute(id, december)
  const rows = await chargesOf(id)
  assert.deepEqual(shortly(rows).at(-1), ['2026-11-30 MONTHLY_MINIMUM 0', 1, 99_000])
  // Runs of the open month do not count it a second time.
  await compute(id, december)
  assert.deepEqual(await chargesOf(id), rows)
})

// Guarantee (billing): Charges of a closed period never change; what comes later is charged in the open one.
test('what is found later for a closed day becomes an adjustment of the open period', async () => {
  const { id } = await makeClient(db)
  await setTariff(id, { UNIT_RECEIVED: flat(500) })
  await stockUp(db, id, { A: 2 })
  await compute(id, december)
  await close(id, '2026-11-01')
  const frozen = await chargesOf(id)
  await stockUp(db, id, { B: 3 }, noon + day)
  await db`update receipt_scans set undone_at = ${new Date(noon + day)}, undone_by = 'test'
    where client_id = ${id} and barcode = 'A'`
  for (const now of [december, december + hour]) {
    await compute(id, now)
    const rows = await chargesOf(id)
    assert.deepEqual(
      rows.filter(({ month }) => month === '2026-11-01'),
      frozen,
    )
    assert.deepEqual(shortly(rows.filter(({ month }) => month === '2026-12-01')), [
      ['2026-11-20 UNIT_RECEIVED 1', -2, -1_000],
      ['2026-11-21 UNIT_RECEIVED 1', 3, 1_500],
    ])
  }
  for (const change of [
    db`update charges set amount = 0 where client_id = ${id} and month = '2026-11-01'`,
    db`delete from charges where client_id = ${id} and month = '2026-11-01'`,
    db`insert into charges values (${id}, '2026-11-01', '2026-11-02', 'OWN_A', 'manual:1', 0, 1, 1, 1, null)`,
    db`update billing_periods set closed_at = null, closed_by = null where client_id = ${id}`,
  ]) {
    await assert.rejects(Promise.resolve(change), /closed period never change/)
  }
})

// Guarantee (billing): A new version of a tariff changes no day before it begins.
test('a new tariff changes no day before its first, and none of a closed period', async () => {
  const { id } = await makeClient(db)
  await setTariff(id, { UNIT_RECEIVED: flat(500), STORAGE_UNIT_DAY: flat(10) })
  await stockUp(db, id, { A: 2 })
  await compute(id, december)
  await close(id, '2026-11-01')
  const before = await chargesOf(id)
  await setTariff(id, { STORAGE_UNIT_DAY: flat(20) }, { version: 2, firstDay: '2026-12-02' })
  await compute(id, december + day)
  const after = await chargesOf(id)
  assert.deepEqual(after.slice(0, before.length), before)
  assert.deepEqual(shortly(after.slice(before.length)), [['2026-12-02 STORAGE_UNIT_DAY 1', 2, 40]])
  await assert.rejects(
    Promise.resolve(db`update client_tariffs set prices = '{}' where client_id = ${id}`),
    /append-only/,
  )
})

// Guarantee (billing): Runs that are repeated, killed or made at once give the same charges.
test('runs that are repeated, killed or made at once give the charges of one', async () => {
  const receipts = fc.array(
    fc.record({ days: fc.integer({ min: 0, max: 8 }), units: fc.integer({ min: 1, max: 9 }) }),
    { minLength: 1, maxLength: 5 },
  )
  const property = fc.asyncProperty(
    receipts,
    fc.array(fc.nat(8), { maxLength: 3 }),
    async (facts, runs) => {
      const [once, often] = [await makeClient(db), await makeClient(db)]
      const order = [...facts.entries()]
      for (const [client, list] of [
        [once.id, order],
        [often.id, order.toReversed()],
      ] as const) {
        await setTariff(client, {
          UNIT_RECEIVED: [
            { up_to: 6, price: 333 },
            { up_to: 12, price: 222 },
            { up_to: null, price: 111 },
          ],
          STORAGE_UNIT_DAY: flat(7),
        })
        for (const [n, { days, units }] of list) {
          await stockUp(db, client, { [`G${n}`]: units }, noon + days * day + n * 1_000)
          for (const run of client === often.id ? runs : []) await compute(client, noon + run * day)
        }
      }
      const killed = inTransaction(db, async (tx) => {
        await computeCharges(sharedWorkAt(tx, lateNovember), often.id)
        throw new Error('killed')
      })
      await assert.rejects(killed, /killed/)
      await compute(once.id, lateNovember)
      await Promise.all([compute(often.id, lateNovember), compute(often.id, lateNovember)])
      assert.deepEqual(await chargesOf(often.id), await chargesOf(once.id))
      assert.equal(await compute(often.id, lateNovember), 0)
    },
  )
  await fc.assert(property, { numRuns: 10 })
})

/** Units that are charged at the end of each day of November 20 to 28, by a queue of the days on which units came. */
function modelOfStorage(moves: readonly (readonly [number, number])[], freeDays: number): number[] {
  const queue: number[] = []
  return Array.from({ length: 9 }, (_, end) => {
    for (const [at, delta] of moves.filter(([at]) => at === end)) {
      for (let unit = 0; unit < delta; unit++) queue.push(at)
      queue.splice(0, -Math.min(delta, 0))
    }
    return queue.filter((came) => end - came >= freeDays).length
  })
}

test('storage of a day is what lies there at its end, without units that still have free days, first in, first out', async () => {
  const steps = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: -6, max: 8 })),
    {
      maxLength: 12,
    },
  )
  const property = fc.asyncProperty(
    steps,
    fc.integer({ min: 0, max: 4 }),
    async (wanted, freeDays) => {
      const { id } = await makeClient(db)
      await setTariff(id, { STORAGE_UNIT_DAY: flat(1) }, { freeDays })
      let units = 0
      const moves = wanted
        .toSorted(([a], [b]) => a - b)
        .flatMap(([at, change]) => {
          const delta = Math.max(change, -units)
          units += delta
          return delta === 0 ? [] : [[at, delta] as const]
        })
      await db`insert into products (client_id, barcode, name, name_folded, created_at) values (${id}, 'A', 'A', 'a', now())`
      await db`insert into stock_balances (client_id, barcode, quantity, updated_at) values (${id}, 'A', ${units}, now())`
      for (const [at, delta] of moves) {
        await db`
        insert into stock_movements (client_id, barcode, kind, delta, at, actor)
        values (${id}, 'A', ${delta > 0 ? 'acceptance' : 'write_off'}, ${delta}, ${new Date(noon + at * day)}, 'test')`
      }
      await compute(id, lateNovember)
      const charged = new Map((await chargesOf(id)).map((row) => [row.day, Number(row.quantity)]))
      const days = Array.from({ length: 9 }, (_, n) => `2026-11-${20 + n}`)
      assert.deepEqual(
        days.map((date) => charged.get(date) ?? 0),
        modelOfStorage(moves, freeDays),
      )
    },
  )
  await fc.assert(property, { numRuns: 25 })
})
