import pino, { type Logger } from 'pino'
import { type ProcessRole, startApp } from './app.ts'
import { type Config, describeConfig, isThisMachine, readConfig } from './config.ts'
import { bundleOnce, type WebFiles } from './http/pages/bundle.ts'
import { firstLogin, makeFirstAdministrator } from './identity/staff/first-administrator.ts'
import type { Database } from './platform/db/connection.ts'
import { systemClock } from './platform/kernel/clock.ts'
import { StartError } from './platform/kernel/errors.ts'
import { maskedOutput } from './platform/kernel/log.ts'
import {
  isNothingSealed,
  loadSecrets,
  recordFingerprints,
  refuseMissingSecret,
} from './platform/process/secrets.ts'
import { awaitSignals, type Stop } from './platform/process/stop.ts'
import { openStore } from './platform/process/store.ts'
import { serviceVersion } from './platform/process/version.ts'

/**
 * The service process: reads settings, migrates the database, starts the app, and stops as `platform/process/stop.ts` says.
 *
 * @param web the web pages; asked for each time that one is served
 */
export async function serve(
  env: NodeJS.ProcessEnv,
  role: ProcessRole,
  web: () => Promise<WebFiles> = bundleOnce(),
): Promise<void> {
  const config = readConfig(env)
  const output = pino.destination(1)
  const log = pino(
    {
      level: config.logLevel,
      base: { version: serviceVersion, role },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    maskedOutput((line) => output.write(line)),
  )
  const stop = awaitSignals(log)
  try {
    stop.end(await run({ config, role, log, stop, web }))
  } catch (error) {
    // What a stop has broken off is no failure of the start.
    if (!stop.signal.aborted) throw error
    log.debug({ err: error }, 'the start was broken off')
    stop.end([])
  }
}

interface Service {
  readonly config: Config
  readonly role: ProcessRole
  readonly log: Logger
  readonly stop: Stop
  readonly web: () => Promise<WebFiles>
}

/** Runs until the stop. Resolves with the parts that did not close in order. */
async function run(service: Service): Promise<readonly string[]> {
  const { config, role, log, stop, web } = service
  // Beside the start of the database. A failure is thrown where the pages are awaited.
  if (role !== 'worker') web().catch(() => undefined)
  const store = await openStore(config, 'service', (line) => log.debug(line), { stop: stop.signal })
  const failed: string[] = []
  try {
    failed.push(...(await runOn(store.db, service)))
  } finally {
    await store.close().catch((error: unknown) => {
      log.warn({ err: error }, 'the database did not close in order')
      failed.push('database')
    })
  }
  return failed
}

async function runOn(db: Database, service: Service): Promise<readonly string[]> {
  const { config, role, log, stop, web } = service
  const secrets = await loadSecrets(config, () => isNothingSealed(db))
  await refuseMissingSecret(db, secrets)
  await recordFingerprints(db, secrets)
  log.debug(describeConfig(config), 'settings')
  const password = await makeFirstAdministrator(db, systemClock, config.adminPassword)
  // At once: a stop must not keep the only copy of it.
  if (password !== undefined) process.stdout.write(welcome(config.baseUrl, password))
  stop.signal.throwIfAborted()
  const parts = { config, role, db, clock: systemClock, secrets, log, web }
  const app = await startApp(parts).catch((error: unknown) => {
    throw portError(error, config) ?? error
  })
  try {
    if (role !== 'worker') await web()
    stop.signal.throwIfAborted()
    giveBackStartMemory()
    announce(service, app.port)
    await stop.requested
  } catch (error) {
    await app.close()
    throw error
  }
  return app.close(role !== 'worker')
}

/** Gives memory that only the start needed back to the system; it takes a tenth of a second. Needs the flag of `bin/sklad.js`. */
function giveBackStartMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** For a person where a terminal shows it; elsewhere one line of the log, at whatever level that is. */
function announce({ config, role, log }: Service, port: number | undefined): void {
  const ready = role === 'worker' ? 'Sklad worker is ready' : `Sklad is ready at ${config.baseUrl}`
  if (process.stdout.isTTY) {
    process.stdout.write(role === 'worker' ? `${ready}\n` : greeting(config, ready, port))
    return
  }
  const listens = role === 'worker' ? {} : { listens: listeningOn(config, port) }
  log.child({}, { level: 'info' }).info(listens, ready)
}

function greeting({ baseUrl, ...config }: Config, ready: string, port: number | undefined): string {
  return [
    '',
    ready,
    `Listens on:       ${listeningOn(config, port)}`,
    `In a browser:     ${baseUrl}`,
    `API reference:    ${baseUrl}/docs`,
    `Get a test key:   curl -X POST ${baseUrl}/v1/sandbox/keys`,
    '',
    '',
  ].join('\n')
}

function listeningOn({ host }: Pick<Config, 'host'>, port: number | undefined): string {
  const reached = isThisMachine(host)
    ? 'only this machine reaches it; HOST=0.0.0.0 opens it to the network'
    : 'open to the network'
  return `${host.includes(':') ? `[${host}]` : host}:${port}, ${reached}`
}

/** Printed on the first start only, as people copy it: the password is stored nowhere. */
function welcome(baseUrl: string, password: string): string {
  return [
    `First sign-in:    ${baseUrl}, login ${firstLogin}, password ${password}`,
    'Change it then:   a log that takes these lines keeps them.',
    '',
    '',
  ].join('\n')
}

/** The error for a port that cannot be opened, named by its setting. */
function portError(
  error: unknown,
  config: { port: number; metricsPort: number },
): StartError | undefined {
  const { code, port } = error as { code?: string; port?: number }
  const reasons: Record<string, string> = {
    EADDRINUSE: 'is in use by another process',
    EACCES: 'is not allowed for this user',
    EADDRNOTAVAIL: 'is at an address that this machine does not have (HOST, METRICS_HOST)',
    ENOTFOUND: 'is at an address that cannot be found (HOST, METRICS_HOST)',
  }
  const reason = reasons[code ?? '']
  if (reason === undefined) return undefined
  const name = port === config.metricsPort ? 'METRICS_PORT' : 'PORT'
  return new StartError(`${name} ${port ?? config.port} ${reason}`)
}
