import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../../src/platform/db/connection.ts'
import type { Page, PageRequest } from '../../src/platform/db/page.ts'
import type { Position } from '../../src/platform/kernel/cursor.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { listCounts } from '../../src/warehouse/counts/queries.ts'
import { listExceptions } from '../../src/warehouse/exceptions/queries.ts'
import { listOrdersOfAll, orderSorts } from '../../src/warehouse/orders/staff-queries.ts'
import { listMisses } from '../../src/warehouse/picking/miss-queries.ts'
import { listReceiptsOfAll } from '../../src/warehouse/receipts/staff-queries.ts'
import { listReturnBatches } from '../../src/warehouse/returns/batch-queries.ts'
import { listShipmentsOfAll } from '../../src/warehouse/shipments/staff-queries.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, noon } from '../support/warehouse.ts'

/** Lists of a warehouse with a long history: what a page of each reads, in each order and with the filters that people use. */

const { db } = await testDatabase()
const clients = await Promise.all(Array.from({ length: 4 }, async () => (await makeClient(db)).id))
const [client = ''] = clients
/** With fewer orders or receipts the planner prefers to sort. */
const rows = { many: 100_000, fewer: 25_000 }

const limit = 50

async function fill(tx: Queryable): Promise<void> {
  await tx`set local session_replication_role = replica`
  const start = toTimestamp(noon)
  const of = tx`(${clients}::uuid[])[1 + n % 4], gen_random_uuid()`
  const at = tx`${start}::timestamptz - n * interval '1 minute'`
  const many = tx`generate_series(1, ${rows.many}) n`
  const fewer = tx`generate_series(1, ${rows.fewer}) n`
  // The newest four of a hundred wait.
  const status = tx`case when n <= 4000 then 'NEW' when n % 3 = 0 then 'CANCELLED' else 'COMPLETED' end`
  await tx`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status,
      marketplace_status, announced_status, barcode, created_at, deadline_at, observed)
    select ${of}, gen_random_uuid(), case when n % 2 = 0 then 'WB' else 'OZON' end, n::text, s.status, s.status, s.status,
      'b' || n % 100, ${at}, ${start}::timestamptz + n % 977 * interval '1 hour', n % 10 = 0
    from ${many} cross join lateral (select ${status} as status) s`
  await tx`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, status, created_at, closed_at, accepted_at)
    select ${of}, gen_random_uuid(), case when n % 2 = 0 then 'WB' else 'OZON' end, 'S-' || n,
      case when n <= 200 then 'ASSEMBLING' else 'ACCEPTED' end, ${at},
      case when n > 200 then ${at} end, case when n > 200 then ${at} end
    from ${fewer}`
  await tx`
    insert into receipts (client_id, id, number, status, expected_qty, created_at, planned_date, completed_at)
    select ${of}, 'R-' || n, case when n <= 200 then 'EXPECTED' else 'RECEIVED' end, 1, ${at},
      case when n <= 20000 then (${at})::date + 3 end, case when n > 200 then ${at} end
    from ${many}`
  await tx`
    insert into return_batches (client_id, id, number, status, created_at, created_by, finished_at, finished_by)
    select ${of}, 'RT-' || n, case when n <= 40 then 'OPEN' else 'FINISHED' end, ${at}, 'staff',
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${fewer}`
  await tx`
    insert into stock_counts (client_id, id, status, blind, barcodes, box_ids, location_ids, created_at, created_by, ended_at, ended_by)
    select ${of}, case when n <= 40 then 'REVIEW' else 'CLOSED' end, false, '{}', '{}', '{}', ${at}, 'staff',
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${fewer}`
  await tx`
    insert into scan_exceptions (client_id, id, kind, object_id, scan_id, scan, queued_at, reason, created_at, actor,
      decision, comment, resolved_at, resolved_by)
    select ${of}, case when n % 50 = 0 then 'pick' else 'receipt_scan' end, gen_random_uuid(), n::text, '{}', ${at}, 'Поздно',
      ${at}, 'staff', case when n > 40 then 'accepted' end, case when n > 40 then 'да' end,
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${fewer}`
  await tx`
    insert into pick_misses (client_id, id, order_id, barcode, units, reason, at, actor, outcome, ended_at, ended_by)
    select ${of}, gen_random_uuid(), 'b', 1, 'NOT_FOUND', ${at}, 'staff',
      case when n > 40 then case when n % 250 = 0 then 'correct_stock' else 'found' end end,
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${fewer}`
}

await db.begin(fill)
await db`
  analyze orders, shipments, receipts, return_batches, stock_counts, scan_exceptions, pick_misses`.affected()

/** Rows of a table that a session has read, also those that it threw away. */
async function rowsRead(tx: Queryable, table: string): Promise<number> {
  const [row] = await tx<[{ read: number }]>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = ${table}`
  return row.read
}

type Filter = Readonly<Record<string, unknown>>
interface ListUnderTest {
  readonly table: string
  readonly sorts: readonly string[]
  /** The filters that people use, beside a client. */
  readonly filters: readonly Filter[]
  readonly statuses?: number
  readonly read: (db: never, filter: never, page: PageRequest) => Promise<Page<unknown>>
}

const viewer = { seesPending: true }
const lists: Readonly<Record<string, ListUnderTest>> = {
  orders: {
    table: 'orders',
    sorts: orderSorts,
    statuses: 6,
    filters: [
      { status: 'NEW' },
      { status: 'COMPLETED' },
      { marketplace: 'WB' },
      { barcode: 'b7' },
      { observed: 'false' },
      { in_shipment: 'false', status: 'NEW' },
    ],
    read: listOrdersOfAll,
  },
  shipments: {
    table: 'shipments',
    sorts: ['created', 'deadline', 'client', 'status'],
    statuses: 3,
    filters: [{ status: 'ASSEMBLING' }, { status: 'ACCEPTED' }, { marketplace: 'OZON' }],
    read: listShipmentsOfAll,
  },
  receipts: {
    table: 'receipts',
    sorts: ['created', 'planned', 'client', 'status'],
    statuses: 5,
    filters: [{ status: 'EXPECTED' }, { status: 'RECEIVED' }],
    read: (tx, filter, page) => listReceiptsOfAll(tx, filter, viewer, page),
  },
  returns: {
    table: 'return_batches',
    sorts: ['created', 'client', 'status'],
    statuses: 2,
    filters: [{ status: 'OPEN' }, { status: 'FINISHED' }],
    read: listReturnBatches,
  },
  counts: {
    table: 'stock_counts',
    sorts: ['created', 'client', 'status'],
    statuses: 5,
    filters: [{ status: 'REVIEW' }, { status: 'CLOSED' }],
    read: (tx, filter, page) => listCounts(tx, filter, page, 'manager'),
  },
  exceptions: {
    table: 'scan_exceptions',
    sorts: ['created', 'client'],
    filters: [{ status: 'OPEN' }, { status: 'RESOLVED' }, { kind: 'pick' }],
    read: listExceptions,
  },
  misses: {
    table: 'pick_misses',
    sorts: ['created', 'client'],
    filters: [{ status: 'OPEN' }, { status: 'DECIDED' }, { status: 'CLOSED' }],
    read: listMisses,
  },
}

for (const [name, { table, sorts, filters, read, statuses = 1 }] of Object.entries(lists)) {
  const orders = sorts.flatMap((key) => [key, `-${key}`])
  // Whatever narrows the rows, people read them newest first.
  const asked = [
    ...[{}, { client_id: client }].flatMap((own) => orders.map((sort) => ({ own, sort }))),
    ...filters.map((own) => ({ own, sort: '-created' })),
  ]
  test(`a page of ${name} reads about as many rows as it shows, in any order or with any usual filter`, async () => {
    for (const { own, sort } of asked) {
      // At most a page of each client, status, and part that has an index of its own, twice.
      const most = 16 * limit * (sort.endsWith('status') ? statuses : 1)
      let after: Position | undefined
      for (const page of [1, 2]) {
        const [taken, next] = await db.begin(async (tx) => {
          const before = await rowsRead(tx, table)
          const filter = { client_id: undefined, ...own } as never
          const { next } = await read(tx as never, filter, { limit, after, counted: false, sort })
          return [(await rowsRead(tx, table)) - before, next] as const
        })
        assert.ok(taken <= most, `${JSON.stringify(own)} by ${sort}: page ${page} reads ${taken}`)
        if (next === null) break
        after = next
      }
    }
  })
}
