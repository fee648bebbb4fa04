import { issueApiKey } from '../clients/keys.ts'
import { createClient } from '../clients/verbs.ts'
import { type Database, inTransaction, type Transaction } from '../db/connection.ts'
import { perform } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import { fromTimestamp, type Timestamp, toTimestamp } from '../kernel/moscow-time.ts'
import { type CopyStatement, clearClient, copyClient, copyStatements } from './copies.ts'
import { buildScenario, scenarioVersion } from './scenario/build.ts'
import { seller, warehouse } from './scenario/goods.ts'

/**
 * Sandboxes: every test key has a client of its own, whose data is a copy of one scenario.
 *
 *   no copy --first request--> copied --reset--> copied anew
 *      ^                          |
 *      +--- idle for 24 hours ----+
 *
 * The scenario is built once a version of it and database; a copy is made on the key's first request,
 * under the lock of its row, so that of several first requests one makes it and the others find it.
 */
export interface Sandbox {
  readonly idleHours: number
  /** A new client and its only key, for whoever asks. */
  issueKey(): Promise<string>
  /** Makes the copy unless it is there. */
  prepare(clientId: string): Promise<void>
  /** Back to the scenario, from whatever has become of the copy. */
  reset(clientId: string): Promise<void>
  /** Builds the scenario unless it is there. */
  build(): Promise<void>
  /** Deletes copies that nobody asked for long enough; a bounded number. Returns how many. */
  sweep(): Promise<number>
}

export interface SandboxOptions {
  readonly db: Database
  readonly clock: Clock
  readonly idleHours: number
}

const sweepMax = 20

export function openSandbox({ db, clock, idleHours }: SandboxOptions): Sandbox {
  /** From whatever the client has now to the scenario; the caller holds the sandbox's lock. */
  async function copyInto(
    tx: Transaction,
    statements: readonly CopyStatement[],
    clientId: string,
  ): Promise<void> {
    await clearClient(tx, clientId)
    const scenario = await readScenario(tx)
    const now = clock.now()
    const move = now - fromTimestamp(scenario.built_at)
    await copyClient(tx, statements, scenario.client_id, clientId, move)
    await tx`
      update sandboxes set copied_at = ${toTimestamp(now)}, last_request_at = ${toTimestamp(now)}
      where client_id = ${clientId}`
  }

  let built: Promise<CopyStatement[]> | undefined

  /**
   * The scenario is there, and how to copy it is known. Looked up once a process, before any lock is
   * held; a failure is tried again by the next who asks.
   */
  function build(): Promise<CopyStatement[]> {
    built ??= ensureScenario(db, clock)
      .then(() => copyStatements(db))
      .catch((error: unknown) => {
        built = undefined
        throw error
      })
    return built
  }

  return {
    idleHours,
    build: async () => {
      await build()
    },
    issueKey: () =>
      perform(db, clock, 'robot', async (work) => {
        await ensureWarehouse(work.tx, work.at)
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
        })
        return issued.key
      }),
    async prepare(clientId) {
      const statements = await build()
      await inTransaction(db, async (tx) => {
        if (await lockSandbox(tx, clientId)) return
        await copyInto(tx, statements, clientId)
      })
    },
    async reset(clientId) {
      const statements = await build()
      await inTransaction(db, async (tx) => {
        await lockSandbox(tx, clientId)
        await copyInto(tx, statements, clientId)
      })
    },
    sweep: () => sweepIdle(db, toTimestamp(clock.now() - idleHours * 60 * 60 * 1000)),
  }
}

async function ensureWarehouse(tx: Transaction, at: Timestamp): Promise<void> {
  await tx`
    insert into warehouses (code, name, mode, created_at)
    values (${warehouse.code}, ${warehouse.name}, 'test', ${at}) on conflict do nothing`
}

interface Scenario {
  client_id: string
  built_at: Timestamp
}

async function readScenario(tx: Transaction): Promise<Scenario> {
  const [scenario] = await tx<Scenario[]>`
    select client_id, built_at from sandbox_scenarios where version = ${scenarioVersion}`
  if (scenario === undefined) throw new Error('the sandbox scenario was not built')
  return scenario
}

/** The warehouse is there before the build, which takes seconds, so that nobody waits for it. */
async function ensureScenario(db: Database, clock: Clock): Promise<void> {
  await inTransaction(db, (tx) => ensureWarehouse(tx, toTimestamp(clock.now())))
  await inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('sandbox scenario'))`
    const known = await tx`select from sandbox_scenarios where version = ${scenarioVersion}`
    if (known.length > 0) return
    const end = clock.now()
    const clientId = await buildScenario(tx, end)
    await tx`
      insert into sandbox_scenarios (version, client_id, built_at)
      values (${scenarioVersion}, ${clientId}, ${toTimestamp(end)})`
  })
}

/**
 * Locks a sandbox, after the counters of its client, which receipt requests lock too.
 * Answers whether the copy is there.
 */
async function lockSandbox(tx: Transaction, clientId: string): Promise<boolean> {
  await tx`select from client_counters where client_id = ${clientId} for update`
  const [row] = await tx<{ copied: boolean }[]>`
    select copied_at is not null as copied from sandboxes where client_id = ${clientId} for update`
  if (row === undefined) throw new Error(`client ${clientId} has no sandbox`)
  return row.copied
}

async function sweepIdle(db: Database, before: Timestamp): Promise<number> {
  const idle = await db<{ client_id: string }[]>`
    select client_id from sandboxes
    where copied_at is not null and last_request_at < ${before}
    order by last_request_at limit ${sweepMax}`
  for (const { client_id: clientId } of idle) {
    await inTransaction(db, async (tx) => {
      await lockSandbox(tx, clientId)
      const [stale] = await tx`
        update sandboxes set copied_at = null
        where client_id = ${clientId} and last_request_at < ${before} and copied_at is not null
        returning client_id`
      if (stale !== undefined) await clearClient(tx, clientId)
    })
  }
  return idle.length
}
