import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/platform/kernel/random.ts'
import { commandLine } from '../../src/platform/postgres/processes.ts'
import type { Clock } from './clock.ts'
import type { DatabaseServer } from './database.ts'

/** What is done to the processes and the disk. After each fault the service must come back without a hand. */

export interface Victims {
  readonly dataDir: string
  readonly database: DatabaseServer
  readonly baseUrl: string
  readonly service: () => ChildProcess
  /** Starts the service, as systemd does when it has ended. */
  readonly restart: () => Promise<void>
  /** Of the service and of the database; undefined: the clock is left alone. */
  readonly clock: Clock | undefined
  readonly databaseClock: Clock | undefined
}

type Fault = (victims: Victims, random: Random) => Promise<void>

const faults = {
  'service killed': async (victims) => {
    await killService(victims)
    await victims.restart()
  },
  'service ended': async (victims) => {
    const code = await endService(victims, 'SIGTERM')
    // 1: a database that is just coming back took no more of the journal of calls.
    if (code !== 0 && code !== 1) throw new Error(`the service ended with ${code}`)
    await victims.restart()
  },
  'service stopped for a while': async ({ service }, random) => {
    const { pid = 0 } = service()
    await frozen([pid], random.int(500, 9_000))
  },
  'database killed': async ({ database }) => {
    signal(await database.postmaster(), 'SIGKILL')
  },
  'database stopped for a while': async ({ database }, random) => {
    const postmaster = await database.postmaster()
    await frozen([postmaster, ...childrenOf(postmaster)], random.int(500, 9_000))
  },
  'one process of the database killed': async ({ database }, random) => {
    const children = childrenOf(await database.postmaster())
    if (children.length > 0) signal(random.pick(children), 'SIGKILL')
  },
  'one connection of the database silent for a while': async ({ database }, random) => {
    const connections = childrenOf(await database.postmaster()).filter(servesSklad)
    if (connections.length > 0) await frozen([random.pick(connections)], random.int(500, 9_000))
  },
  'sandbox keys flood': async ({ baseUrl }, random) =>
    floodSandboxes(baseUrl, random.int(1, 4), random.int(1_000, 5_000)),
  'service and database stopped for a while': async ({ service, database }, random) => {
    const postmaster = await database.postmaster()
    const { pid = 0 } = service()
    await frozen([pid, postmaster, ...childrenOf(postmaster)], random.int(500, 9_000))
  },
  'service and database killed': async (victims) => {
    const postmaster = await victims.database.postmaster()
    const ended = killService(victims)
    signal(postmaster, 'SIGKILL')
    await ended
    await victims.restart()
  },
} satisfies Record<string, Fault>

/** Only for a data directory on a file system of its own. */
const diskFaults = {
  'disk full for a while': async ({ dataDir }, random) => {
    const ballast = join(dataDir, 'ballast')
    fill(ballast)
    await sleep(random.int(500, 5_000))
    rmSync(ballast)
  },
} satisfies Record<string, Fault>

/** Marketplaces are asked for what changed since an hour before the last run: a clock may be wrong by less. */
const apartSecondsMax = 3_000

/** Only with a clock of its own. */
const clockFaults = {
  'clock set ahead': async ({ clock }, random) => clock?.set(random.int(60, apartSecondsMax)),
  'clock set back': async ({ clock }, random) => clock?.set(-random.int(60, apartSecondsMax)),
} satisfies Record<string, Fault>

const databaseClockFaults = {
  'clock of the database set ahead': async ({ databaseClock }, random) =>
    databaseClock?.set(random.int(60, apartSecondsMax)),
  'clock of the database set back': async ({ databaseClock }, random) =>
    databaseClock?.set(-random.int(60, apartSecondsMax)),
} satisfies Record<string, Fault>

export interface Reach {
  readonly mayFillDisk: boolean
  readonly maySetClock: boolean
  readonly maySetDatabaseClock: boolean
}

export function pickFault(
  random: Random,
  { mayFillDisk, maySetClock, maySetDatabaseClock }: Reach,
): { name: string; happen: (victims: Victims) => Promise<void> } {
  const possible = {
    ...faults,
    ...(mayFillDisk ? diskFaults : {}),
    ...(maySetClock ? clockFaults : {}),
    ...(maySetDatabaseClock ? databaseClockFaults : {}),
  }
  const [name, fault] = random.pick<[string, Fault]>(Object.entries(possible))
  return { name, happen: (victims) => fault(victims, random) }
}

const killService = (victims: Victims) => endService(victims, 'SIGKILL')

/** Whether the process of the database serves a connection of the service. */
function servesSklad(pid: number): boolean {
  return /^postgres: .*\bsklad\b.*(?:\[local\]|127\.0\.0\.1)/.test(commandLine(pid))
}

const burst = 20
const apartMs = 1_000

/** What free test keys may do to their neighbours: resets, a burst of each key and then one a second. */
async function floodSandboxes(baseUrl: string, keyCount: number, forMs: number): Promise<void> {
  const end = performance.now() + forMs
  const post = (path: string, headers = {}) =>
    fetch(`${baseUrl}/v1${path}`, { method: 'POST', headers }).then(
      (answer) => answer.text(),
      () => '{}',
    )
  const keys = await Promise.all(Array.from({ length: keyCount }, () => post('/sandbox/keys')))
  const floods = keys.map(async (answer) => {
    const headers = { 'X-Api-Key': String(JSON.parse(answer).key) }
    const resets = Array.from({ length: burst }, () => post('/sandbox/reset', headers))
    for (; performance.now() < end; await sleep(apartMs)) {
      resets.push(post('/sandbox/reset', headers))
    }
    await Promise.all(resets)
  })
  await Promise.all(floods)
}

/** Returns the exit code. */
async function endService({ service }: Victims, how: NodeJS.Signals): Promise<number | null> {
  const child = service()
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`the service ended by itself with ${child.exitCode ?? child.signalCode}`)
  }
  const ended = once(child, 'exit') as Promise<[number | null]>
  child.kill(how)
  return (await ended)[0]
}

async function frozen(pids: readonly number[], forMs: number): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await sleep(forMs)
  for (const pid of pids) signal(pid, 'SIGCONT')
}

/** A process may have ended by itself meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}

const block = Buffer.alloc(1_048_576, 1)

/** Writes until nothing fits any more. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = block.length; size >= 1; ) {
      try {
        writeSync(file, block, 0, size)
      } catch {
        size = Math.floor(size / 16)
      }
    }
  } finally {
    closeSync(file)
  }
}
