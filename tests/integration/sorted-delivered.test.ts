import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { audit } from '../../src/operations/audit/audit.ts'
import type { Database, Queryable } from '../../src/platform/db/connection.ts'
import { systemClock } from '../../src/platform/kernel/clock.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { type Instant, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { readMetrics } from '../../src/warehouse/metrics/queries.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/faults.ts'
import { makeClient } from '../support/warehouse.ts'

/** Orders by when they were sorted and received, against the funnel of periods of all kinds. */

const day = 86_400_000
const start = Date.parse('2026-01-10T00:00:00+03:00')

interface Moments {
  readonly sorted: Instant | null
  readonly delivered: Instant | null
}

interface Owner {
  readonly client: string
  readonly cabinet: string
}

async function newOwner(db: Database): Promise<Owner> {
  const { id: client, cabinets } = await makeClient(db)
  await db`update cabinets set history_since = '2025-01-01' where client_id = ${client}`
  return { client, cabinet: cabinets[0] ?? '' }
}

async function addOrders(db: Database, { client, cabinet }: Owner, orders: readonly Moments[]) {
  for (const order of orders) {
    const id = newId()
    await db`
      insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status, created_at,
        sorted, delivered, sorted_at, delivered_at)
      values (${client}, ${id}, ${cabinet}, 'WB', ${id}, 'IN_DELIVERY', 'sorted', '2025-12-01',
        ${order.sorted !== null}, ${order.delivered !== null}, ${momentOf(order.sorted)}, ${momentOf(order.delivered)})`
  }
}

function momentOf(at: Instant | null): string | null {
  return at === null ? null : toTimestamp(at)
}

async function funnelOf(db: Database, { client }: Owner, from: Instant, to: Instant) {
  const { funnel } = await readMetrics(db, client, { from, to })
  assert.equal(funnel.by_current_status, false)
  return { sorted: funnel.sorted_by_marketplace, delivered: funnel.delivered }
}

function counted(orders: readonly Moments[], from: Instant, to: Instant) {
  const within = (at: Instant | null) => at !== null && at >= from && at < to
  return {
    sorted: orders.filter((each) => within(each.sorted) || within(each.delivered)).length,
    delivered: orders.filter((each) => within(each.delivered)).length,
  }
}

/** Moments that often meet in a day, at its bounds, or in a month, over some months. */
const moments = fc
  .record({
    days: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 110 })),
    within: fc.constantFrom(0, 1, 1000, day / 2, day - 1),
  })
  .map(({ days, within }) => start + days * day + within)
const someOrders = fc.array(
  fc.record({
    sorted: fc.option(moments, { freq: 5 }),
    delivered: fc.option(moments, { freq: 2 }),
  }),
  { minLength: 1, maxLength: 15 },
)
const somePeriods = fc.array(
  fc.tuple(moments, moments).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1] as const),
  { minLength: 10, maxLength: 10 },
)

test('an order that was sorted before a period and received in it counts as sorted and delivered', async () => {
  const { db } = await testDatabase()
  const owner = await newOwner(db)
  const noon = start + 20 * day + day / 2
  await addOrders(db, owner, [
    { sorted: noon - 5 * day, delivered: noon },
    { sorted: noon - 60_000, delivered: noon },
    { sorted: null, delivered: noon },
    { sorted: noon, delivered: noon + 5 * day },
  ])
  assert.deepEqual(await funnelOf(db, owner, noon, noon + 1), { sorted: 4, delivered: 3 })
  assert.deepEqual(await funnelOf(db, owner, noon - day, noon + day), { sorted: 4, delivered: 3 })
  assert.deepEqual(await funnelOf(db, owner, noon + day, noon + 60 * day), {
    sorted: 1,
    delivered: 1,
  })
})

test('sorted and delivered of any period equal a count of the orders', async () => {
  const { db } = await testDatabase()
  await fc.assert(
    fc.asyncProperty(someOrders, someOrders, somePeriods, async (first, second, periods) => {
      const owner = await newOwner(db)
      await addOrders(db, owner, first)
      // Others take the place of some: tallies go down, too.
      await db`
        delete from orders where client_id = ${owner.client} and sorted_at is not null and delivered_at is not null`
      const kept = first.filter((each) => each.sorted === null || each.delivered === null)
      await addOrders(db, owner, second)
      for (const [from, to] of periods) {
        const funnel = await funnelOf(db, owner, from, to)
        assert.deepEqual(funnel, counted([...kept, ...second], from, to))
        assert.ok(funnel.delivered <= funnel.sorted)
      }
    }),
    { numRuns: 30 },
  )
})

/** Of an order by its place: when the buyer received it. */
type Change = readonly [order: number, delivered: Instant | null]

async function pairsOf(db: Database, { client }: Owner): Promise<string[]> {
  const rows = await db<{ pair: string }[]>`
    select concat_ws(' ', span, sorted_day, day, orders) as pair from sorted_delivered_tallies
    where client_id = ${client} and orders <> 0 order by 1`
  const { findings } = await audit(db, systemClock)
  assert.deepEqual(
    findings.filter(({ check }) => check.includes('tallies')),
    [],
  )
  return rows.map(({ pair }) => pair)
}

test('two transactions that change orders of one pair of days at once are both counted', async () => {
  const { db } = await testDatabase()
  const owner = await newOwner(db)
  const pair = { sorted: start + day, delivered: start + 3 * day }
  await addOrders(
    db,
    owner,
    [1, 2, 3, 4].map(() => ({ sorted: pair.sorted, delivered: null })),
  )
  const orders = await db<{ id: string }[]>`select id from orders where client_id = ${owner.client}`
  const receive = (tx: Queryable, n: number, at: Instant | null) => tx`
    update orders set delivered = ${at !== null}, delivered_at = ${momentOf(at)}
    where client_id = ${owner.client} and id = ${orders[n]?.id ?? ''}`

  /** The second one comes while the first one has not ended, and waits for it. */
  async function atOnce(first: Change, second: Change, isKept = true): Promise<void> {
    let other: Promise<unknown> | undefined
    const ended = db.begin(async (tx) => {
      await receive(tx, ...first)
      other = db.begin((later) => receive(later, ...second))
      await eventually('the second one waits', async () => {
        const waiting = await db`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length > 0
      })
      if (!isKept) throw new Error('rolled back')
    })
    if (isKept) await ended
    else await assert.rejects(ended, /rolled back/)
    await other
  }
  const of = (count: number) => [`day 2026-01-11 2026-01-13 ${count}`]
  await atOnce([0, pair.delivered], [1, pair.delivered])
  assert.deepEqual(await pairsOf(db, owner), of(2))
  await atOnce([2, pair.delivered], [0, null])
  assert.deepEqual(await pairsOf(db, owner), of(2))
  await atOnce([3, pair.delivered], [0, pair.delivered], false)
  assert.deepEqual(await pairsOf(db, owner), of(3))
})
