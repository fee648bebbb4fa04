import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../../src/kernel/random.ts'
import { startFakeOzon } from '../../tests/support/marketplaces/ozon.ts'
import { startFakeWildberries } from '../../tests/support/marketplaces/wildberries.ts'
import { addAdministrator, freePort, startService } from '../trial/service.ts'
import { type Settings, settingsOf } from '../trial/settings.ts'
import { check } from './check.ts'
import { openClock } from './clock.ts'
import { killServer, pickFault } from './faults.ts'
import type { Silence } from './insist.ts'
import { startLoad } from './load.ts'
import { openScene } from './scene.ts'

/** One run: a service with a PostgreSQL of its own works under load while processes are killed and stopped. */
export interface ChaosPlan {
  readonly seed: string
  /** How many faults follow one another. */
  readonly faults: number
  /** A directory on a file system of its own, which may be filled. Undefined: the disk is left alone. */
  readonly disk: string | undefined
  /** Whether the service's clock is set ahead and back, which needs libfaketime. */
  readonly setsClock: boolean
}

export interface ChaosReport {
  readonly faults: readonly string[]
  /** How many things the service acknowledged. */
  readonly acknowledged: number
  /** The longest time in which it acknowledged nothing to anybody. */
  readonly silenceMs: number
  /** Empty: nothing was lost. */
  readonly problems: readonly string[]
}

const program = fileURLToPath(new URL('../../bin/sklad.js', import.meta.url))
const unlimited = '1000000'

export async function playChaos({
  seed,
  faults,
  disk,
  setsClock,
}: ChaosPlan): Promise<ChaosReport> {
  await using open = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(disk ?? tmpdir(), 'sklad-chaos-'))
  open.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  open.defer(() => killServer(dataDir))
  const fakes = await Promise.all([startFakeWildberries(), startFakeOzon()])
  open.defer(async () => void (await Promise.all(fakes.map((fake) => fake.close()))))
  const receiver = await openReceiver()
  open.defer(receiver.close)
  const baseUrl = `http://127.0.0.1:${await freePort()}`
  const clock = setsClock ? openClock(dataDir) : undefined
  const settings = {
    ...settingsIn(dataDir, baseUrl, fakes[0].baseUrl, fakes[1].baseUrl),
    ...clock?.settings,
  }
  let service = await startService(settings)
  open.defer(async () => void (await endWith(service, 'SIGKILL')))

  const silence: Silence = { longestMs: 0, lastAt: 0 }
  const end = new AbortController()
  // A play that fails leaves no callers behind: they would keep this process alive.
  open.defer(() => end.abort())
  const token = addAdministrator(settings)
  const calls = { silence, ended: end.signal }
  const scene = await openScene(baseUrl, token, fakes, receiver.url, calls)
  const load = startLoad(scene)
  silence.longestMs = 0
  const random = seededRandom(seed)
  const happened: string[] = []
  for (let n = 0; n < faults; n++) {
    await sleep(random.int(100, 2_000))
    const fault = pickFault(random, { mayFillDisk: disk !== undefined, maySetClock: setsClock })
    happened.push(fault.name)
    await fault.happen({
      dataDir,
      clock,
      service: () => service,
      restart: async () => {
        service = await startService(settings)
      },
    })
  }
  await sleep(random.int(100, 1_000))
  // Somebody sets the clock right in the end.
  clock?.set(0)
  await load.stop()
  const { acknowledged } = load
  const problems = await check(scene, acknowledged, receiver.received)
  const code = await endWith(service, 'SIGTERM')
  if (code !== 0) problems.push(`the service ended with ${code}`)
  problems.push(...audited(settings))
  const { counts, picks, returns, receipts, orders } = acknowledged
  const ordered = [...orders.values()].reduce((sum, { length }) => sum + length, 0)
  return {
    faults: happened,
    acknowledged: counts + picks + returns + receipts.size + ordered,
    silenceMs: Math.round(silence.longestMs),
    problems,
  }
}

function settingsIn(folder: string, baseUrl: string, wildberriesUrl: string, ozonUrl: string) {
  const { port } = new URL(baseUrl)
  const password = randomBytes(9).toString('base64url')
  const places = { folder, port, baseUrl, password, wildberriesUrl, ozonUrl }
  return {
    ...settingsOf(process.env, places),
    LOG_LEVEL: 'fatal',
    SYNC_INTERVAL: '1s',
    WEBHOOK_TIMEOUT: '1s',
    // The receiver is on this machine.
    WEBHOOK_PRIVATE_TARGETS: 'allow',
    RATE_LIMIT_BURST: unlimited,
    RATE_LIMIT_PER_MINUTE: unlimited,
  } satisfies Settings
}

/** Keeps the ids of the events that arrive. */
export async function openReceiver() {
  const received = new Set<string>()
  const server = createServer(async (request, response) => {
    const event = (await json(request).catch(() => ({}))) as { id?: string }
    if (event.id !== undefined) received.add(event.id)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit') as Promise<[number | null]>
  child.kill(signal)
  return (await ended)[0]
}

function audited(settings: Settings): string[] {
  try {
    execFileSync(process.execPath, [program, '--json', 'audit'], { env: settings })
    return []
  } catch (error) {
    return [`audit: ${String((error as { stdout?: Buffer }).stdout).slice(0, 2_000)}`]
  }
}
