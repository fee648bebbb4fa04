/** Where a database is, and how its address is written. */

import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { StartError } from '../../kernel/errors.ts'
import { type Parameters, refuseParameters, sessionOptionsOf } from './address-parameters.ts'
import { ConnectionError } from './errors.ts'
import { type Address, Hosts } from './hosts.ts'

/** Where a database is: an address, or a server on this machine behind a Unix socket that asks for no password. */
export type DatabaseTarget =
  | { readonly url: string }
  | {
      readonly socketDirectory: string
      readonly port: number
      readonly user: string
      readonly database: string
    }

const connectTimeoutSeconds = 5
/** A connection on which nothing comes is tried after so long, once a second and ten times, before it counts as lost. */
const keepAliveAfterSeconds = 10
/**
 * Reads what PostgreSQL's own tools read: `postgres://user:password@host:5432/database`, a socket as
 * `postgresql:///sklad?host=/var/run/postgresql`, several servers as `host1:5433,host2:5434`, and the parameters
 * of `address-parameters.ts`. Others are settings of the session.
 *
 * Of several servers the primary is used; `target_session_attrs=read-write` asks for it with one server, too.
 *
 * @throws StartError when the address can't be read; it shows nothing of the address
 */
export function readHosts(target: DatabaseTarget): Hosts {
  if ('url' in target) return readUrl(target.url)
  const { socketDirectory, port, user, database } = target
  return new Hosts([addressOf({ host: socketDirectory, port, user, database, ssl: false })], false)
}

/** Scheme and user, hosts with ports, and the rest. */
const urlParts = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/

function readUrl(url: string): Hosts {
  try {
    const [, start = '', hosts = '', rest = ''] = urlParts.exec(url) ?? []
    if (start === '') throw new TypeError('scheme')
    const parsed = hosts.split(',').map((host) => new URL(start + host + rest))
    const [first, ...others] = parsed
    if (first === undefined) throw new TypeError('no host')
    const attributes = first.searchParams.get('target_session_attrs')
    const primaryOnly = wantsPrimary(attributes ?? (others.length > 0 ? 'read-write' : 'any'))
    return new Hosts([readParts(first), ...others.map(readParts)], primaryOnly)
  } catch (error) {
    if (error instanceof StartError) throw error
    // Neither the address nor the parser's complaint is shown: both hold the password.
    throw new StartError(
      'DATABASE_URL is not an address that can be read; ' +
        'expected postgres://user:password@host:5432/database with special characters percent-encoded',
    )
  }
}

function wantsPrimary(attributes: string): boolean {
  const known: Readonly<Record<string, boolean>> = { any: false, 'read-write': true, primary: true }
  const wanted = known[attributes]
  if (wanted !== undefined) return wanted
  throw new StartError(
    `target_session_attrs in DATABASE_URL must be one of ${Object.keys(known).join(', ')}, got "${attributes}"`,
  )
}

function readParts({ hostname, username, password, pathname, port, searchParams }: URL): Address {
  const parameters = Object.fromEntries(searchParams)
  refuseParameters(parameters)
  const host = parameters.host ?? decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1')
  const user = parameters.user ?? decodeURIComponent(username)
  const database = parameters.dbname ?? decodeURIComponent(pathname.slice(1))
  const { application_name } = parameters
  return addressOf({
    host: host || 'localhost',
    port: wholeNumber(parameters, 'port') ?? Number(port || 5432),
    user: user || userInfo().username,
    database: database || user || userInfo().username,
    password: parameters.password ?? decodeURIComponent(password),
    ssl: readTls(parameters),
    connectionTimeoutMillis: seconds(parameters, 'connect_timeout', connectTimeoutSeconds),
    keepAliveInitialDelayMillis: seconds(parameters, 'keepalives_idle', keepAliveAfterSeconds),
    enableChannelBinding: parameters.channel_binding === 'prefer',
    options: sessionOptionsOf(parameters),
    ...(application_name !== undefined && { application_name }),
  })
}

/** Zero is the default, as libpq reads it. */
function seconds(parameters: Parameters, name: string, fallback: number): number {
  return (wholeNumber(parameters, name) || fallback) * 1_000
}

function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const text = parameters[name]
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new StartError(`${name} in DATABASE_URL must be a whole number, got "${text}"`)
}

function addressOf(client: ClientConfig): Address {
  const { host = '', port, password } = client
  const shown = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`
  return {
    client: {
      connectionTimeoutMillis: connectTimeoutSeconds * 1_000,
      keepAliveInitialDelayMillis: keepAliveAfterSeconds * 1_000,
      ...client,
      // Otherwise the driver would look for one in the home directory.
      password: password || refuseWithoutPassword,
    },
    shown,
  }
}

function refuseWithoutPassword(): never {
  throw new ConnectionError('28P01', 'the server asks for a password and the address has none')
}

/** As libpq reads them. Its `allow` and `prefer` promise nothing, and are refused. */
function readTls({ sslmode = 'disable', sslrootcert }: Record<string, string>) {
  // Node has the authorities that libpq calls "system".
  const isOwn = sslrootcert !== undefined && sslrootcert !== 'system'
  const authority = isOwn ? { ca: readAuthority(sslrootcert) } : {}
  const modes: Readonly<Record<string, false | ConnectionOptions>> = {
    disable: false,
    require: { rejectUnauthorized: false },
    'verify-ca': { ...authority, checkServerIdentity: () => undefined },
    'verify-full': authority,
  }
  const mode = modes[sslmode]
  if (mode !== undefined) return mode
  throw new StartError(
    `sslmode in DATABASE_URL must be one of ${Object.keys(modes).join(', ')}, got "${sslmode}"`,
  )
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`sslrootcert in DATABASE_URL can't be read: ${path}`, { cause: error })
  }
}
