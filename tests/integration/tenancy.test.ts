import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../support/database.ts'

const { db } = await testDatabase()

/** Tables that have keys without client_id in first place, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  schema_migrations: 'of the database itself',
  warehouses: 'of the operator',
  clients: 'the clients themselves, by their id',
  key_hashes: 'looked up before the client is known',
  address_buckets: 'callers without a key',
  reasons: 'curated lists of the operator',
  call_journal: 'calls whose caller may be unknown',
  sandbox_scenarios: 'one a version, for all sandboxes',
  service_switches: 'of the operator',
  secret_fingerprints: 'of the operator',
  warehouse_moves: 'of a warehouse',
  retention_clock: 'one for the whole service',
  staff_users: 'of the operator',
  staff_user_warehouses: 'of the operator',
  staff_tokens: 'of the operator',
  staff_devices: 'of the operator',
  staff_list_views: 'of the operator',
  staff_sessions: 'of the operator',
  sign_in_places: 'of staff and of sellers alike',
  seller_users: 'a login may work for several clients',
  notice_people: 'a user of staff, or of several clients',
  notice_letters: 'of a user, who may work for several clients',
  telegram_feed: 'of the operator',
  seller_members: 'a login may work for several clients',
  seller_invitations: 'looked up by the link before the client is known',
  seller_password_links: 'looked up by the link before the client is known',
  seller_sessions: 'looked up before the client is known',
  sign_in_failures: 'of nobody yet',
  staff_journal: 'what staff did, about clients or not',
  marketplace_buckets: 'of the account, however many cabinets it has',
  marking_codes: 'unique in the whole warehouse',
  unit_marks: 'unique in the whole warehouse',
  storage_numbers: 'unique in the whole warehouse',
  locations: 'of the operator',
  print_stations: 'of a warehouse',
  print_jobs: 'of a warehouse: what users want printed there',
  billing_providers: 'of a warehouse: its requisites',
  billing_services: 'of a warehouse',
  warehouse_tariffs: 'of a warehouse: prices for all of its clients',
}

interface Key {
  table: string
  kind: 'p' | 'u' | 'f'
  columns: string[]
}

async function keys(): Promise<Key[]> {
  return db<Key[]>`
    select c.relname as "table", k.contype as kind, (
      select array_agg(a.attname::text order by n.at)
      from unnest(k.conkey) with ordinality n (attnum, at)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.attnum
    ) as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.connamespace = current_schema()::regnamespace and k.contype in ('p', 'u', 'f')
      and not c.relispartition`
}

async function tables(): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not relispartition`
  return rows.map((row) => row.name)
}

test('the primary key of every client table begins with client_id', async () => {
  const owned = (await tables()).filter((table) => !Object.hasOwn(exceptions, table))
  const primary = new Map(
    (await keys()).filter(({ kind }) => kind === 'p').map((key) => [key.table, key.columns[0]]),
  )
  assert.ok(owned.length > 20)
  for (const table of owned) assert.equal(primary.get(table), 'client_id', table)
})

// Guarantee (clients): The database refuses every reference from one client to another.
test('every unique and foreign key of a client table begins with client_id', async () => {
  for (const { table, kind, columns } of await keys()) {
    if (Object.hasOwn(exceptions, table)) continue
    assert.equal(columns[0], 'client_id', `${kind} of ${table}: ${columns.join(', ')}`)
  }
})

test('every index of a client table begins with client_id, so no list reads rows of other clients', async () => {
  const rows = await db<{ table: string; index: string; first: string }[]>`
    select c.relname as "table", i.relname as index, a.attname as first
    from pg_index x
    join pg_class c on c.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
    where c.relnamespace = current_schema()::regnamespace and not c.relispartition`
  const allowed = new Set([
    'sandboxes_by_last_request',
    // The dispatcher serves all clients and looks deliveries up by their subscription alone (decision 0058).
    'pending_deliveries_in_order',
    'pending_deliveries_pings',
    'cabinet_syncs_due',
    'product_pictures_due',
    'news_waiting',
    // A letter tells of all clients of its user, and so does the bell of staff.
    'notices_by_user',
    'notices_by_email',
    'notices_by_telegram',
    // Housekeeping deletes by age.
    'recorded_calls_by_time',
    'news_by_time',
    'notices_by_time',
    'photos_until',
    // The worker moves the photos of all clients.
    'photos_here',
    // An array can't be indexed behind the client.
    'order_facts_by_label',
    // Staff name an object by its id alone.
    'cabinets_by_id',
    'receipts_by_id',
    'orders_by_id',
    'shipments_by_id',
    'picking_tasks_by_id',
    'pick_misses_by_id',
    // A user who signs out releases claims of all clients.
    'picking_tasks_by_claim',
    'return_batches_by_id',
    // A photo names the scan of its unit alone.
    'return_scans_by_scan',
    'scan_exceptions_by_scan',
    'boxes_by_id',
    'pallets_by_id',
    'webhook_subscriptions_by_id',
    // Read with all its columns; behind the client it was taken for the primary key.
    'count_scans_by_goods',
    // A scanned code names a thing of any client.
    'products_by_barcode',
    'barcode_aliases_added',
    'orders_by_number',
    'shipments_by_number',
    'receipts_by_number',
    'expected_returns_by_number',
    'expected_returns_by_label',
    'return_batches_by_number',
    'stock_counts_by_id',
    // A location holds goods of several clients.
    'boxes_by_location',
    'pallets_by_location',
    'location_contents_by_location',
    'scan_exceptions_by_id',
    // Staff see what all clients wait for, the most urgent first.
    'orders_by_deadline',
    'shipments_assembling',
  ])
  for (const { table, index, first } of rows) {
    if (Object.hasOwn(exceptions, table) || allowed.has(index)) continue
    assert.equal(first, 'client_id', index)
  }
})

test('every exception is a table that exists', async () => {
  const all = await tables()
  for (const table of Object.keys(exceptions)) assert.ok(all.includes(table), table)
})
