import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../src/platform/db/connection.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient } from '../support/warehouse.ts'

/** Rows of a client with two cabinets, to be changed in any order. */
interface Rows {
  readonly client: string
  readonly cabinets: readonly string[]
  readonly orders: string[]
}

/** Two moments of one day of the warehouse, and one of the next, which is in another month. */
const moments = [
  '2026-10-31T12:00:00+03:00',
  '2026-10-31T23:59:59.999+03:00',
  '2026-11-01T00:00:00+03:00',
]
const momentOf = (n: number) => moments[n % moments.length] ?? ''
const oneOf = (ids: readonly string[], n: number) => ids[n % Math.max(1, ids.length)] ?? newId()
const barcodeOf = (n: number) => ['A', 'B', null][n % 3] ?? null

type Change = (db: Database, rows: Rows, n: number) => PromiseLike<unknown>

const changes: Readonly<Record<string, Change>> = {
  async 'an order comes'(db, { client, cabinets, orders }, n) {
    const id = newId()
    orders.push(id)
    await db`
      insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status, created_at, observed)
      values (${client}, ${id}, ${oneOf(cabinets, n)}, 'WB', ${id}, 'NEW', 'new', ${momentOf(n)}, ${n % 4 === 0})`
    await db`
      insert into order_lines (client_id, order_id, line, barcode, quantity)
      select ${client}, ${id}, l, case l when 1 then ${barcodeOf(n)} else 'C' end, l + ${n} from generate_series(1, 2) l`
  },
  'orders are cancelled': (db, { client, orders }, n) => db`
    update orders set status = 'CANCELLED' where client_id = ${client} and id in (${oneOf(orders, n)}, ${oneOf(orders, n + 1)})`,
  'an order is not cancelled after all': (db, { client, orders }, n) => db`
    update orders set status = 'NEW' where client_id = ${client} and id = ${oneOf(orders, n)}`,
  'orders are shown': (db, { client }) => db`
    update orders set observed = false where client_id = ${client} and observed`,
  'an order is dated anew': (db, { client, orders }, n) => db`
    update orders set created_at = ${momentOf(n)} where client_id = ${client} and id = ${oneOf(orders, n + 1)}`,
  'an order is synced': (db, { client }, n) => db`
    update orders set synced_at = ${momentOf(n)} where client_id = ${client}`,
  'a line gets its barcode': (db, { client, orders }, n) => db`
    update order_lines set barcode = ${barcodeOf(n + 1)}, quantity = ${n} + 1
    where client_id = ${client} and order_id = ${oneOf(orders, n)} and line = 1`,
  'units are picked': (db, { client, orders }, n) => db`
    update order_lines set picked = 1 where client_id = ${client} and order_id = ${oneOf(orders, n)}`,
  'a line goes': (db, { client, orders }, n) => db`
    delete from order_lines where client_id = ${client} and order_id = ${oneOf(orders, n)} and line = 2`,
  'units leave': (db, { client, orders }, n) => db`
    insert into stock_movements (client_id, barcode, kind, delta, at, actor, order_id)
    select ${client}, b, 'shipment', -1 - ${n}, ${momentOf(n)}, 'test', ${oneOf(orders, n)} from unnest('{A,B}'::text[]) b`,
  'units come back': (db, { client, orders }, n) => db`
    insert into stock_movements (client_id, barcode, kind, delta, at, actor, order_id)
    values (${client}, 'A', 'return', 1, ${momentOf(n)}, 'test', ${n % 2 === 0 ? oneOf(orders, n) : null})`,
  'a return is taken back': (db, { client, orders }, n) => db`
    insert into stock_movements (client_id, barcode, kind, delta, at, actor, order_id)
    values (${client}, 'A', 'return', -1, ${momentOf(n + 1)}, 'test', ${oneOf(orders, n)})`,
  'units are taken in': (db, { client }, n) => db`
    insert into stock_movements (client_id, barcode, kind, delta, at, actor)
    values (${client}, 'A', 'acceptance', ${n} + 1, ${momentOf(n)}, 'test')`,
}

/** What the tables hold, counted from their rows by the test's own rules. */
async function counted(db: Database, client: string): Promise<string[]> {
  const rows = await db<{ row: string }[]>`
    with facts (day, cabinet, barcode, ordered, cancelled, shipped, returned) as (
      select (o.created_at at time zone 'Europe/Moscow')::date, o.cabinet_id::text, coalesce(l.barcode, ''), l.quantity,
        case o.status when 'CANCELLED' then l.quantity else 0 end, 0, 0
      from orders o join order_lines l on l.client_id = o.client_id and l.order_id = o.id
      where o.client_id = ${client} and not o.observed
      union all
      select (m.at at time zone 'Europe/Moscow')::date,
        coalesce(o.cabinet_id::text, '00000000-0000-0000-0000-000000000000'), m.barcode, 0, 0,
        case m.kind when 'shipment' then -m.delta else 0 end, case m.kind when 'return' then m.delta else 0 end
      from stock_movements m left join orders o on o.client_id = m.client_id and o.id = m.order_id
      where m.client_id = ${client} and m.kind in ('shipment', 'return')
    )
    select concat_ws('|', span, first, cabinet, goods, sum(s.ordered), sum(s.cancelled), sum(s.shipped), sum(s.returned)) as row
    from facts, lateral (
      values ('day', day, barcode, ordered, cancelled, shipped, returned),
        ('month', date_trunc('month', day)::date, barcode, ordered, cancelled, shipped, returned),
        ('all goods', day, '', ordered, cancelled, shipped, returned),
        ('year', date_trunc('year', day)::date, barcode, ordered, cancelled, greatest(shipped, 0), greatest(returned, 0))
    ) s (span, first, goods, ordered, cancelled, shipped, returned)
    group by span, first, cabinet, goods
    having (sum(s.ordered), sum(s.cancelled), sum(s.shipped), sum(s.returned)) <> (0, 0, 0, 0) order by 1`
  return rows.map(({ row }) => row)
}

async function tallied(db: Database, client: string): Promise<string[]> {
  const yearly = (figure: string) => db`coalesce(sum(units) filter (where figure = ${figure}), 0)`
  const rows = await db<{ row: string }[]>`
    select concat_ws('|', span, day, cabinet_id, barcode, ordered, cancelled, shipped, returned) as row
    from sales_tallies where client_id = ${client} and (ordered, cancelled, shipped, returned) <> (0, 0, 0, 0)
    union all
    select concat_ws('|', 'all goods', day, cabinet_id, '', sum(ordered), sum(cancelled), sum(shipped), sum(returned))
    from sales_days where client_id = ${client} group by day, cabinet_id
    having (sum(ordered), sum(cancelled), sum(shipped), sum(returned)) <> (0, 0, 0, 0)
    union all
    select concat_ws('|', 'year', year, cabinet_id, barcode, ${yearly('ordered')}, ${yearly('cancelled')},
      ${yearly('shipped')}, ${yearly('returned')})
    from sales_years where client_id = ${client} group by year, cabinet_id, barcode having max(units) <> 0 order by 1`
  return rows.map(({ row }) => row)
}

// Guarantee (metrics): Sales by day, product and cabinet equal the orders and the movements.
test('sales tallies equal the rows after any change of them', async () => {
  const { db } = await testDatabase()
  const steps = fc.array(
    fc.record({ name: fc.constantFrom(...Object.keys(changes)), n: fc.nat({ max: 11 }) }),
    { minLength: 10, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      const { id: client, cabinets } = await makeClient(db, ['WB', 'OZON'])
      const rows = { client, cabinets, orders: [] }
      for (const { name, n } of some) await changes[name]?.(db, rows, n)
      assert.deepEqual(await tallied(db, client), await counted(db, client))
    }),
    { numRuns: 40 },
  )
})
