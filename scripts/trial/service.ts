import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { StartError } from '../../src/platform/kernel/errors.ts'
import type { Settings } from './settings.ts'

const program = fileURLToPath(new URL('../../bin/sklad.js', import.meta.url))

/** Starts the service as "npm start" does. If it ends at once, throws StartError with the first line of its error. */
export async function startService(settings: Settings): Promise<ChildProcess> {
  // In a process group of its own: Ctrl-C reaches only the trial, which then stops the service.
  const child = spawn(process.execPath, [program, 'serve'], {
    env: settings,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let ready = false
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (ready) process.stderr.write(chunk)
    else complaint += chunk.toString()
  })
  child.stdout.on('data', (chunk: Buffer) => {
    const text = chunk.toString()
    if (text.includes('is ready')) {
      ready = true
      resolve()
    } else process.stdout.write(text)
  })
  child.once('close', () => reject(new StartError(firstLine(complaint) ?? 'сервис завершился')))
  await promise
  return child
}

export async function stopService(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Creates an administrator and returns its token. */
export function addAdministrator(settings: Settings): string {
  const login = `trial-${Date.now()}`
  const added = execFileSync(
    process.execPath,
    [program, '--json', 'user', 'add', '--login', login, '--role', 'administrator'],
    { env: settings, encoding: 'utf8' },
  )
  return (JSON.parse(added) as { token: string }).token
}

export function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '')
}
