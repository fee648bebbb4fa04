import type { Queryable, Transaction } from '../platform/db/connection.ts'
import { day, type Instant, midnight, moscowDate } from '../platform/kernel/moscow-time.ts'
import { readCounters, setCounters } from '../warehouse/clients/counters.ts'

/**
 * Copies the scenario's rows to another client, one statement per table.
 *
 * - Every id becomes the MD5 of the copy's client id and the original id. The same rule holds for rows
 *   and for references to them, so references fit, and ids of two copies never collide. Locations belong
 *   to the warehouse of all sandboxes and keep their ids.
 * - The place of a lot is a box, a location, or none, whose nil id stays.
 * - Every moment moves by the same span: the scenario's last moment becomes the moment of the copy. Every date moves by whole
 *   days: the scenario's last day becomes the day of the copy.
 *
 * The type of a column decides how it is copied, so a new column needs no change here. Triggers keep
 * tallies and versions, as for every client.
 */

/** A client, and the last moment of its scenario. */
export interface PlayedClient {
  readonly clientId: string
  readonly end: Instant
}

/** The copied tables, each after those that it references. */
export const copiedTables = [
  'cabinets',
  'products',
  'barcode_aliases',
  'set_parts',
  'set_assemblies',
  'stock_balances',
  'marketplace_stock',
  'pallets',
  'boxes',
  'box_contents',
  'location_contents',
  'stock_counts',
  'count_scans',
  'count_goods',
  'count_lines',
  'count_workers',
  'receipts',
  'receipt_items',
  'receipt_scans',
  'shipments',
  'orders',
  'order_lines',
  'order_facts',
  'order_status_history',
  'picking_tasks',
  'picks',
  'pick_misses',
  'return_batches',
  'return_lines',
  'return_scans',
  'stock_movements',
  // Behind all that moves units: triggers move lots with them.
  'lot_goods',
  'stock_lots',
  'scan_lots',
] as const

/** Tables that are not copied. A reset deletes the client's rows of these and of the copied tables. */
export const deletedTables = [
  'order_sets',
  'notices',
  'news',
  'news_watches',
  'acts',
  'charges',
  'manual_charges',
  'billing_periods',
  'storage_days',
  'storage_terms',
  'product_measures',
  'goods_labels',
  'client_warehouses',
  'client_tariffs',
  'product_pictures',
  'pictures',
  'photos',
  'refused_receipts',
  'sandbox_received',
  'sandbox_receivers',
  'marking_codes',
  'unit_marks',
  'mark_proofs',
  'pack_checks',
  'storage_numbers',
  'storage_scans',
  'location_scans',
  'scan_exceptions',
  'remote_commands',
  'recorded_calls',
  'cabinet_syncs',
  'left_out_orders',
  'card_barcodes',
  'marketplace_cards',
  'shipment_shortages',
  'reshipments',
  'shipping_methods',
  'shipping_defaults',
  'shipping_points',
  'expected_returns',
  'stock_entries',
  'receipt_journal',
  'receipt_journal_heads',
  'pending_deliveries',
  'ended_deliveries',
  'webhook_subscriptions',
  'events',
  'event_feeds',
] as const

export interface CopyStatement {
  /** Parameters: the client id of the original ($1), that of the copy ($2), the span ($3) and the days ($4) to move by. */
  readonly text: string
}

interface Column {
  table_name: string
  column_name: string
  data_type: string
  is_identity: 'YES' | 'NO'
}

/** Makes the statements from the columns of the copied tables. A process calls it once. */
export async function copyStatements(db: Queryable): Promise<CopyStatement[]> {
  const byTable = await columnsOfCopies(db)
  return copiedTables.map((table) => ({ text: statementOf(table, byTable.get(table) ?? []) }))
}

/** The columns of the copied tables, in the order of each table. */
export async function columnsOfCopies(db: Queryable): Promise<Map<string, Column[]>> {
  const columns = await db<Column[]>`
    select table_name, column_name, data_type, is_identity from information_schema.columns
    where table_schema = current_schema() and table_name = any(${[...copiedTables]})
      and is_generated = 'NEVER'
    order by table_name, ordinal_position`
  return Map.groupBy(columns, (column) => column.table_name)
}

function statementOf(table: string, columns: readonly Column[]): string {
  const names = columns.map((column) => `"${column.column_name}"`).join(', ')
  const values = columns.map(copiedValue).join(', ')
  return `insert into "${table}" (${names}) select ${values} from "${table}" where client_id = $1::uuid`
}

function copiedValue({ column_name: name, data_type: type }: Column): string {
  if (name === 'client_id') return '$2::uuid'
  if (name.endsWith('location_id')) return `"${name}"`
  if (name === 'place_id') {
    return `case place when 'box' then md5($2::text || place_id)::uuid else place_id end`
  }
  switch (type) {
    case 'uuid':
      return `md5($2::text || "${name}")::uuid`
    case 'timestamp with time zone':
      return `"${name}" + $3::interval`
    case 'date':
      return `"${name}" + $4::integer`
    default:
      return `"${name}"`
  }
}

/**
 * A session plans the check of a foreign key once. Planned while the table had a page, it would read all copies for every row.
 */
async function lookUpByIndex(tx: Transaction): Promise<void> {
  await tx`set local enable_seqscan = off`
}

export async function copyClient(
  tx: Transaction,
  statements: readonly CopyStatement[],
  original: PlayedClient,
  copy: PlayedClient,
): Promise<void> {
  const span = `${copy.end - original.end} milliseconds`
  const dayOf = (instant: Instant) => midnight(moscowDate(instant)) / day
  const days = dayOf(copy.end) - dayOf(original.end)
  await lookUpByIndex(tx)
  for (const { text } of statements) {
    // A statement must name all its parameters, and some tables have no moment to move.
    await tx.unsafe(`with p as (select $1::uuid, $2::uuid, $3::interval, $4::integer) ${text}`, [
      ...[original.clientId, copy.clientId],
      ...[span, days],
    ])
  }
  await setCounters(tx, copy.clientId, await readCounters(tx, original.clientId))
}

/**
 * The rows that verbs lock before they write others, in the order in which most verbs lock them: whoever
 * holds them all keeps every writer of the client out. They follow the row of the client itself, which
 * verbs of orders hold, and without which no new receipt, order or product can be written.
 */
const lockedTables = [
  'receipts',
  'shipments',
  'picking_tasks',
  'orders',
  'cabinets',
  'pallets',
  'boxes',
  'products',
  'stock_balances',
  'webhook_subscriptions',
  'sandbox_receivers',
] as const

/** Waits until everybody who changes the client's data has finished, and keeps others out. */
async function lockClient(tx: Transaction, clientId: string): Promise<void> {
  // A sync run holds its lease before all else.
  await tx`select from cabinet_syncs where client_id = ${clientId} order by cabinet_id for update`
  await tx`select from clients where id = ${clientId} for update`
  for (const table of lockedTables) {
    await tx`select from ${tx(table)} where client_id = ${clientId} for update`
  }
}

const emptiedTables = [
  'order_tallies',
  'milestone_tallies',
  'sorted_delivered_tallies',
  'movement_tallies',
  'warehouse_tallies',
  'sales_tallies',
  'sales_days',
  'sales_years',
  'stock_figures',
  'fill_counts',
  'delivery_tallies',
]

/** Deletes the only row that a client without a copy may have: it says that nobody need look at its cover today. */
export async function clearWatches(tx: Transaction, clientId: string): Promise<void> {
  await tx`delete from ${tx('news_watches')} where client_id = ${clientId}`
}

/**
 * Deletes the rows of a test client, except its keys, when nobody changes them. The database refuses it
 * for a live client.
 */
export async function clearClient(tx: Transaction, clientId: string): Promise<void> {
  await lookUpByIndex(tx)
  await lockClient(tx, clientId)
  for (const table of [...deletedTables, ...[...copiedTables].reverse()]) {
    await tx`delete from ${tx(table)} where client_id = ${clientId}`
  }
  // Rows that the triggers have counted down to zero.
  for (const table of emptiedTables) {
    await tx`delete from ${tx(table)} where client_id = ${clientId}`
  }
  await setCounters(tx, clientId, { receipts: 0, returns: 0 })
}
