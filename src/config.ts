import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { StartError } from './kernel/start-error.ts'
import type { BucketRule } from './kernel/token-bucket.ts'
import { passwordLengthMax } from './sign-in/passwords.ts'
import { isLoopback, type PrivateTargets } from './webhooks/addresses.ts'
import { type RetrySchedule, standardSchedule } from './webhooks/schedule.ts'

/**
 * The settings. Only this module reads the environment, once at start. An invalid value stops the
 * start with the setting's name and the allowed values.
 */

export interface Config {
  readonly port: number
  readonly host: string
  readonly baseUrl: string
  /** Address of the API reference. */
  readonly docsUrl: string
  /** An email address or an http(s) address where sellers and staff get help. */
  readonly supportContact: string | undefined
  readonly metricsPort: number
  readonly metricsHost: string
  /** Undefined for the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined
  /** A direct address of the database behind the pooler at databaseUrl. */
  readonly databaseListenUrl: string | undefined
  readonly dataDir: string
  readonly poolSize: number
  /** Off for poolers that give each transaction another connection, such as pgbouncer in transaction mode. */
  readonly preparedStatements: boolean
  readonly logLevel: LogLevel
  readonly trustProxy: boolean | number | string
  /** The bucket of each key, and of each address that requests sandbox keys. */
  readonly keyBucket: BucketRule
  readonly sandboxKeyBucket: BucketRule
  /** The bucket of each session of the account. */
  readonly accountBucket: BucketRule
  /** Keys from the environment, newest first; empty where the data directory has them. */
  readonly secretKeys: readonly Buffer[]
  /** For the administrator whom the first start creates; random by default. */
  readonly adminPassword: string | undefined
  /** Extension digit and GS1 company prefix of the SSCCs of boxes and pallets. */
  readonly ssccPrefix: string
  readonly callJournalDays: number
  readonly sandboxIdleHours: number
  /** Whether a robot plays the warehouse for sandboxes. */
  readonly sandboxRobot: boolean
  readonly webhooks: WebhookConfig
  readonly marketplaces: MarketplaceConfig
}

export interface MarketplaceConfig {
  /** The hosts of WB and of its sandbox. */
  readonly wildberries: Readonly<Record<'production' | 'sandbox', WildberriesUrls>>
  readonly ozonUrl: string
  /** Calls of one OZON list start at least so far apart. */
  readonly ozonListApartMs: number
  /** From the start of one sync run of a cabinet to the start of the next. */
  readonly syncIntervalMs: number
}

interface WildberriesUrls {
  readonly baseUrl: string
  readonly contentBaseUrl: string
}

export interface WebhookConfig {
  readonly retrySchedule: RetrySchedule
  readonly timeoutMs: number
  readonly privateTargets: PrivateTargets
  readonly retentionDays: number
}

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * The database's driver reads PGOPTIONS, PGREPLICATION, PGSSLNEGOTIATION and others by itself wherever it is given nothing
 * else, and so do the programs of the embedded server. They go, so that nothing but these settings says how the
 * service connects.
 */
export function forgetDriverVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (/^PG[A-Z]/.test(name)) delete env[name]
}

forgetDriverVariables(process.env)

type Environment = Readonly<Record<string, string | undefined>>

/** Throws StartError for the first invalid setting. */
export function readConfig(environment: Environment): Config {
  const env = tidyEnvironment(environment)
  const port = integer(env, 'PORT', 8080, 0, 65_535)
  const host = listenHost(env, 'HOST')
  const baseUrl = url(env, 'BASE_URL', `http://localhost:${port}`)
  const databaseUrl = env.DATABASE_URL || undefined
  return Object.freeze({
    port,
    host,
    baseUrl,
    docsUrl: url(env, 'DOCS_URL', `${baseUrl}/docs`),
    supportContact: supportContact(env),
    metricsPort: integer(env, 'METRICS_PORT', 9464, 0, 65_535),
    metricsHost: listenHost(env, 'METRICS_HOST'),
    databaseUrl,
    databaseListenUrl: env.DATABASE_LISTEN_URL || undefined,
    dataDir: resolve(env.DATA_DIR || 'data'),
    poolSize: integer(env, 'DATABASE_POOL', 10, 2, 200),
    preparedStatements: oneOf(env, 'DATABASE_PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
    trustProxy: trustProxy(env),
    keyBucket: {
      capacity: integer(env, 'RATE_LIMIT_BURST', 20, 1, 1_000_000),
      intervalMicros: interval(env, 'RATE_LIMIT_PER_MINUTE', 60, 60),
    },
    sandboxKeyBucket: {
      capacity: integer(env, 'SANDBOX_KEY_BURST', 20, 1, 1_000_000),
      intervalMicros: interval(env, 'SANDBOX_KEYS_PER_HOUR', 60, 3600),
    },
    accountBucket: {
      capacity: integer(env, 'ACCOUNT_RATE_LIMIT_BURST', 60, 1, 1_000_000),
      intervalMicros: interval(env, 'ACCOUNT_RATE_LIMIT_PER_MINUTE', 240, 60),
    },
    secretKeys: secretKeys(env, databaseUrl),
    adminPassword: adminPassword(env),
    ssccPrefix: ssccPrefix(env),
    callJournalDays: integer(env, 'CALL_JOURNAL_DAYS', 365, 1, 36_500),
    sandboxIdleHours: integer(env, 'SANDBOX_IDLE_HOURS', 24, 1, 8760),
    sandboxRobot: oneOf(env, 'SANDBOX_ROBOT', ['on', 'off'], 'on') === 'on',
    webhooks: {
      retrySchedule: retrySchedule(env),
      timeoutMs: duration(env, 'WEBHOOK_TIMEOUT', '10s'),
      privateTargets: oneOf(
        env,
        'WEBHOOK_PRIVATE_TARGETS',
        ['deny', 'sandbox', 'allow'],
        // Test keys need no owner: nobody from the network may aim them at this machine.
        databaseUrl === undefined && isThisMachine(host) ? 'sandbox' : 'deny',
      ),
      retentionDays: integer(env, 'WEBHOOK_RETENTION_DAYS', 30, 1, 3650),
    },
    marketplaces: {
      wildberries: wildberriesUrls(env),
      ozonUrl: url(env, 'OZON_BASE_URL', 'https://api-seller.ozon.ru'),
      ozonListApartMs: duration(env, 'OZON_LIST_PAUSE', '1500ms'),
      syncIntervalMs: duration(env, 'SYNC_INTERVAL', '3m'),
    },
  })
}

/**
 * Files of settings from Windows end their lines with a carriage return, and Docker's keep the quotes around values: neither
 * belongs to a value. In a password every character counts but those that nobody can type.
 */
function tidyEnvironment(environment: Environment): Environment {
  const tidy = Object.entries(environment).map(([name, value = '']) => [
    name,
    name === 'SKLAD_ADMIN_PASSWORD' ? value.replace(/[\r\n]+$/, '') : tidyValue(value),
  ])
  return Object.fromEntries(tidy)
}

function tidyValue(value: string): string {
  const [, , inQuotes] = /^(["'])(.*)\1$/s.exec(value.trim()) ?? []
  return (inQuotes ?? value).trim()
}

/** A test host replaces all hosts of WB, so that no call reaches a real one. */
function wildberriesUrls(env: Environment): MarketplaceConfig['wildberries'] {
  const test = env.WB_BASE_URL || undefined
  const host = (name: string) => `https://${name}.wildberries.ru`
  const content = env.WB_CONTENT_BASE_URL || test
  const sandbox = env.WB_SANDBOX_BASE_URL || test
  return {
    production: {
      baseUrl: url(env, 'WB_BASE_URL', host('marketplace-api')),
      contentBaseUrl: url(env, 'WB_CONTENT_BASE_URL', test ?? host('content-api')),
    },
    sandbox: {
      baseUrl: url(env, 'WB_SANDBOX_BASE_URL', test ?? host('marketplace-api-sandbox')),
      contentBaseUrl: url(
        env,
        'WB_SANDBOX_CONTENT_BASE_URL',
        sandbox ?? content ?? host('content-api-sandbox'),
      ),
    },
  }
}

/** Whether a server that listens on this host is reached from this machine alone. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

function integer(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
    throw new StartError(`${name} must be a whole number from ${min} to ${max}, got "${text}"`)
  }
  return value
}

/** Microseconds per token, from a number of tokens per `seconds`. */
function interval(env: Environment, name: string, fallback: number, seconds: number): number {
  const tokens = integer(env, name, fallback, 1, 1_000_000_000)
  return Math.max(1, Math.round((seconds * 1_000_000) / tokens))
}

function oneOf<const T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const text = env[name] || fallback
  const value = allowed.find((each) => each === text)
  if (value === undefined) {
    throw new StartError(`${name} must be one of ${allowed.join(', ')}, got "${text}"`)
  }
  return value
}

/** The address as the URL standard writes it: links are made of it, and pages compare it with their own. */
function url(env: Environment, name: string, fallback: string): string {
  const text = env[name] || fallback
  const parsed = /\s/.test(text) ? null : URL.parse(text)
  const plain = parsed !== null && parsed.search === '' && parsed.hash === ''
  if (!plain || !/^https?:$/.test(parsed.protocol)) {
    throw new StartError(
      `${name} must be an http or https address without ? and #, got ${JSON.stringify(text)}`,
    )
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new StartError(`${name} must be an address without a user and a password`)
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '')
}

/** A name or an address to listen on; IPv6 also in brackets, as URLs have it. */
function listenHost(env: Environment, name: string): string {
  const text = env[name] || '127.0.0.1'
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 || /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i.test(host)) return host
  throw new StartError(
    `${name} must be a host name or an address without scheme and port, got ${JSON.stringify(text)}`,
  )
}

function supportContact(env: Environment): string | undefined {
  const text = env.SUPPORT_CONTACT || undefined
  if (text === undefined || /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text)) return text
  const parsed = URL.parse(text)
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed.href
  throw new StartError(
    `SUPPORT_CONTACT must be an email address or an http or https address, got "${text}"`,
  )
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function adminPassword(env: Environment): string | undefined {
  const text = env.SKLAD_ADMIN_PASSWORD
  if (text === undefined || text === '') return undefined
  if (text.length > passwordLengthMax) {
    throw new StartError(`SKLAD_ADMIN_PASSWORD must have at most ${passwordLengthMax} characters`)
  }
  return text
}

/** GS1's demonstration range, which belongs to nobody; a warehouse sets its own prefix. */
const demonstrationPrefix = '09520000'

function ssccPrefix(env: Environment): string {
  const text = env.SSCC_PREFIX || demonstrationPrefix
  if (/^\d{5,13}$/.test(text)) return text
  throw new StartError(
    `SSCC_PREFIX must be an extension digit and a GS1 company prefix, 5 to 13 digits together, got "${text}"`,
  )
}

/** Milliseconds, from a text such as 10s, 5m or 12h. */
function duration(env: Environment, name: string, fallback: string): number {
  return readDuration(name, env[name] || fallback)
}

function readDuration(name: string, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  const value = Number(digits) * (unitMs[unit as keyof typeof unitMs] ?? Number.NaN)
  if (!(value >= 1)) {
    throw new StartError(`${name} must be a time such as 10s, 5m or 12h, got "${text}"`)
  }
  return value
}

function retrySchedule(env: Environment): RetrySchedule {
  const name = 'WEBHOOK_RETRY_SCHEDULE'
  const text = env[name]
  if (text === undefined || text === '') return standardSchedule
  const pauses = text.split(',').map((part) => readDuration(name, part))
  if (pauses.length > 20) throw new StartError(`${name} must have at most 20 pauses`)
  return pauses
}

/** true, false, the number of proxies in front, or their addresses and networks. */
function trustProxy(env: Environment): boolean | number | string {
  const text = env.TRUST_PROXY ?? ''
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  if (/^\d{1,2}$/.test(text)) return Number(text)
  if (text.split(',').every((part) => isNetwork(part.trim()))) return text
  throw new StartError(
    `TRUST_PROXY must be true, false, a number of proxies or a list of addresses, got "${text}"`,
  )
}

/** An address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

function secretKeys(env: Environment, databaseUrl: string | undefined): readonly Buffer[] {
  const text = env.SECRET_KEY
  if (text === undefined || text === '') {
    if (databaseUrl === undefined) return []
    throw new StartError(
      'SECRET_KEY is required with DATABASE_URL: 32 or more random bytes in base64, ' +
        'for example from "openssl rand -base64 32"',
    )
  }
  return text.split(',').map((part) => {
    const bytes = Buffer.from(part.trim(), 'base64')
    if (bytes.length < 32) {
      throw new StartError(
        'SECRET_KEY must be 32 or more random bytes in base64, or several by comma',
      )
    }
    return bytes
  })
}

/** The settings without passwords and secrets, for the log. */
export function describeConfig(config: Config): Record<string, unknown> {
  const { secretKeys, databaseUrl, databaseListenUrl, adminPassword, ...shown } = config
  return {
    ...shown,
    adminPassword: adminPassword === undefined ? undefined : '***',
    databaseUrl: databaseUrl === undefined ? 'embedded' : maskedUrl(databaseUrl),
    databaseListenUrl: databaseListenUrl && maskedUrl(databaseListenUrl),
    secretKeys: secretKeys.map((key) => createHash('sha256').update(key).digest('hex').slice(0, 8)),
  }
}

/** Without user, password and parameters; of several hosts all. */
function maskedUrl(text: string): string {
  const [, scheme, rest] = /^(\w+:\/\/)(?:[^/?]*@)?([^?]*)/.exec(text) ?? []
  return scheme === undefined ? '***' : `${scheme}${rest}`
}
