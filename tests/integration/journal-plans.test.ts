import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRecordedCalls } from '../../src/exchange/marketplaces/recording/recorded-calls.ts'
import type { Queryable } from '../../src/platform/db/connection.ts'
import type { Page, PageRequest } from '../../src/platform/db/lists/page.ts'
import type { Position } from '../../src/platform/kernel/cursor.ts'
import { newId } from '../../src/platform/kernel/ids.ts'
import { day, toTimestamp } from '../../src/platform/kernel/moscow-time.ts'
import { listCalls } from '../../src/warehouse/journal/call-list.ts'
import { listReceiptRequests } from '../../src/warehouse/journal/receipt-requests.ts'
import { listRefusedReceipts } from '../../src/warehouse/journal/refused-receipt-list.ts'
import { listStaffChanges } from '../../src/warehouse/journal/staff.ts'
import { blocksReadBy } from '../support/blocks-read.ts'
import { testDatabase } from '../support/database.ts'
import { makeClient, noon } from '../support/warehouse.ts'

/** Journals of a month: what a page reads, wherever it is. */

const { db } = await testDatabase({ plansForValues: true })
const { id: client, cabinets } = await makeClient(db)
const [cabinet = ''] = cabinets
const key = newId()
const entries = 40_000
const limit = 50
const daysBack = (entries * 60_000) / day

async function fill(tx: Queryable): Promise<void> {
  // As maintenance opens them, one for each six days.
  for (let back = daysBack; back > 0; back -= 5) {
    await tx`select open_call_journal(${toTimestamp(noon - back * day)}, 72)`
  }
  await tx`set local session_replication_role = replica`
  const at = tx`${toTimestamp(noon)}::timestamptz - (${entries} - n) * interval '1 minute'`
  const numbers = tx`generate_series(1, ${entries}) n`
  await tx`
    insert into call_journal (at, method, path, ip, status, key_id, client_id, request_id)
    select ${at}, 'GET', '/v1/stock', '10.0.0.1', 200, ${key}::uuid, ${client}::uuid, 'r' || n from ${numbers}`
  await tx`
    insert into receipt_journal (client_id, entry, at, key_id, request_id, receipt_id, outcome, body, hash)
    select ${client}, n, ${at}, ${key}::uuid, 'r' || n, ${newId()}::uuid, 'created', '{}', '' from ${numbers}`
  await tx`
    insert into refused_receipts (client_id, at, request_id, key_id, status, code)
    select ${client}, ${at}, 'r' || n, ${key}::uuid, 400, 'validation_failed' from ${numbers}`
  await tx`
    insert into staff_journal (at, actor, action, client_id, object_id)
    select ${at}, 'command-line', 'createClient', ${client}::uuid, ${client} from ${numbers}`
  await tx`
    insert into recorded_calls (client_id, cabinet_id, at, call, method, path, query, headers, answer_bytes, duration_ms)
    select ${client}, ${cabinet}, ${at}, 'GET /x', 'GET', '/x', '{}', '{}', 0, 0 from ${numbers}`
}
await db.begin(fill)
await db`
  analyze call_journal, receipt_journal, refused_receipts, staff_journal, recorded_calls`.affected()

type Journal = (db: never, filter: never, page: PageRequest) => Promise<Page<unknown>>
const everywhere = { all: true, warehouses: [] }
const journals: Readonly<Record<string, readonly [table: string, journal: Journal]>> = {
  'calls of all': ['call_journal', (tx, filter, page) => listCalls(tx, filter, page, everywhere)],
  'calls of a key': [
    'call_journal',
    (tx, filter: object, page) =>
      listCalls(tx, { ...filter, key_id: key } as never, page, everywhere),
  ],
  'receipt requests': [
    'receipt_journal',
    (tx, filter, page) => listReceiptRequests(tx, filter, page, []),
  ],
  'refused requests': [
    'refused_receipts',
    (tx, filter, page) => listRefusedReceipts(tx, filter, page, []),
  ],
  'changes by staff': [
    'staff_journal',
    (tx, filter, page) => listStaffChanges(tx, filter, page, everywhere),
  ],
  'changes about a client': [
    'staff_journal',
    (tx, filter: object, page) =>
      listStaffChanges(tx, { ...filter, client_id: client } as never, page, everywhere),
  ],
  'changes of an object': [
    'staff_journal',
    (tx, filter: object, page) =>
      listStaffChanges(tx, { ...filter, object_id: client } as never, page, everywhere),
  ],
  'changes by one person': [
    'staff_journal',
    (tx, filter: object, page) =>
      listStaffChanges(tx, { ...filter, actor: 'command-line' } as never, page, everywhere),
  ],
  'raw calls': [
    'recorded_calls',
    (tx, filter, page) => listRecordedCalls(tx, client, cabinet, filter, page),
  ],
}

for (const [name, [table, journal]] of Object.entries(journals)) {
  test(`a late page of ${name} reads no more than the first, also of a span that has an end`, async () => {
    const filter = { created_from: undefined, created_to: noon - 5 * day }
    const read = (request: PageRequest) =>
      blocksReadBy(db, table, (tx) => journal(tx as never, filter as never, request))
    const rows = (after: Position | undefined, limit: number) =>
      read({ limit, after, counted: false })
    const far = await rows(undefined, 25_000)
    assert.ok(far.result.next)
    const [first, late] = [await rows(undefined, limit), await rows(far.result.next, limit)]
    assert.ok(late.result.next && first.blocks > 0)
    const most = first.blocks + 20
    assert.ok(late.blocks <= most, `reads ${late.blocks} blocks, the first page ${first.blocks}`)
    const counted = [undefined, far.result.next].map((after) => read({ limit, after }))
    const [all, rest] = await Promise.all(counted)
    assert.equal(rest?.result.total, all?.result.total)
  })
}

for (const [name, [table, journal]] of Object.entries(journals)) {
  // At most 5,000 of a cabinet are kept.
  if (name === 'raw calls') continue
  test(`the first page of ${name} of an old span reads no more than the newest page`, async () => {
    const first = (created_to: number | undefined) =>
      blocksReadBy(db, table, (tx) => {
        const filter = { created_from: undefined, created_to }
        return journal(tx as never, filter as never, { limit, after: undefined, counted: false })
      })
    const [newest, old] = [await first(undefined), await first(noon - 20 * day)]
    assert.equal(old.result.items.length, limit)
    assert.ok(newest.blocks > 0)
    const most = newest.blocks + 20
    assert.ok(old.blocks <= most, `reads ${old.blocks} blocks, the newest page ${newest.blocks}`)
  })
}

test('changes that came with a warehouse from another cell stand at their time, on each page', async () => {
  const about = newId()
  // Their numbers are new, their times are not.
  for (const back of [1, 3, 2]) {
    await db`
      insert into staff_journal (at, actor, action, client_id, object_id)
      values (${toTimestamp(noon - back * day)}, 'command-line', 'createClient', ${about}, ${back})`
  }
  const filter = { client_id: about, created_from: undefined, created_to: undefined }
  const seen: (string | null)[] = []
  let after: Position | undefined
  do {
    const page = await listStaffChanges(db, filter as never, { limit: 1, after }, everywhere)
    seen.push(...page.items.map(({ object_id }) => object_id))
    after = page.next ?? undefined
  } while (after !== undefined)
  assert.deepEqual(seen, ['1', '2', '3'])
})
