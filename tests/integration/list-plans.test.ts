import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Queryable } from '../../src/platform/db/connection.ts'
import type { Page, PageRequest } from '../../src/platform/db/lists/page.ts'
import type { Position } from '../../src/platform/kernel/cursor.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { listCounts } from '../../src/warehouse/counts/queries.ts'
import { listExceptions } from '../../src/warehouse/exceptions/queries.ts'
import { listOrders } from '../../src/warehouse/orders/queries.ts'
import { listOrdersOfAll } from '../../src/warehouse/orders/staff-queries.ts'
import { listMisses } from '../../src/warehouse/picking/miss-queries.ts'
import { listReceipts } from '../../src/warehouse/receipts/queries.ts'
import { listReceiptsOfAll } from '../../src/warehouse/receipts/staff-queries.ts'
import { listReturnBatches } from '../../src/warehouse/returns/batch-queries.ts'
import { listReturns } from '../../src/warehouse/returns/seller-queries.ts'
import { listShipments } from '../../src/warehouse/shipments/queries.ts'
import { listShipmentsOfAll } from '../../src/warehouse/shipments/staff-queries.ts'
import { blocksReadBy } from '../support/blocks-read.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, noon } from '../support/warehouse.ts'

/** Lists of a warehouse with a long history: what a page of each reads, in each order and with the filters that people use. */

const { db } = await testDatabase({ plansForValues: true })
const clients = await Promise.all(Array.from({ length: 4 }, async () => (await makeClient(db)).id))
const [client = ''] = clients
const rowsOfEach = 40_000
// The newest four of a hundred orders wait, one of fifty is of the rare marketplace, every tenth is observed.
const waiting = rowsOfEach / 25
const ofRare = rowsOfEach / 50
const planned = rowsOfEach / 5
/** Nine of ten rows are younger. */
const early = noon - 0.9 * rowsOfEach * 60_000

const limit = 50
const cabinet = newId()

async function fill(tx: Queryable): Promise<void> {
  await tx`set local session_replication_role = replica`
  const start = toTimestamp(noon)
  const of = tx`(${clients}::uuid[])[1 + n % 4], gen_random_uuid()`
  const at = tx`${start}::timestamptz - n * interval '1 minute'`
  const numbers = tx`generate_series(1, ${rowsOfEach}) n`
  const status = tx`case when n <= ${waiting} then 'NEW' when n % 3 = 0 then 'CANCELLED' else 'COMPLETED' end`
  await tx`
    insert into orders (client_id, id, cabinet_id, marketplace, external_id, status,
      marketplace_status, announced_status, barcode, created_at, deadline_at, observed)
    select ${of}, ${cabinet}, case when n % 50 = 0 then 'OZON' else 'WB' end, n::text, s.status, s.status, s.status,
      'b' || n % 100, ${at}, ${start}::timestamptz + n % 977 * interval '1 hour', n % 10 = 3
    from ${numbers} cross join lateral (select ${status} as status) s`
  await tx`
    insert into shipments (client_id, id, cabinet_id, marketplace, external_id, status, created_at, closed_at, accepted_at)
    select ${of}, gen_random_uuid(), case when n % 2 = 0 then 'WB' else 'OZON' end, 'S-' || n,
      case when n <= 200 then 'ASSEMBLING' else 'ACCEPTED' end, ${at},
      case when n > 200 then ${at} end, case when n > 200 then ${at} end
    from ${numbers}`
  await tx`
    insert into receipts (client_id, id, number, status, expected_qty, created_at, planned_date, completed_at)
    select ${of}, 'R-' || n, case when n <= 200 then 'EXPECTED' else 'RECEIVED' end, 1, ${at},
      case when n <= ${planned} then (${at})::date + 3 end, case when n > 200 then ${at} end
    from ${numbers}`
  await tx`
    insert into return_batches (client_id, id, number, status, created_at, created_by, finished_at, finished_by)
    select ${of}, 'RT-' || n, case when n <= 40 then 'OPEN' else 'FINISHED' end, ${at}, 'staff',
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${numbers}`
  await tx`
    insert into stock_counts (client_id, id, status, blind, barcodes, box_ids, location_ids, created_at, created_by, ended_at, ended_by)
    select ${of}, case when n <= 40 then 'REVIEW' else 'CLOSED' end, false, '{}', '{}', '{}', ${at}, 'staff',
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${numbers}`
  await tx`
    insert into scan_exceptions (client_id, id, kind, object_id, scan_id, scan, queued_at, reason, created_at, actor,
      decision, comment, resolved_at, resolved_by)
    select ${of}, case when n % 50 = 0 then 'pick' else 'receipt_scan' end, gen_random_uuid(), n::text, '{}', ${at}, 'Поздно',
      ${at}, 'staff', case when n > 40 then 'accepted' end, case when n > 40 then 'да' end,
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${numbers}`
  await tx`
    insert into pick_misses (client_id, id, order_id, barcode, units, reason, at, actor, outcome, ended_at, ended_by)
    select ${of}, gen_random_uuid(), 'b', 1, 'NOT_FOUND', ${at}, 'staff',
      case when n > 40 then case when n % 1000 = 0 then 'correct_stock' else 'found' end end,
      case when n > 40 then ${at} end, case when n > 40 then 'staff' end
    from ${numbers}`
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
  readonly statuses?: number
  /** Values of each declared filter, or why it is left out. */
  readonly filters: Readonly<Record<string, readonly unknown[] | string>>
  /** Rows that an order or a filter may read whole, twice, by its name. */
  readonly whole?: Readonly<Record<string, number>>
  readonly read: (db: never, filter: never, page: PageRequest) => Promise<Page<unknown>>
}

const viewer = { seesPending: true }
const created = { created_from: [early], created_to: [early] }
const few = 'finds a few rows by a number or an object of its own'
const lists: Readonly<Record<string, ListUnderTest>> = {
  orders: {
    table: 'orders',
    statuses: 6,
    filters: {
      ...created,
      status: ['NEW', 'COMPLETED', 'CANCELLED'],
      marketplace: ['WB', 'OZON'],
      barcode: ['b7'],
      observed: ['true', 'false'],
      to_reship: ['true', 'false'],
      deadline_to: [noon + 30 * 3_600_000, noon + 3_000 * 3_600_000],
      in_shipment: 'no page asks for it; programs do, with the status NEW',
      shipment_id: few,
      cabinet_id: few,
      external_id: few,
      stage: 'what is under way is read whole',
      lacking: 'what waits is read whole',
    },
    // What waits, the orders of a rare marketplace, and the observed orders of a span, which are a tenth.
    whole: {
      status: waiting,
      marketplace: ofRare,
      deadline: waiting,
      deadline_to: waiting,
      created_from: 0.09 * rowsOfEach,
      created_to: 0.09 * rowsOfEach,
    },
    read: listOrdersOfAll,
  },
  shipments: {
    table: 'shipments',
    statuses: 3,
    filters: {
      ...created,
      status: ['ASSEMBLING', 'ACCEPTED', 'HANDED_OVER'],
      marketplace: ['WB', 'OZON'],
      observed: ['true', 'false'],
      external_id: few,
      deadline_to: 'what is being assembled is read whole',
    },
    read: listShipmentsOfAll,
  },
  receipts: {
    table: 'receipts',
    statuses: 5,
    filters: {
      ...created,
      status: ['EXPECTED', 'RECEIVED', 'RECEIVING'],
      approval: ['waiting', 'approved'],
      number: few,
      external_ref: few,
    },
    whole: { planned },
    read: (tx, filter, page) => listReceiptsOfAll(tx, filter, viewer, page),
  },
  returns: {
    table: 'return_batches',
    statuses: 2,
    filters: {
      ...created,
      status: ['OPEN', 'FINISHED'],
      cabinet_id: [newId()],
      number: few,
    },
    read: listReturnBatches,
  },
  counts: {
    table: 'stock_counts',
    statuses: 5,
    filters: {
      ...created,
      status: ['REVIEW', 'CLOSED', 'CANCELLED'],
      to_count: 'what is being counted is read whole',
    },
    read: (tx, filter, page) => listCounts(tx, filter, page, 'manager'),
  },
  exceptions: {
    table: 'scan_exceptions',
    filters: {
      ...created,
      status: ['OPEN', 'RESOLVED'],
      kind: ['pick', 'receipt_scan', 'count_scan'],
    },
    whole: { kind: ofRare },
    read: listExceptions,
  },
  misses: {
    table: 'pick_misses',
    filters: { status: ['OPEN', 'DECIDED', 'CLOSED'], shipment_id: few, order_id: few },
    read: listMisses,
  },
}

interface Declared {
  readonly name: string
  readonly schema: { readonly enum?: readonly string[] }
}
const { paths } = JSON.parse(await readFile('openapi/staff.json', 'utf8')) as {
  paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Declared[] } }>>
}
const ofEveryList = ['client_id', 'warehouse_code', 'sort', 'limit', 'cursor']

for (const [name, { table, filters, read, whole = {}, statuses = 1 }] of Object.entries(lists)) {
  const declared = paths[`/staff/v1/${name}`]?.get.parameters ?? []
  const sorts = declared.find((each) => each.name === 'sort')?.schema.enum ?? []
  const narrowed = Object.entries(filters).flatMap(([key, values]) =>
    typeof values === 'string' ? [] : values.map((value): Filter => ({ [key]: value })),
  )
  test(`every filter of ${name} is tried here`, () => {
    const known = declared.map((each) => each.name).filter((each) => !ofEveryList.includes(each))
    assert.deepEqual(Object.keys(filters).toSorted(), known.toSorted())
    assert.ok(sorts.length > 0)
  })

  test(`a page of ${name} reads about as many rows as it shows, in any order and with any filter`, async () => {
    const asked = [{}, { client_id: client }].flatMap((own) =>
      [{}, ...narrowed].flatMap((narrow) => sorts.map((sort) => ({ ...own, ...narrow, sort }))),
    )
    for (const { sort, ...own } of asked) {
      // At most a page of each client, status, and part that has an index of its own, twice.
      const page = 16 * limit * (sort.endsWith('status') ? statuses : 1)
      const parts = [sort.replace('-', ''), ...Object.keys(own)].map((part) => whole[part] ?? 0)
      // The rows of one product are read whole to be put in order by status.
      const most = page + 2 * Math.max(...parts) + ('barcode' in own ? 1_000 : 0)
      let after: Position | undefined
      for (const number of [1, 2]) {
        const [rows, next] = await db.begin(async (tx) => {
          const before = await rowsRead(tx, table)
          const filter = { client_id: undefined, ...own } as never
          const { next } = await read(tx as never, filter, { limit, after, counted: false, sort })
          return [(await rowsRead(tx, table)) - before, next] as const
        })
        assert.ok(rows <= most, `${JSON.stringify(own)} by ${sort}: page ${number} reads ${rows}`)
        if (next === null) break
        after = next
      }
    }
  })
}

type ListOfSeller = (
  db: never,
  clientId: never,
  filter: never,
  page: PageRequest,
) => Promise<Page<unknown>>
const listsOfSeller: Readonly<Record<string, ListOfSeller>> = {
  orders: listOrders,
  shipments: listShipments,
  receipts: listReceipts,
  return_batches: listReturns,
}

for (const [table, list] of Object.entries(listsOfSeller)) {
  test(`a late page of a seller's ${table} reads no more than the first, also of a span that has an end`, async () => {
    const filter = { created_from: undefined, created_to: noon - 0.1 * rowsOfEach * 60_000 }
    const read = (request: PageRequest) =>
      blocksReadBy(db, table, (tx) => list(tx as never, client as never, filter as never, request))
    const rows = (after: Position | undefined, limit: number) =>
      read({ limit, after, counted: false })
    const far = await rows(undefined, 0.15 * rowsOfEach)
    assert.ok(far.result.next)
    const [first, late] = [await rows(undefined, limit), await rows(far.result.next, limit)]
    assert.ok(late.result.next)
    assert.ok(first.blocks > 0)
    const most = first.blocks + 20
    assert.ok(late.blocks <= most, `reads ${late.blocks} blocks, the first page ${first.blocks}`)
    const counted = [undefined, far.result.next].map((after) => read({ limit, after }))
    const [all, rest] = await Promise.all(counted)
    assert.equal(rest?.result.total, all?.result.total)
  })
}
