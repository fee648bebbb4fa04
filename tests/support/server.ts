import { randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// Frees this process, and the test processes that it starts, of what the database's driver would read.
import '../../src/config.ts'
import { checkServer } from '../../src/platform/db/check-server.ts'
import { type Database, openDatabase } from '../../src/platform/db/connection.ts'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { commandLine } from '../../src/platform/postgres/processes.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { databaseOn, scenarioNames } from './database.ts'

/** A file system in memory, which Linux has. */
const memory = '/dev/shm'
const memoryBytesMin = 4 * 1024 ** 3

interface TestServer {
  /** What the test processes need to know. */
  readonly environment: Record<string, string>
  stop(): Promise<void>
}

interface Server {
  /** A database to connect to for creating others; other processes can use this target too. */
  readonly target: DatabaseTarget
  stop(): Promise<void>
}

/**
 * Starts the server, unless one is given, and makes the migrated database that tests are cloned from. Whatever tests
 * leave in their temporary directory is removed in the end, also when they were broken off.
 */
export async function startTestServer(url: string | undefined): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'sklad-test-'))
  const scratch = join(directory, 'scratch')
  mkdirSync(scratch)
  const data = mkdtempSync(join(hasRoomInMemory() ? memory : directory, 'sklad-test-'))
  const remove = () => {
    killServersIn(scratch)
    for (const made of [directory, data]) {
      rmSync(made, { recursive: true, force: true, maxRetries: 10 })
    }
  }
  try {
    const server = url === undefined ? await startTemporary(join(data, 'data')) : given(url)
    const template = await makeTemplate(server)
    return {
      environment: {
        SKLAD_TEST_SERVER: JSON.stringify(server.target),
        SKLAD_TEST_TEMPLATE: template,
        TMPDIR: scratch,
      },
      stop: () => dropTemplate(server, template).finally(remove),
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Each file of tests makes databases of a thousand small files, which cost a disk several times as much. */
function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= memoryBytesMin
}

/** Stops embedded servers that aborted tests left running. */
function killServersIn(directory: string): void {
  for (const path of globSync(join(directory, '**/postgres/postmaster.pid'))) {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10)
    if (commandLine(pid).includes('cluster_name=sklad-')) process.kill(pid, 'SIGKILL')
  }
}

function given(url: string): Server {
  return { target: { url }, stop: async () => {} }
}

/** Tests need no data after a crash of the machine, so no commit waits for the disk. */
async function startTemporary(dataDir: string): Promise<Server> {
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Connections of a file stay open until its process ends.
    max_connections: '600',
    autovacuum: 'off',
    max_wal_size: '256MB',
    // A statement is planned once in a session: planning it for its values takes longer than the few rows of a test.
    plan_cache_mode: 'force_generic_plan',
  }
  const { target, stop } = await startEmbedded({ dataDir, as: 'service', settings })
  // Only this process can use the target. Every process can use the directory itself, because its name is short.
  return {
    target: { ...target, socketDirectory: join(dataDir, 'postgres') } as DatabaseTarget,
    stop,
  }
}

async function makeTemplate(server: Server): Promise<string> {
  const name = `sklad_template_${randomUUID().replaceAll('-', '')}`
  try {
    await withDatabase(server.target, async (db) => {
      await checkServer(db)
      await db`create database ${db(name)} template template0 encoding 'UTF8'`
    })
    await withDatabase(databaseOn(server.target, name), migrate)
    return name
  } catch (error) {
    await dropTemplate(server, name).catch(() => {})
    throw error
  }
}

async function dropTemplate({ target, stop }: Server, name: string): Promise<void> {
  try {
    await withDatabase(target, async (db) => {
      for (const made of [name, ...scenarioNames(name)]) {
        await db`drop database if exists ${db(made)}`
      }
    })
  } finally {
    await stop()
  }
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
