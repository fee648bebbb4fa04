import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { Database } from '../../src/platform/db/connection.ts'
import { readMigrations } from '../../src/platform/db/migrate.ts'
import { buildScene, type Scene } from '../support/audited-scene.ts'
import { testDatabase } from '../support/database.ts'
import { codeOf, readSources } from '../support/source-tree.ts'

const { db } = await testDatabase()
let scene: Scene

before(async () => {
  scene = await buildScene(db)
})

test('no migration that databases have changes, and each one is listed with its checksum', () => {
  const list = readFileSync(new URL('../../migrations/checksums.txt', import.meta.url), 'utf8')
  const lines = readMigrations().map(({ checksum, name }) => `${checksum}  ${name}`)
  assert.deepEqual(lines, list.trimEnd().split('\n'))
})

/** The names in a column of the tables of a text; the first column is 1. */
function namesIn(text: string, column: number): string[] {
  const cells = text.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split('|')] : []))
  return cells.flatMap((row) => [...(row[column] ?? '').matchAll(/`([a-z_]+)`/g)].map(firstGroup))
}

/** Tables without a foreign key to their client. */
const tablesOfDecision = () =>
  namesIn(readDocument('decisions/0005-no-foreign-keys-on-growing-tables.md'), 1)

function readDocument(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
}

const firstGroup = ([, group = '']: RegExpExecArray) => group

test('decision 0005 lists exactly the tables without a foreign key to their client', async () => {
  const tables = await db<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace and not exists (
        select from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey))`
  assert.deepEqual(tables.map(({ name }) => name).sort(), tablesOfDecision().sort())
})

test('the runbook says of exactly the tables that exist how long their rows are kept', async () => {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`
  const [, section = ''] = readDocument('operations.md').split('### What is kept for how long')
  const described = namesIn(section.split('\n## ')[0] ?? '', 2)
  assert.deepEqual(described.toSorted(), tables.map(({ name }) => name).sort())
})

/** Of a few rows a client or a key, or dropped whole: the usual vacuum is early enough. */
const smallTables = ['rate_buckets', 'storage_numbers', 'stock_versions', 'call_journal']

test('vacuum looks after every table that grows for years before a fifth of it has changed', async () => {
  const rowsOfOrders = ['orders', 'order_lines', 'order_facts', 'pack_checks', 'print_jobs']
  const rowsOfScans = ['receipt_scans', 'return_scans', 'return_lines', 'count_scans']
  const growing = [...tablesOfDecision(), ...rowsOfOrders, ...rowsOfScans, 'events']
  const rows = await db<{ name: string; early: boolean }[]>`
    select coalesce(p.relname, c.relname) as name, coalesce(bool_and(
      c.reloptions @> array['autovacuum_vacuum_scale_factor=0.02',
        'autovacuum_vacuum_insert_scale_factor=0.02', 'autovacuum_analyze_scale_factor=0.02']
    ), false) as early
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace group by 1`
  const early = new Set(rows.flatMap(({ name, early }) => (early ? [name] : [])))
  assert.deepEqual(growing.filter((name) => !early.has(name)).sort(), smallTables.toSorted())
})

/** Statements that the database refuses for a live client, by table. */
const refused: Readonly<Record<string, readonly string[]>> = {
  stock_movements: ['delta = delta + 1', 'at = now()'],
  order_status_history: [`status = 'NEW'`, 'at = now()'],
  receipt_journal: [`body = ''`],
  picks: [`barcode = 'X'`, 'at = now()', 'order_id = client_id', `marking_code = 'X'`],
}

for (const [table, changes] of Object.entries(refused)) {
  test(`${table} of live clients are neither changed nor deleted`, async () => {
    const before = await rowsOf(db, table)
    assert.ok(before.length > 0, 'the scene has rows')
    for (const change of changes) {
      await assert.rejects(db.unsafe(`update ${table} set ${change}`), /append-only/, change)
    }
    const ofClient = `delete from ${table} where client_id = '${scene.client}'`
    await assert.rejects(db.unsafe(ofClient), /append-only/)
    await assert.rejects(db.unsafe(`truncate ${table}`), /append-only/)
    assert.deepEqual(await rowsOf(db, table), before)
  })
}

test('an undone pick may be deleted, and only its undoing may change', async () => {
  await db`update picks set undone_at = now()`
  const deleted = db`delete from picks where undone_at is not null`
  assert.ok((await deleted.affected()) > 0)
})

test('the calls, the history of orders, events and the log of deliveries are partitioned', async () => {
  const rows = await db<{ name: string; parts: number }[]>`
    select p.partrelid::regclass::text as name,
      (select count(*)::int from pg_inherits i where i.inhparent = p.partrelid) as parts
    from pg_partitioned_table p order by 1`
  assert.deepEqual(
    rows.map(({ name, parts }) => [name, parts]),
    [
      ['call_journal', 1],
      ['ended_deliveries', 1],
      ['events', 1],
      ['order_status_history', 8],
    ],
  )
})

test('no statement of the service reads or writes a partition, whose triggers would not fire', () => {
  const partition =
    /\b(?:into|update|from|join|truncate)\s+(?:only\s+)?(?:order_status_history|call_journal|events|ended_deliveries)_\w/
  const named = readSources().filter((source) => partition.test(codeOf(source)))
  assert.deepEqual(
    named.map(({ path }) => path),
    [],
  )
})

async function rowsOf(db: Database, table: string) {
  const rows = await db<{ row: string }[]>`select t::text as row from ${db(table)} t order by 1`
  return rows.map(({ row }) => row)
}

test('barcodes are compared byte by byte in every table, or no index serves a comparison of two', async () => {
  const columns = await db`
    select a.attrelid::regclass::text as table, a.attname as column
    from pg_attribute a join pg_class k on k.oid = a.attrelid and k.relkind in ('r', 'p')
    where k.relnamespace = current_schema()::regnamespace and a.attname in ('barcode', 'spelling')
      and a.attcollation <> '"C"'::regcollation`
  assert.deepEqual([...columns], [])
})
