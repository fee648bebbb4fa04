import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inTransaction } from '../../src/platform/db/connection.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { day, midnight, toMidnight } from '../../src/platform/kernel/moscow-time.ts'
import { listCharges, sumCharges } from '../../src/warehouse/billing/charges.ts'
import { billingScope, computeCharges } from '../../src/warehouse/billing/run.ts'
import { storageFacts } from '../../src/warehouse/billing/storage-facts.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, stockUp } from '../support/warehouse.ts'

const { db } = await testDatabase({ plansForValues: true })
const month = midnight('2026-11-01')
const days = 30
const hour = 60 * 60_000

const steps = [
  { up_to: 20, price: 1_250 },
  { up_to: 55, price: 999 },
  { up_to: null, price: 601 },
]

/** Kopecks for so many units of a month, one by one. */
function stepped(units: number): number {
  let sum = 0
  for (let unit = 1; unit <= units; unit++) {
    const step = steps.find(({ up_to }) => up_to === null || unit <= up_to)
    sum += step?.price ?? 0
  }
  return sum
}

/** Half up, away from zero, without floating point. */
function rounded(thousandths: number, price: number): number {
  const product = Math.abs(thousandths) * price
  return Math.sign(thousandths) * Math.floor((product + 500) / 1000)
}

const kopecks = (sum: string) => Math.round(Number(sum) * 100)
const onDay = fc.integer({ min: 0, max: days - 1 })
const receipts = fc.array(fc.record({ on: onDay, units: fc.integer({ min: 1, max: 30 }) }), {
  maxLength: 8,
})
const services = fc.array(
  fc.record({
    on: onDay,
    thousandths: fc.integer({ min: -5_000, max: 5_000 }).filter((n) => n !== 0),
    price: fc.integer({ min: 0, max: 99_999 }),
  }),
  { maxLength: 8 },
)

type Given<T> = T extends fc.Arbitrary<infer Value> ? Value : never

async function clientWith(received: Given<typeof receipts>, byHand: Given<typeof services>) {
  const { id } = await makeClient(db)
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, created_at, created_by)
    values (${id}, 1, '2026-11-01', ${db.json({ UNIT_RECEIVED: steps })}, now(), 'test')`
  for (const { on, units } of received) await stockUp(db, id, { A: units }, month + on * day + hour)
  for (const { on, thousandths, price } of byHand) {
    await db`
      insert into manual_charges (client_id, id, day, service, quantity, price, comment, created_at, created_by)
      values (${id}, ${newId()}, ${toMidnight('2026-11-01')}::timestamptz::date + ${on}::integer, 'OWN_X',
        ${thousandths}::numeric / 1000, ${price}, 'x', ${toMidnight('2026-11-01')}, 'test')`
  }
  return id
}

// Guarantee (billing): The days add up to the month, and both are what the price list says, whenever they are computed.
test('the sum of the days is the month, whatever happened in it and however often it was computed', async () => {
  const property = fc.asyncProperty(receipts, services, onDay, async (received, byHand, midway) => {
    const client = await clientWith(received, byHand)
    const compute = (now: number) =>
      inTransaction(db, (tx) => computeCharges(sharedWorkAt(tx, now), client))
    await compute(month + midway * day + 2 * hour)
    await compute(month + days * day + hour)

    const whole = await sumCharges(db, client, { period: month })
    const units = received.reduce((sum, each) => sum + each.units, 0)
    const expected = byHand.reduce(
      (sum, { thousandths, price }) => sum + rounded(thousandths, price),
      stepped(units),
    )
    assert.equal(kopecks(whole.amount), expected)
    let [sum, rows] = [0, 0]
    for (let on = 0; on < days; on++) {
      const filter = { from: month + on * day, to: month + (on + 1) * day }
      const { amount, services } = await sumCharges(db, client, filter)
      sum += kopecks(amount)
      rows += services.reduce((count, { charges }) => count + charges, 0)
    }
    assert.equal(sum, expected)
    const list = await listCharges(db, client, {}, { limit: 1000, after: undefined })
    assert.deepEqual([list.total, list.items.length], [rows, rows])
  })
  await fc.assert(property, { numRuns: 15 })
})

// For each product and day it read what came of all products: a large client with free days was never charged to the end.
test('free days cost what came in, not that times what lies there', async () => {
  const { id } = await makeClient(db)
  const goods = 60
  const units = Object.fromEntries(Array.from({ length: goods }, (_, n) => [`F${n}`, 5]))
  await stockUp(db, id, units, month + hour)
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, free_days, created_at, created_by)
    values (${id}, 1, '2026-11-01', ${db.json({ STORAGE_UNIT_DAY: steps })}, 10, now(), 'test')`
  const scope = billingScope(
    id,
    { month: '2026-11-01', warehouse: 'MAIN' },
    month + days * day + hour,
  )
  const [plan] = await db<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>`
    explain (analyze, format json) ${storageFacts(db, scope)}`
  const [root] = plan?.['QUERY PLAN'] ?? []
  assert.ok(root)
  const visited = rowsOf(root.Plan)
  assert.ok(visited > goods * days, `${visited}`)
  assert.ok(visited < goods * days * 30, `${visited}`)
})

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** How many rows a plan read and left out, in all of its steps. */
function rowsOf(node: PlanNode): number {
  const read =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0)
  const below = node.Plans ?? []
  return node['Actual Loops'] * read + below.reduce((sum, each) => sum + rowsOf(each), 0)
}
