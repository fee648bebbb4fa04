import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pino from 'pino'
import { type App, type ProcessRole, startApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { bundleOnce } from '../../src/http/pages/bundle.ts'
import { issueApiKey, revokeApiKey } from '../../src/identity/keys/api-keys.ts'
import type { Database } from '../../src/platform/db/connection.ts'
import { ownSchema } from '../../src/platform/db/migrate.ts'
import { perform } from '../../src/platform/db/work.ts'
import { type Clock, systemClock } from '../../src/platform/kernel/clock.ts'
import { loadSecrets } from '../../src/platform/process/secrets.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import { type Client, newSandboxKey, openClient } from './client.ts'
import { marketplaceSpeed } from './marketplaces/fake-time.ts'
import { clientOfKey, scenarioDatabase } from './scenario.ts'

export interface TestService {
  readonly baseUrl: string
  readonly db: Database
}

export interface StartedService extends TestService {
  /** Stops the service before the tests of the file end. */
  stop(): Promise<void>
}

/** Nobody answers there: a test that needs a marketplace names its stand-in. */
const nowhere = 'http://127.0.0.1:9'
const offline = { WB_BASE_URL: nowhere, OZON_BASE_URL: nowhere }

/** No test meets a limit by chance: one that means a limit sets it. */
const unlimited = {
  RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_PER_MINUTE: '1000000',
  ACCOUNT_RATE_LIMIT_BURST: '1000000',
  SANDBOX_KEY_BURST: '1000000',
}

/** Of all services of the process. */
const web = bundleOnce()

const stopPatienceMs = 20_000

let shared: Promise<TestService> | undefined

/**
 * The service that the test files of one process share, with its database. Isolate tests by clients of their own:
 * clients, users and orders of other files are there as well.
 */
export function sharedService(): Promise<TestService> {
  shared ??= startService()
  return shared
}

/**
 * Starts the service on a free port and a database of its own, until the tests of the file end. The tests
 * fail if the service logs an error. Call it at the top of a test file. With the database of another
 * service it starts one more process of that service.
 */
export async function startService(
  settings: Readonly<Record<string, string>> = {},
  role: ProcessRole = 'api',
  openDatabase: () => Promise<Database> = async () => (await scenarioDatabase()).db,
  clock: Clock = systemClock,
): Promise<StartedService> {
  let app: App | undefined
  let stopped: Promise<unknown> | undefined
  const stop = async () => {
    stopped ??= app?.close()
    await stopped
  }
  const failures: string[] = []
  after(async () => {
    // A service that does not stop would keep the tests from ending.
    const patience = setTimeout(() => process.exit(1), stopPatienceMs)
    await stop()
    clearTimeout(patience)
    if (failures.length > 0) throw new Error(`the service logged: ${failures.join('')}`)
  })
  // Afterwards, since the service must stop before its database goes.
  const db = await openDatabase()
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    OZON_LIST_PAUSE: '1ms',
    SECRET_KEY: randomBytes(32).toString('base64'),
    ...offline,
    ...unlimited,
    ...settings,
  })
  const log = pino({ level: 'error' }, { write: (line) => failures.push(line) })
  const secrets = await loadSecrets(config)
  app = await startApp({ config, role, db, clock, secrets, log, web, marketplaceSpeed })
  return { baseUrl: `http://127.0.0.1:${app.port}`, db, stop }
}

/** Keys of a live client with one cabinet and no data. */
export interface LiveKeys {
  readonly reading: string
  /** Receipt requests are enabled for it. */
  readonly writing: string
  readonly revoked: string
}

export function addLiveClient({ db }: TestService): Promise<LiveKeys> {
  return perform(db, systemClock, { kind: 'service' }, async (work) => {
    const clientId = await createClient(work, { mode: 'live', name: 'ООО «Север»' })
    await addCabinet(work, clientId, { marketplace: 'WB', name: 'Север WB' })
    const issue = (name: string, receiptsEnabled: boolean) =>
      issueApiKey(work, clientId, { name, receiptsEnabled })
    const revoked = await issue('Отозванный', true)
    await revokeApiKey(work, clientId, revoked.id)
    const reading = await issue('Только чтение', false)
    const writing = await issue('Учётная система', true)
    return { reading: reading.key, writing: writing.key, revoked: revoked.key }
  })
}

/** A sandbox with one cabinet in place of the scenario, which it would copy with its first request. */
export async function emptySandbox(service: TestService): Promise<Client> {
  const key = await newSandboxKey(service)
  await perform(service.db, systemClock, { kind: 'service' }, async (work) => {
    const clientId = await clientOfKey(work.tx, key)
    await addCabinet(work, clientId, { marketplace: 'WB', name: 'WB' })
    await work.tx`
      update sandboxes set copied_at = ${work.at}, made_at = ${work.at}, made_schema = ${ownSchema()}
      where client_id = ${clientId}`
  })
  return openClient(service.baseUrl, key)
}
