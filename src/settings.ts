/** What can be set, and what each setting means to an operator; config.ts reads them. */

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
      'Email or `https://…` address of your support, to which sellers tell the `request_id` of an answer.',
  },
  DATABASE_URL: {
    otherwise: 'the embedded PostgreSQL',
    meaning:
      '`postgres://user:password@host:5432/database`, PostgreSQL 15 to 18. Of several servers (`host1:5432,host2:5432`) the service follows the primary; `target_session_attrs=any` takes whatever answers. Parameters that libpq does not know are settings of the session.',
  },
  DATABASE_LISTEN_URL: {
    otherwise: '`DATABASE_URL`',
    meaning:
      'A direct address of the database, where `DATABASE_URL` is that of a [pooler](postgresql.md#a-pooler). At most five connections of a process go there.',
  },
  DATABASE_REPORTS_URL: {
    otherwise: '`DATABASE_URL`',
    meaning:
      'A standby that answers exports, sales, long periods, `backup` and `audit`. While it is a second behind, or away, the primary answers.',
  },
  DATABASE_POOL: {
    fallback: '10',
    meaning:
      'Database connections of one process, 2 to 200; it opens [up to ten more](postgresql.md#connections).',
  },
  DATABASE_PREPARED_STATEMENTS: {
    fallback: 'on',
    meaning:
      '`off` behind a pooler that gives each transaction another connection: pgbouncer with `pool_mode = transaction`.',
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
      '`on`: the log has a line for every call, not only for failures and for refusals that the journal of calls does not have.',
  },
  CELL: {
    otherwise: 'no mark',
    meaning:
      'One letter or digit that keys, tokens and sign-ins issued here carry, where several installations answer at [one address](cells.md). Those without it stay valid.',
  },
  TRUST_PROXY: {
    fallback: 'false',
    meaning:
      'Proxies whose `X-Forwarded-*` headers the service trusts: `true`, a number of proxies, or addresses and networks separated by commas.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    otherwise: 'no spans',
    meaning:
      'Address of a collector of OpenTelemetry, such as `http://127.0.0.1:4318`, for [spans](operations.md#follow-a-call-into-your-traces) by OTLP over HTTP in JSON.',
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
      'A sandbox copy is deleted after so many hours without a request; the next request makes a new one.',
  },
  CALL_JOURNAL_DAYS: { fallback: '365', meaning: 'Days that the journal of calls is kept.' },
  WEBHOOK_RETRY_SCHEDULE: {
    fallback: '1m,5m,30m,2h,12h,12h,12h',
    meaning:
      'Pauses between the attempts of a webhook delivery, and of a failing subscription: `ms`, `s`, `m`, `h` or `d`, at most 20. There is one attempt more than pauses.',
  },
  WEBHOOK_TIMEOUT: {
    fallback: '10s',
    meaning: 'Time limit of one attempt, until the end of the response headers.',
  },
  WEBHOOK_PRIVATE_TARGETS: {
    otherwise: '`sandbox`; `deny` with `DATABASE_URL` or with a `HOST` that the network reaches',
    meaning:
      'What webhooks may reach besides the public internet. `deny`: nothing. `sandbox`: this machine, by test keys (`http://localhost:…`). `allow`: private addresses, also over `http`, by all keys: use it only in a network without foreign clients.',
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
      '`https://key:secret@host/bucket?region=…`: a bucket of S3, or a folder in it, [to which photos go](operations.md#keep-photos-in-a-bucket). Percent-encode key and secret; the region is `us-east-1` unless it is named. `http` only inside of your own network.',
  },
  SSCC_PREFIX: {
    // GS1's demonstration range, which belongs to nobody.
    fallback: '09520000',
    meaning:
      'Extension digit and GS1 company prefix, 5 to 13 digits together, of the SSCC numbers on boxes and pallets. The default is for demonstration: set your own before labels leave the warehouse.',
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
      'Shortest time between two calls of one OZON list for an account: OZON refuses faster ones.',
  },
  PICTURE_HOSTS: {
    otherwise:
      '`wbbasket.ru,ozone.ru`; with `WB_BASE_URL` or `OZON_BASE_URL` the hosts of these addresses',
    meaning:
      'Hosts, separated by commas, and all below them, from which pictures of cards are fetched: over https, at public addresses. This machine needs its port (`127.0.0.1:8090`) and may use http. `none` fetches none.',
  },
  SYNC_INTERVAL: {
    fallback: '3m',
    meaning:
      'Time between the starts of two sync runs of a cabinet: `ms`, `s`, `m`, `h` or `d`. After failures the service waits up to four times as long.',
  },
  SANDBOX_ROBOT: {
    fallback: 'on',
    meaning: 'Whether a robot plays the warehouse in sandboxes that are in use.',
  },
} as const satisfies Readonly<Record<string, Setting>>

type Settings = typeof settings
export type SettingName = keyof Settings

/** Settings whose default depends on nothing else. */
export type SettingWithFallback = {
  [Each in SettingName]: Settings[Each] extends { readonly fallback: string } ? Each : never
}[SettingName]

/** Settings that a file may hold, so that nobody reads them from the environment of the process. */
export const settingsInFiles: readonly SettingName[] = [
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
