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
import { StartError } from './platform/kernel/errors.ts'
import type { BucketRule } from './platform/kernel/token-bucket.ts'
import type { SpanSettings } from './platform/process/spans.ts'
import {
  type Environment,
  hostToListenOn,
  isSwitchedOn,
  microsPerToken,
  milliseconds,
  oneOfAllowed,
  readDuration,
  textOfSetting,
  webAddress,
  wholeNumberOf,
} from './setting-values.ts'
import { settings, settingsInFiles } from './settings.ts'

/**
 * What the service gets of its settings. Only this module reads the environment, once at start. An invalid value stops
 * the start with the setting's name and the allowed values. settings.ts says what each of them means.
 */

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
 * The database's driver and the programs of the embedded server read PGOPTIONS, PGREPLICATION, PGSSLNEGOTIATION and
 * others by themselves. So they are removed: the service's settings alone say how it connects.
 */
export function forgetDriverVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (/^PG[A-Z]/.test(name)) delete env[name]
}

forgetDriverVariables(process.env)

/** Throws StartError for the first invalid setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const env = tidyEnvironment(environment)
  const port = wholeNumberOf(env, 'PORT', 0, 65_535)
  const host = hostToListenOn(env, 'HOST')
  const baseUrl = webAddress(env, 'BASE_URL', `http://localhost:${port}`)
  const databaseUrl = env.DATABASE_URL || undefined
  return Object.freeze({
    port,
    host,
    baseUrl,
    docsUrl: webAddress(env, 'DOCS_URL', `${baseUrl}/docs`),
    supportContact: supportContact(env),
    metricsPort: wholeNumberOf(env, 'METRICS_PORT', 0, 65_535),
    metricsHost: hostToListenOn(env, 'METRICS_HOST'),
    databaseUrl,
    databaseListenUrl: env.DATABASE_LISTEN_URL || undefined,
    databaseReportsUrl: env.DATABASE_REPORTS_URL || undefined,
    dataDir: resolve(textOfSetting(env, 'DATA_DIR')),
    poolSize: wholeNumberOf(env, 'DATABASE_POOL', 2, 200),
    preparedStatements: isSwitchedOn(env, 'DATABASE_PREPARED_STATEMENTS'),
    logLevel: oneOfAllowed(env, 'LOG_LEVEL', logLevels, settings.LOG_LEVEL.fallback),
    accessLog: isSwitchedOn(env, 'ACCESS_LOG'),
    cell: cell(env),
    trustProxy: trustProxy(env),
    spans: spans(env),
    keyBucket: {
      capacity: wholeNumberOf(env, 'RATE_LIMIT_BURST', 1, 1_000_000),
      intervalMicros: microsPerToken(env, 'RATE_LIMIT_PER_MINUTE', 60),
    },
    sandboxKeyBucket: {
      capacity: wholeNumberOf(env, 'SANDBOX_KEY_BURST', 1, 1_000_000),
      intervalMicros: microsPerToken(env, 'SANDBOX_KEYS_PER_HOUR', 3600),
    },
    accountBucket: {
      capacity: wholeNumberOf(env, 'ACCOUNT_RATE_LIMIT_BURST', 1, 1_000_000),
      intervalMicros: microsPerToken(env, 'ACCOUNT_RATE_LIMIT_PER_MINUTE', 60),
    },
    secretKeys: secretKeys(env, databaseUrl),
    adminPassword: adminPassword(env),
    mail: mail(env, baseUrl),
    blobs: blobs(env),
    bot: bot(env),
    ssccPrefix: ssccPrefix(env),
    callJournalDays: wholeNumberOf(env, 'CALL_JOURNAL_DAYS', 1, 36_500),
    sandboxIdleHours: wholeNumberOf(env, 'SANDBOX_IDLE_HOURS', 1, 8760),
    sandboxRobot: isSwitchedOn(env, 'SANDBOX_ROBOT'),
    webhooks: {
      retrySchedule: retrySchedule(env),
      timeoutMs: milliseconds(env, 'WEBHOOK_TIMEOUT'),
      privateTargets: oneOfAllowed(
        env,
        'WEBHOOK_PRIVATE_TARGETS',
        ['deny', 'sandbox', 'allow'],
        // Test keys need no owner: nobody from the network may aim them at this machine.
        databaseUrl === undefined && isThisMachine(host) ? 'sandbox' : 'deny',
      ),
      retentionDays: wholeNumberOf(env, 'WEBHOOK_RETENTION_DAYS', 1, 3650),
    },
    marketplaces: {
      wildberries: wildberriesUrls(env),
      wildberriesTestTokens: Boolean(env.WB_SANDBOX_BASE_URL),
      ozonUrl: webAddress(env, 'OZON_BASE_URL', settings.OZON_BASE_URL.fallback),
      ozonListApartMs: milliseconds(env, 'OZON_LIST_PAUSE'),
      syncIntervalMs: milliseconds(env, 'SYNC_INTERVAL'),
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
      baseUrl: webAddress(env, 'WB_BASE_URL', settings.WB_BASE_URL.fallback),
      contentBaseUrl: webAddress(env, 'WB_CONTENT_BASE_URL', test ?? host('content-api')),
    },
    sandbox: {
      baseUrl: webAddress(env, 'WB_SANDBOX_BASE_URL', test ?? host('marketplace-api-sandbox')),
      contentBaseUrl: webAddress(
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

function supportContact(env: Environment): string | undefined {
  const text = env.SUPPORT_CONTACT || undefined
  if (text === undefined || /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text)) return text
  const parsed = URL.parse(text)
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed.href
  throw new StartError(
    `SUPPORT_CONTACT must be an email address or an http or https address, got "${text}"`,
  )
}

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
  const baseUrl = webAddress(env, 'TELEGRAM_BASE_URL', settings.TELEGRAM_BASE_URL.fallback)
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
    url: `${webAddress(env, name, '')}/v1/traces`,
    headers: spanHeaders(env),
    serviceName: textOfSetting(env, 'OTEL_SERVICE_NAME'),
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
  const text = textOfSetting(env, 'SSCC_PREFIX')
  if (/^\d{5,13}$/.test(text)) return text
  throw new StartError(
    `SSCC_PREFIX must be an extension digit and a GS1 company prefix, 5 to 13 digits together, got "${text}"`,
  )
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
  const text = textOfSetting(env, 'TRUST_PROXY')
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
