/**
 * Brings a database to the schema of this version of the code, by the files `migrations/NNNN_name.sql`.
 *
 * - Forward only, in the order of the numbers, each file in a transaction of its own together with the row that
 *   records it: a file is applied wholly and recorded, or neither. A file that loses a deadlock is applied again.
 * - Any number of nodes may start at once: they take turns under an advisory lock, and each file runs once.
 * - A database that other code has changed is refused, not repaired: the content of a recorded file is another now, or
 *   a file would have to go before a recorded one. So is one of before the first release, and a newer one, which
 *   records a file that the code lacks.
 * - With nothing to do it costs one statement.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { StartError } from '../kernel/errors.ts'
import { type Database, inTransaction, type Queryable, type Transaction } from './connection.ts'
import { sqlStateOf } from './connections/errors.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly sql: string
}

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'checksum'>

const ownDirectory = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/
/** Of the advisory lock under which the schema changes. */
export const lockKey = 5_231_001
const undefinedTable = '42P01'
const insufficientPrivilege = '42501'
/** Also where a role may use none of the schemas on its search_path. */
const noSchema = '3F000'

/**
 * Applies what is missing, up to the number `through`, and answers with the names of the files it applied.
 *
 * @throws StartError when the database and the files don't belong together, or a file fails (then those before it stay)
 */
export async function migrate(
  db: Database,
  directory: string = ownDirectory,
  through = Number.POSITIVE_INFINITY,
): Promise<{ applied: string[] }> {
  const migrations = readMigrations(directory).filter(({ number }) => number <= through)
  const recorded = await permitted(db, () => readApplied(db))
  if (recorded && missingMigrations(migrations, recorded).length === 0) return { applied: [] }

  const applied: string[] = []
  for (;;) {
    const name = await permitted(db, () => inTransaction(db, (tx) => applyNext(tx, migrations)))
    if (name === undefined) return { applied }
    applied.push(name)
  }
}

/** Throws a StartError with the SQL that helps where the role lacks a right. */
async function permitted<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = sqlStateOf(error)
    if (code !== insufficientPrivilege && code !== noSchema) throw error
    throw new StartError(`DATABASE_URL: ${await missingRight(db)}`, { cause: error })
  }
}

/** The SQL that helps. It never gives the owner's rights to the role of a service that should change rows alone. */
async function missingRight(db: Database): Promise<string> {
  // By oid: a name is looked up with rights that may be missing.
  const [row] = await db<
    [
      {
        role: string
        database: string
        schema: string
        owner: string | null
        uses: boolean
        reads: boolean
      },
    ]
  >`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database,
      quote_ident(coalesce(current_schema(), 'public')) as schema,
      quote_ident(pg_get_userbyid(c.relowner)) as owner,
      coalesce(has_schema_privilege(c.relnamespace, 'usage'), false) as uses,
      coalesce(has_table_privilege(c.oid, 'select'), false) as reads
    from (values (true)) one
    left join pg_class c on c.relname = 'schema_migrations' and c.relkind = 'r'
      and pg_get_userbyid(c.relowner) <> current_user
    limit 1`
  const { role, database, schema, owner, uses, reads } = row
  if (owner !== null) {
    const tables = `the tables of the database ${database} belong to the role ${owner}`
    const rights = `deploy/database/rights.sql as ${owner}, or connect as ${owner}`
    if (!uses) {
      return `${tables}, and ${role} may not use their schema: run deploy/database/roles.sql as a superuser and ${rights}`
    }
    return reads
      ? `${tables}, and this version changes them: run "sklad migrate" as ${owner}, then deploy/database/rights.sql`
      : `${tables}, and ${role} has no rights in them: run ${rights}`
  }
  return (
    `the role ${role} may not create tables in the schema ${schema} of the database ${database}: ` +
    'run "sklad migrate" as the role that shall own them. If it is this one, run in the database as a superuser: ' +
    `grant usage, create on schema ${schema} to ${role}`
  )
}

/** Applies the first migration that is missing, and answers with its name; undefined when there is none. */
async function applyNext(tx: Transaction, migrations: Migration[]): Promise<string | undefined> {
  await tx`select pg_advisory_xact_lock(${lockKey})`
  await tx`
    create table if not exists schema_migrations (
      number int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    )`
  const [next] = missingMigrations(migrations, (await readApplied(tx)) ?? [])
  if (next !== undefined) await apply(tx, next)
  return next?.name
}

async function apply(tx: Transaction, migration: Migration): Promise<void> {
  const { number, name, checksum, sql } = migration
  try {
    await tx.unsafe(sql)
    await tx`
      insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`migration ${name} failed: ${reason.replaceAll('\n', ' ')}`, {
      cause: error,
    })
  }
}

/** What is recorded, in order; undefined for a database that has never been migrated. */
export async function readApplied(db: Queryable): Promise<AppliedMigration[] | undefined> {
  try {
    return await db<AppliedMigration[]>`
      select number, name, checksum from schema_migrations order by number`
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return undefined
    throw error
  }
}

/** @param whose 'the database', or what else has recorded them */
export function missingMigrations(
  migrations: Migration[],
  recorded: readonly AppliedMigration[],
  whose = 'the database',
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  const foreign = recorded.find(({ number, name }) => (known.get(number)?.name ?? name) !== name)
  if (foreign !== undefined) {
    throw new StartError(
      `${whose} is older than the first release of the service and can't be used: it has migration ` +
        `${foreign.name}; start with an empty database`,
    )
  }
  for (const { number, name, checksum } of recorded) {
    const own = known.get(number)
    if (own === undefined) {
      throw new StartError(
        `${whose} is newer than this version of the service: it has migration ${name}`,
      )
    }
    if (own.checksum !== checksum) {
      throw new StartError(
        `migration ${own.name} is not the one that was applied to the database (as ${name}); restore the file`,
      )
    }
  }
  return migrationsAfter(recorded.at(-1)?.number ?? 0, migrations, recorded.length)
}

function migrationsAfter(last: number, migrations: Migration[], recorded: number): Migration[] {
  const missing = migrations.filter((migration) => migration.number > last)
  const skipped = migrations.length - missing.length - recorded
  if (skipped > 0) {
    throw new StartError(
      `the database is at migration ${last}, but ${skipped} before it was never applied; give it a later number`,
    )
  }
  return missing
}

/** The files by number. Line ends don't count for the checksum: a checkout may convert them. */
export function readMigrations(directory: string = ownDirectory): Migration[] {
  const migrations = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readMigration(directory, name))
  const numbers = new Set(migrations.map((migration) => migration.number))
  if (numbers.size < migrations.length)
    throw new Error(`two migrations in ${directory} share a number`)
  return migrations
}

/** The number of the last migration that this version of the code knows. */
export function ownSchema(): number {
  const numbers = readdirSync(ownDirectory).map((name) => Number(fileName.exec(name)?.[1] ?? 0))
  return Math.max(...numbers)
}

function readMigration(directory: string, name: string): Migration {
  const digits = fileName.exec(name)?.[1]
  if (digits === undefined) throw new Error(`a migration must be called NNNN_name.sql, not ${name}`)

  const sql = readFileSync(`${directory}/${name}`, 'utf8').replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { number: Number(digits), name, checksum, sql }
}
