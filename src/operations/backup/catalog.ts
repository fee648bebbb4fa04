import type { CopySession } from '../../platform/db/copy-session.ts'
import type { Partition, SequenceValue, TableStart } from './format.ts'

/** What the schema of a database holds, as its own catalog says. */

/**
 * Tables by name, with their stored columns. A partitioned table is listed once, under its own name. Left out are unlogged
 * tables, because a crash empties them too, and the list of migrations, because the header has it.
 */
export function tablesOf(session: CopySession): Promise<TableStart[]> {
  return session.run<TableStart>(`
    select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum)::text[] as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relpersistence = 'p' and c.relname <> 'schema_migrations'
    group by c.oid, c.relname order by c.relname`)
}

/** Partitions of partitioned tables, except default ones. */
export function partitionsOf(session: CopySession): Promise<Partition[]> {
  return session.run<Partition>(`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
      array_to_string(c.reloptions, ', ') as options
    from pg_class c
    join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relispartition
      and c.relkind = 'r' and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
    order by c.relname`)
}

/** Sequences that have given a number, and the last number of each. */
export function sequencesOf(session: CopySession): Promise<SequenceValue[]> {
  return session.run<SequenceValue>(`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by sequencename`)
}

export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Foreign keys that a migration declared, without those that partitions took over from their table. */
export function foreignKeysOf(session: CopySession): Promise<ForeignKey[]> {
  return session.run<ForeignKey>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
    order by 1, 2`)
}

/** Tables and partitions with triggers of ours. */
export async function tablesWithTriggers(session: CopySession): Promise<string[]> {
  const rows = await session.run<{ table: string }>(`
    select distinct tgrelid::regclass::text as table
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace order by 1`)
  return rows.map(({ table }) => table)
}
