import type { Queryable, Transaction } from '../db/connection.ts'

/**
 * Copies of the scenario: a few statements that take over a client's rows for another client.
 *
 * - Every id becomes another, made from the copy's client id and the original id: one rule for rows
 *   and for the references to them, so no list of pairs is needed, and ids of two copies never meet.
 * - Every moment moves by the same span, so that what the scenario did up to its end, the copy did up
 *   to now.
 *
 * What a column is, its type says; so a new column is copied rightly without a word here. Tallies and
 * versions follow by the triggers that keep them for every other client too.
 */

/**
 * Tables of a client in the order of their references. The history of orders stays behind: nothing
 * that a seller sees is read from it, and it has more rows than all else together. A copy's own
 * transitions are recorded like everybody's.
 */
export const copiedTables = [
  'cabinets',
  'products',
  'stock_balances',
  'stock_movements',
  'marketplace_stock',
  'pallets',
  'boxes',
  'box_contents',
  'receipts',
  'receipt_items',
  'receipt_scans',
  'shipments',
  'orders',
  'order_lines',
  'picking_tasks',
  'picks',
  'pick_misses',
] as const

/** What a client has beside the copied tables and its keys. */
const ownTables = [
  'marking_codes',
  'storage_numbers',
  'storage_scans',
  'cabinet_tasks',
  'cabinet_syncs',
  'card_barcodes',
  'marketplace_cards',
  'shipment_shortages',
  'stock_entries',
  'receipt_journal',
  'order_status_history',
  'delivery_attempts',
  'deliveries',
  'webhooks',
  'events',
] as const

export interface CopyStatement {
  /** Takes the original's client id ($1), the copy's ($2) and the span to move by ($3). */
  readonly text: string
}

interface Column {
  table_name: string
  column_name: string
  data_type: string
}

/** Reads the columns of the copied tables and makes their statements; done once a process. */
export async function copyStatements(db: Queryable): Promise<CopyStatement[]> {
  const columns = await db<Column[]>`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = current_schema() and table_name = any(${[...copiedTables]})
      and is_generated = 'NEVER'
    order by table_name, ordinal_position`
  const byTable = Map.groupBy(columns, (column) => column.table_name)
  return copiedTables.map((table) => ({ text: statementOf(table, byTable.get(table) ?? []) }))
}

function statementOf(table: string, columns: readonly Column[]): string {
  const names = columns.map((column) => `"${column.column_name}"`).join(', ')
  const values = columns.map(copiedValue).join(', ')
  return `insert into "${table}" (${names}) select ${values} from "${table}" where client_id = $1::uuid`
}

function copiedValue({ column_name: name, data_type: type }: Column): string {
  if (name === 'client_id') return '$2::uuid'
  switch (type) {
    case 'uuid':
      return `md5($2::text || "${name}")::uuid`
    case 'timestamp with time zone':
      return `"${name}" + $3::interval`
    case 'date':
      return `("${name}" + $3::interval)::date`
    default:
      return `"${name}"`
  }
}

export async function copyClient(
  tx: Transaction,
  statements: readonly CopyStatement[],
  original: string,
  copy: string,
  moveMs: number,
): Promise<void> {
  const move = `${moveMs} milliseconds`
  for (const { text } of statements) {
    // Every statement takes all three parameters; those that move nothing get it for nothing.
    await tx.unsafe(`with p as (select $1::uuid, $2::uuid, $3::interval) ${text}`, [
      original,
      copy,
      move,
    ])
  }
  await tx`
    update client_counters c set receipts = o.receipts
    from client_counters o where o.client_id = ${original} and c.client_id = ${copy}`
}

/** Deletes all that a test client has but its keys. The ledger lets go of rows of test clients only. */
export async function clearClient(tx: Transaction, clientId: string): Promise<void> {
  for (const table of [...ownTables, ...[...copiedTables].reverse()]) {
    await tx`delete from ${tx(table)} where client_id = ${clientId}`
  }
  // What the triggers have brought down to zero.
  for (const table of ['order_tallies', 'milestone_tallies', 'movement_tallies']) {
    await tx`delete from ${tx(table)} where client_id = ${clientId}`
  }
  await tx`
    update client_counters set receipts = 0, journal_entries = 0, journal_hash = ''
    where client_id = ${clientId}`
}
