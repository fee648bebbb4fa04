import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copiedTables, deletedTables } from '../../src/sandbox/copies.ts'
import { testDatabase } from '../support/database.ts'
import { codeOf, readSources } from '../support/source-tree.ts'

const { db } = await testDatabase()

/** Tables with a client_id that a reset of a sandbox neither copies nor deletes, each with the reason. */
const keptInReset: Readonly<Record<string, string>> = {
  api_keys: 'a key outlives every copy',
  key_hashes: 'as api_keys',
  key_requests: 'as api_keys; a sandbox has no users who ask',
  rate_buckets: 'a reset must not refill a bucket',
  client_counters: 'one row a client: a reset sets it to that of the scenario',
  sandboxes: 'the state of the copy itself',
  sandbox_scenarios: 'the scenario itself',
  order_tallies: 'kept by triggers; a reset deletes the zeros',
  milestone_tallies: 'kept by triggers; a reset deletes the zeros',
  sorted_delivered_tallies: 'kept by triggers; a reset deletes the zeros',
  movement_tallies: 'kept by triggers; a reset deletes the zeros',
  warehouse_tallies: 'kept by triggers; a reset deletes the zeros',
  sales_tallies: 'kept by triggers; a reset deletes what is left',
  sales_days: 'as sales_tallies',
  sales_years: 'as sales_tallies',
  stock_figures: 'kept by triggers; a reset deletes the empty ones',
  fill_counts: 'as stock_figures',
  delivery_tallies: 'as order_tallies',
  stock_versions: 'a version must never go back, and triggers keep its sums',
  call_journal: 'calls are kept for their time, of sandboxes too',
  staff_journal: 'append-only',
  seller_members: 'people outlive every copy',
  seller_invitations: 'people outlive every copy',
  seller_password_links: 'people outlive every copy',
  seller_sessions: 'a session outlives every copy',
  photo_leftovers: 'objects of a store that are still to be deleted',
}

/** Tables with a client_id that the audit does not read, each with the reason. */
const notAudited: Readonly<Record<string, string>> = {
  photo_leftovers: 'what a store outside has yet to delete; nothing here tells what it holds',
  key_hashes: 'no sum or copy; foreign keys hold the references',
  rate_buckets: 'lost in a crash by design',
  cabinet_syncs: 'progress of syncing; the next run repairs it',
  recorded_calls: 'calls as they came; older ones are deleted',
  left_out_orders: 'a count for staff; nothing tells the right number',
  sandboxes: 'the state of a copy',
  sandbox_received: 'requests as they came',
  sandbox_receivers: 'counts requests; older ones are deleted',
  sandbox_scenarios: 'one row a version',
  shipping_points: 'as the marketplace lists them',
  shipping_defaults: 'choices of staff; foreign keys hold the references',
  shipping_methods: 'choices of staff; foreign keys hold the references',
  expected_returns: 'as the marketplace reports them; no units depend on them',
  news: 'no sum or copy; written once',
  news_watches: 'a day; the next look repairs it',
  notices: 'what was said; the news go after their time',
  call_journal: 'written with a delay, and dropped after its time',
  refused_receipts: 'written with a delay, and dropped after its time',
  staff_journal: 'append-only; entries have no other copy',
  client_tariffs: 'entered by staff; no version changes',
  manual_charges: 'entered by staff',
  client_warehouses: 'written with a move; nothing else tells the day',
  goods_labels: 'what was printed; no sum or copy',
  product_measures: 'entered by staff; foreign keys hold the references',
  storage_days: 'a count of a past moment; nothing tells the right number',
  storage_terms: 'entered by staff',
  seller_members: 'no sum or copy; foreign keys hold the references',
  seller_invitations: 'no sum or copy; foreign keys hold the references',
  seller_password_links: 'no sum or copy; foreign keys hold the references',
  seller_sessions: 'no sum or copy; foreign keys hold the references',
}

async function clientTables(): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
    order by 1`
  return rows.map(({ name }) => name)
}

test('a reset of a sandbox copies, deletes or deliberately keeps every table of a client', async () => {
  const lists = [...copiedTables, ...deletedTables, ...Object.keys(keptInReset)]
  assert.deepEqual(lists.toSorted(), await clientTables())
})

test('a copied table comes after the tables that it references', async () => {
  const references = await db<{ from: string; to: string }[]>`
    select distinct conrelid::regclass::text as "from", confrelid::regclass::text as "to"
    from pg_constraint where contype = 'f' and conrelid <> confrelid`
  const places = new Map<string, number>(copiedTables.map((table, place) => [table, place]))
  const early = references.filter(({ from, to }) => {
    const [referring, referenced] = [places.get(from), places.get(to)]
    return referring !== undefined && referenced !== undefined && referring < referenced
  })
  assert.deepEqual(early, [])
})

test('the audit reads every table of a client or deliberately does not', async () => {
  const tables = await clientTables()
  const sql = readSources()
    .filter(({ path }) => path.startsWith('operations/audit/checks/'))
    .map(codeOf)
    .join('\n')
  const read = new Set([...sql.matchAll(/\b(?:from|join) (\w+)/g)].map(([, table]) => table))
  assert.deepEqual(
    tables.filter((table) => !read.has(table)),
    Object.keys(notAudited).sort(),
  )
})
