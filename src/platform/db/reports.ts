import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from './connection.ts'

/**
 * Where long reads go: exports, sales, figures of long periods, backups and the audit. A standby takes them off the
 * primary. It is asked first whether it has everything that was committed until now, so that whoever has just written
 * reads it. One that is further behind than `lagMsMax`, or away, is passed over.
 */
export interface Reports {
  /** For one report: the standby, or the primary where there is none that will do. */
  database(): Promise<Database>
  end(): Promise<void>
}

export interface ReportsSettings {
  /** Of a standby; undefined where the primary answers everything. */
  readonly databaseReportsUrl: string | undefined
  readonly poolSize: number
  readonly preparedStatements: boolean
}

const lagMsMax = 1_000
const pollMs = 20
/** How long a standby that was away or behind is not asked again. */
const passedOverMs = 5_000

/** @throws StartError when the address can't be read */
export function openReports(primary: Database, settings: ReportsSettings): Reports {
  const { databaseReportsUrl: url, poolSize: max, preparedStatements: prepared } = settings
  if (url === undefined) return { database: async () => primary, end: async () => {} }
  const standby = openDatabase({ url }, { max, prepared, applicationName: 'sklad reports' })
  let passedOverUntil = 0
  return {
    async database() {
      if (performance.now() < passedOverUntil) return primary
      if (await hasCaughtUp(primary, standby).catch(() => false)) return standby
      passedOverUntil = performance.now() + passedOverMs
      return primary
    },
    end: () => standby.end({ timeout: 5 }),
  }
}

/** Whether the standby has replayed in time what is committed now. After a failover the address may lead to the primary. */
async function hasCaughtUp(primary: Database, standby: Database): Promise<boolean> {
  const [{ committed }] = await primary<[{ committed: string }]>`
    select pg_current_wal_flush_lsn()::text as committed`
  const end = performance.now() + lagMsMax
  for (;;) {
    const [{ isThere }] = await standby<[{ isThere: boolean }]>`
      select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= ${committed}::pg_lsn as "isThere"`
    if (isThere || performance.now() > end) return isThere
    await sleep(pollMs)
  }
}
