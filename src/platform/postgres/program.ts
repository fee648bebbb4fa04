import { type SpawnOptions, spawn } from 'node:child_process'
import { StartError } from '../kernel/errors.ts'
import type { Account } from './account.ts'

interface RunOptions {
  readonly cwd: string
  readonly account: Account | undefined
  readonly input?: string
  /** Ends the program. */
  readonly stop?: AbortSignal | undefined
}

const keptOutputChars = 10_000

/**
 * The account and surroundings that PostgreSQL's programs are started with: nothing of our own environment, and a
 * session of their own. So signals to the service's process group do not reach them.
 */
export function spawnOptions({ cwd, account }: RunOptions): SpawnOptions {
  const detached = true
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
  // The directory is entered before the account changes, so directories above it need not be open to the account.
  return { cwd, env, detached, ...(account && { uid: account.uid, gid: account.gid }) }
}

/** Runs a program to its end. Rejects with its last line of complaint unless it succeeds. */
export async function runProgram(path: string, args: string[], options: RunOptions): Promise<void> {
  const { stop } = options
  stop?.throwIfAborted()
  const child = spawn(path, args, { ...spawnOptions(options), stdio: ['pipe', 'ignore', 'pipe'] })
  const end = () => child.kill()
  stop?.addEventListener('abort', end)
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-keptOutputChars)
  })
  // A program that dies early breaks the pipe; its exit says so better.
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.input ?? '')

  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(spawnError(path, error)))
    child.once('close', (code, signal) => {
      stop?.removeEventListener('abort', end)
      if (code === 0) return resolve()
      reject(new Error(`${path}: ${lastLine(complaint) ?? `ended with ${code ?? signal}`}`))
    })
  })
}

/** What to tell when the operating system won't run a program of PostgreSQL at all. */
export function spawnError(path: string, error: Error): StartError {
  return new StartError(
    `PostgreSQL can't run here (${path}: ${error.message}); set DATABASE_URL to the address of a server`,
    { cause: error },
  )
}

/** The last line that says something, preferably what a server calls fatal. */
export function lastLine(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1)
}
