import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../../src/operations/audit/audit.ts'
import { type Database, inTransaction, openDatabase } from '../../src/platform/db/connection.ts'
import { sharedWorkAt } from '../../src/platform/db/work.ts'
import { minute } from '../../src/platform/kernel/moscow-time.ts'
import { commandLine } from '../../src/platform/postgres/processes.ts'
import { startEmbedded } from '../../src/platform/postgres/supervisor.ts'
import { computeCharges } from '../../src/warehouse/billing/run.ts'
import { freePort } from '../../tests/support/free-port.ts'
import type { Settings } from '../trial/settings.ts'

/** The PostgreSQL of a warehouse: the service's own, or one that somebody else keeps running. */
export interface DatabaseServer {
  /** What the service is started with. */
  readonly settings: Settings
  /** Its first process, once it runs. Throws when nobody starts it again. */
  postmaster(): Promise<number>
  /** Charges the client for all that has happened, also within the last minute and by a clock that ran ahead. */
  charge(client: string): Promise<void>
  /** Returns how many differences the audit finds. */
  audit(): Promise<string[]>
  /** A client that came so many days earlier has months that can be closed. */
  backdate(client: string, days: number): Promise<void>
  /** What the database knows of the exchange with marketplaces, for whoever looks for why it hangs. */
  syncStates(): Promise<string[]>
  /** Kills what a play left behind. */
  kill(): void
}

const startedWithinMs = 120_000

/** The service starts it again by itself. */
export function embeddedIn(dataDir: string): DatabaseServer {
  const running = () => postmasterIn(join(dataDir, 'postgres'), 'cluster_name=sklad-')
  const use: Use = async (read) => {
    const server = await startEmbedded({ dataDir, as: 'command' })
    const db = openDatabase(server.target, { applicationName: 'chaos' })
    try {
      return await read(db)
    } finally {
      await db.end()
      await server.stop()
    }
  }
  return {
    settings: {},
    postmaster: () => appears(running),
    charge: (client) => use((db) => chargeIn(db, client)),
    audit: () => use(differencesIn),
    backdate: (client, days) => use((db) => backdateIn(db, client, days)),
    syncStates: () => use(syncStatesIn),
    kill: () => killOne(running()),
  }
}

const programs = '/usr/lib/postgresql/15/bin'

/** Lets other accounts go through a folder and those above it. */
function openTo(folder: string): void {
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  if (!isOpen) chmodSync(folder, 0o711)
  if (dirname(folder) !== folder) openTo(dirname(folder))
}

/**
 * Debian's PostgreSQL 15, which this module starts again whenever it has ended, as systemd does.
 *
 * @param environment of the server, such as a clock of its own
 */
export async function startGiven(folder: string, environment: Settings): Promise<DatabaseServer> {
  if (!existsSync(join(programs, 'initdb'))) {
    throw new Error('a database of its own is Debian’s: apt-get install postgresql-15')
  }
  const cluster = join(folder, 'cluster')
  const owner = process.getuid?.() === 0 ? accountOf('postgres') : undefined
  mkdirSync(cluster, { mode: 0o700 })
  if (owner !== undefined) {
    // PostgreSQL refuses to run as root, and its account must get here.
    openTo(folder)
    chownSync(cluster, owner.uid, owner.gid)
  }
  const options = { ...owner, cwd: '/', stdio: 'ignore' as const }
  const init = ['-D', cluster, '-U', 'sklad', '--auth=trust', '--encoding=UTF8', '--locale=C']
  execFileSync(join(programs, 'initdb'), init, options)
  const port = await freePort()
  const url = `postgres://sklad@127.0.0.1:${port}/postgres`
  const given = ['-D', cluster, '-p', `${port}`, '-k', '', '-c', 'listen_addresses=127.0.0.1']
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...environment }
  let wanted = true
  const start = () => {
    const child = spawn(join(programs, 'postgres'), given, { ...options, env, detached: true })
    child.once('exit', async () => {
      await sleep(restartPauseMs)
      if (wanted) start()
    })
  }
  start()
  const running = () => postmasterIn(cluster, cluster)
  const use: Use = async (read) => {
    const db = openDatabase({ url }, { applicationName: 'chaos' })
    return read(db).finally(() => db.end())
  }
  return {
    settings: { DATABASE_URL: url },
    postmaster: () => appears(running),
    charge: (client) => use((db) => chargeIn(db, client)),
    audit: () => use(differencesIn),
    backdate: (client, days) => use((db) => backdateIn(db, client, days)),
    syncStates: () => use(syncStatesIn),
    kill() {
      wanted = false
      killOne(running())
    },
  }
}

const restartPauseMs = 100

function accountOf(name: string): { uid: number; gid: number } {
  const id = (kind: string) => Number(execFileSync('id', [kind, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** A killed server leaves its number behind, which soon may be that of another process. */
function postmasterIn(cluster: string, mark: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
    return commandLine(pid).includes(mark) ? pid : undefined
  } catch {
    return undefined
  }
}

async function appears(running: () => number | undefined): Promise<number> {
  const end = performance.now() + startedWithinMs
  while (performance.now() < end) {
    const pid = running()
    if (pid !== undefined) return pid
    await sleep(20)
  }
  throw new Error('nobody started the database again')
}

function killOne(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {}
}

type Use = <T>(read: (db: Database) => Promise<T>) => Promise<T>

async function differencesIn(db: Database): Promise<string[]> {
  const { findings, omitted } = await audit(db)
  if (findings.length === 0) return []
  const [first] = findings
  return [`audit: ${findings.length + omitted} differences, such as ${JSON.stringify(first)}`]
}

async function syncStatesIn(db: Database): Promise<string[]> {
  const rows = await db`
    select 'sync' as what, to_jsonb(s) - 'seller' as row, now() as now from cabinet_syncs s
    union all
    select 'calls of an account', to_jsonb(b) || jsonb_build_object('now', now_micros()), now() from marketplace_buckets b`
  return rows.map((row) => JSON.stringify(row))
}

/** Less than the hour by which the daily run takes a clock for wrong. */
const chargedAheadMs = 55 * minute

async function chargeIn(db: Database, client: string): Promise<void> {
  const now = Date.now() + chargedAheadMs
  await inTransaction(db, (tx) => computeCharges(sharedWorkAt(tx, now), client))
}

async function backdateIn(db: Database, client: string, days: number): Promise<void> {
  await db`update clients set created_at = created_at - make_interval(days => ${days}) where id = ${client}`
}
