import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseTarget } from '../../src/platform/db/connections/address.ts'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/pgbouncer'
const template = new URL('../../deploy/ha/pgbouncer.ini', import.meta.url)
export const hasPooler = existsSync(program)

const nobody = 65_534
/** Fewer than the clients, so that transactions of one client run on different connections. */
const serverConnections = 3
const attemptsMax = 100

/** pgbouncer in front of the database's server, until the tests of the file end: the address of the database behind it. */
export async function startPooler(target: DatabaseTarget): Promise<DatabaseTarget> {
  const { url, stop } = await openPooler(target, serverConnections)
  after(stop)
  return { url }
}

/** Starts pgbouncer as an operator does. */
export async function openPooler(
  target: DatabaseTarget,
  connections: number,
): Promise<{ readonly url: string; readonly pid: number; stop(): Promise<void> }> {
  const port = await freePort()
  const { server, user, database, directory } = serverOf(target)
  const config = openConfig({
    sklad: ['*', `${server} user=${user}`],
    listen_addr: ['listen_addr', '127.0.0.1'],
    listen_port: ['listen_port', `${port}`],
    // Servers of tests let everybody of this machine in.
    auth_type: ['auth_type', 'any'],
    auth_file: ['auth_file', ''],
    default_pool_size: ['default_pool_size', `${connections}`],
  })
  const child = spawn(program, ['-q', '/proc/self/fd/3'], {
    // Directories above may be closed to the user; this one is entered before the user changes.
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe', config],
    ...accountFor(directory),
  })
  closeSync(config)
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  for (let attempt = 0; !(await answers(port)); attempt++) {
    if (attempt === attemptsMax || child.exitCode !== null) {
      throw new Error(`pgbouncer did not start: ${complaint}`)
    }
    await sleep(50)
  }
  return { url: `postgres://${user}@127.0.0.1:${port}/${database}`, pid: child.pid ?? 0, stop }
}

/** The server as pgbouncer names it, and the directory to start it in. */
function serverOf(target: DatabaseTarget) {
  if ('url' in target) {
    const { hostname, port, username, password, pathname } = new URL(target.url)
    const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
    return {
      server: `host=${hostname} port=${port || 5432}${secret}`,
      user: username,
      database: pathname.slice(1),
      directory: '/',
    }
  }
  const { socketDirectory, port, user, database } = target
  return { server: `host=/proc/self/cwd port=${port}`, user, database, directory: socketDirectory }
}

/** Names and values instead of those of an operator. */
type Replaced = Readonly<Record<string, readonly [name: string, value: string]>>

/** An open file, which a process can read whoever owns the directories above it. */
function openConfig(replaced: Replaced): number {
  const path = join(mkdtempSync(join(tmpdir(), 'pooler-')), 'pgbouncer.ini')
  const text = readFileSync(template, 'utf8').replaceAll(/^(\w+) = .*$/gm, (line, name: string) =>
    name in replaced ? (replaced[name] ?? []).join(' = ') : line,
  )
  writeFileSync(path, text, { mode: 0o644 })
  return openSync(path, 'r')
}

/** pgbouncer refuses to run as root. */
function accountFor(directory: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const owner = statSync(directory).uid
  const uid = owner === 0 ? nobody : owner
  return { uid, gid: uid }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
