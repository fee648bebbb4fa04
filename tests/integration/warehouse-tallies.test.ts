import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../src/platform/db/connection.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { finishReceiving, startReceiving } from '../../src/warehouse/receipts/verbs.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

/** Rows of a client with a cabinet, to be changed in any order. */
interface Rows {
  readonly client: string
  readonly cabinet: string
  readonly receipts: string[]
  readonly closed: string[]
}

/** Two moments of one day of the warehouse, one of the next, which is in another month, and one a year before. */
const moments = [
  '2026-10-31T12:00:00+03:00',
  '2026-10-31T23:59:59.999+03:00',
  '2026-11-01T00:00:00+03:00',
  '2025-11-01T00:00:00+03:00',
]

function momentOf(n: number): string {
  return moments[n % moments.length] ?? ''
}

/** When rows were created. */
const longAgo = '2025-11-01T00:00:00+03:00'

type Change = (db: Database, rows: Rows, n: number) => PromiseLike<unknown>

const oneOf = (ids: readonly string[], n: number) => ids[n % Math.max(1, ids.length)] ?? newId()
const reasonOf = (n: number) => ['DAMAGED', 'NOT_DELIVERED', null][n % 3] ?? null

/** Ways of changing the tables that the tallies count, also those that no verb takes. */
const changes: Readonly<Record<string, Change>> = {
  async 'a receipt comes'(db, { client, receipts }, n) {
    const [id, completed] = [newId(), n % 2 === 0 ? momentOf(n) : null]
    receipts.push(id)
    await db`
      insert into receipts (client_id, id, number, status, expected_qty, accepted_qty, created_at, completed_at)
      values (${client}, ${id}, ${id}, ${completed ? 'RECEIVED' : 'RECEIVING'}, ${n}, ${completed ? 1 : 0}, ${longAgo},
        ${completed})`
    await db`
      insert into receipt_items (client_id, receipt_id, barcode, line, name, expected_qty, accepted_qty, shortage_reason)
      select ${client}, ${id}, l::text, l, 'Товар', ${n} + l, 1, case l when 1 then ${reasonOf(n)} end
      from generate_series(1, 2) l`
  },
  'a receipt is completed': (db, { client, receipts }, n) => db`
    update receipts set status = 'RECEIVED_WITH_DISCREPANCY', completed_at = ${momentOf(n)}, accepted_qty = ${n}
    where client_id = ${client} and id = ${oneOf(receipts, n)} and cancelled_at is null`,
  'a receipt is cancelled': (db, { client, receipts }, n) => db`
    update receipts set status = 'RECEIVED_WITH_DISCREPANCY', accepted_qty = 0, completed_at = ${momentOf(n)},
      cancelled_at = ${momentOf(n)}
    where client_id = ${client} and id = ${oneOf(receipts, n)}`,
  'a receipt is opened again': (db, { client, receipts }, n) => db`
    update receipts set status = 'RECEIVING', completed_at = null, cancelled_at = null
    where client_id = ${client} and id = ${oneOf(receipts, n)}`,
  'lines change': (db, { client, receipts }, n) => db`
    update receipt_items set shortage_reason = ${reasonOf(n)}, accepted_qty = ${n}
    where client_id = ${client} and receipt_id = ${oneOf(receipts, n)} and line <= 1 + ${n} % 2`,
  'a line goes': (db, { client, receipts }, n) => db`
    delete from receipt_items where client_id = ${client} and receipt_id = ${oneOf(receipts, n)} and line = 1`,
  async 'a receipt goes'(db, { client, receipts }, n) {
    const id = oneOf(receipts, n)
    await db`delete from receipt_items where client_id = ${client} and receipt_id = ${id}`
    await db`delete from receipts where client_id = ${client} and id = ${id}`
  },
  async 'a shipment comes'(db, { client, cabinet, closed }, n) {
    const [id, at] = [newId(), n % 3 === 0 ? null : momentOf(n)]
    closed.push(id)
    await db`
      insert into shipments (client_id, id, cabinet_id, marketplace, external_id, status, mirrored, observed, units,
        created_at, closed_at)
      values (${client}, ${id}, ${cabinet}, 'WB', ${id}, ${at ? 'HANDED_OVER' : 'ASSEMBLING'}, true, ${n % 2 === 0},
        ${n % 2 === 0 ? 0 : n}, ${longAgo}, ${at})`
  },
  'a shipment is closed': (db, { client, closed }, n) => db`
    update shipments set status = 'HANDED_OVER', closed_at = ${momentOf(n)},
      units = case when observed then 0 else ${n} end
    where client_id = ${client} and id = ${oneOf(closed, n)}`,
  'a shipment is shown': (db, { client, closed }, n) => db`
    update shipments set observed = false where client_id = ${client} and id = ${oneOf(closed, n)}`,
  'a shipment goes': (db, { client, closed }, n) => db`
    delete from shipments where client_id = ${client} and id = ${oneOf(closed, n)}`,
  'units are missed': (db, { client }, n) => db`
    insert into pick_misses (client_id, order_id, barcode, units, reason, at, actor)
    select ${client}, gen_random_uuid(), 'A', 1 + ${n}, ${reasonOf(n % 2)}, ${momentOf(n)}, 'test' from generate_series(1, 2)`,
  'a miss changes': (db, { client }, n) => db`
    update pick_misses set units = ${n} + 2, at = ${momentOf(n)}
    where client_id = ${client} and id = (
      select id from pick_misses where client_id = ${client} order by at, id limit 1)`,
  'misses go': (db, { client }, n) => db`
    delete from pick_misses where client_id = ${client} and units % 3 = ${n} % 3`,
}

/** What the tables hold, counted from their rows by the tests' own rules. */
async function counted(db: Database, client: string): Promise<string[]> {
  const rows = await db<{ row: string }[]>`
    with done as (
      select r.*, (completed_at at time zone 'Europe/Moscow')::date as day from receipts r
      where client_id = ${client} and completed_at is not null
    ), good as (select * from done where cancelled_at is null), out as (
      select s.*, (closed_at at time zone 'Europe/Moscow')::date as day from shipments s
      where client_id = ${client} and closed_at is not null and not observed
    ), facts (figure, reason, day, amount) as (
      select 'receipts', '', day, 1 from good
      union all select 'expected_units', '', day, expected_qty from good
      union all select 'accepted_units', '', day, accepted_qty from good
      union all select 'cancelled_receipts', '', day, 1 from done where cancelled_at is not null
      union all select 'shortage', shortage_reason, day, i.expected_qty - i.accepted_qty
        from good join receipt_items i on i.receipt_id = good.id where shortage_reason is not null
      union all select 'closed_shipments', '', day, 1 from out
      union all select 'shipped_units', '', day, units from out
      union all select 'not_found', reason, (at at time zone 'Europe/Moscow')::date, units
        from pick_misses where client_id = ${client}
    )
    select concat_ws('|', figure, reason, span, first, sum(amount)) as row
    from facts, lateral (values ('day', day), ('month', date_trunc('month', day)::date)) s (span, first)
    group by figure, reason, span, first having sum(amount) <> 0 order by 1`
  return rows.map(({ row }) => row)
}

async function tallied(db: Database, client: string): Promise<string[]> {
  const rows = await db<{ row: string }[]>`
    select concat_ws('|', figure, reason, span, day, amount) as row from warehouse_tallies
    where client_id = ${client} and amount <> 0 order by 1`
  return rows.map(({ row }) => row)
}

async function someRows(db: Database): Promise<Rows> {
  const { id: client, cabinets } = await makeClient(db)
  return { client, cabinet: cabinets[0] ?? '', receipts: [], closed: [] }
}

// Guarantee (metrics): Totals of receipts, shipments and misses equal their rows.
test('warehouse tallies equal the rows after any change of them', async () => {
  const { db } = await testDatabase()
  const steps = fc.array(
    fc.record({ name: fc.constantFrom(...Object.keys(changes)), n: fc.nat({ max: 11 }) }),
    { minLength: 10, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      const rows = await someRows(db)
      for (const { name, n } of some) await changes[name]?.(db, rows, n)
      assert.deepEqual(await tallied(db, rows.client), await counted(db, rows.client))
    }),
    { numRuns: 40 },
  )
})

test('receipts of one client that are finished at once are all counted', async () => {
  const { db } = await testDatabase({ max: 10 })
  const { id: client } = await makeClient(db)
  const receipts = await at(db, noon, async (work) => {
    const ids: string[] = []
    for (let n = 0; n < 10; n++) {
      const items = [1, 2, 3].map((line) => ({ barcode: `${line}`, name: 'Товар', qty: n + line }))
      const id = await registerReceipt(work, client, { source: 'manual', items })
      await startReceiving(work, client, id)
      ids.push(id)
    }
    return ids
  })
  const reasons = ['DAMAGED', 'NOT_DELIVERED', 'NO_BARCODE']
  await Promise.all(
    receipts.map((id, n) =>
      at(db, noon, (work) =>
        finishReceiving(
          work,
          client,
          id,
          new Map([1, 2, 3].map((line) => [`${line}`, reasons[(n + line) % 3] ?? ''])),
        ),
      ),
    ),
  )
  const rows = await tallied(db, client)
  assert.deepEqual(rows, await counted(db, client))
  assert.ok(rows.includes('receipts||day|2026-11-20|10'))
})
