import { StartError } from '../kernel/start-error.ts'
import type { Database } from './connection.ts'

const oldestVersion = 15

/**
 * Connects once and makes sure that the server is one the service can work with.
 *
 * @throws StartError naming DATABASE_URL when the server can't be reached (found out within about five seconds),
 *   refuses the log-in, or is older than PostgreSQL 15
 */
export async function checkServer(db: Database): Promise<void> {
  const version = await readVersion(db).catch((error: unknown) => {
    throw new StartError(`DATABASE_URL: ${explain(error, db.address)}`, { cause: error })
  })
  if (version.number < oldestVersion * 10_000) {
    throw new StartError(
      `DATABASE_URL: PostgreSQL ${version.name} at ${db.address} is too old; ${oldestVersion} or newer is needed`,
    )
  }
}

async function readVersion(db: Database): Promise<{ number: number; name: string }> {
  const [row] = await db<{ number: number; name: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`
  if (row === undefined) throw new Error('the server did not tell its version')
  return row
}

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
  '57P03': 'it is starting up or shutting down',
}

function explain(error: unknown, address: string): string {
  const { code, message } = error as { code?: string; message?: string }
  const reason = (code && explanations[code]) || message || String(error)
  return `can't use PostgreSQL at ${address}: ${reason.replaceAll('\n', ' ')}`
}
