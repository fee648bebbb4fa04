import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database } from '../../platform/db/connection.ts'
import { type CopySession, openCopySession } from '../../platform/db/copy-session.ts'
import { lockKey, migrate, readApplied } from '../../platform/db/migrate.ts'
import { StartError } from '../../platform/kernel/errors.ts'
import { allOff } from '../../platform/process/switches.ts'
import {
  type ForeignKey,
  foreignKeysOf,
  partitionsOf,
  tablesOf,
  tablesWithTriggers,
} from './catalog.ts'
import type { CheckedBackup } from './check.ts'
import {
  type BackupRecord,
  type Header,
  readRecords,
  type SequenceValue,
  type TableStart,
} from './format.ts'
import type { Progress } from './make.ts'

/**
 * Fills an empty database from a backup, in one transaction: all of it or nothing. Triggers don't run, because the
 * backup has what they have written, and foreign keys are checked at the end. Then the schema is brought to this
 * version. Webhooks and the exchange with marketplaces are off afterwards: whoever restores must first make sure that
 * the service that was backed up no longer runs.
 *
 * @throws StartError for a database that is in use; ConnectionError where it is lost
 */
export async function restoreBackup(
  db: Database,
  backup: CheckedBackup,
  progress: Progress,
): Promise<{ readonly madeAt: string; readonly tables: number }> {
  const { header, tables } = backup
  await refuseUsed(db)
  const last = header.migrations.at(-1)?.number ?? 0
  await refuseNewerSchema(db, last)
  await migrate(db, undefined, last)
  const session = await openCopySession(db)
  try {
    await session.run(`begin; select pg_advisory_xact_lock(${lockKey})`)
    await refuseUsed(db)
    await fill(session, backup, progress)
    await session.run('commit')
  } catch (error) {
    throw session.causeOf(error)
  } finally {
    // Ends an unfinished transaction too.
    await session.end()
  }
  await migrate(db)
  await db.unsafe('analyze')
  return { madeAt: header.madeAt, tables: tables.length }
}

/** A database that a service has worked with has users. */
async function refuseUsed(db: Database): Promise<void> {
  if ((await readApplied(db)) === undefined) return
  const [row] = await db<{ used: boolean }[]>`
    select exists (select from staff_users) or exists (select from clients) as used`
  if (row?.used) {
    throw new StartError(
      'the database is not empty: restore into a new one (DATABASE_URL, DATA_DIR)',
    )
  }
}

async function refuseNewerSchema(db: Database, last: number): Promise<void> {
  const applied = (await readApplied(db))?.at(-1)?.number ?? 0
  if (applied <= last) return
  throw new StartError(
    'the backup is of an older version than the tables of this database: restore into a database without tables',
  )
}

async function fill(
  session: CopySession,
  { path, header, tables }: CheckedBackup,
  progress: Progress,
): Promise<void> {
  await refuseOtherTables(session, tables)
  const foreignKeys = await foreignKeysOf(session)
  await addPartitions(session, header)
  const triggered = await tablesWithTriggers(session)
  const set = (state: 'disable' | 'enable') =>
    triggered.map((table) => `alter table ${table} ${state} trigger user`)
  await runAll(session, [
    ...foreignKeys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...set('disable'),
    // Migrations have put rows into some tables.
    `truncate ${tables.map(({ name }) => name).join(', ')}`,
  ])
  const sequences = await copyTables(session, readRecords(path), progress)
  await runAll(session, [
    ...sequences.map(setSequence),
    ...set('enable'),
    ...foreignKeys.map(addForeignKey),
    allOff,
  ])
}

async function runAll(session: CopySession, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await session.run(statement)
}

/** Both schemas come from the same migrations, unless somebody has changed one by hand. */
async function refuseOtherTables(
  session: CopySession,
  tables: readonly TableStart[],
): Promise<void> {
  const own = new Map((await tablesOf(session)).map(({ name, columns }) => [name, columns]))
  for (const { name, columns } of tables) {
    if (own.get(name)?.join() !== columns.join()) {
      throw new StartError(`table ${name} of the backup has other columns than this version`)
    }
  }
}

async function addPartitions(session: CopySession, { partitions }: Header): Promise<void> {
  const own = new Set((await partitionsOf(session)).map(({ name }) => name))
  const missing = partitions.filter(({ name }) => !own.has(name))
  await runAll(
    session,
    missing.map(
      ({ name, parent, bound, options }) =>
        `create table ${name} partition of ${parent} ${bound} ${options ? `with (${options})` : ''}`,
    ),
  )
}

/** Answers with the sequences, which come last. */
async function copyTables(
  session: CopySession,
  records: AsyncGenerator<BackupRecord>,
  progress: Progress,
): Promise<readonly SequenceValue[]> {
  let next = await records.next()
  while (!next.done) {
    const { kind, content } = next.value
    if (kind === 's') return JSON.parse(content.toString()) as SequenceValue[]
    if (kind !== 't') {
      next = await records.next()
      continue
    }
    const { name, columns } = JSON.parse(content.toString()) as TableStart
    progress({ table: name, rows: 0 })
    const rows = async function* () {
      for (;;) {
        next = await records.next()
        if (next.done || next.value.kind !== 'd') return
        yield next.value.content
      }
    }
    await pipeline(
      Readable.from(rows()),
      session.copyIn(`copy ${name} (${columns.join(', ')}) from stdin`),
    )
  }
  return []
}

function setSequence({ name, value }: SequenceValue): string {
  return `select setval('${name}', ${value})`
}

function addForeignKey({ table, name, definition }: ForeignKey): string {
  return `alter table ${table} add constraint ${name} ${definition}`
}
