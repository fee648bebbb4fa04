import type { Queryable } from '../../../platform/db/connection.ts'
import { type Check, findBy, type Sql } from '../check.ts'

/** Checks of the whole database: triggers, constraints, and rows of unknown clients. */

const changingTables = [
  'products',
  'stock_balances',
  'marketplace_stock',
  'boxes',
  'box_contents',
  'set_parts',
] as const

const talliedTables = ['receipts', 'receipt_items', 'shipments', 'pick_misses'] as const

/** The triggers that keep guarantees of the service. */
export const guards: readonly (readonly [table: string, trigger: string])[] = [
  ['photos', 'leave_bytes'],
  ['clients', 'mode_is_fixed'],
  ['stock_movements', 'append_only'],
  ['stock_movements', 'keep_live'],
  ['receipt_journal', 'append_only'],
  ['receipt_journal', 'keep_live'],
  ['refused_receipts', 'append_only'],
  ['refused_receipts', 'keep_recent'],
  ['order_status_history', 'append_only'],
  ['order_status_history', 'keep_live'],
  ['picks', 'append_only'],
  ['picks', 'keep_facts'],
  ['picks', 'keep_live'],
  ['staff_journal', 'append_only'],
  ['call_journal', 'append_only'],
  ['set_parts', 'no_nesting'],
  ['stock_movements', 'tally_insert'],
  ['stock_movements', 'tally_delete'],
  ['stock_movements', 'sales_insert'],
  ['order_lines', 'sales_insert'],
  ['order_lines', 'sales_update'],
  ['order_lines', 'sales_delete'],
  ['orders', 'sales_update'],
  ['orders', 'observed_apart_inserted'],
  ['orders', 'observed_apart_updated'],
  ['lot_goods', 'settle_inserted'],
  ['lot_goods', 'settle_changed'],
  ['stock_movements', 'lots_insert'],
  ['picks', 'lots_update'],
  ...['box_contents', 'location_contents'].flatMap((table) =>
    ['lots_insert', 'lots_update', 'lots_delete'].map((name) => [table, name] as const),
  ),
  ['orders', 'tally_insert'],
  ['orders', 'tally_update'],
  ['orders', 'tally_delete'],
  ['cabinets', 'version_observed'],
  ['marketplace_stock', 'figures_insert'],
  ['marketplace_stock', 'figures_update'],
  ['marketplace_stock', 'figures_delete'],
  ['stock_balances', 'shown_insert'],
  ['box_contents', 'figures_insert'],
  ['box_contents', 'figures_delete'],
  ['boxes', 'figures_update'],
  ['box_contents', 'z_fill_insert'],
  ['box_contents', 'z_fill_delete'],
  ['boxes', 'z_fill_update'],
  ['ended_deliveries', 'tally_insert'],
  ['ended_deliveries', 'tally_update'],
  ['ended_deliveries', 'tally_delete'],
  ['marketplace_cards', 'index_inserted'],
  ['marketplace_cards', 'index_updated'],
  ['warehouse_tariffs', 'append_only'],
  ['client_tariffs', 'append_only'],
  ['client_tariffs', 'keep_live'],
  ['billing_periods', 'closed_is_fixed'],
  ['billing_periods', 'keep_live'],
  ['charges', 'append_only'],
  ['charges', 'closed_insert'],
  ['charges', 'closed_update'],
  ['charges', 'closed_delete'],
  ['acts', 'append_only'],
  ['client_warehouses', 'compute_inserted'],
  ['client_warehouses', 'compute_updated'],
  ['acts', 'keep_live'],
  ...talliedTables.flatMap((table) =>
    ['tally_insert', 'tally_update', 'tally_delete'].map((name) => [table, name] as const),
  ),
  ...changingTables.flatMap((table) =>
    ['version_insert', 'version_update', 'version_delete'].map((name) => [table, name] as const),
  ),
]

/** Tables without a foreign key on client_id. */
export const unboundTables: readonly string[] = [
  'stock_movements',
  'movement_tallies',
  'warehouse_tallies',
  'sales_tallies',
  'sales_days',
  'sales_years',
  'stock_versions',
  'order_tallies',
  'milestone_tallies',
  'sorted_delivered_tallies',
  'order_status_history',
  'picks',
  'marking_codes',
  'unit_marks',
  'storage_numbers',
  'storage_scans',
  'location_scans',
  'stock_entries',
  'events',
  'pending_deliveries',
  'ended_deliveries',
  'delivery_tallies',
  'charges',
]

export const wholeChecks: readonly Check[] = [
  whole('triggers, foreign keys and constraints of the database are on', guardsThatAreOff),
  whole('rows belong to known clients', rowsOfNobody),
]

function whole(name: string, differences: (db: Queryable) => Sql): Check {
  return { name, find: ({ tx, limit }) => findBy(name, tx, differences(tx), limit) }
}

function guardsThatAreOff(db: Queryable): Sql {
  const tables = guards.map(([table]) => table)
  const names = guards.map(([, name]) => name)
  return db`
    select null::uuid as client_id, format('%s.%s', g.table_name, g.name) as object,
      case when t.oid is null then 'the trigger is missing' else 'the trigger is off' end as what
    from unnest(${tables}::text[], ${names}::text[]) as g (table_name, name)
    left join pg_trigger t on t.tgrelid = to_regclass(g.table_name) and t.tgname = g.name
    where t.oid is null or t.tgenabled not in ('O', 'A')
    union all
    select distinct null::uuid, format('%s.%s', c.conrelid::regclass, c.conname), 'the foreign key is off'
    from pg_constraint c join pg_trigger t on t.tgconstraint = c.oid
    where c.connamespace = current_schema()::regnamespace and c.contype = 'f' and t.tgenabled not in ('O', 'A')
    union all
    select null::uuid, format('%s.%s', c.conrelid::regclass, c.conname), 'the constraint was never validated'
    from pg_constraint c
    where c.connamespace = current_schema()::regnamespace and not c.convalidated
    union all
    select null::uuid, 'stock_balances.stock_balances_cover', 'the constraint is missing'
    where not exists (
      select from pg_constraint c
      where c.conrelid = to_regclass('stock_balances') and c.conname = 'stock_balances_cover')`
}

/** Reads one index entry per client, so the number of rows does not matter. */
function rowsOfNobody(db: Queryable): Sql {
  const parts = unboundTables.map(
    (table): Sql => db`
      select id as client_id, ${table}::text as object, 'rows of an unknown client' as what
      from (
        with recursive ids (id) as (
          (select client_id from ${db(table)} order by client_id limit 1)
          union all
          select (
            select t.client_id from ${db(table)} t
            where t.client_id > ids.id order by t.client_id limit 1)
          from ids where ids.id is not null
        )
        select id from ids
      ) i
      where id is not null and not exists (select from clients c where c.id = i.id)`,
  )
  const none: Sql = db`select null::uuid as client_id, '' as object, '' as what where false`
  return parts.reduce((all, part) => db`${all} union all ${part}`, none)
}
