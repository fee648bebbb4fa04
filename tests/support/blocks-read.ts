import type { Database, Transaction } from '../../src/platform/db/connection.ts'

/** What some work answers, and how many blocks of a table, its partitions and their indexes it reads: an index steps over entries without counting them. */
export async function blocksReadBy<Result>(
  db: Database,
  table: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<{ readonly result: Result; readonly blocks: number }> {
  const before = await blocksRead(db, table)
  const result = await db.begin(async (tx) => {
    const result = await work(tx)
    await tx`select pg_stat_force_next_flush()`
    return result
  })
  return { result, blocks: (await blocksRead(db, table)) - before }
}

async function blocksRead(db: Database, table: string): Promise<number> {
  const [row] = await db<[{ read: number }]>`
    select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::bigint as read
    from pg_statio_user_tables
    where relid = ${table}::regclass or relid in (select relid from pg_partition_tree(${table}::regclass))`
  return row.read
}
