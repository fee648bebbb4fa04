import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import test from 'node:test'
import { importCircles } from './support/import-circles.ts'
import {
  exportsOf,
  type Import,
  importsOf,
  readSources,
  roomOf,
  type Source,
  sourceOf,
} from './support/source-tree.ts'
import { migratedTables, tablesNamedIn, tableWritesOf } from './support/sql-in-source.ts'

/** Imports go one way, as ARCHITECTURE.md says: which rooms each room may look into. */
const ground = ['concurrency', 'kernel', 'db']
const domain = [
  'clients',
  'keys',
  'catalogue',
  'journal',
  'storage',
  'stock',
  'orders',
  'receipts',
  'shipments',
  'picking',
  'returns',
  'counts',
  'photos',
  'merging',
  'exceptions',
  'printing',
  'metrics',
  'billing',
]
const directions: Readonly<Record<string, readonly string[]>> = {
  concurrency: [],
  kernel: [],
  db: ['kernel', 'concurrency'],
  postgres: [...ground],
  process: [...ground, 'postgres'],
  clients: ground,
  keys: [...ground, 'clients', 'journal', 'events'],
  catalogue: ground,
  journal: [...ground, 'clients'],
  events: ground,
  storage: [...ground, 'clients'],
  stock: [...ground, 'clients', 'catalogue', 'storage'],
  orders: [...ground, 'clients', 'catalogue', 'events', 'stock'],
  receipts: [...ground, 'clients', 'catalogue', 'events', 'journal', 'stock', 'storage'],
  picking: [...ground, 'clients', 'catalogue', 'events', 'storage', 'stock', 'orders'],
  shipments: [...ground, 'clients', 'catalogue', 'events', 'stock', 'orders', 'picking'],
  returns: [...ground, 'clients', 'catalogue', 'events', 'stock', 'orders', 'picking'],
  counts: [...ground, 'clients', 'catalogue', 'stock', 'storage'],
  photos: ground,
  merging: [
    ...ground,
    'catalogue',
    'storage',
    'stock',
    'orders',
    'receipts',
    'picking',
    'returns',
    'billing',
  ],
  lookup: [...ground, 'catalogue', 'storage'],
  exceptions: [...ground, 'clients', 'events'],
  printing: ground,
  metrics: [...ground, 'catalogue', 'clients', 'orders'],
  billing: [...ground, 'clients', 'events'],
  labels: ['kernel', 'concurrency', 'papers'],
  papers: ['kernel', 'concurrency'],
  exports: ['kernel'],
  marketplaces: [
    ...ground,
    'clients',
    'journal',
    'catalogue',
    'stock',
    'orders',
    'picking',
    'shipments',
    'returns',
    'exceptions',
    'process',
  ],
  pictures: [...ground, 'catalogue', 'photos', 'process', 'webhooks'],
  sandbox: [...ground, ...domain, 'marketplaces'],
  webhooks: [...ground, 'events', 'process'],
  notices: [...ground, 'clients', 'events', 'metrics', 'process', 'stock', 'webhooks'],
  backup: [...ground, 'postgres', 'process'],
  'sign-in': ground,
  staff: [...ground, 'journal', 'sign-in'],
  sellers: [...ground, 'sign-in'],
  imports: ['kernel', 'concurrency'],
  moving: [...ground, 'process', 'clients', 'staff', 'audit', 'backup'],
  audit: [...ground, 'billing', 'catalogue', 'journal', 'metrics', 'photos'],
  commands: [
    ...ground,
    'process',
    'clients',
    'keys',
    'journal',
    'picking',
    'sign-in',
    'staff',
    'sellers',
    'webhooks',
    'marketplaces',
    'audit',
    'backup',
    'moving',
    '../sdk',
    'config.ts',
  ],
  http: [
    ...ground,
    ...domain,
    'events',
    'marketplaces',
    'sandbox',
    'process',
    'webhooks',
    'notices',
    'pictures',
    'lookup',
    'sign-in',
    'staff',
    'sellers',
    'imports',
    'labels',
    'papers',
    'exports',
    '../sdk',
  ],
  'maintenance.ts': [
    ...ground,
    ...domain,
    'events',
    'marketplaces',
    'sandbox',
    'webhooks',
    'notices',
    'staff',
    'sellers',
    'config.ts',
  ],
}

/** Packages by the rooms that may use them; typebox describes data and is free to all. */
const packages: Readonly<Record<string, readonly string[]>> = {
  db: ['pg', 'pg-copy-streams'],
  sellers: ['otpauth'],
  labels: ['@bwip-js/node', 'pdfkit'],
  papers: ['pdfkit', '@cantoo/pdf-lib'],
  exports: ['yazl'],
  webhooks: ['undici'],
  marketplaces: ['undici'],
  pictures: ['aws4fetch', 'undici'],
  notices: ['nodemailer'],
  imports: ['@fastify/busboy', 'csv-parse', 'csv-parse/sync', 'sax', 'yauzl'],
  commands: ['commander'],
  process: ['fastify'],
  http: [
    'esbuild',
    'fastify',
    '@modelcontextprotocol/server',
    '@fastify/accept-negotiator',
    '@fastify/cookie',
    '@fastify/swagger',
    '@scalar/fastify-api-reference',
    'prom-client',
    'yazl',
  ],
}

/** Tables by the only room that writes them. Other rooms of its floor and of upper floors read them by SQL as they need. */
const owners: Readonly<Record<string, readonly string[]>> = {
  clients: ['warehouses', 'clients', 'client_warehouses', 'client_counters', 'cabinets'],
  keys: ['api_keys', 'key_hashes', 'key_requests', 'rate_buckets', 'address_buckets'],
  catalogue: ['products', 'barcode_aliases', 'pictures', 'product_pictures', 'set_parts'],
  stock: [
    'reasons',
    'stock_balances',
    'stock_movements',
    'movement_tallies',
    'stock_entries',
    'set_assemblies',
    'stock_figures',
    'stock_versions',
    'marking_codes',
    'marketplace_stock',
    'lot_goods',
    'stock_lots',
    'scan_lots',
  ],
  storage: [
    'locations',
    'pallets',
    'boxes',
    'box_contents',
    'fill_counts',
    'location_contents',
    'storage_numbers',
    'storage_scans',
    'location_scans',
  ],
  receipts: ['receipts', 'receipt_items', 'receipt_scans'],
  orders: [
    'orders',
    'order_lines',
    'order_sets',
    'order_facts',
    'order_status_history',
    'order_tallies',
    'milestone_tallies',
    'sorted_delivered_tallies',
  ],
  shipments: [
    'shipments',
    'shipment_shortages',
    'shipping_points',
    'shipping_defaults',
    'shipping_methods',
    'reshipments',
  ],
  picking: ['picking_tasks', 'picks', 'pick_misses', 'pack_checks', 'unit_marks', 'mark_proofs'],
  photos: ['photos', 'photo_leftovers'],
  counts: ['stock_counts', 'count_scans', 'count_goods', 'count_lines', 'count_workers'],
  returns: ['expected_returns', 'return_batches', 'return_lines', 'return_scans'],
  exceptions: ['scan_exceptions'],
  printing: ['print_stations', 'print_jobs'],
  metrics: ['warehouse_tallies', 'sales_tallies', 'sales_days', 'sales_years'],
  billing: [
    'billing_providers',
    'billing_services',
    'warehouse_tariffs',
    'client_tariffs',
    'storage_terms',
    'product_measures',
    'goods_labels',
    'storage_days',
    'manual_charges',
    'billing_periods',
    'charges',
    'acts',
  ],
  journal: [
    'call_journal',
    'receipt_journal',
    'receipt_journal_heads',
    'refused_receipts',
    'staff_journal',
  ],
  marketplaces: [
    'cabinet_syncs',
    'left_out_orders',
    'marketplace_cards',
    'card_barcodes',
    'remote_commands',
    'recorded_calls',
    'marketplace_buckets',
  ],
  events: [
    'events',
    'event_feeds',
    'pending_deliveries',
    'ended_deliveries',
    'delivery_tallies',
    'news',
  ],
  process: ['service_switches', 'secret_fingerprints'],
  moving: ['warehouse_moves'],
  webhooks: ['webhook_subscriptions'],
  notices: ['notices', 'notice_people', 'notice_letters', 'news_watches', 'telegram_feed'],
  staff: [
    'staff_users',
    'staff_user_warehouses',
    'staff_tokens',
    'staff_devices',
    'staff_list_views',
    'staff_sessions',
  ],
  'sign-in': ['sign_in_places', 'sign_in_failures'],
  sellers: [
    'seller_users',
    'seller_members',
    'seller_invitations',
    'seller_password_links',
    'seller_sessions',
  ],
  sandbox: ['sandboxes', 'sandbox_scenarios', 'sandbox_receivers', 'sandbox_received'],
  'maintenance.ts': ['retention_clock'],
  db: ['schema_migrations'],
}

/**
 * Files whose SQL takes the name of the table from a value: a restore fills all tables, a move to another cell those of a warehouse, secrets are sealed anew in the column
 * that a room names, the sandbox copies and clears the tables of a client by one rule, and restores its scenario, and boxes and locations have a table each of one form.
 */
const dynamicWriters = [
  'operations/backup/restore.ts',
  'operations/moving/merge.ts',
  'platform/db/reseal.ts',
  'sandbox/copies.ts',
  'sandbox/scenario/kept-rows.ts',
  'warehouse/storage/place-contents.ts',
]

/** The floors from the lowest up; those of one line stand at one height. */
const floors = [
  ['platform'],
  ['warehouse', 'documents'],
  ['identity', 'exchange'],
  ['sandbox'],
  ['operations', 'http'],
]

/** Files that read tables of an upper floor, by their reason. */
const readsUpwards: Readonly<Record<string, readonly string[]>> = {
  'what cards of marketplaces say of goods': [
    'warehouse/billing/measures.ts: marketplace_cards',
    'warehouse/catalogue/card-pictures.ts: card_barcodes, marketplace_cards',
    'warehouse/catalogue/product-lookup.ts: card_barcodes, marketplace_cards',
    'warehouse/returns/expected-units.ts: marketplace_cards',
    'warehouse/stock/card-gtins.ts: card_barcodes, marketplace_cards',
  ],
  'boxes that a marketplace counted are charged': ['warehouse/billing/facts.ts: remote_commands'],
  'a cabinet shows how it was synced': ['warehouse/clients/cabinet-view.ts: cabinet_syncs'],
  'one code of the cabinet fetches its returns': [
    'warehouse/returns/expected-queries.ts: cabinet_syncs',
    'warehouse/returns/scanned-code.ts: cabinet_syncs',
  ],
  'events are written for subscriptions': [
    'warehouse/events/outbox.ts: webhook_subscriptions',
    'warehouse/events/recording.ts: webhook_subscriptions',
  ],
  'names and roles of people': [
    'warehouse/exceptions/queries.ts: staff_users',
    'warehouse/photos/order-evidence.ts: staff_users',
    'warehouse/picking/miss-queries.ts: staff_users',
    'warehouse/picking/queries.ts: staff_users',
    'warehouse/picking/tasks.ts: staff_users',
    'warehouse/shipments/today-shipments.ts: staff_users',
  ],
  'only who works in the warehouse claims a task': [
    'warehouse/picking/claims.ts: staff_user_warehouses, staff_users',
  ],
  'names of whatever a journal has': [
    'warehouse/lookup/object-names.ts: api_keys, staff_devices, staff_users, webhook_subscriptions',
  ],
  'calls of a client are found by its keys': ['warehouse/journal/call-list.ts: api_keys'],
  'a sandbox answers once its data are copied': [
    'identity/keys/admission.ts: sandboxes',
    'identity/sellers/sessions.ts: sandboxes',
  ],
  'secrets of all rooms are sealed anew': [
    'platform/process/secrets.ts: cabinets, key_requests, notices, seller_users, webhook_subscriptions',
  ],
  'a switch has the name of the table': ['platform/process/switches.ts: notices'],
}

const sources = readSources()
const imports = sources.flatMap(importsOf)

function breaksDirections({ from, path }: Import): boolean {
  const allowed = directions[from.room]
  const room = path === undefined ? undefined : roomOf(path)
  if (allowed === undefined || room === undefined || room === from.room) return false
  return !allowed.includes(room)
}

function breaksPackages({ from, path, target }: Import): boolean {
  if (path !== undefined || target.startsWith('node:') || target.startsWith('typebox')) return false
  return directions[from.room] !== undefined && !packages[from.room]?.includes(target)
}

const shown = ({ from, target }: Import) => `${from.path} imports ${target}`

// Guarantee (src): Imports between rooms go one way.
test('imports go one way', () => {
  assert.ok(imports.length > 200, `only ${imports.length} imports were found`)
  assert.deepEqual(imports.filter(breaksDirections).map(shown), [])
})

test('only db knows the driver, and only http knows the web server', () => {
  assert.deepEqual(imports.filter(breaksPackages).map(shown), [])
})

test('every room has its place in the directions', () => {
  const rooms = new Set(sources.map(({ room }) => room).filter((room) => !room.endsWith('.ts')))
  assert.ok(rooms.size > 10)
  assert.deepEqual(
    [...rooms].filter((room) => directions[room] === undefined),
    [],
  )
})

test('no imports go in a circle, inside a room or between its folders', () => {
  assert.deepEqual(importCircles(imports), [])
})

test('every table belongs to one room', () => {
  const owned = Object.values(owners).flat()
  assert.deepEqual(owned.toSorted(), [...migratedTables(), 'schema_migrations'].sort())
})

// Guarantee (src): A room writes only its own tables.
test('a table is written by its own room alone', () => {
  const writes = sources.flatMap(tableWritesOf)
  assert.ok(writes.length > 100, `only ${writes.length} writes were found`)
  const foreign = writes
    .filter(({ table }) => !table.startsWith('$'))
    .filter(({ room, table }) => !owners[room]?.includes(table))
    .map(({ path, table }) => `${path} writes ${table}`)
  assert.deepEqual(foreign, [])
})

test('a room reads tables of an upper floor only where listed', () => {
  const heightOf = ({ path }: Source) =>
    floors.findIndex((floor) => floor.includes(path.split('/')[0] ?? ''))
  const heights = new Map(sources.map((source) => [source.room, heightOf(source)]))
  const found = sources.flatMap((source) => {
    const upper = Object.keys(owners).filter((room) => Number(heights.get(room)) > heightOf(source))
    const tables = tablesNamedIn(
      source,
      upper.flatMap((room) => owners[room] ?? []),
    ).sort()
    return tables.length === 0 ? [] : [`${source.path}: ${tables.join(', ')}`]
  })
  assert.deepEqual(found.sort(), Object.values(readsUpwards).flat().sort())
})

// Guarantee (marketplaces): Sellers' queries never read tables that have observed rows.
test('what sellers read names the views without observed rows, never the tables', () => {
  const shown: readonly string[] = [
    'warehouse/orders/queries.ts',
    'warehouse/shipments/queries.ts',
    'warehouse/metrics/queries.ts',
    'warehouse/metrics/order-figures.ts',
  ]
  const reading = sources.filter(({ path, room }) => shown.includes(path) || room === 'metrics')
  assert.ok(reading.length > shown.length)
  const found = reading.flatMap((source) =>
    tablesNamedIn(source, ['orders', 'shipments']).map((table) => `${source.path} reads ${table}`),
  )
  assert.deepEqual(found, [])
})

test('public routes and events read orders and shipments through the files of sellers alone', () => {
  const own = [
    'warehouse/orders/queries.ts',
    'warehouse/orders/details.ts',
    'warehouse/shipments/queries.ts',
  ]
  const harmless = /\/(?:state|view|staff-view|announce)\.ts$/
  const reached = imports.filter(
    ({ from, path }) =>
      (from.path.startsWith('http/public/v1/') ||
        /^warehouse\/(?:orders|shipments)\/announce\.ts$/.test(from.path)) &&
      /^warehouse\/(?:orders|shipments)\//.test(path ?? '') &&
      !harmless.test(path ?? ''),
  )
  assert.ok(reached.length >= 4)
  assert.deepEqual(reached.filter(({ path }) => !own.includes(path ?? '')).map(shown), [])
})

test('only the named files of orders and picking write their tables', () => {
  const writers: Readonly<Record<string, readonly string[]>> = {
    orders: ['warehouse/orders/change.ts', 'warehouse/orders/intake.ts'],
    order_lines: ['warehouse/orders/lines.ts', 'warehouse/orders/sets.ts'],
    order_facts: ['warehouse/orders/facts.ts'],
    order_status_history: ['warehouse/orders/change.ts'],
    pick_misses: [
      'warehouse/picking/merged-picks.ts',
      'warehouse/picking/miss-endings.ts',
      'warehouse/picking/misses.ts',
      'warehouse/picking/tasks.ts',
    ],
    picking_tasks: ['warehouse/picking/claims.ts', 'warehouse/picking/tasks.ts'],
    pack_checks: [
      'warehouse/picking/checks.ts',
      'warehouse/picking/merged-picks.ts',
      'warehouse/picking/tasks.ts',
    ],
    picks: [
      'warehouse/picking/add-marks.ts',
      'warehouse/picking/merged-picks.ts',
      'warehouse/picking/picks.ts',
      'warehouse/picking/tasks.ts',
      'warehouse/picking/undo.ts',
    ],
    unit_marks: ['warehouse/picking/unit-marks.ts'],
    mark_proofs: ['warehouse/picking/mark-proofs.ts'],
  }
  const writes = sources.flatMap(tableWritesOf)
  for (const [table, files] of Object.entries(writers)) {
    const found = writes.filter((write) => write.table === table).map(({ path }) => path)
    assert.deepEqual([...new Set(found)].sort(), files, table)
  }
})

test('the name of a written table is in the SQL, but for the listed files', () => {
  const dynamic = sources
    .flatMap(tableWritesOf)
    .filter(({ table }) => table.startsWith('$'))
    .map(({ path }) => path)
  assert.deepEqual([...new Set(dynamic)], dynamicWriters)
})

test('db knows no table of the domain', () => {
  const tables = migratedTables()
  const found = sources
    .filter(({ room }) => room === 'db')
    .flatMap((source) => tablesNamedIn(source, tables).map((table) => `${source.path}: ${table}`))
  assert.deepEqual(found, [])
})

test('an exported name means one thing', () => {
  const names = sources.flatMap(exportsOf)
  assert.ok(names.length > 500, `only ${names.length} exported names were found`)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

test('the rules find imports, writes and names that break them', () => {
  const interpolated = '$' + '{tx(table)}'
  const source = sourceOf(
    'warehouse/orders/verbs.ts',
    [
      `import type { A } from '../../http/server.ts'`,
      `import {\n  b,\n} from '../../sandbox/sandbox.ts'`,
      `import 'fastify'`,
      `const c = await import('../receipts/verbs.ts')`,
      `export const one = 1\nexport async function two() {}\nexport { b as three }`,
      'await tx`insert into picks as p select 1 on conflict (id) do update set at = 2`',
      'await tx`update only boxes b set id = 1`',
      'await tx`select from pallets for update` // delete from orders',
      `await tx\`delete from ${interpolated}\``,
    ].join('\n'),
  )
  const found = importsOf(source)
  assert.equal(found.filter(breaksDirections).length, 3)
  assert.equal(found.filter(breaksPackages).length, 1)
  assert.deepEqual(exportsOf(source), ['one', 'two', 'three'])
  const written = tableWritesOf(source).map(({ table }) => table)
  assert.deepEqual(written, ['picks', 'boxes', interpolated])
  assert.deepEqual(tablesNamedIn(source, ['pallets', 'orders']), ['pallets'])
})

test('circles of imports are found at every level', () => {
  const texts = {
    'a/one.ts': `import { x } from './two.ts'`,
    'a/two.ts': `import type { y } from './three.ts'`,
    'a/three.ts': `import { z } from './one.ts'`,
    'b/c/one.ts': `import { x } from '../d/two.ts'`,
    'b/d/three.ts': `import { y } from '../c/four.ts'`,
    'b/e.ts': `import { x } from './c/one.ts'`,
  }
  const files = Object.entries(texts).map(([path, text]) => sourceOf(path, text))
  assert.deepEqual(importCircles(files.flatMap(importsOf)), [
    'src/a: one.ts + three.ts + two.ts',
    'src/b: c + d',
  ])
})

test('http holds no SQL except the health check', () => {
  const statement = /\b(?:db|tx|sql)(?:<[^`]*>)?`[^`]*`|\.unsafe\(/g
  const found = sources
    .filter(({ room }) => room === 'http')
    .flatMap(({ path, text }) => (text.match(statement) ?? []).map((sql) => `${path}: ${sql}`))
  assert.deepEqual(found, ['http/server/drain.ts: db`select 1`'])
})

test('a route of staff runs verbs only by change.ts, which writes the journal', () => {
  const runners = sources
    .filter(({ path }) => path.startsWith('http/staff/'))
    .filter(({ text }) => /\b(?:perform|performTogether|inTransaction)[<(]/.test(text))
    .map(({ path }) => path)
  assert.deepEqual(runners, ['http/staff/change.ts'])
})

test('the environment is read by config.ts, to which main and cli hand it', () => {
  const readers = sources.filter(({ text }) => /process\.env/.test(text)).map(({ path }) => path)
  for (const path of readers) assert.ok(['config.ts', 'main.ts', 'cli.ts'].includes(path), path)
  const cli = sources.find(({ path }) => path === 'cli.ts')?.text ?? ''
  assert.doesNotMatch(cli, /process\.env[.[]/)
})

test('no file or folder is called utils, helpers or the like', () => {
  const drawers = /^(?:utils?|helpers?|common|misc|shared|manager)\b/
  const parts = sources.flatMap(({ path }) => [...dirname(path).split('/'), basename(path)])
  assert.deepEqual(
    parts.filter((part) => drawers.test(part)),
    [],
  )
})
