import { issueApiKey } from '../identity/keys/api-keys.ts'
import type { ClientTurns } from '../identity/keys/client-turns.ts'
import type { TurnOptions } from '../platform/concurrency/turns.ts'
import {
  type Database,
  inTransaction,
  type Queryable,
  type Transaction,
} from '../platform/db/connection.ts'
import { ownSchema } from '../platform/db/migrate.ts'
import { perform, type Work, workAt } from '../platform/db/work.ts'
import type { CellMark } from '../platform/kernel/api-key.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import { fromTimestamp, type Timestamp, toTimestamp } from '../platform/kernel/moscow-time.ts'
import { createClient } from '../warehouse/clients/clients.ts'
import { ensureWarehouse } from '../warehouse/clients/warehouses.ts'
import { type JournalledCall, lastCalls } from '../warehouse/journal/calls.ts'
import { chargeCopy, ensureTerms } from './charging.ts'
import {
  type CopyStatement,
  clearClient,
  clearWatches,
  copyClient,
  copyStatements,
  type PlayedClient,
} from './copies.ts'
import { seller, warehouse } from './scenario/goods.ts'
import { keptScenario, restoreScenario } from './scenario/kept-rows.ts'

/**
 * Sandboxes: every test key has its own client, whose data is a copy of one scenario.
 *
 *   no copy --first request--> copied --reset--> copied again
 *      ^                          |
 *      +--- idle for 24 hours ----+
 *
 * A database holds one scenario for each version of it. The first request of a key makes the copy under the lock of the
 * sandbox's row: of several first requests one makes it, and the others wait for it. A client without a copy has no
 * data: taking the copy away deletes all. Everything that happens to a sandbox first waits for the client's turn,
 * without a connection, and is refused with rate_limited where that takes too long.
 */
export interface Sandbox {
  readonly idleHours: number
  /** Creates a client and returns its only key. */
  issueKey(): Promise<string>
  /** Makes the copy unless the client has one. */
  prepare(clientId: string): Promise<void>
  /** Replaces the client's data by a new copy. Calls that wait for it share one. */
  reset(clientId: string): Promise<void>
  /**
   * Runs verbs in one transaction, alone in the client's sandbox: resets, the robot and other calls of
   * this wait. Makes the copy unless the client has one.
   */
  act<T>(
    clientId: string,
    verbs: (work: Work) => Promise<T>,
    options?: Pick<TurnOptions, 'isLong'>,
  ): Promise<T>
  /** Keeps the copy for another `idleHours`. */
  recordUse(clientId: string): Promise<void>
  /** Restores the scenario unless the database has it. */
  build(): Promise<void>
  /**
   * Deletes copies without a request for `idleHours`, and those that a process of an older version made of a newer schema
   * than it knew, at most `sweepMax`. Returns how many.
   */
  sweep(): Promise<number>
}

export interface SandboxOptions {
  readonly db: Database
  readonly clock: Clock
  readonly turns: ClientTurns
  readonly idleHours: number
  /** Marks the keys. */
  readonly cell?: CellMark
}

const sweepMax = 20

/** A reset locks all that verbs lock one by one, and may lose to them several times in a row. */
const resetAttemptsMax = 25

export function openSandbox({ db, clock, turns, idleHours, cell = '' }: SandboxOptions): Sandbox {
  /** Makes the copy of a client that has no data. The caller holds the sandbox's lock. */
  async function copyInto(
    tx: Transaction,
    { statements, version }: Original,
    clientId: string,
  ): Promise<void> {
    await clearWatches(tx, clientId)
    const scenario = await readScenario(tx, version)
    if (scenario === undefined) {
      original = undefined
      throw new Error('the scenario of the sandbox is not in the database any more')
    }
    const now = clock.now()
    await copyClient(tx, statements, scenario, { clientId, end: now })
    await chargeCopy(workAt(tx, now, { kind: 'robot' }), clientId)
    await tx`
      update sandboxes set copied_at = ${toTimestamp(now)}, last_request_at = ${toTimestamp(now)},
        made_at = ${toTimestamp(now)}, made_schema = ${schema}
      where client_id = ${clientId}`
  }

  const schema = ownSchema()
  const inTurnOf = (clientId: string) => turns.of({ clientId, mode: 'test' })
  let original: Promise<Original> | undefined

  /**
   * Restores the scenario if needed and makes the statements that copy it, once a process and before
   * any lock is taken. After a failure the next caller tries again.
   */
  function build(): Promise<Original> {
    original ??= makeOriginal(db, clock).catch((error: unknown) => {
      original = undefined
      throw error
    })
    return original
  }

  return {
    idleHours,
    build: async () => {
      await build()
    },
    issueKey: () => perform(db, clock, { kind: 'robot' }, (work) => issueSandboxKey(work, cell)),
    async prepare(clientId) {
      const built = await build()
      const copyOnce = async (tx: Transaction) => {
        if (!(await lockSandbox(tx, clientId))) await copyInto(tx, built, clientId)
      }
      await inTurnOf(clientId)((mode) => inTransaction(db, copyOnce, undefined, mode), {
        as: 'prepare',
      })
    },
    async reset(clientId) {
      const built = await build()
      const resetOnce = async (tx: Transaction) => {
        await lockSandbox(tx, clientId)
        await clearClient(tx, clientId)
        await copyInto(tx, built, clientId)
      }
      await inTurnOf(clientId)((mode) => inTransaction(db, resetOnce, resetAttemptsMax, mode), {
        as: 'reset',
      })
    },
    async act(clientId, verbs, options) {
      const built = await build()
      const actOnce = async (tx: Transaction) => {
        if (!(await lockSandbox(tx, clientId))) await copyInto(tx, built, clientId)
        // The moment after the wait for the lock: what others have written is older.
        const work = workAt(tx, clock.now(), { kind: 'robot' })
        await tx`
          update sandboxes set last_request_at = greatest(last_request_at, ${work.at})
          where client_id = ${clientId}`
        return verbs(work)
      }
      return inTurnOf(clientId)((mode) => inTransaction(db, actOnce, undefined, mode), options)
    },
    async recordUse(clientId) {
      await recordRequests(db, [{ client_id: clientId, at: toTimestamp(clock.now()) }])
    },
    sweep: () => sweepIdle(db, toTimestamp(clock.now() - idleHours * 60 * 60 * 1000)),
  }
}

/** Creates a client with a sandbox, and its only key. */
async function issueSandboxKey(work: Work, cell: CellMark): Promise<string> {
  await ensureWarehouse(work, { ...warehouse, mode: 'test' })
  const clientId = await createClient(work, {
    mode: 'test',
    ...seller,
    warehouse: warehouse.code,
  })
  await work.tx`
    insert into sandboxes (client_id, last_request_at) values (${clientId}, ${work.at})`
  const issued = await issueApiKey(work, clientId, {
    name: 'Тестовый ключ',
    receiptsEnabled: true,
    cell,
  })
  return issued.key
}

/** What every sandbox is a copy of: a version of the scenario, and the statements that copy it. */
interface Original {
  readonly version: string
  readonly statements: readonly CopyStatement[]
}

async function makeOriginal(db: Database, clock: Clock): Promise<Original> {
  return { version: await ensureScenario(db, clock), statements: await copyStatements(db) }
}

/**
 * Restores the scenario unless the database has it, and returns its version. Commits the warehouse first, so that no new key
 * waits for its row.
 */
async function ensureScenario(db: Database, clock: Clock): Promise<string> {
  const at = toTimestamp(clock.now())
  await inTransaction(db, (tx) => ensureWarehouse({ tx, at }, { ...warehouse, mode: 'test' }))
  const { version, read } = keptScenario()
  await inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('sandbox scenario'))`
    await ensureTerms(workAt(tx, clock.now(), { kind: 'robot' }))
    if ((await readScenario(tx, version)) !== undefined) return
    const rows = read()
    const clientId = await restoreScenario(tx, rows)
    await tx`
      insert into sandbox_scenarios (version, client_id, built_at)
      values (${version}, ${clientId}, ${rows.end})`
  })
  return version
}

/** The client that has this version, and the version's last moment. */
async function readScenario(tx: Transaction, version: string): Promise<PlayedClient | undefined> {
  const [row] = await tx<{ client_id: string; built_at: Timestamp }[]>`
    select client_id, built_at from sandbox_scenarios where version = ${version}`
  return row && { clientId: row.client_id, end: fromTimestamp(row.built_at) }
}

/**
 * Locks a sandbox. It locks the counters of the client first, as receipt requests do. Returns whether
 * the client has a copy.
 */
async function lockSandbox(tx: Transaction, clientId: string): Promise<boolean> {
  await tx`select from client_counters where client_id = ${clientId} for update`
  const [row] = await tx<{ copied: boolean }[]>`
    select copied_at is not null as copied from sandboxes where client_id = ${clientId} for update`
  if (row === undefined) throw new Error(`client ${clientId} has no sandbox`)
  return row.copied
}

/** The first version that says of which schema it was when it made a copy. */
const firstMarked = 68

async function sweepIdle(db: Database, before: Timestamp): Promise<number> {
  const isOver = (tag: Queryable) => tag`
    s.copied_at is not null and (s.last_request_at < ${before} or exists (
      select from schema_migrations m
      where m.number > case when s.made_at = s.copied_at then s.made_schema else ${firstMarked - 1}::integer end
        and m.applied_at <= s.copied_at))`
  const over = await db<{ client_id: string }[]>`
    select s.client_id from sandboxes s where ${isOver(db)}
    order by s.last_request_at limit ${sweepMax}`
  for (const { client_id: clientId } of over) {
    await inTransaction(db, async (tx) => {
      await lockSandbox(tx, clientId)
      const [stale] = await tx`
        update sandboxes s set copied_at = null
        where s.client_id = ${clientId} and ${isOver(tx)}
        returning s.client_id`
      if (stale !== undefined) await clearClient(tx, clientId)
    })
  }
  return over.length
}

/** Records the last request of each sandbox. Belongs to the batches of the call journal. */
export async function recordSandboxRequests(
  tx: Transaction,
  calls: readonly JournalledCall[],
): Promise<void> {
  const last = lastCalls(calls, ({ caller }) =>
    caller?.mode === 'test' ? caller.clientId : undefined,
  )
  const requests = [...last].map(([clientId, { at }]) => ({
    client_id: clientId,
    at: toTimestamp(at),
  }))
  if (requests.length > 0) await recordRequests(tx, requests)
}

/** @param requests one of each sandbox */
async function recordRequests(
  db: Queryable,
  requests: readonly { readonly client_id: string; readonly at: Timestamp }[],
): Promise<void> {
  await db`
    update sandboxes s set last_request_at = greatest(s.last_request_at, c.at)
    from jsonb_to_recordset(${db.json(requests)}) as c (client_id uuid, at timestamptz)
    where s.client_id = c.client_id and s.client_id in (
      -- Who holds a sandbox is a request of its key, and the journal waits for nobody.
      select client_id from sandboxes
      where client_id = any(${requests.map((each) => each.client_id)}::uuid[])
      for no key update skip locked)`
}
