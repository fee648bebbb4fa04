import pino from 'pino'
import { type ProcessRole, startApp } from './app.ts'
import { type Config, describeConfig, isThisMachine, readConfig } from './config.ts'
import { systemClock } from './kernel/clock.ts'
import { maskedOutput } from './kernel/log.ts'
import { StartError } from './kernel/start-error.ts'
import { isNothingSealed, loadSecrets } from './secrets.ts'
import { firstLogin, makeFirstAdministrator } from './staff/first-administrator.ts'
import { openStore } from './store.ts'
import { bundleOnce } from './web/bundle.ts'

/**
 * The service process: reads settings, migrates the database, starts the app and stops it. The first
 * SIGTERM, SIGINT or SIGHUP finishes running requests and stops the process; further ones change nothing.
 */
export async function serve(env: NodeJS.ProcessEnv, role: ProcessRole): Promise<void> {
  const config = readConfig(env)
  const output = pino.destination(1)
  const log = pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    maskedOutput((line) => output.write(line)),
  )
  const stopRequested = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => stopRequested.resolve(signal))
  }

  const web = bundleOnce()
  // Beside the start of the database. A failure is thrown where the pages are awaited.
  if (role !== 'worker') web().catch(() => undefined)
  const store = await openStore(config, 'service', (line) => log.debug(line))
  try {
    const secrets = await loadSecrets(config, () => isNothingSealed(store.db))
    log.debug(describeConfig(config), 'settings')
    const password = await makeFirstAdministrator(store.db, systemClock, config.adminPassword)
    const parts = { config, role, db: store.db, clock: systemClock, secrets, log, web }
    const app = await startApp(parts).catch((error: unknown) => {
      throw portError(error, config) ?? error
    })
    if (role !== 'worker') await web()
    giveBackStartMemory()
    process.stdout.write(role === 'worker' ? 'Sklad worker is ready\n' : greeting(config, app.port))
    if (password !== undefined) process.stdout.write(welcome(config.baseUrl, password))
    const signal = await stopRequested.promise
    log.info(`${signal}: finishing running requests`)
    await app.close()
  } finally {
    await store.close()
  }
}

/** Gives memory that only the start needed back to the system; it takes a tenth of a second. Needs the flag of `bin/sklad.js`. */
function giveBackStartMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

function greeting({ baseUrl, host }: Config, port: number | undefined): string {
  const reached = isThisMachine(host)
    ? 'only this machine reaches it; HOST=0.0.0.0 opens it to the network'
    : 'open to the network'
  return [
    '',
    `Sklad is ready at ${baseUrl}`,
    `Listens on:       ${host.includes(':') ? `[${host}]` : host}:${port}, ${reached}`,
    `In a browser:     ${baseUrl}`,
    `API reference:    ${baseUrl}/docs`,
    `Get a test key:   curl -X POST ${baseUrl}/v1/sandbox/keys`,
    '',
    '',
  ].join('\n')
}

/** Printed on the first start only: the password is stored nowhere. */
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
