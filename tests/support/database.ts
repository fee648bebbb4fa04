import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { sqlStateOf } from '../../src/platform/db/connections/errors.ts'

interface TestDatabase {
  readonly db: Database
  readonly target: DatabaseTarget
  /** Drops the database. The tests of the file or suite call it in the end; a test may call it earlier. */
  drop(): Promise<void>
}

interface TestDatabaseOptions {
  /** Without any table of ours, to migrate from scratch. */
  readonly empty?: boolean
  /** The database to clone, instead of the migrated one. */
  readonly template?: string
  /** For tests of plans: PostgreSQL plans a statement for its values as long as it does so in service. */
  readonly plansForValues?: boolean
  /** Connections of the pool, 5 by default. */
  readonly max?: number
}

const sourceInUse = '55006'
const cloneAttemptsMax = 20

/**
 * Makes a database of its own, with the current schema, on the server that `npm test` started. To be called at the top
 * of a test file, in a `before` or in a suite.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = serverTarget()
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const template = options.empty ? 'template0' : (options.template ?? migratedTemplate())
  await administer(server, async (admin) => {
    await cloneDatabase(admin, name, template)
    if (options.plansForValues)
      await admin`alter database ${admin(name)} set plan_cache_mode to 'auto'`
  })
  const target = databaseOn(server, name)
  const db = openDatabase(target, { max: options.max ?? 5, applicationName: 'sklad test' })
  let dropped: Promise<void> | undefined
  const drop = () => {
    dropped ??= dropDatabase(server, name, db)
    return dropped
  }
  after(drop)
  return { db, target, drop }
}

/** Databases beside a migrated template: one with the scenario, and one in which it is being restored. */
export function scenarioNames(template: string): [finished: string, draft: string] {
  return [`${template}_scenario`, `${template}_draft`]
}

/** The same server, another database. */
export function databaseOn(target: DatabaseTarget, database: string): DatabaseTarget {
  if (!('url' in target)) return { ...target, database }
  const address = new URL(target.url)
  address.pathname = `/${database}`
  return { url: address.href }
}

/** The database as the settings of a service have it in DATABASE_URL. */
export function addressOf(target: DatabaseTarget): string {
  if ('url' in target) return target.url
  const { socketDirectory, port, user, database } = target
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(socketDirectory)}`
}

export function serverTarget(): DatabaseTarget {
  return JSON.parse(environment('SKLAD_TEST_SERVER')) as DatabaseTarget
}

export function migratedTemplate(): string {
  return environment('SKLAD_TEST_TEMPLATE')
}

function environment(name: string): string {
  const value = process.env[name]
  if (value === undefined) {
    throw new Error('there is no test server; run the tests by "npm test -- <file>"')
  }
  return value
}

/** PostgreSQL refuses to clone a template while any session is connected to it, its own housekeeping included. */
export async function cloneDatabase(
  admin: Database,
  name: string,
  template: string,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin`create database ${admin(name)} template ${admin(template)} encoding 'UTF8'
        strategy file_copy`
      return
    } catch (error) {
      if (sqlStateOf(error) !== sourceInUse || attempt === cloneAttemptsMax) throw error
    }
  }
}

async function dropDatabase(server: DatabaseTarget, name: string, db: Database): Promise<void> {
  await db.end({ timeout: 1 })
  await administer(server, (admin) => admin`drop database if exists ${admin(name)} with (force)`)
}

/** Statements to a database in one session. */
export async function administer<T>(
  server: DatabaseTarget,
  work: (admin: Database) => Promise<T>,
): Promise<T> {
  const admin = openDatabase(server, { max: 1, applicationName: 'sklad test' })
  try {
    return await work(admin)
  } finally {
    await admin.end({ timeout: 1 })
  }
}
