import assert from 'node:assert/strict'
import { inTransaction } from '../../src/platform/db/connection.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import { moscowDate } from '../../src/platform/kernel/moscow-time.ts'
import type { Charge, ChargeSummary } from '../../src/warehouse/billing/charges.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { all } from './compare.ts'
import type { Client } from './model.ts'
import type { World } from './world.ts'

/** One tariff, written a second time: what the model's facts cost, by service, month and object. */

interface Step {
  readonly up_to: number | null
  readonly price: number
}

const prices: Readonly<Record<string, readonly Step[]>> = {
  UNIT_RECEIVED: [
    { up_to: 12, price: 1_250 },
    { up_to: 40, price: 999 },
    { up_to: null, price: 601 },
  ],
  MARKED_UNIT_RECEIVED: [{ up_to: null, price: 350 }],
  BOX_RECEIVED: [{ up_to: null, price: 4_000 }],
  UNIT_COUNTED: [
    { up_to: 5, price: 700 },
    { up_to: null, price: 333 },
  ],
  LABEL_PRINTED: [{ up_to: null, price: 150 }],
  ORDER_PACKED: [
    { up_to: 3, price: 4_500 },
    { up_to: null, price: 3_900 },
  ],
  FURTHER_UNIT: [{ up_to: null, price: 1_200 }],
  RETURN_SELLABLE: [{ up_to: null, price: 2_000 }],
}

interface Fact {
  readonly service: string
  readonly at: number
  readonly source: string
  readonly units: number
}

function factsOf(client: Client): Fact[] {
  const facts: Fact[] = []
  for (const receipt of client.receipts.values()) {
    const boxes = new Map<string, number>()
    for (const { units, code, box, at, undoneAt } of receipt.scans.values()) {
      if (undoneAt !== undefined) continue
      facts.push({ service: 'UNIT_RECEIVED', at, source: receipt.id, units })
      if (code !== undefined)
        facts.push({ service: 'MARKED_UNIT_RECEIVED', at, source: receipt.id, units })
      if (box !== undefined) boxes.set(box, Math.min(at, boxes.get(box) ?? at))
    }
    for (const at of boxes.values())
      facts.push({ service: 'BOX_RECEIVED', at, source: receipt.id, units: 1 })
  }
  for (const { id, units, at } of client.counted)
    facts.push({ service: 'UNIT_COUNTED', at, source: id, units })
  for (const { id, units, at } of client.labelled)
    facts.push({ service: 'LABEL_PRINTED', at, source: id, units })
  for (const { picks } of client.shipments.values()) {
    const live = [...picks.values()].filter(({ undoneAt }) => undoneAt === undefined)
    for (const [source, own] of Map.groupBy(live, ({ order }) => order)) {
      const ordered = client.orders.get(source)?.lines.reduce((sum, { units }) => sum + units, 0)
      if (own.length < (ordered ?? 0)) continue
      const at = Math.max(...own.map((pick) => pick.at))
      facts.push({ service: 'ORDER_PACKED', at, source, units: 1 })
      if (own.length > 1) facts.push({ service: 'FURTHER_UNIT', at, source, units: own.length - 1 })
    }
  }
  return facts
}

const monthOf = (at: number) => `${moscowDate(at).slice(0, 7)}-01`

/** Kopecks for the units of a month. */
function cost(service: string, units: number): number {
  let [sum, below] = [0, 0]
  for (const { up_to: high, price } of prices[service] ?? []) {
    const upto = Math.min(units, high ?? units)
    sum += Math.max(0, upto - below) * price
    below = Math.max(below, upto)
  }
  return sum
}

const kopecks = (sum: string) => Math.round(Number(sum) * 100)

function totals<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  of: (item: Item) => number,
) {
  const sums = new Map<string, number>()
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + of(item))
  return Object.fromEntries([...sums].sort())
}

/** Charges the client for all that has happened, and compares the bill with what the model's facts cost. */
export async function compareCharges(world: World, client: Client): Promise<void> {
  const { db, clock } = world
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, created_at, created_by)
    values (${client.id}, 1, '2026-11-01', ${db.json(prices)}, now(), 'simulation') on conflict do nothing`
  // A run leaves the last minute to the next one.
  await inTransaction(db, (tx) => computeCharges(sharedWorkAt(tx, clock.now() + 60_001), client.id))
  const read = (path: string) => world.seller(client, path)
  const charges = await all<Charge>(read, '/charges', 40)
  const facts = factsOf(client)
  const measured = charges.filter(({ service }) => service !== 'RETURN_SELLABLE')
  assert.deepEqual(
    totals(
      measured,
      (charge) => `${charge.service} ${charge.period} ${charge.source.id}`,
      ({ quantity }) => Number(quantity),
    ),
    totals(
      facts,
      (fact) => `${fact.service} ${monthOf(fact.at)} ${fact.source}`,
      ({ units }) => units,
    ),
  )
  const returned = [...client.returns.values()].flatMap(({ scans }) => [...scans.values()])
  const sellable = returned.filter(({ undone, question }) => !undone && question === 0).length
  const units = totals(
    facts,
    (fact) => `${fact.service} ${monthOf(fact.at)}`,
    (fact) => fact.units,
  )
  const expected = Object.entries(units).reduce(
    (sum, [key, quantity]) => sum + cost(key.split(' ')[0] ?? '', quantity),
    cost('RETURN_SELLABLE', sellable),
  )
  const { amount, days } = (await read('/charges/summary')).body as ChargeSummary
  assert.equal(kopecks(amount), expected)
  assert.equal(
    days.reduce((sum, each) => sum + kopecks(each.amount), 0),
    expected,
  )
}
