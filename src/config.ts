import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { BotSettings } from './exchange/notices/bot-api.ts'
import { isMailAddress, readSmtpUrl, type SmtpServer } from './exchange/notices/smtp-server.ts'
import type { BlobAddress } from './exchange/pictures/blob-store.ts'
import { isLoopback, namesOwnNetwork, type PrivateTargets } from './exchange/webhooks/addresses.ts'
import { type RetrySchedule, standardSchedule } from './exchange/webhooks/schedule.ts'
import { passwordLengthMax } from './identity/sign-in/passwords.ts'
import type { CellMark } from './platform/kernel/api-key.ts'
import { StartError } from './platform/kernel/start-error.ts'
import type { BucketRule } from './platform/kernel/token-bucket.ts'
import type { SpanSettings } from './platform/process/spans.ts'

/**
 * The settings. Only this module reads the environment, once at start. An invalid value stops the start with the
 * setting's name and the allowed values. `settings` says what each of them means.
 */

interface Setting {
  /** As it would be set; undefined where there is none, or where it depends on other settings. */
  readonly fallback?: string
  /** What holds without the setting, in words, where `fallback` does not say it. */
  readonly otherwise?: string
  readonly meaning: string
}

/** Every setting. `npm run openapi` writes docs/settings.md from it. */
export const settings = {
  PORT: { fallback: '8080', meaning: 'Port of the API.' },
  HOST: {
    fallback: '127.0.0.1',
    meaning:
      'Address that the API listens on: by default only this machine reaches it. `0.0.0.0` opens it to the network, as the Docker image does.',
  },
  BASE_URL: {
    otherwise: '`http://localhost:$PORT`',
    meaning: 'Address at which sellers reach the API. The reference and new sandbox keys show it.',
  },
  DOCS_URL: {
    otherwise: '`$BASE_URL/docs`',
    meaning: 'Address of the API reference that new sandbox keys name.',
  },
  SUPPORT_CONTACT: {
    otherwise: '"the manager of your warehouse"',
    meaning:
      'Email or `https://…` address of your support. A seller tells it the `request_id` of an answer.',
  },
  DATABASE_URL: {
    otherwise: 'the embedded PostgreSQL',
    meaning:
      '`postgres://user:password@host:5432/database`, PostgreSQL 15 to 18. Of several servers (`host1:5432,host2:5432`) the service works with the primary and follows it to the next one; `target_session_attrs=any` takes whatever answers. Parameters of libpq are taken or refused by name; others are settings of the session.',
  },
  DATABASE_LISTEN_URL: {
    otherwise: '`DATABASE_URL`',
    meaning:
      'A direct address of the database, where `DATABASE_URL` is that of a pooler. A process opens at most five connections to it, for notifications and locks of sessions.',
  },
  DATABASE_REPORTS_URL: {
    otherwise: '`DATABASE_URL`',
    meaning:
      'A standby that answers exports, sales, long periods, `backup` and `audit`. Whoever has just written reads it there, too; a standby that is a second behind, or away, is passed over.',
  },
  DATABASE_POOL: {
    fallback: '10',
    meaning:
      'Database connections of one process, 2 to 200. It opens four more for sync runs, one for the call limits of marketplaces, one for the journal of calls, up to three for notifications, and one while remote commands run.',
  },
  DATABASE_PREPARED_STATEMENTS: {
    fallback: 'on',
    meaning:
      '`off` when a pooler gives each transaction another server connection, such as pgbouncer with `pool_mode = transaction`.',
  },
  DATA_DIR: {
    fallback: './data',
    meaning:
      'Directory of the embedded PostgreSQL and its secret. Only one service may use it at a time.',
  },
  SECRET_KEY: {
    otherwise: 'generated in `DATA_DIR`; required with `DATABASE_URL`',
    meaning:
      '32 or more random bytes in base64 (`openssl rand -base64 32`), the same for all processes. Of several keys, separated by commas, the first one seals and all open: [how to replace a key](operations.md#replace-secret_key).',
  },
  SKLAD_ADMIN_PASSWORD: {
    otherwise: 'generated and printed',
    meaning:
      'Password of the administrator `admin`, up to 200 characters. Only the first start, which creates `admin`, reads it.',
  },
  LOG_LEVEL: {
    fallback: 'info',
    meaning:
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. `debug` prints the settings at start, with secrets masked.',
  },
  ACCESS_LOG: {
    fallback: 'off',
    meaning:
      '`on`: the log has a line for every call. Without it, for failures, and for refusals that the journal of calls does not have.',
  },
  CELL: {
    otherwise: 'no mark',
    meaning:
      'One letter or digit, in which keys, tokens and sign-ins that are issued here begin, where several installations answer at [one address](operations.md#put-cells-behind-one-address). Those without it stay good.',
  },
  TRUST_PROXY: {
    fallback: 'false',
    meaning:
      'Proxies whose `X-Forwarded-*` headers the service trusts: `true`, a number of proxies, or addresses and networks separated by commas.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    otherwise: 'no spans',
    meaning:
      'Address of a collector of OpenTelemetry, such as `http://127.0.0.1:4318`. Spans of requests, of calls to marketplaces and of webhooks go to its `/v1/traces`, by OTLP over HTTP in JSON.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    otherwise: 'none',
    meaning: 'Headers for the collector: `name=value`, separated by commas, percent-encoded.',
  },
  OTEL_SERVICE_NAME: { fallback: 'sklad', meaning: 'Name of the service in spans.' },
  METRICS_PORT: { fallback: '9464', meaning: 'Port of the Prometheus metrics.' },
  METRICS_HOST: {
    fallback: '127.0.0.1',
    meaning: 'Address that the Prometheus metrics listen on.',
  },
  RATE_LIMIT_PER_MINUTE: {
    fallback: '60',
    meaning: 'Average number of requests per minute and key.',
  },
  RATE_LIMIT_BURST: { fallback: '20', meaning: 'Number of requests that a key may send at once.' },
  ACCOUNT_RATE_LIMIT_PER_MINUTE: {
    fallback: '240',
    meaning: 'Average number of requests per minute and session of the account.',
  },
  ACCOUNT_RATE_LIMIT_BURST: {
    fallback: '60',
    meaning: 'Number of requests that a session of the account may send at once.',
  },
  SANDBOX_KEYS_PER_HOUR: {
    fallback: '60',
    meaning: 'Average number of sandbox keys per hour and network address.',
  },
  SANDBOX_KEY_BURST: {
    fallback: '20',
    meaning: 'Number of sandbox keys that an address may request at once.',
  },
  SANDBOX_IDLE_HOURS: {
    fallback: '24',
    meaning:
      'A sandbox copy is deleted after this many hours without requests. The next request creates it again.',
  },
  CALL_JOURNAL_DAYS: { fallback: '365', meaning: 'Days that the call journal is kept.' },
  WEBHOOK_RETRY_SCHEDULE: {
    fallback: '1m,5m,30m,2h,12h,12h,12h',
    meaning:
      'Pauses between the attempts of a webhook delivery, and of a failing subscription: `ms`, `s`, `m`, `h` or `d`, at most 20. There is one attempt more than there are pauses.',
  },
  WEBHOOK_TIMEOUT: {
    fallback: '10s',
    meaning: 'Time limit of one attempt, from the DNS look-up to the end of the response headers.',
  },
  WEBHOOK_PRIVATE_TARGETS: {
    otherwise: '`sandbox`; `deny` with `DATABASE_URL` or with a `HOST` that the network reaches',
    meaning:
      'Targets that webhooks may reach besides the public internet. `deny`: none. `sandbox`: test keys may also reach this machine (`http://localhost:…`). `allow`: all keys may reach private addresses, also over `http`; use it only in a network without foreign clients.',
  },
  WEBHOOK_RETENTION_DAYS: {
    fallback: '30',
    meaning: 'Days that events and the webhook delivery log are kept.',
  },
  SMTP_URL: {
    otherwise: 'no letters',
    meaning:
      '`smtp://user:password@host:587` or `smtps://…:465` of the mail server by which notices go. Outside of your own network TLS is demanded; a public name that leads into it is refused.',
  },
  SMTP_FROM: {
    otherwise: 'the user of `SMTP_URL`, if that is an address, or `sklad@` the host of `BASE_URL`',
    meaning: 'Address that letters with notices come from.',
  },
  TELEGRAM_BOT_TOKEN: {
    otherwise: 'no messages by Telegram',
    meaning:
      'Token of the bot that brings notices to those who linked it on their page. The service reads its incoming messages, so no other program may.',
  },
  TELEGRAM_BASE_URL: {
    fallback: 'https://api.telegram.org',
    meaning: "Address of Telegram's Bot API, or of your own server of it.",
  },
  BLOB_URL: {
    otherwise: 'photos stay in the database',
    meaning:
      '`https://key:secret@host/bucket?region=…`: a bucket of S3, or a folder in it, to which photos go once they are acknowledged. Signs in key and secret are percent-encoded; the region is `us-east-1` unless it is named. `http` only inside of your own network. [What this changes](operations.md#keep-photos-in-a-bucket).',
  },
  SSCC_PREFIX: {
    // GS1's demonstration range, which belongs to nobody.
    fallback: '09520000',
    meaning:
      "Extension digit and GS1 company prefix, 5 to 13 digits together, of the SSCC numbers on boxes and pallets. The default is GS1's demonstration range: set your own prefix before labels leave the warehouse.",
  },
  WB_BASE_URL: {
    fallback: 'https://marketplace-api.wildberries.ru',
    meaning: "WB's host for orders, supplies and stock.",
  },
  WB_CONTENT_BASE_URL: {
    otherwise: '`WB_BASE_URL` if that is set, else `https://content-api.wildberries.ru`',
    meaning: "WB's host for product cards.",
  },
  WB_SANDBOX_BASE_URL: {
    otherwise:
      '`WB_BASE_URL` if that is set, else `https://marketplace-api-sandbox.wildberries.ru`',
    meaning:
      "Where calls with a token for WB's sandbox go. New tokens of that kind are refused unless this is set.",
  },
  WB_SANDBOX_CONTENT_BASE_URL: {
    otherwise:
      "the sandbox's or WB's other address if that is set, else `https://content-api-sandbox.wildberries.ru`",
    meaning: "The sandbox's host for product cards.",
  },
  OZON_BASE_URL: { fallback: 'https://api-seller.ozon.ru', meaning: "OZON's host." },
  OZON_LIST_PAUSE: {
    fallback: '1500ms',
    meaning:
      'Shortest time between two calls of one OZON list for an account, over all processes. OZON refuses lists that are asked for in a row.',
  },
  PICTURE_HOSTS: {
    otherwise:
      '`wbbasket.ru,ozone.ru`; with `WB_BASE_URL` or `OZON_BASE_URL` the hosts of these addresses',
    meaning:
      'Hosts, separated by commas, from which pictures of goods are fetched that cards name: each with all below it, over https, at public addresses alone. This machine needs its port (`127.0.0.1:8090`) and is reached over http, too. `none` fetches none.',
  },
  SYNC_INTERVAL: {
    fallback: '3m',
    meaning:
      'Time between the starts of two sync runs of a cabinet: `ms`, `s`, `m`, `h` or `d`. After failures the service waits up to four times as long. New credentials start a run at once.',
  },
  SANDBOX_ROBOT: {
    fallback: 'on',
    meaning: '`on` or `off`: whether a robot plays the warehouse in sandboxes that are in use.',
  },
} as const satisfies Readonly<Record<string, Setting>>

type Settings = typeof settings
type Name = keyof Settings
/** Settings whose default depends on nothing else. */
type NameWithFallback = {
  [Each in Name]: Settings[Each] extends { readonly fallback: string } ? Each : never
}[Name]
type Environment = Readonly<Partial<Record<Name, string>>>

export interface Config {
  readonly port: number
  readonly host: string
  readonly baseUrl: string
  readonly docsUrl: string
  readonly supportContact: string | undefined
  readonly metricsPort: number
  readonly metricsHost: string
  /** Undefined for the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined
  readonly databaseListenUrl: string | undefined
  readonly databaseReportsUrl: string | undefined
  readonly dataDir: string
  readonly poolSize: number
  readonly preparedStatements: boolean
  readonly logLevel: LogLevel
  readonly accessLog: boolean
  /** Empty where there are no cells. */
  readonly cell: CellMark
  readonly trustProxy: boolean | number | string
  /** Undefined: no spans. */
  readonly spans: SpanSettings | undefined
  /** The bucket of each key, and of each address that requests sandbox keys. */
  readonly keyBucket: BucketRule
  readonly sandboxKeyBucket: BucketRule
  /** The bucket of each session of the account. */
  readonly accountBucket: BucketRule
  /** Keys from the environment, newest first; empty where the data directory has them. */
  readonly secretKeys: readonly Buffer[]
  readonly adminPassword: string | undefined
  /** Undefined: no letters are sent. */
  readonly mail: MailConfig | undefined
  /** Undefined: no messages by Telegram. */
  readonly bot: BotSettings | undefined
  /** Undefined: photos stay in the database. */
  readonly blobs: BlobAddress | undefined
  readonly ssccPrefix: string
  readonly callJournalDays: number
  readonly sandboxIdleHours: number
  readonly sandboxRobot: boolean
  readonly webhooks: WebhookConfig
  readonly marketplaces: MarketplaceConfig
  /** See `exchange/pictures/addresses.ts`. */
  readonly pictureHosts: readonly string[]
}

export interface MailConfig {
  readonly server: SmtpServer
  readonly from: string
}

export interface MarketplaceConfig {
  /** The hosts of WB and of its sandbox. */
  readonly wildberries: Readonly<Record<'production' | 'sandbox', WildberriesUrls>>
  /** Tokens for WB's sandbox are taken: the operator has named it. */
  readonly wildberriesTestTokens: boolean
  readonly ozonUrl: string
  readonly ozonListApartMs: number
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

/** Throws StartError for the first invalid setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const env = tidyEnvironment(environment)
  const port = integer(env, 'PORT', 0, 65_535)
  const host = listenHost(env, 'HOST')
  const baseUrl = url(env, 'BASE_URL', `http://localhost:${port}`)
  const databaseUrl = env.DATABASE_URL || undefined
  return Object.freeze({
    port,
    host,
    baseUrl,
    docsUrl: url(env, 'DOCS_URL', `${baseUrl}/docs`),
    supportContact: supportContact(env),
    metricsPort: integer(env, 'METRICS_PORT', 0, 65_535),
    metricsHost: listenHost(env, 'METRICS_HOST'),
    databaseUrl,
    databaseListenUrl: env.DATABASE_LISTEN_URL || undefined,
    databaseReportsUrl: env.DATABASE_REPORTS_URL || undefined,
    dataDir: resolve(textOf(env, 'DATA_DIR')),
    poolSize: integer(env, 'DATABASE_POOL', 2, 200),
    preparedStatements: isOn(env, 'DATABASE_PREPARED_STATEMENTS'),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, settings.LOG_LEVEL.fallback),
    accessLog: isOn(env, 'ACCESS_LOG'),
    cell: cell(env),
    trustProxy: trustProxy(env),
    spans: spans(env),
    keyBucket: {
      capacity: integer(env, 'RATE_LIMIT_BURST', 1, 1_000_000),
      intervalMicros: interval(env, 'RATE_LIMIT_PER_MINUTE', 60),
    },
    sandboxKeyBucket: {
      capacity: integer(env, 'SANDBOX_KEY_BURST', 1, 1_000_000),
      intervalMicros: interval(env, 'SANDBOX_KEYS_PER_HOUR', 3600),
    },
    accountBucket: {
      capacity: integer(env, 'ACCOUNT_RATE_LIMIT_BURST', 1, 1_000_000),
      intervalMicros: interval(env, 'ACCOUNT_RATE_LIMIT_PER_MINUTE', 60),
    },
    secretKeys: secretKeys(env, databaseUrl),
    adminPassword: adminPassword(env),
    mail: mail(env, baseUrl),
    blobs: blobs(env),
    bot: bot(env),
    ssccPrefix: ssccPrefix(env),
    callJournalDays: integer(env, 'CALL_JOURNAL_DAYS', 1, 36_500),
    sandboxIdleHours: integer(env, 'SANDBOX_IDLE_HOURS', 1, 8760),
    sandboxRobot: isOn(env, 'SANDBOX_ROBOT'),
    webhooks: {
      retrySchedule: retrySchedule(env),
      timeoutMs: duration(env, 'WEBHOOK_TIMEOUT'),
      privateTargets: oneOf(
        env,
        'WEBHOOK_PRIVATE_TARGETS',
        ['deny', 'sandbox', 'allow'],
        // Test keys need no owner: nobody from the network may aim them at this machine.
        databaseUrl === undefined && isThisMachine(host) ? 'sandbox' : 'deny',
      ),
      retentionDays: integer(env, 'WEBHOOK_RETENTION_DAYS', 1, 3650),
    },
    marketplaces: {
      wildberries: wildberriesUrls(env),
      wildberriesTestTokens: Boolean(env.WB_SANDBOX_BASE_URL),
      ozonUrl: url(env, 'OZON_BASE_URL', settings.OZON_BASE_URL.fallback),
      ozonListApartMs: duration(env, 'OZON_LIST_PAUSE'),
      syncIntervalMs: duration(env, 'SYNC_INTERVAL'),
    },
    pictureHosts: pictureHosts(env),
  })
}

/**
 * Files of settings from Windows end their lines with a carriage return, and Docker's keep the quotes around values: neither
 * belongs to a value. In a password every character counts but those that nobody can type.
 */
function tidyEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const tidy = Object.entries({ ...environment, ...fromFiles(environment) }).map(
    ([name, value = '']) => [
      name,
      name === 'SKLAD_ADMIN_PASSWORD' ? value.replace(/[\r\n]+$/, '') : tidyValue(value),
    ],
  )
  return Object.fromEntries(tidy)
}

/** Settings that a file may hold, so that nobody reads them from the environment of the process. */
export const settingsInFiles: readonly Name[] = [
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_REPORTS_URL',
  'SECRET_KEY',
  'SMTP_URL',
  'TELEGRAM_BOT_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'BLOB_URL',
  'SKLAD_ADMIN_PASSWORD',
]

function fromFiles(environment: Readonly<Record<string, string | undefined>>) {
  const named = settingsInFiles.filter((name) => environment[`${name}_FILE`])
  return Object.fromEntries(
    named.map((name) => {
      if (environment[name]) throw new StartError(`${name} and ${name}_FILE are both set: keep one`)
      return [name, readSetting(`${name}_FILE`, environment[`${name}_FILE`] ?? '')]
    }),
  )
}

function readSetting(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartError(`${name}: ${path} cannot be read`, { cause })
  }
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
      baseUrl: url(env, 'WB_BASE_URL', settings.WB_BASE_URL.fallback),
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

/** A name or an address, with a port or without. */
const namedHost = /^(?:[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/

/** A test host of a marketplace replaces the hosts of pictures, too. */
function pictureHosts(env: Environment): readonly string[] {
  const tested = [env.WB_BASE_URL, env.OZON_BASE_URL].flatMap((text) => URL.parse(text ?? '') ?? [])
  const fallback =
    tested.length > 0 ? tested.map(({ host }) => host).join() : 'wbbasket.ru,ozone.ru'
  const text = env.PICTURE_HOSTS || fallback
  const hosts = text.split(',').map((part) => part.trim().toLowerCase())
  const wrong = hosts.find((host) => !namedHost.test(host))
  if (wrong === undefined) return hosts
  throw new StartError(
    `PICTURE_HOSTS must be host names separated by commas, such as ozone.ru, got ${JSON.stringify(text)}`,
  )
}

/** Whether a server that listens on this host is reached from this machine alone. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

/** The text of a setting, or its default. */
function textOf(env: Environment, name: NameWithFallback): string {
  return env[name] || settings[name].fallback
}

function integer(env: Environment, name: NameWithFallback, min: number, max: number): number {
  const text = textOf(env, name)
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
    throw new StartError(`${name} must be a whole number from ${min} to ${max}, got "${text}"`)
  }
  return value
}

/** Microseconds per token, from a number of tokens per `seconds`. */
function interval(env: Environment, name: NameWithFallback, seconds: number): number {
  const tokens = integer(env, name, 1, 1_000_000_000)
  return Math.max(1, Math.round((seconds * 1_000_000) / tokens))
}

function oneOf<const T extends string>(
  env: Environment,
  name: Name,
  allowed: readonly T[],
  fallback: string,
): T {
  const text = env[name] || fallback
  const value = allowed.find((each) => each === text)
  if (value === undefined) {
    throw new StartError(`${name} must be one of ${allowed.join(', ')}, got "${text}"`)
  }
  return value
}

function isOn(env: Environment, name: NameWithFallback): boolean {
  return oneOf(env, name, ['on', 'off'], settings[name].fallback) === 'on'
}

/** The address as the URL standard writes it: links are made of it, and pages compare it with their own. */
function url(env: Environment, name: Name, fallback: string): string {
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
function listenHost(env: Environment, name: 'HOST' | 'METRICS_HOST'): string {
  const text = textOf(env, name)
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

function mail(env: Environment, baseUrl: string): MailConfig | undefined {
  if (env.SMTP_URL === undefined || env.SMTP_URL === '') return undefined
  const server = readSmtpUrl(env.SMTP_URL)
  if (server === undefined) {
    throw new StartError('SMTP_URL must be smtp://user:password@host:port or smtps://…')
  }
  const user = server.user ?? ''
  const own = isMailAddress(user) ? user : `sklad@${new URL(baseUrl).hostname}`
  const from = env.SMTP_FROM || own
  if (isMailAddress(from)) return { server, from }
  throw new StartError(`SMTP_FROM must be an email address, got ${JSON.stringify(from)}`)
}

function bot(env: Environment): BotSettings | undefined {
  const baseUrl = url(env, 'TELEGRAM_BASE_URL', settings.TELEGRAM_BASE_URL.fallback)
  const token = env.TELEGRAM_BOT_TOKEN
  if (token === undefined || token === '') return undefined
  if (/^\d+:[\w-]{20,}$/.test(token)) return { token, baseUrl }
  throw new StartError('TELEGRAM_BOT_TOKEN must be a token of @BotFather, such as 123456:ABC…')
}

function blobs(env: Environment): BlobAddress | undefined {
  if (env.BLOB_URL === undefined || env.BLOB_URL === '') return undefined
  const address = readBlobUrl(env.BLOB_URL)
  if (address !== undefined) return address
  throw new StartError(
    'BLOB_URL must be https://key:secret@host/bucket, with another sign than a letter or digit in key or secret percent-encoded',
  )
}

function readBlobUrl(text: string): BlobAddress | undefined {
  const parsed = URL.parse(text)
  if (parsed === null || parsed.username === '' || parsed.password === '') return undefined
  const { protocol, host, hostname } = parsed
  const isSafe =
    protocol === 'https:' ||
    (protocol === 'http:' && namesOwnNetwork(hostname.replace(/^\[|\]$/g, '')))
  const path = parsed.pathname.replace(/\/+$/, '')
  if (!isSafe || path === '' || parsed.hash !== '') return undefined
  try {
    return {
      url: `${protocol}//${host}${path}`,
      accessKeyId: decodeURIComponent(parsed.username),
      secretAccessKey: decodeURIComponent(parsed.password),
      region: parsed.searchParams.get('region') || 'us-east-1',
    }
  } catch {
    return undefined
  }
}

function spans(env: Environment): SpanSettings | undefined {
  const name = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  if (env[name] === undefined || env[name] === '') return undefined
  return {
    url: `${url(env, name, '')}/v1/traces`,
    headers: spanHeaders(env),
    serviceName: textOf(env, 'OTEL_SERVICE_NAME'),
  }
}

function spanHeaders(env: Environment): Readonly<Record<string, string>> {
  const text = env.OTEL_EXPORTER_OTLP_HEADERS ?? ''
  try {
    const parts = text.split(',').filter((part) => part.trim() !== '')
    const entries = parts.map((part) => {
      const [, name = '', value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? []
      return [name, decodeURIComponent(value)] as const
    })
    return Object.fromEntries(new Headers(entries.map(([name, value]) => [name, value])))
  } catch {
    // The text may hold a key.
    throw new StartError('OTEL_EXPORTER_OTLP_HEADERS must be name=value, separated by commas')
  }
}

function ssccPrefix(env: Environment): string {
  const text = textOf(env, 'SSCC_PREFIX')
  if (/^\d{5,13}$/.test(text)) return text
  throw new StartError(
    `SSCC_PREFIX must be an extension digit and a GS1 company prefix, 5 to 13 digits together, got "${text}"`,
  )
}

/** Milliseconds, from a text such as 10s, 5m or 12h. */
function duration(env: Environment, name: NameWithFallback): number {
  return readDuration(name, textOf(env, name))
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

function cell(env: Environment): CellMark {
  const text = env.CELL ?? ''
  if (/^[0-9A-Za-z]?$/.test(text)) return text
  throw new StartError(`CELL must be one letter or digit, got ${JSON.stringify(text)}`)
}

/** true, false, the number of proxies in front, or their addresses and networks. */
function trustProxy(env: Environment): boolean | number | string {
  const text = textOf(env, 'TRUST_PROXY')
  if (text === 'false') return false
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
  const { secretKeys, databaseUrl, databaseListenUrl, databaseReportsUrl, ...rest } = config
  const { adminPassword, mail, bot, blobs, spans, ...shown } = rest
  return {
    ...shown,
    adminPassword: adminPassword === undefined ? undefined : '***',
    mail: mail && { host: mail.server.host, port: mail.server.port, from: mail.from },
    bot: bot && { baseUrl: bot.baseUrl, token: '***' },
    blobs: blobs && { url: blobs.url, region: blobs.region, secretAccessKey: '***' },
    spans: spans && { ...spans, headers: Object.keys(spans.headers) },
    databaseUrl: databaseUrl === undefined ? 'embedded' : maskedUrl(databaseUrl),
    databaseListenUrl: databaseListenUrl && maskedUrl(databaseListenUrl),
    databaseReportsUrl: databaseReportsUrl && maskedUrl(databaseReportsUrl),
    secretKeys: secretKeys.map((key) => createHash('sha256').update(key).digest('hex').slice(0, 8)),
  }
}

/** Without user, password and parameters; of several hosts all. */
function maskedUrl(text: string): string {
  const [, scheme, rest] = /^(\w+:\/\/)(?:[^/?]*@)?([^?]*)/.exec(text) ?? []
  return scheme === undefined ? '***' : `${scheme}${rest}`
}
