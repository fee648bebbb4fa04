import { execSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { openFolder } from './debian-server.ts'
import { freePort } from './free-port.ts'

const programs = {
  haproxy: '/usr/sbin/haproxy',
  nginx: '/usr/sbin/nginx',
  caddy: '/usr/bin/caddy',
} as const
const files = { haproxy: 'haproxy.cfg', nginx: 'nginx.conf', caddy: 'Caddyfile' } as const
export type ProxyName = keyof typeof programs

export const hasProxy = (proxy: ProxyName) => existsSync(programs[proxy])

/** An operator's proxy in front of two processes of the service, by the file of deploy/proxy, which `edit` may change. Returns its address. */
export async function startProxy(
  proxy: ProxyName,
  ports: readonly number[],
  edit = (text: string) => text,
): Promise<string> {
  const template = new URL(`../../deploy/proxy/${files[proxy]}`, import.meta.url)
  const port = await freePort()
  const text = ports.reduce(
    (written, each, index) => written.replace(`10.0.0.${index + 1}:8080`, `127.0.0.1:${each}`),
    edit(readFileSync(template, 'utf8'))
      .replace('127.0.0.1:8000', `127.0.0.1:${port}`)
      .replace('sklad:8080', ports.map((each) => `127.0.0.1:${each}`).join(' ')),
  )
  const folder = openFolder().make(proxy)
  mkdirSync(join(folder, 'logs'))
  const path = join(folder, 'proxy.conf')
  writeFileSync(path, text)
  return run(proxy, argumentsOf(proxy, folder, path), port, {
    // Of Caddy alone: plain HTTP, its files here, and its own commands on a port of their own.
    SITE: `http://127.0.0.1:${port}`,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
  })
}

function argumentsOf(proxy: ProxyName, folder: string, path: string): readonly string[] {
  const main = `daemon off; pid ${folder}/pid;`
  return {
    haproxy: ['-db', '-f', path],
    nginx: ['-p', folder, '-c', path, '-e', join(folder, 'error.log'), '-g', main],
    caddy: ['run', '--adapter', 'caddyfile', '--config', path],
  }[proxy]
}

export interface CellsProxy {
  readonly address: string
  /** The path of keys.map. */
  readonly map: string
  /** The shell command with which an operator lets it read its files anew. */
  readonly reload: string
}

/**
 * haproxy in front of cells, by the files of deploy/cells: `cells` has the port of one process of each by its mark, a and b, `keys`
 * the lines of keys.map.
 */
export async function startCellsProxy(
  cells: Readonly<Record<'a' | 'b', number>>,
  keys = '',
): Promise<CellsProxy> {
  const port = await freePort()
  let pidFile = ''
  // Before the folder is removed, which the next line asks for.
  after(() => {
    if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')))
  })
  const folder = openFolder().make('cells')
  pidFile = join(folder, 'pid')
  const read = (name: string) =>
    readFileSync(new URL(`../../deploy/cells/${name}`, import.meta.url), 'utf8')
  for (const name of ['cells.map', 'hosts.map', 'keys.map']) {
    writeFileSync(join(folder, name), `${read(name)}${name === 'keys.map' ? keys : ''}`)
  }
  const text = read('haproxy.cfg')
    .replace('127.0.0.1:8000', `127.0.0.1:${port}`)
    .replaceAll('/etc/haproxy', folder)
    .replace('10.0.0.1:8080', `127.0.0.1:${cells.a}`)
    .replace('10.0.1.1:8080', `127.0.0.1:${cells.b}`)
    .replace(/^ {2}server [ab]-two .*\n/gm, '')
  const path = join(folder, 'proxy.conf')
  writeFileSync(path, text)
  const reload = `${programs.haproxy} -D -p ${pidFile} -f ${path}`
  execSync(reload)
  return {
    address: `http://127.0.0.1:${port}`,
    map: join(folder, 'keys.map'),
    reload: `${reload} -sf $(cat ${pidFile})`,
  }
}

async function run(
  proxy: ProxyName,
  args: readonly string[],
  port: number,
  settings: NodeJS.ProcessEnv,
): Promise<string> {
  const env = { ...process.env, ...settings }
  const child = spawn(programs[proxy], args, { stdio: 'ignore', env })
  after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const address = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${address}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${proxy} refuses ${args.join(' ')}`)
  }
  return address
}
