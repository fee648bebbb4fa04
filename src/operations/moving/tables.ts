/**
 * The tables whose rows a move copies. Their writers are held in this order, from the top. One rule for each table says which
 * rows, in both cells.
 */

/** Whose rows they are. */
export interface MovedRows {
  readonly clients: readonly string[]
  readonly warehouse: string
  /** With the warehouses in which its clients were before. */
  readonly warehouses: readonly string[]
}

type Rows = (moved: MovedRows) => string

export const textList = (texts: readonly string[]) =>
  `array[${texts.map(literal).join(', ')}]::text[]`
const idList = (ids: readonly string[]) => `'{${ids.join(',')}}'::uuid[]`

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const ofClients: Rows = ({ clients }) => `client_id = any(${idList(clients)})`
const ofWarehouse: Rows = ({ warehouse }) => `warehouse_code = ${literal(warehouse)}`
const ofWarehouses: Rows = ({ warehouses }) => `warehouse_code = any(${textList(warehouses)})`

export interface MovedTable {
  readonly rows: Rows
  /** What writers may no longer do. Rows that are deleted by age may still be deleted. */
  readonly held: readonly string[]
  /** Values that replace those of the rows, by column. */
  readonly values?: Readonly<Record<string, string>>
  /** Columns that the other cell fills by itself. */
  readonly without?: readonly string[]
}

const all: readonly string[] = ['insert', 'update', 'delete']
const kept: readonly string[] = ['insert', 'update']
/** Triggers write these tables, and the rows that they follow are held. */
const nothing: readonly string[] = []

const client = (
  held: readonly string[] = all,
  more: Omit<MovedTable, 'rows' | 'held'> = {},
): MovedTable => ({
  rows: ofClients,
  held,
  ...more,
})

const leaseValues = { lease: 'null::uuid', leased_until: 'null::timestamptz(3)' }

export const movedTables: Readonly<Record<string, MovedTable>> = {
  warehouses: {
    rows: ({ warehouses }) => `code = any(${textList(warehouses)})`,
    held: ['update'],
  },
  clients: {
    rows: ({ clients }) => `id = any(${idList(clients)})`,
    held: kept,
    values: { mode: `'live'`, leaving: 'false' },
  },
  client_warehouses: client(),
  client_counters: client(),
  locations: { rows: ofWarehouse, held: all },
  print_stations: { rows: ofWarehouse, held: all },
  print_jobs: { rows: ofWarehouse, held: kept },
  billing_providers: { rows: ofWarehouses, held: all },
  billing_services: { rows: ofWarehouses, held: all },
  warehouse_tariffs: { rows: ofWarehouses, held: all },
  // last_used_at stays free: the call journal writes it for many clients at once.
  api_keys: client(['insert', 'update of name, receipts_enabled, revoked_at', 'delete']),
  key_hashes: client(),
  key_requests: client(),
  seller_members: client(),
  seller_invitations: client(),
  seller_password_links: client(),
  cabinets: client(),
  cabinet_syncs: client(all, {
    values: { lease: 'null::uuid', leased_until: 'null::timestamptz' },
  }),
  webhook_subscriptions: client(all, { values: leaseValues }),
  // Positions stay free: they end with old events of all clients.
  event_feeds: client(['insert', 'update of recording, since, first_number', 'delete']),
  receipts: client(),
  shipments: client(),
  picking_tasks: client(),
  orders: client(),
  remote_commands: client(),
  pallets: client(),
  boxes: client(),
  products: client(),
  barcode_aliases: client(),
  lot_goods: client(),
  set_parts: client(),
  set_assemblies: client(),
  stock_balances: client(),
  stock_lots: client(),
  marking_codes: client(),
  storage_numbers: client(),
  unit_marks: client(),
  receipt_items: client(),
  receipt_scans: client(),
  receipt_journal: client(),
  receipt_journal_heads: client(),
  refused_receipts: client(nothing),
  order_sets: client(),
  order_lines: client(),
  order_facts: client(),
  order_status_history: client(),
  reshipments: client(),
  shipment_shortages: client(),
  shipping_points: client(),
  shipping_defaults: client(),
  shipping_methods: client(),
  picks: client(),
  scan_lots: client(),
  pick_misses: client(),
  pack_checks: client(),
  mark_proofs: client(),
  expected_returns: client(),
  return_batches: client(),
  return_lines: client(),
  return_scans: client(),
  stock_counts: client(),
  count_scans: client(),
  count_goods: client(),
  count_lines: client(),
  count_workers: client(),
  scan_exceptions: client(),
  box_contents: client(),
  location_contents: client(),
  storage_scans: client(),
  location_scans: client(),
  stock_movements: client(),
  stock_entries: client(),
  marketplace_cards: client(),
  card_barcodes: client(),
  marketplace_stock: client(),
  left_out_orders: client(),
  recorded_calls: client(kept),
  pictures: client(kept),
  product_pictures: client(),
  photos: client(kept),
  client_tariffs: client(),
  storage_terms: client(),
  storage_days: client(),
  product_measures: client(),
  goods_labels: client(),
  manual_charges: client(),
  billing_periods: client(),
  charges: client(),
  acts: client(),
  news: client(kept),
  news_watches: client(),
  // Letters do not come along: this cell sends them.
  notices: client(kept, {
    values: { email_letter: 'null::uuid', telegram_letter: 'null::uuid' },
  }),
  events: client(kept),
  pending_deliveries: client(kept),
  ended_deliveries: client(kept),
  delivery_tallies: client(nothing),
  stock_figures: client(nothing),
  fill_counts: client(nothing),
  stock_versions: client(nothing),
  movement_tallies: client(nothing),
  order_tallies: client(nothing),
  milestone_tallies: client(nothing),
  sorted_delivered_tallies: client(nothing),
  warehouse_tallies: client(nothing),
  sales_tallies: client(nothing),
  sales_days: client(nothing),
  sales_years: client(nothing),
  // All clients of a cell share its numbers: in the other cell entries get others, in the same order.
  staff_journal: client(['insert'], { without: ['id'] }),
}
