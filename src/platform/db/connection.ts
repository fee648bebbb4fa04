/**
 * The database as all rooms see it, and how values cross.
 *
 * | PostgreSQL  | comes out as                                         | goes in as                                      |
 * |-------------|------------------------------------------------------|-------------------------------------------------|
 * | timestamptz | `2026-11-20T18:25:02.123+03:00`, always three digits | such a string or a Date; ms as `::timestamptz`  |
 * | date        | `2026-11-20`                                         | the same                                        |
 * | int8        | number; beyond 2^53 it throws rather than rounds     | number or bigint; beyond 2^53 a number throws   |
 * | numeric     | string                                               | string or number                                |
 * | json, jsonb | parsed                                               | `db.json(value)`, or any value as `::jsonb`     |
 * | bytea       | Buffer                                               | Buffer                                          |
 * | arrays      | arrays, with null for NULL                           | the same                                        |
 *
 * Every session lives at +03 whatever the server's own setting is, so that timestamps need no conversion here: text is
 * cut, never parsed. (Making a Date of each costs more than all else in a page of a hundred rows.)
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseTarget, readHosts } from './connections/address.ts'
import { ended, sqlStateOf } from './connections/errors.ts'
import { type Listening, listen } from './connections/listen.ts'
import { Pool, type PoolSettings, type PoolUse } from './connections/pool.ts'
import type { Executable, Executor } from './statements/executor.ts'
import { type Tag, tagOf } from './statements/tag.ts'
import { begin, type TransactionMode, type TransactionTag } from './transaction.ts'

/** A pool of connections, and the tag for statements that run on any of them. */
export interface Database extends Tag {
  /** Hosts and ports, or the socket; never the user or the password. */
  readonly address: string
  /** Runs `work` in one transaction, of a mode such as `isolation level repeatable read` where one is given. */
  begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  begin<T>(mode: string | TransactionMode, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** A connection for statements of the caller alone, until it is released. */
  reserve(): Promise<Reservation>
  /** Calls `onlisten` each time that listening has begun: notifications of before that may be lost. */
  listen(
    channel: string,
    onnotify: (payload: string) => void,
    onlisten?: () => void,
  ): Promise<Listening>
  /** How full the pool is at the moment. */
  use(): PoolUse
  /** Ends the pool when what runs has finished, after the timeout (in seconds) at the latest. */
  end(options?: { readonly timeout?: number }): Promise<void>
}

/** The part of the database that listens. */
export type Listener = Pick<Database, 'listen'>

export interface Reservation extends Tag, Executor {
  /** Gives the connection back; any number of times. */
  release(): void
}

/** The tag for statements inside one transaction. */
export type Transaction = TransactionTag
/** For statements that may run in a transaction or outside of one. */
export type Queryable = Database | Transaction

export interface DatabaseOptions {
  /** Most connections that the pool opens, 10 by default. It opens them when it needs them. */
  readonly max?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string
  /** Receives each connection that ends, in whatever way. */
  readonly onclose?: () => void
  /** Keeps a connection open for as long as it works; otherwise each is renewed after half an hour or so. */
  readonly lasting?: boolean
  /** Whether statements are prepared; true by default. A pooler in transaction mode needs false. */
  readonly prepared?: boolean
  /** How long a caller waits for a server that gives no sign; 5 s by default. */
  readonly patienceMs?: number
  /** The same database without the pooler in front of it, for listening and for locks of sessions. */
  readonly directTarget?: DatabaseTarget
}

const patienceMs = 5_000

const besideIdleMs = 60_000
const deadlockDetected = '40P01'
const serializationFailure = '40001'
const foreignKeyViolation = '23503'
const defaultAttempts = 5
const pauseMsMax = 500
const firstPauseMs = 10
const settingsOf = new WeakMap<Database, PoolSettings>()

/**
 * Opens a pool; nothing is connected until the first statement. End it with `db.end()`.
 *
 * @throws StartError when the address can't be read
 */
export function openDatabase(target: DatabaseTarget, options: DatabaseOptions = {}): Database {
  const applicationName = options.applicationName ?? 'sklad'
  const { directTarget } = options
  return open({
    hosts: readHosts(target),
    applicationName,
    prepared: options.prepared ?? true,
    direct: directTarget && { hosts: readHosts(directTarget), applicationName, prepared: true },
    max: options.max ?? 10,
    idleMs: 0,
    lasting: options.lasting ?? false,
    onclose: options.onclose,
    patienceMs: options.patienceMs ?? patienceMs,
  })
}

/**
 * A pool beside another, to the same database, for what must not wait for those who hold that one's
 * connections. It connects at the first statement and disconnects a minute after the last. End it too.
 */
export function openBeside(db: Database, max = 1): Database {
  return open({ ...settingsOfDatabase(db), max, idleMs: besideIdleMs })
}

/** Like openBeside, for locks that a session holds: a pooler would give them to whoever comes next. */
export function openDirectBeside(db: Database, max: number): Database {
  const settings = settingsOfDatabase(db)
  return open({ ...settings, ...settings.direct, max, idleMs: besideIdleMs })
}

/** Like openBeside, with one connection on which rows may be copied into tables. */
export function openForCopies(db: Database): Database {
  return open({ ...settingsOfDatabase(db), copies: true, max: 1, idleMs: besideIdleMs })
}

export function settingsOfDatabase(db: Database): PoolSettings {
  const settings = settingsOf.get(db)
  if (settings === undefined) throw new TypeError('not a database that was opened here')
  return settings
}

function open(settings: PoolSettings): Database {
  const pool = new Pool(settings)
  const listeners = new Set<Listening>()
  let isEnded = false
  pool.ongiveup = () => {
    for (const listening of listeners) listening.reconnect()
  }
  const db: Database = Object.assign(tagOf(pool), {
    address: settings.hosts.shown,
    begin: <T>(...[first, second]: Begun<T>) =>
      second === undefined ? begin(pool, {}, first as Work<T>) : begin(pool, modeOf(first), second),
    reserve: () => reserve(pool),
    listen: async (channel: string, onnotify: (payload: string) => void, onlisten = () => {}) => {
      const listening = await listen(settings.direct ?? settings, { channel, onnotify, onlisten })
      listeners.add(listening)
      if (isEnded) {
        await listening.unlisten()
        throw ended('the pool')
      }
      return listening
    },
    use: () => pool.use,
    end: async ({ timeout }: { readonly timeout?: number } = {}) => {
      isEnded = true
      await Promise.all([...listeners].map((listening) => listening.unlisten()))
      await pool.end(timeout === undefined ? undefined : timeout * 1_000)
    },
  })
  settingsOf.set(db, settings)
  return db
}

type Work<T> = (tx: Transaction) => Promise<T>
type Begun<T> = [work: Work<T>] | [mode: string | TransactionMode, work: Work<T>]

function modeOf(mode: Begun<unknown>[0]): TransactionMode {
  return typeof mode === 'string' ? { mode } : (mode as TransactionMode)
}

async function reserve(pool: Pool): Promise<Reservation> {
  const lease = await pool.acquire()
  let released = false
  // The place in the pool is free again, though the holder has yet to notice.
  lease.session.onlost = lease.release
  const execute = async (statement: Executable) => {
    if (released) throw ended('the reservation')
    return await lease.session.execute(statement)
  }
  return Object.assign(tagOf({ execute }), {
    execute,
    release: () => {
      released = true
      lease.release()
    },
  })
}

/**
 * Runs `work` in one transaction. The transaction may fail for the sake of another one: deadlock, serialization
 * failure, a reference to a row that another one has deleted meanwhile. Then all of `work` runs again after a random
 * pause, five times in all by default. So `work` must have no effect outside of the transaction. Any other error
 * rolls back and is thrown on.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  attemptsMax = defaultAttempts,
  mode: TransactionMode = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.begin(mode, work)
    } catch (error) {
      if (attempt === attemptsMax || !isConflict(error)) throw error
      await sleep(Math.random() * Math.min(firstPauseMs * 2 ** attempt, pauseMsMax))
    }
  }
}

/** Also of an error that names the failed step and has the database's error as its cause. */
function isConflict(error: unknown): boolean {
  const code = sqlStateOf(error) ?? sqlStateOf(error instanceof Error ? error.cause : undefined)
  return code === deadlockDetected || code === serializationFailure || code === foreignKeyViolation
}
