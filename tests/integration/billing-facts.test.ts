import assert from 'node:assert/strict'
import { test } from 'node:test'
import { midnight } from '../../src/platform/kernel/moscow-time.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { updateFacts } from '../../src/warehouse/orders/facts.ts'
import { buildScene } from '../support/audited-scene.ts'
import { testDatabase } from '../support/database.ts'
import { at, noon } from '../support/warehouse.ts'

const { db } = await testDatabase()

/** What each service counts in the rows of a client to whom all happened in one month, without its runs' statements. */
const counted: Readonly<Record<string, string>> = {
  UNIT_RECEIVED: 'select sum(quantity) from receipt_scans where undone_at is null',
  MARKED_UNIT_RECEIVED:
    'select sum(quantity) from receipt_scans where undone_at is null and marking_code is not null',
  BOX_RECEIVED:
    'select count(distinct box_id) from receipt_scans where undone_at is null and box_id is not null',
  PALLET_RECEIVED: `
    select count(distinct (s.receipt_id, b.pallet_id)) from receipt_scans s
    join boxes b on b.id = s.box_id where s.undone_at is null`,
  UNIT_COUNTED: `
    select sum(units) from count_scans s join stock_counts c on c.id = s.count_id
    where c.for_client and c.status = 'CLOSED' and s.undone_at is null`,
  LABEL_PRINTED: 'select 2',
  // Two of a shipment on WB, and those of an order.
  SHIPMENT_BOX: 'select 2 + 3',
  ORDER_PACKED: 'select count(*) from orders where packed_at is not null',
  MARK_GIVEN: `
    select count(marking_code) + (select count(*) from picks p, jsonb_each_text(p.marks) m
      where p.undone_at is null and m.value is not null) from picks where undone_at is null`,
  PACKING_CHECK: 'select count(*) from pack_checks where undone_at is null',
  SHIPMENT_HANDED_OVER: `
    select count(*) from shipments where status <> 'ASSEMBLING' and not observed and orders_count > 0`,
  RETURN_SELLABLE: `select count(*) from return_scans where undone_at is null and condition = 'sellable'`,
  RETURN_DAMAGED: `select count(*) from return_scans where undone_at is null and condition = 'damaged'`,
  RETURN_UNKNOWN: `select count(*) from return_scans where undone_at is null and condition = 'unknown'`,
}

test('each measured service counts its facts once, and each charge names what it was for', async () => {
  const { client, shipped } = await buildScene(db)
  await at(db, noon, (work) =>
    updateFacts(work, client, [{ orderId: shipped, facts: { boxes: 3 } }]),
  )
  const price = [{ up_to: null, price: 100 }]
  const prices = Object.fromEntries(Object.keys(counted).map((service) => [service, price]))
  await db`
    insert into client_tariffs (client_id, version, first_day, prices, created_at, created_by)
    values (${client}, 2, '2026-11-01', ${db.json(prices)}, now(), 'test')`
  await at(db, midnight('2026-11-29'), (work) => computeCharges(work, client))
  const rows = await db<{ service: string; units: number; sources: string }[]>`
    select service, sum(quantity)::bigint as units, string_agg(distinct split_part(source, ':', 1), ' ') as sources
    from charges where client_id = ${client} group by 1`
  const charged = new Map(rows.map(({ service, units }) => [service, units]))
  for (const [service, sql] of Object.entries(counted)) {
    const [row] = await db.unsafe<{ units: number }[]>(
      `select coalesce((${sql}), 0)::bigint as units`,
    )
    assert.equal(charged.get(service) ?? 0, row?.units, service)
  }
  assert.ok(charged.size >= 12, [...charged.keys()].join(', '))
  const [boxes] = await db`
    select source, quantity from charges where client_id = ${client} and service = 'SHIPMENT_BOX' and source like 'order:%'`
  assert.deepEqual(boxes, { source: `order:${shipped}`, quantity: '3.000' })
  for (const { sources } of rows)
    assert.match(sources, /^(?:receipt|order|order shipment|return|shipment|count|product)$/)
})
