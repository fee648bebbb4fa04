/**
 * The parameters of a database's address, by the names that PostgreSQL's own library, libpq, knows. The service takes a
 * parameter, does anyway what it asks for, or refuses it by name: no address from another program promises what is not
 * kept. Names that libpq does not know are settings of the session, such as `search_path`.
 */

import { StartError } from '../../kernel/errors.ts'

export type Parameters = Readonly<Record<string, string>>

/** Read by `address.ts`. */
const taken = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'sslrootcert',
  'connect_timeout',
  'target_session_attrs',
  'keepalives_idle',
  'channel_binding',
  'application_name',
]

/** What the service does anyway, by the values that say so. */
const done: Readonly<Record<string, readonly string[]>> = {
  channel_binding: ['disable', 'prefer'],
  client_encoding: ['UTF8', 'utf8', 'UTF-8', 'utf-8'],
  gssencmode: ['disable', 'prefer'],
  keepalives: ['1'],
  load_balance_hosts: ['disable'],
  replication: ['false', 'off', 'no', '0'],
  sslcompression: ['0'],
  sslcertmode: ['allow', 'disable'],
  sslnegotiation: ['postgres'],
  sslsni: ['1'],
}

/** Has no meaning beside application_name, which the service always has. */
const without = ['fallback_application_name']

const refused = [
  ...[
    'gssdelegation',
    'gsslib',
    'hostaddr',
    'keepalives_count',
    'keepalives_interval',
    'krbsrvname',
  ],
  ...['max_protocol_version', 'min_protocol_version', 'oauth_client_id', 'oauth_client_secret'],
  ...['oauth_issuer', 'oauth_scope', 'passfile', 'require_auth', 'requirepeer', 'requiressl'],
  ...['scram_client_key', 'scram_server_key', 'service', 'servicefile', 'sslcert', 'sslcrl'],
  ...['sslcrldir', 'sslkey', 'sslkeylogfile', 'sslpassword', 'ssl_max_protocol_version'],
  ...['ssl_min_protocol_version', 'tcp_user_timeout'],
]

/** What to do besides leaving the parameter out. */
const advice: Readonly<Record<string, string>> = {
  channel_binding: 'sslmode=verify-full makes sure of the server instead',
  hostaddr: 'write the address as the host',
  passfile: 'write the password in the address',
  requiressl: 'write sslmode=require',
  tcp_user_timeout: 'a silent connection is given up after about four seconds anyway',
}

/** @throws StartError for the first parameter that the service can't keep */
export function refuseParameters(parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    const values = done[name]
    if (values !== undefined && !values.includes(value)) {
      throw new StartError(
        `${name} in DATABASE_URL can only be ${values.join(' or ')}, got "${value}"${adviceOn(name)}`,
      )
    }
    if (refused.includes(name)) {
      throw new StartError(
        `${name} in DATABASE_URL is a parameter that the service doesn't take: leave it out${adviceOn(name)}`,
      )
    }
  }
}

function adviceOn(name: string): string {
  return advice[name] === undefined ? '' : `; ${advice[name]}`
}

/** The settings of the session that the address asks for, as options of a server's command line. */
export function sessionOptionsOf({ options, ...parameters }: Parameters): string | undefined {
  const known = [...taken, ...Object.keys(done), ...without]
  const others = Object.entries(parameters).filter(([name]) => !known.includes(name))
  const settings = others.map(([name, value]) => `-c ${escaped(`${name}=${value}`)}`)
  const all = [...(options === undefined ? [] : [options]), ...settings]
  return all.length === 0 ? undefined : all.join(' ')
}

/** Blanks separate options. */
const escaped = (option: string) => option.replace(/[\\\s]/g, '\\$&')
