import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../src/platform/kernel/errors.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { startFakeOzon } from '../../tests/support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../../tests/support/marketplaces/wildberries.ts'
import { addAdministrator, startService } from '../trial/service.ts'
import { type Settings, settingsOf } from '../trial/settings.ts'
import { type Clock, openClock } from './clock.ts'
import { type DatabaseServer, embeddedIn, startGiven } from './database.ts'
import type { Victims } from './faults.ts'
import type { Silence } from './insist.ts'
import { type Acknowledged, nothingYet } from './load.ts'
import { openReceiver } from './receiver.ts'
import { openScene, type Scene } from './scene.ts'

/** A service with a PostgreSQL of its own, stand-ins of marketplaces and a receiver of webhooks. */
export interface Warehouse extends Victims, AsyncDisposable {
  readonly scene: Scene
  readonly silence: Silence
  /** Since it was opened. */
  readonly acknowledged: Acknowledged
  /** Ids of the events that the receiver got. */
  readonly received: ReadonlySet<string>
}

export interface WarehousePlan {
  /** A directory on a file system of its own, which may be filled. Undefined: the disk is left alone. */
  readonly disk: string | undefined
  /** Whether clocks are set ahead and back, which needs libfaketime. */
  readonly setsClock: boolean
  /** Whether the database is Debian's PostgreSQL 15 instead of the service's own. Only its clock can be set. */
  readonly given: boolean
}

const unlimited = '1000000'

/** A run closes a month; charges reach back for a year. */
const daysBefore = 300

export async function openWarehouse({ disk, setsClock, given }: WarehousePlan): Promise<Warehouse> {
  await using open = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(disk ?? tmpdir(), 'sklad-chaos-'))
  open.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const clockOf = (whose: string) => (setsClock ? openClock(dataDir, whose) : undefined)
  const clock = clockOf('service')
  const databaseClock = given ? clockOf('database') : undefined
  const database = given
    ? await startGiven(dataDir, databaseClock?.settings ?? {})
    : embeddedIn(dataDir)
  open.defer(() => database.kill())
  const fakes = await Promise.all([startFakeWildberries(), startFakeOzon()])
  open.defer(async () => void (await Promise.all(fakes.map((fake) => fake.close()))))
  const receiver = await openReceiver()
  open.defer(receiver.close)
  const baseUrl = `http://127.0.0.1:${await freePort()}`
  const urls = { baseUrl, wildberriesUrl: fakes[0].baseUrl, ozonUrl: fakes[1].baseUrl }
  const settings = settingsIn(dataDir, urls, database, clock)
  let service = await startUntilReady(settings)
  open.defer(async () => void (await endWith(service, 'SIGKILL')))

  const silence: Silence = { longestMs: 0, lastAt: 0 }
  const end = new AbortController()
  // A play that fails leaves no callers behind: they would keep this process alive.
  open.defer(() => end.abort())
  const token = addAdministrator(settings)
  const calls = { silence, ended: end.signal }
  const scene = await openScene(baseUrl, token, fakes, receiver.url, calls)
  await database.backdate(scene.client, daysBefore)
  const opened = open.move()
  return {
    dataDir,
    baseUrl,
    database,
    clock,
    databaseClock,
    service: () => service,
    async restart() {
      service = await startUntilReady(settings)
    },
    scene,
    silence,
    acknowledged: nothingYet(scene),
    received: receiver.received,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

interface Urls {
  readonly baseUrl: string
  readonly wildberriesUrl: string
  readonly ozonUrl: string
}

function settingsIn(
  folder: string,
  urls: Urls,
  database: DatabaseServer,
  clock: Clock | undefined,
): Settings {
  const { port } = new URL(urls.baseUrl)
  const password = randomBytes(9).toString('base64url')
  const givenKey = { SECRET_KEY: randomBytes(32).toString('base64') }
  return {
    ...settingsOf(process.env, { folder, port, password, ...urls }),
    LOG_LEVEL: 'fatal',
    SYNC_INTERVAL: '1s',
    // A receiver on a busy machine may be late more than once; by the usual schedule the play would wait for hours.
    WEBHOOK_TIMEOUT: '3s',
    WEBHOOK_RETRY_SCHEDULE: '1s,2s,5s,5s,5s,5s,5s,5s,5s,5s',
    // The receiver is on this machine.
    WEBHOOK_PRIVATE_TARGETS: 'allow',
    SANDBOX_KEY_BURST: unlimited,
    RATE_LIMIT_BURST: unlimited,
    RATE_LIMIT_PER_MINUTE: unlimited,
    ...(database.settings.DATABASE_URL === undefined ? {} : givenKey),
    ...database.settings,
    ...clock?.settings,
  }
}

const startsWithinMs = 120_000
const startPauseMs = 1_000

/** As systemd does: a start may end at once while the database server is still on its way. */
async function startUntilReady(settings: Settings): Promise<ChildProcess> {
  const end = performance.now() + startsWithinMs
  for (;;) {
    try {
      return await startService(settings)
    } catch (error) {
      if (!(error instanceof StartError) || performance.now() > end) throw error
      await sleep(startPauseMs)
    }
  }
}

export async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit') as Promise<[number | null]>
  child.kill(signal)
  return (await ended)[0]
}
