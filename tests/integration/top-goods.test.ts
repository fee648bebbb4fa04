import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Position } from '../../src/platform/kernel/cursor.ts'
import { listSoldGoods, salesFigures, wholeDays } from '../../src/warehouse/metrics/sales.ts'
import { listTopGoods } from '../../src/warehouse/metrics/top-goods.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient } from '../support/warehouse.ts'

const { db } = await testDatabase()
const goods = 600
const [year, half] = [
  wholeDays({
    from: Date.parse('2025-11-29T00:00+03:00'),
    to: Date.parse('2026-11-29T00:00+03:00'),
  }),
  wholeDays({
    from: Date.parse('2026-02-10T00:00+03:00'),
    to: Date.parse('2026-08-20T00:00+03:00'),
  }),
]
const nothing = { cabinet: undefined, marketplace: undefined }

/**
 * Every eleventh day from 2025-05-01 each product is ordered in both cabinets, the first ones by far the most. A few of each product
 * come back, and some of these returns were a mistake and are taken back a month later.
 */
async function sell(client: string, cabinets: readonly string[]): Promise<void> {
  await db`
    create temp table drafts as
    select gen_random_uuid() as id, n, c.cabinet, c.marketplace, 'G' || lpad(n::text, 4, '0') as barcode,
      1 + (3000 / (n + 3 * (at::date - '2025-05-01'::date) % 7)) % 900 as quantity, at, (n + d) % 9 = 0 as cancelled
    from generate_series(1, ${goods}::int) n, generate_series(0, 50) d,
      lateral (select '2025-05-01T12:00+03:00'::timestamptz + d * interval '11 days' as at) a,
      (values (${cabinets[0] ?? ''}::uuid, 'WB'), (${cabinets[1] ?? ''}::uuid, 'OZON')) c (cabinet, marketplace)
    where n < 30 or d % 10 = n % 10`
  await db`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status, marketplace_status, created_at, observed)
    select ${client}, id, cabinet, marketplace, id, case when cancelled then 'CANCELLED' else 'NEW' end, 'new', at, false from drafts`
  await db`
    insert into order_lines (client_id, order_id, line, barcode, quantity)
    select ${client}, id, 1, barcode, quantity from drafts`
  await db`
    insert into stock_movements (client_id, barcode, kind, delta, at, actor, order_id)
    select ${client}, barcode, kind, delta, moment, 'test', id from drafts, lateral (
      values ('shipment', -quantity, at + interval '1 day'), ('return', 1 + quantity / 3, at + interval '9 days'),
        ('return', case n % 4 when 0 then -1 - quantity / 3 else 0 end, at + interval '39 days')) m (kind, delta, moment)
    where not cancelled and delta <> 0`
}

const client = await makeClient(db, ['WB', 'OZON'])
await sell(client.id, client.cabinets)

for (const [name, period] of Object.entries({ year, half })) {
  for (const by of salesFigures) {
    test(`the first goods by ${by} of a ${name} are those of all goods added up, page by page`, async () => {
      for (const chosen of [nothing, { ...nothing, marketplace: 'WB' as const }]) {
        const filter = { ...chosen, by }
        const all = await listSoldGoods(db, client.id, period, filter, {
          limit: 1_000,
          after: undefined,
        })
        let after: Position | undefined
        for (const seen of [0, 20, 40, 60]) {
          const page = await listTopGoods(db, client.id, period, filter, { limit: 20, after })
          assert.deepEqual(page.items, all.items.slice(seen, seen + 20))
          assert.ok(page.total === null || page.total === all.total)
          after = page.next ?? undefined
        }
      }
    })
  }
}

// Guarantee (metrics): The best sold goods of a year are exact.
test('the best sold goods of a year are found without adding up all', async () => {
  const page = { limit: 20, after: undefined }
  const top = await listTopGoods(db, client.id, year, { ...nothing, by: 'ordered' }, page)
  assert.equal(top.total, null)
  const few = await makeClient(db, ['WB'])
  const none = await listTopGoods(db, few.id, year, { ...nothing, by: 'ordered' }, page)
  assert.deepEqual(none, { items: [], total: 0, next: null })
})
