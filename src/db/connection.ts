/**
 * The connection pool and how values cross it.
 *
 * | PostgreSQL  | comes out as                                       | goes in as                          |
 * |-------------|----------------------------------------------------|-------------------------------------|
 * | timestamptz | `2026-11-20T18:25:02.123+03:00`, always three digits | such a string, epoch ms, or a Date  |
 * | date        | `2026-11-20`                                       | the same                            |
 * | int8        | number; beyond 2^53 it throws rather than rounds   | number or bigint                    |
 * | numeric     | string                                             | string or number                    |
 * | json, jsonb | parsed                                             | any JSON value                      |
 *
 * Every session lives at +03 whatever the server's own setting is, so that timestamps need no conversion here: text is
 * cut, never parsed. (Making a Date of each costs more than all else in a page of a hundred rows.)
 *
 * Two habits of the driver to know: inside a transaction a failed statement fails the transaction even when its error
 * is caught (use `savepoint`), and a NULL inside an array comes out as the string 'NULL'.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type driver from 'postgres'
import type { Timestamp } from '../kernel/moscow-time.ts'
import { StartError } from '../kernel/start-error.ts'
import { postgres } from './driver.ts'

/** Where a database is: an address, or a server on this machine behind a Unix socket that asks for no password. */
export type DatabaseTarget =
  | { readonly url: string }
  | {
      readonly socketDirectory: string
      readonly port: number
      readonly user: string
      readonly database: string
    }

type ParameterTypes = {
  timestamp: Timestamp | string | number | Date
  int8: number | bigint
  date: string
}

/** A pool of connections, and the tag for statements that run on any of them. */
export type Database = driver.Sql<ParameterTypes>
/** The tag for statements inside one transaction. */
export type Transaction = driver.TransactionSql<ParameterTypes>
/** For statements that may run in a transaction or outside of one. */
export type Queryable = Database | Transaction

export interface DatabaseOptions {
  /** Connections the pool may open, 10 unless told; they are opened as they are needed. */
  readonly max?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string
  /** Receives the server's notices (warnings and above); unless given they are dropped. */
  readonly onnotice?: (notice: driver.Notice) => void
  /** Is told of each connection that ends, however it ends. */
  readonly onclose?: () => void
  /** Keeps a connection open for as long as it works; otherwise each is renewed after half an hour or so. */
  readonly lasting?: boolean
}

const connectTimeoutSeconds = 5

/**
 * How long a connection that was lost waits before it is opened again, in seconds. The driver's own rule counts the
 * losses of the whole pool, and after one restart of the server lets statements wait for up to twenty.
 */
const reconnectPauseSeconds = () => 0.05 + Math.random() * 0.2

const attemptsMax = 5
const firstPauseMs = 10

const deadlockDetected = '40P01'
const serializationFailure = '40001'

const sessionSettings = {
  TimeZone: '<+03>-03',
  DateStyle: 'ISO',
  client_min_messages: 'warning',
  // A process that was stopped in the middle of a transaction holds its locks for no longer.
  idle_in_transaction_session_timeout: 120_000,
}

const types: { [name in keyof ParameterTypes]: driver.PostgresType<ParameterTypes[name]> } = {
  timestamp: { to: 1184, from: [1184], serialize: serializeTimestamp, parse: parseTimestamp },
  int8: { to: 20, from: [20], serialize: serializeInt8, parse: parseInt8 },
  date: { to: 1082, from: [1082], serialize: String, parse: String },
}

/**
 * Opens a pool; nothing is connected until the first statement. End it with `db.end()`.
 *
 * @throws StartError when the address can't be read
 */
export function openDatabase(target: DatabaseTarget, options: DatabaseOptions = {}): Database {
  const settings = {
    max: options.max ?? 10,
    connect_timeout: connectTimeoutSeconds,
    backoff: reconnectPauseSeconds,
    connection: { ...sessionSettings, application_name: options.applicationName ?? 'sklad' },
    onnotice: options.onnotice ?? (() => {}),
    ...(options.onclose === undefined ? {} : { onclose: options.onclose }),
    ...(options.lasting ? { max_lifetime: null, idle_timeout: undefined } : {}),
    types,
  }
  if ('url' in target) return openAddress(target.url, settings)

  const { socketDirectory, port, user, database } = target
  const path = `${socketDirectory}/.s.PGSQL.${port}`
  return postgres({ ...settings, host: socketDirectory, path, port, user, database, ssl: false })
}

/**
 * A pool beside another, to the same database, for what must not wait for those who hold that one's
 * connections. Nothing is connected until the first statement, nor for long after the last; to be ended too.
 */
export function openBeside(db: Database, max = 1): Database {
  return postgres({ ...db.options, max, idle_timeout: 60 } as unknown as driver.Options<
    typeof types
  >)
}

/**
 * The driver reads addresses itself, but not the way of naming a socket that PostgreSQL's own tools know:
 * `postgresql:///sklad?host=/var/run/postgresql`.
 */
function openAddress(url: string, settings: driver.Options<typeof types>): Database {
  try {
    const address = new URL(url)
    if (!['postgres:', 'postgresql:'].includes(address.protocol)) throw new TypeError('scheme')

    const timeout = Number(address.searchParams.get('connect_timeout')) || connectTimeoutSeconds
    const host = address.searchParams.get('host')
    const port = address.searchParams.get('port') ?? (address.port || '5432')
    const path = host?.startsWith('/') ? `${host}/.s.PGSQL.${port}` : undefined
    if (path === undefined) return postgres(url, { ...settings, connect_timeout: timeout })

    address.searchParams.delete('host')
    address.searchParams.delete('port')
    return postgres(address.href, { ...settings, connect_timeout: timeout, path })
  } catch {
    // Neither the address nor the parser's complaint is shown: both hold the password.
    throw new StartError(
      'DATABASE_URL is not an address that can be read; ' +
        'expected postgres://user:password@host:5432/database with special characters percent-encoded',
    )
  }
}

/**
 * Runs `work` in one transaction. When the server broke off the transaction for the sake of another one (deadlock,
 * serialization failure) all of `work` runs again, up to five times in all, after a random pause; so `work` must have
 * no effect outside of the transaction. Any other error rolls back and is thrown on.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { outcome } = await db.begin(async (tx) => ({ outcome: await work(tx) }))
      return outcome
    } catch (error) {
      if (attempt === attemptsMax || !isConflict(error)) throw error
      await sleep(Math.random() * firstPauseMs * 2 ** attempt)
    }
  }
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError &&
    (error.code === deadlockDetected || error.code === serializationFailure)
  )
}

const timestampPattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+03$/

/** Turns the server's `2026-11-20 18:25:02.12+03` into the form of the API; digits past the third are cut off. */
function parseTimestamp(text: string): Timestamp {
  if (!timestampPattern.test(text)) {
    throw new RangeError(`expected a timestamp of a session at +03 and got "${text}"`)
  }
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0').slice(0, 3) : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}+03:00` as Timestamp
}

function serializeTimestamp(value: ParameterTypes['timestamp']): string {
  if (typeof value === 'string') return value
  return (typeof value === 'number' ? new Date(value) : value).toISOString()
}

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond 2^53: ${text}`)
  return value
}

function serializeInt8(value: ParameterTypes['int8'] | string): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`not an integer that int8 can carry exactly: ${value}`)
  }
  return String(value)
}
