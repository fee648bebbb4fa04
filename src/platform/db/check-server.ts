import { StartError } from '../kernel/errors.ts'
import type { Database } from './connection.ts'

const oldestVersion = 15

/**
 * Connects once and makes sure that the server is one the service can work with.
 *
 * @throws StartError naming DATABASE_URL when the server can't be reached (found out within about five seconds),
 *   refuses the log-in, is older than PostgreSQL 15, or keeps the database in another encoding than UTF-8
 */
export async function checkServer(db: Database): Promise<void> {
  const server = await readServer(db).catch((error: unknown) => {
    throw new StartError(`DATABASE_URL: ${explain(error, db.address)}`, { cause: error })
  })
  if (server.number < oldestVersion * 10_000) {
    throw new StartError(
      `DATABASE_URL: PostgreSQL ${server.version} at ${db.address} is too old; ${oldestVersion} or newer is needed`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new StartError(
      `DATABASE_URL: the database ${server.database} keeps texts in ${server.encoding}, and the service needs UTF8; ` +
        `use another one, made by: create database NAME encoding 'UTF8' locale 'C.UTF-8' template template0`,
    )
  }
}

interface Server {
  readonly number: number
  readonly version: string
  readonly encoding: string
  readonly database: string
}

async function readServer(db: Database): Promise<Server> {
  const [row] = await db<Server[]>`
    select current_setting('server_version_num')::int as number,
      current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, current_database() as database`
  if (row === undefined) throw new Error('the server did not tell its version')
  return row
}

/** The server refuses a setting of the session: an address may hold some beside the parameters of libpq. */
const undefinedSetting = '42704'
const wrongSetting = '22023'

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  CONNECT_TIMEOUT: 'no answer in time',
  '28P01': 'it refuses the user name or the password',
  '28000': 'it refuses the user',
  '3D000': 'it has no such database',
  '53300': 'it has too many connections already',
  '42501': 'its role may not connect to that database',
  '57P03': 'it is starting up or shutting down',
}

function explain(error: unknown, address: string): string {
  const { code, message } = error as { code?: string; message?: string }
  if (code === undefinedSetting || code === wrongSetting) {
    return `the address has a parameter that PostgreSQL at ${address} doesn't take: ${message}`
  }
  const reason = (code && explanations[code]) || message || String(error)
  return `can't use PostgreSQL at ${address}: ${reason.replaceAll('\n', ' ')}`
}
