import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../tests/support/free-port.ts'
import type { Flooded, FloodJob } from './flood.ts'
import type { Job, Outcome } from './load.ts'
import type { CallJob, CallOutcome } from './staff/caller.ts'
import type { FakesPlan } from './sync/fakes.ts'
import type { BareJob } from './webhooks/bare.ts'
import type { Committed, ProducerJob } from './webhooks/producer.ts'

/** The processes of the benchmark: the service, the baseline, the load generator. */

export interface Server {
  readonly url: string
  readonly pid: number
  /** Time from the start of the process to its ready line. */
  readonly readyMs: number
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../bin/sklad.js', import.meta.url))

/** Starts the service as "npm start" does, with rate limits that no benchmark reaches. */
export async function startService(
  dataDir: string,
  profileDir?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await freePort()
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]
  const server = await start([...profiling, program, 'serve'], /Sklad is ready/, {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '999999999',
    RATE_LIMIT_BURST: '1000000',
    SANDBOX_KEYS_PER_HOUR: '999999999',
    SANDBOX_KEY_BURST: '1000000',
    ...settings,
  })
  return { ...server, url: `http://127.0.0.1:${port}` }
}

/** A process of the service whose marketplaces' time passes so fast; `url` is its ready line. */
export function startTier(
  plan: { readonly role: 'api' | 'worker'; readonly speed: number },
  settings: Readonly<Record<string, string>>,
): Promise<Server> {
  return startServer('tiers/process.ts', [plan.role, String(plan.speed)], settings)
}

/** The baseline: one route per case and one statement per route. */
export function startBare(dataDir: string, clientId: string): Promise<Server> {
  return startServer('bare.ts', [dataDir, clientId])
}

/** Records when each event arrives. */
export function startReceiver(): Promise<Server> {
  return startServer('webhooks/receiver.ts')
}

/** Stand-ins of both marketplaces; `url` is the ready line of the process. */
export function startFakes(plan: FakesPlan): Promise<Server> {
  return startServer('sync/fakes.ts', [JSON.stringify(plan)])
}

/** The staff baseline: one transaction with one insert and one update per request. */
export function startStaffBare(dataDir: string): Promise<Server> {
  return startServer('staff/bare.ts', [dataDir])
}

async function startServer(
  file: string,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const server = await start([path, ...args], /^ready at/, settings)
  return { ...server, url: server.line.replace('ready at ', '') }
}

async function start(
  args: readonly string[],
  ready: RegExp,
  settings: Readonly<Record<string, string>>,
): Promise<Omit<Server, 'url'> & { line: string }> {
  const started = performance.now()
  const { DATABASE_URL: _, ...environment } = process.env
  const child = spawn(process.execPath, args, {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (ready.test(line)) resolve(line)
  })
  child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
  const line = await promise
  const readyMs = performance.now() - started
  return { line, readyMs, pid: child.pid ?? 0, stop: () => stop(child) }
}

const stopMsMax = 60_000

/** Stops a process. If it does not stop, or stops with an error, the benchmark fails. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
    await ended
    clearTimeout(timer)
  }
  const { exitCode, signalCode } = child
  if (exitCode === 0 || signalCode === 'SIGTERM') return
  throw new Error(`${child.spawnargs.join(' ')} ended with ${exitCode ?? signalCode}`)
}

/** A process that runs one job at a time. */
export interface Worker<Job, Outcome> {
  run(job: Job): Promise<Outcome>
  stop(): Promise<void>
}

export type LoadGenerator = Worker<Job, Outcome>

export function startLoadGenerator(): LoadGenerator {
  return workerOf(fork(new URL('load.ts', import.meta.url)))
}

/** The load generator that plays workers with handhelds. */
export function startCaller(): Worker<CallJob, CallOutcome> {
  return workerOf(fork(new URL('staff/caller.ts', import.meta.url)))
}

/** Whoever floods the service beside the measured client. */
export function startFlood(): Worker<FloodJob, Flooded> {
  return workerOf(fork(new URL('flood.ts', import.meta.url)))
}

/** Posts to the receiver directly, without the service. */
export function startBareSender(): Worker<BareJob, number> {
  return workerOf(fork(new URL('webhooks/bare.ts', import.meta.url)))
}

/** Writes events into the service's database. */
export async function startProducer(dataDir: string): Promise<Worker<ProducerJob, Committed>> {
  const child = fork(new URL('webhooks/producer.ts', import.meta.url), [dataDir])
  await once(child, 'message')
  return workerOf(child)
}

function workerOf<Job extends object, Outcome>(child: ChildProcess): Worker<Job, Outcome> {
  return {
    async run(job) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const onExit = (code: number | null) => reject(new Error(`a worker ended with ${code}`))
      child.once('message', resolve as (message: unknown) => void)
      child.once('exit', onExit)
      child.send(job)
      return promise.finally(() => child.off('exit', onExit))
    },
    stop: () => stop(child),
  }
}

/** Resident memory of a process, in MB of 2^20 bytes. */
export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

/** Peak resident memory in MB; undefined on systems without /proc. */
export function residentPeakMb(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return peak === undefined ? undefined : Number(peak) / 1024
}
