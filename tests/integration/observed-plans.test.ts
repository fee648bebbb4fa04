import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { testDatabase } from '../support/database.ts'
import { at, makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase({ plansForValues: true })
const observedOrders = 20_000

/** Observed orders are younger than the seller's, so every list would have to step over them. */
async function client() {
  const { id, cabinets } = await makeClient(db)
  const cabinet = await at(db, noon, (work) =>
    addCabinet(work, id, { marketplace: 'WB', name: 'Пилот', shipments: 'observe' }),
  )
  const insert = (cabinetId: string | undefined, rows: number, observed: boolean) =>
    db`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status,
      marketplace_status, announced_status, barcode, created_at, sorted, sorted_at, observed)
    select ${id}, gen_random_uuid(), ${cabinetId ?? ''}, 'WB', n::text, 'NEW', 'NEW', 'NEW', 'b',
      ${new Date(noon).toISOString()}::timestamptz + make_interval(secs => case when ${observed}::boolean then 1000 + n else n * 0.1 end),
      true, ${new Date(noon).toISOString()}::timestamptz + make_interval(secs => n * 0.01), ${observed}
    from generate_series(1, ${rows}) n`.affected()
  await insert(cabinets[0], 300, false)
  await insert(cabinet, observedOrders, true)
  await db`analyze orders`.affected()
  return id
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Index Name'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}

test('lists of sellers read their own rows by an index, however many observed orders there are', async () => {
  const id = await client()
  const newest = db`order by o.created_at desc, o.id desc limit 101`
  const own = db`select o.id from seller_orders o where o.client_id = ${id}`
  const queries = [
    db`${own} ${newest}`,
    db`${own} and o.status = 'NEW' ${newest}`,
    db`${own} and o.marketplace = 'WB' ${newest}`,
    db`${own} and o.barcode = 'b' ${newest}`,
    db`select count(*) from seller_orders o where o.client_id = ${id} and o.barcode = 'b'`,
    db`
      select count(*) from seller_orders where client_id = ${id} and sorted_at >= ${new Date(noon).toISOString()}`,
  ]
  for (const query of queries) {
    const [row] = await db<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
      explain (analyze, format json) ${query}`
    const plan = row?.['QUERY PLAN'][0].Plan
    assert.ok(plan)
    const all = nodes(plan)
    assert.deepEqual(
      all.filter(
        (node) => (node['Rows Removed by Filter'] ?? 0) > 0 || node['Node Type'] === 'Seq Scan',
      ),
      [],
    )
    assert.ok(all.every((node) => node['Actual Rows'] <= 300))
  }
})
