import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkServer } from '../../src/db/check-server.ts'
import { type Database, type DatabaseTarget, openDatabase } from '../../src/db/connection.ts'
import { startEmbedded } from '../../src/db/embedded/supervisor.ts'
import { migrate } from '../../src/db/migrate.ts'
import { databaseOn } from './database.ts'

interface TestServer {
  /** What the test processes need to know. */
  readonly environment: Record<string, string>
  stop(): Promise<void>
}

interface Server {
  /** A database to connect to for making others; good for other processes too. */
  readonly target: DatabaseTarget
  stop(): Promise<void>
}

/** Starts the server, unless one is given, and makes the migrated database that tests are cloned from. */
export async function startTestServer(url: string | undefined): Promise<TestServer> {
  const server =
    url === undefined ? await startTemporary() : { target: { url }, stop: async () => {} }
  const template = `sklad_template_${randomUUID().replaceAll('-', '')}`
  const stop = async () => {
    await withDatabase(server.target, (db) => db`drop database if exists ${db(template)}`)
    await server.stop()
  }
  try {
    await makeTemplate(server.target, template)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    environment: {
      SKLAD_TEST_SERVER: JSON.stringify(server.target),
      SKLAD_TEST_TEMPLATE: template,
    },
    stop,
  }
}

/** What is lost in a crash of the machine doesn't matter here, so nothing waits for the disk. */
async function startTemporary(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sklad-test-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  }
  try {
    const { target, stop } = await startEmbedded({ dataDir, as: 'service', settings })
    return {
      target: { ...target, socketDirectory: join(dataDir, 'postgres') } as DatabaseTarget,
      stop: () => stop().finally(remove),
    }
  } catch (error) {
    remove()
    throw error
  }
}

async function makeTemplate(target: DatabaseTarget, name: string): Promise<void> {
  await withDatabase(target, async (db) => {
    await checkServer(db)
    await db`create database ${db(name)} template template0 encoding 'UTF8'`
  })
  await withDatabase(databaseOn(target, name), migrate)
}

async function withDatabase(
  target: DatabaseTarget,
  use: (db: Database) => Promise<unknown>,
): Promise<void> {
  const db = openDatabase(target, { max: 1 })
  try {
    await use(db)
  } finally {
    await db.end()
  }
}
