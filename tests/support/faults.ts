import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/db/connection.ts'
import { addressOf } from './database.ts'
import { type ServiceProcess, startProcess, withoutPages } from './process.ts'
import { scenarioDatabase } from './scenario.ts'

/**
 * Service processes that a test kills at a named point. They use a database of the test server: the test
 * holds one of their statements by a lock, and kills the process there.
 */
export interface FaultScene extends Seller {
  readonly db: Database
  /** Starts a process; any number may run at the same time. */
  start(settings?: NodeJS.ProcessEnv): Promise<ServiceProcess>
}

/** A seller with a test key, issued by the first process that it calls. */
export interface Seller {
  /** Subscribes to receipt.created; the address gets a ping first. Returns the subscription's id. */
  subscribe(service: ServiceProcess, url: string): Promise<string>
  /** Requests a receipt; returns its id, or undefined if the service did not acknowledge it. */
  request(service: ServiceProcess): Promise<string | undefined>
}

/** A lease lasts as long as an attempt may, plus five seconds. */
export const faultTimeoutMs = 1_000

export async function faultScene(t: TestContext): Promise<FaultScene> {
  const { db, target } = await scenarioDatabase()
  const common = {
    DATABASE_URL: addressOf(target),
    SECRET_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_TIMEOUT: `${faultTimeoutMs}ms`,
    WEBHOOK_PRIVATE_TARGETS: 'sandbox',
    SANDBOX_ROBOT: 'off',
    OZON_LIST_PAUSE: '1ms',
  }
  return {
    ...makeSeller(),
    db,
    async start(settings) {
      const dataDir = mkdtempSync(join(tmpdir(), 'faults-'))
      const service = await startProcess(dataDir, { ...common, ...settings }, withoutPages)
      t.after(() => service.end('SIGKILL'))
      return service
    },
  }
}

export function makeSeller(): Seller {
  let access: Promise<Access> | undefined
  const post = async (service: ServiceProcess, path: string, draft: (access: Access) => object) => {
    access ??= newAccess(service)
    const { headers } = await access
    const body = JSON.stringify(draft(await access))
    return fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body })
  }
  return {
    async subscribe(service, url) {
      const draft = { url, events: ['receipt.created'] }
      const answer = await post(service, '/v1/webhooks', () => draft)
      assert.equal(answer.status, 201)
      return ((await answer.json()) as { webhook: { id: string } }).webhook.id
    },
    async request(service) {
      const items = [{ barcode: 'new', name: 'Новый', qty: 1, honest_mark: false }]
      try {
        const answer = await post(service, '/v1/receipts', ({ cabinet_id }) => ({
          cabinet_id,
          items,
        }))
        const { id } = (await answer.json()) as { id?: string }
        return answer.status === 201 ? id : undefined
      } catch {
        return undefined
      }
    },
  }
}

interface Access {
  readonly headers: Readonly<Record<string, string>>
  readonly cabinet_id: string
}

async function newAccess({ baseUrl }: ServiceProcess): Promise<Access> {
  const issued = await fetch(`${baseUrl}/v1/sandbox/keys`, { method: 'POST' })
  const { key } = (await issued.json()) as { key: string }
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' }
  const me = await fetch(`${baseUrl}/v1/me`, { headers })
  const { cabinets } = (await me.json()) as { cabinets: { id: string }[] }
  return { headers, cabinet_id: cabinets[0]?.id ?? '' }
}

/** Where a process is held: when it writes a row of the table, or when it commits such a write. */
export interface HoldingPoint {
  readonly table: string
  readonly on: 'insert' | 'update'
  /** A condition on the rows `old` and `new`. */
  readonly when?: string
  readonly atCommit?: boolean
}

export interface Hold {
  /** Resolves when a statement waits at the point. */
  reached(): Promise<void>
  /** Lets the statement continue; nothing is held any more. */
  release(): Promise<void>
  /** Resolves when the session of the held statement has ended: its process was killed. */
  over(): Promise<void>
}

const lockKey = 7_100_001

/** Holds every process that comes to the point: a trigger waits there for a lock of the test. */
export async function hold(db: Database, point: HoldingPoint): Promise<Hold> {
  const { table, on, when, atCommit } = point
  const session = await db.reserve()
  await session`select pg_advisory_lock(${lockKey}::int8)`
  // The one before has let go.
  await db.unsafe('drop function if exists hold cascade')
  await db.unsafe(`
    create function hold() returns trigger language plpgsql set lock_timeout = 0 as
      $$ begin perform pg_advisory_xact_lock_shared(${lockKey}); return new; end $$;
    create ${atCommit ? 'constraint trigger' : 'trigger'} hold
      ${atCommit ? 'after' : 'before'} ${on} on ${table}
      ${atCommit ? 'deferrable initially deferred' : ''}
      for each row ${when === undefined ? '' : `when (${when})`} execute function hold()`)
  let held: number | undefined
  return {
    reached: () =>
      eventually('a statement is held', async () => {
        const [waiting] = await db<{ pid: number }[]>`
          select l.pid from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and l.locktype = 'advisory' and not l.granted
            and l.objid = ${lockKey}`
        held = waiting?.pid
        return held !== undefined
      }),
    async release() {
      await session`select pg_advisory_unlock(${lockKey}::int8)`
      session.release()
    },
    over: () =>
      eventually('the session is over', async () => {
        const sessions = await db`select from pg_stat_activity where pid = ${held ?? 0}`
        return sessions.length === 0
      }),
  }
}

/** Locks the table of events: a process that has leased a queue waits when it reads what to send. */
export async function holdReading(db: Database): Promise<Hold> {
  const session = await db.reserve()
  await session`begin`
  await session`lock table events in access exclusive mode`
  return {
    reached: () =>
      eventually('a statement is held', async () => {
        const waiting = await db`
          select from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and not l.granted
            and l.relation = 'events'::regclass`
        const leased = await db`select from webhook_subscriptions where lease is not null`
        return waiting.length > 0 && leased.length > 0
      }),
    async release() {
      await session`rollback`
      session.release()
    },
    over: async () => {},
  }
}

const patienceMs = 60_000

/** Repeats the check until it holds. Fails after a minute. */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `waited in vain until ${what}`)
    await sleep(20)
  }
}
