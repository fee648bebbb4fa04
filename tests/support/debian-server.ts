import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

/** PostgreSQL 15 as Debian packages it, on this machine. */
const programs = '/usr/lib/postgresql/15/bin'
export const hasDebianServer = existsSync(join(programs, 'initdb'))

/** PostgreSQL refuses to run as root, and below a directory that only root may enter. */
export const debianOwner = process.getuid?.() === 0 ? userCalled('postgres') : undefined

function userCalled(name: string): { uid: number; gid: number } | undefined {
  if (!hasDebianServer) return undefined
  const id = (kind: string) => Number(execFileSync('id', [kind, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Runs one of its programs and returns what it printed. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' }
  const options = { ...debianOwner, cwd: '/', env, encoding: 'utf8' } as const
  const { stdout } = await promisify(execFile)(join(programs, program), args, options)
  return stdout
}

/** A folder for clusters and archives; when the tests have ended, its servers are stopped and it is removed. */
export function openFolder(): { make(name: string): string } {
  const folder = mkdtempSync('/tmp/sklad-debian-')
  chmodSync(folder, 0o755)
  after(async () => {
    for (const cluster of started) await stopServer(cluster)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return {
    make(name) {
      const path = join(folder, name)
      mkdirSync(path, { mode: 0o700 })
      if (debianOwner !== undefined) chownSync(path, debianOwner.uid, debianOwner.gid)
      return path
    },
  }
}

const started = new Set<string>()

/** Starts the server of a cluster and waits until it accepts connections. */
export async function startServer(
  cluster: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const given = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    ...settings,
  }
  const options = Object.entries(given).map(([name, value]) => `-c ${name}='${value}'`)
  const log = join(cluster, 'server.log')
  await run('pg_ctl', ['start', '-w', '-D', cluster, '-l', log, '-o', options.join(' ')])
  started.add(cluster)
}

export async function stopServer(cluster: string): Promise<void> {
  if (existsSync(join(cluster, 'postmaster.pid'))) {
    await run('pg_ctl', ['stop', '-D', cluster, '-m', 'immediate'])
  }
}
