import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after } from 'node:test'
import { freePort } from './free-port.ts'

/** The service as an operator runs it: a process of its own on an embedded database. */
export interface ServiceProcess {
  readonly baseUrl: string
  readonly pid: number
  /** The output so far. */
  output(): string
  /** Resolves once the output matches. */
  printed(text: RegExp): Promise<void>
  /** Sends a signal and waits for the end; does nothing if the process has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const program = resolve(import.meta.dirname, '../../bin/sklad.js')

/** For a test that needs no page and kills many processes: bundling pages takes as long as all else of a start. */
export const withoutPages = [resolve(import.meta.dirname, 'service-program.ts')]

const relaxed = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_BURST: '100000',
  SANDBOX_KEYS_PER_HOUR: '1000000',
  SANDBOX_KEY_BURST: '100000',
}

/** Nobody answers there: a test that needs a marketplace names its stand-in. */
const offline = { WB_BASE_URL: 'http://127.0.0.1:9', OZON_BASE_URL: 'http://127.0.0.1:9' }

/** A test that fails leaves its service running, and the file would wait for it. */
const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGTERM')
})

export async function startProcess(
  dataDir: string,
  settings: NodeJS.ProcessEnv = {},
  command: readonly string[] = [program, 'serve'],
): Promise<ServiceProcess> {
  const env = {
    ...process.env,
    ...relaxed,
    ...offline,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const child = spawn(process.execPath, command, { env, detached: true })
  running.add(child)
  // 'exit' may come before the last lines of the output.
  const ended = once(child, 'close')
  child.once('exit', () => running.delete(child))
  let output = ''
  const heard = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  await ready(child, () => output)
  const baseUrl = `http://127.0.0.1:${env.PORT}`
  return {
    baseUrl,
    pid: child.pid ?? 0,
    output: () => output,
    async printed(text) {
      while (!text.test(output)) await once(child.stdout, 'data')
    },
    async end(signal) {
      child.kill(signal)
      const [code, by] = (await ended) as [number | null, NodeJS.Signals | null]
      return { code, signal: by }
    },
  }
}

async function ready(child: ChildProcess, output: () => string): Promise<void> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the service ended: ${output()}`)
  })
  const printed = new Promise<void>((done) => {
    child.stdout?.on('data', () => {
      if (output().includes('is ready')) done()
    })
  })
  await Promise.race([printed, ended])
}

/** Runs a command of the command line, of this version unless another file is named, and returns its output, parsed as JSON. */
export async function runCommand(
  dataDir: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
  input = '',
  file = program,
): Promise<{ code: number | null; answer: Record<string, unknown>; errors: string }> {
  const env = { ...process.env, ...offline, DATA_DIR: dataDir, ...settings }
  const child = spawn(process.execPath, [file, '--json', ...args], { env })
  child.stdin.end(input)
  const texts = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    texts.out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    texts.err += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, answer: JSON.parse(texts.out || '{}'), errors: texts.err }
}

/** Kills the embedded PostgreSQL of a data directory. */
export function killServer(dataDir: string): void {
  const [pid] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  execFileSync('kill', ['-9', String(pid)])
}
