import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Queryable } from '../../src/platform/db/connection.ts'
import { byStatus, pageInOrder } from '../../src/platform/db/lists/list-order.ts'
import type { Fragment } from '../../src/platform/db/statements/fragment.ts'
import type { Position } from '../../src/platform/kernel/cursor.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { byClient, clientsOf } from '../../src/warehouse/clients/list-conditions.ts'
import { listOrdersOfAll, orderSorts } from '../../src/warehouse/orders/staff-queries.ts'
import { orderStatuses } from '../../src/warehouse/orders/state.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, noon } from '../support/warehouse.ts'

const { db } = await testDatabase({ plansForValues: true })
const clients = await Promise.all(Array.from({ length: 4 }, async () => (await makeClient(db)).id))
// Two clients have one name.
for (const [n, name] of ['Б', 'а', 'Б', 'В'].entries()) {
  await db`update clients set name = ${name} where id = ${clients[n] ?? ''}`
}
const statuses = ['COUNTING', 'DRAFT', 'REVIEW']

const counts = fc.array(
  fc.record({
    client: fc.nat(3),
    second: fc.nat(4),
    started: fc.option(fc.nat(3)),
    status: fc.nat(2),
  }),
  { maxLength: 30 },
)

async function keepCounts(
  drafts: readonly { client: number; second: number; started: number | null; status: number }[],
) {
  const rows = drafts.map(({ client, second, started, status }) => ({
    client_id: clients[client],
    id: newId(),
    status: statuses[status],
    created_at: toTimestamp(noon + second * 1_000),
    started_at: started === null ? null : toTimestamp(noon + started * 1_000),
  }))
  await db.begin(async (tx) => {
    await tx`delete from stock_counts`
    await tx`
      insert into stock_counts (client_id, id, status, blind, barcodes, box_ids, location_ids, created_at, created_by, started_at)
      select client_id, id, status, false, '{}', '{}', '{}', created_at, 'staff', started_at
      from jsonb_to_recordset(${tx.json(rows)})
        as x (client_id uuid, id uuid, status text, created_at timestamptz, started_at timestamptz)`
  })
}

/** The ids of all pages. */
async function pagesOf(sort: string, limit: number): Promise<string[]> {
  const all = clientsOf(db, undefined)
  const orders = {
    created: { column: 'created_at' },
    started: { column: 'started_at', only: db`x.started_at is not null` },
    client: byClient(db, all),
    status: byStatus(db, statuses),
  }
  const list = {
    across: { clients: all, table: 'stock_counts', where: db`true` },
    orders,
    columns: db`x.id`,
    tables: db`stock_counts x on x.client_id = k.client_id and x.id = k.id`,
    view: ({ id }: { readonly id: string }) => id,
  }
  const listed: string[] = []
  for (let after: Position | undefined; ; ) {
    const page = await pageInOrder(db, list, { limit, after, sort })
    listed.push(...page.items)
    if (page.next === null) return listed
    after = page.next
  }
}

test('pages of a list in any of its orders are those of all its rows in this order', async () => {
  const expected: Record<string, Fragment> = {
    created: db`x.created_at, x.id`,
    '-created': db`x.created_at desc, x.id desc`,
    started: db`x.started_at, x.id`,
    '-started': db`x.started_at desc, x.id desc`,
    client: db`c.name, c.id, x.created_at desc, x.id desc`,
    '-client': db`c.name desc, c.id desc, x.created_at desc, x.id desc`,
    status: db`array_position(${statuses}, x.status), x.created_at desc, x.id desc`,
    '-status': db`array_position(${statuses}, x.status) desc, x.created_at desc, x.id desc`,
  }
  await fc.assert(
    fc.asyncProperty(counts, fc.integer({ min: 1, max: 6 }), async (drafts, limit) => {
      await keepCounts(drafts)
      for (const [sort, by] of Object.entries(expected)) {
        const filled = sort.endsWith('started') ? db`x.started_at is not null` : db`true`
        const inOrder = await db<{ id: string }[]>`
          select x.id from stock_counts x join clients c on c.id = x.client_id where ${filled} order by ${by}`
        assert.deepEqual(
          await pagesOf(sort, limit),
          inOrder.map(({ id }) => id),
          sort,
        )
      }
    }),
    { numRuns: 25 },
  )
})

/** Rows of orders that a session has read, also those that it threw away. */
async function ordersRead(tx: Queryable): Promise<number> {
  const [row] = await tx<[{ read: number }]>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'orders'`
  return row.read
}

test('a page of orders reads about as many rows as it shows, in each order and however long the history is', async () => {
  await db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into orders (client_id, id, cabinet_id, marketplace, external_id, status,
        marketplace_status, announced_status, barcode, created_at, deadline_at, observed)
      select (${clients}::uuid[])[1 + n % 4], gen_random_uuid(), gen_random_uuid(), 'WB', n::text, s.status, s.status, s.status, 'b',
        ${toTimestamp(noon)}::timestamptz + n * interval '1 second',
        ${toTimestamp(noon)}::timestamptz + n % 977 * interval '1 hour', n % 10 = 0
      from generate_series(1, 40000) n
      cross join lateral (select case when n % 100 = 7 then 'NEW' when n % 3 = 0 then 'CANCELLED' else 'COMPLETED' end as status) s`
  })
  await db`analyze orders`.affected()
  const filter = {
    ...{ client_id: undefined, marketplace: undefined, status: undefined, shipment_id: undefined },
    ...{ barcode: undefined, observed: undefined, created_from: undefined, created_to: undefined },
  }
  for (const sort of orderSorts.flatMap((key) => [key, `-${key}`])) {
    // At most a page of each status.
    const most = sort.endsWith('status') ? 1_000 * orderStatuses.length : 500
    let after: Position | undefined
    for (const page of [1, 2, 3]) {
      const request = { limit: 50, after, counted: false, sort } as const
      const [read, next] = await db.begin(async (tx) => {
        const before = await ordersRead(tx)
        const { next } = await listOrdersOfAll(tx, filter, request)
        return [(await ordersRead(tx)) - before, next] as const
      })
      assert.ok(read < most, `${sort}: page ${page} reads ${read} rows`)
      after = next ?? undefined
    }
  }
})
