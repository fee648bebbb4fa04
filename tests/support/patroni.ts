import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { debianOwner, hasDebianServer, openFolder } from './debian-server.ts'
import { freePort } from './free-port.ts'

/** Three database machines on loopback, as deploy/ha/patroni.yml describes them, each with etcd, Patroni and PostgreSQL. */
export interface Nodes {
  /** The ports of the servers. */
  readonly ports: readonly number[]
  /** The ports where each Patroni says what its server is. */
  readonly rests: readonly number[]
  readonly password: string
  /** Waits until a node is the primary and two follow it, one of them in step. Returns the primary's index. */
  settled(): Promise<number>
  /** Kills Patroni and its server at once. */
  kill(node: number): void
  start(node: number): void
  /** Stops Patroni and its server in the midst of what they do, until `thaw`. */
  freeze(node: number): void
  thaw(node: number): void
  /** Kills the etcd of a machine and does not start it again. The other two still agree. */
  killEtcd(node: number): Promise<void>
  switchOver(from: number): Promise<void>
}

export const hasPatroni =
  hasDebianServer && ['patroni', 'etcd'].every((name) => existsSync(`/usr/bin/${name}`))

const etcdTemplate = new URL('../../deploy/ha/etcd.conf.yml', import.meta.url)

const count = 3
const patienceMs = 120_000

interface Member {
  readonly role: string
  readonly state: string
}

export async function startNodes(template: string): Promise<Nodes> {
  const running = new Set<ChildProcess>()
  after(async () => {
    for (const child of running) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  })
  // Its files go when the processes have ended.
  const folder = openFolder()
  const ports = await portsOf(count)
  const rests = await portsOf(count)
  const etcds = await startEtcds((name) => folder.make(name), running)
  const etcd = etcds.map(({ address }) => address)
  const password = 'change-me'
  const files = ports.map((port, index) => {
    const directory = folder.make(`node${index}`)
    return configure(template, directory, { index, port, rest: rests[index] ?? 0, etcd })
  })
  const nodes = new Map<number, ChildProcess>()
  const start = (index: number) => {
    const log = openSync(`${files[index]}.log`, 'a')
    const child = spawn('/usr/bin/patroni', [String(files[index])], {
      ...debianOwner,
      cwd: '/',
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    nodes.set(index, child)
  }
  const signalAll = (index: number, signal: NodeJS.Signals) => {
    nodes.get(index)?.kill(signal)
    const server = postmasterOf(files[index])
    for (const pid of [server, ...childrenOf(server)]) process.kill(pid, signal)
  }
  const api = (index: number) => `http://127.0.0.1:${rests[index]}`
  for (const index of ports.keys()) start(index)
  return {
    ports,
    rests,
    password,
    start,
    async settled() {
      const end = performance.now() + patienceMs
      for (;;) {
        const members = await membersOf(ports.map((_, index) => api(index)))
        const leader = members.findIndex(({ role }) => role === 'leader')
        const following = members.filter(
          ({ role, state }) => role !== 'leader' && ['running', 'streaming'].includes(state),
        )
        const inStep = members.some(({ role }) => role === 'sync_standby')
        if (leader >= 0 && following.length === count - 1 && inStep) return leader
        if (performance.now() > end) throw new Error(`not settled: ${logOf(files)}`)
        await sleep(300)
      }
    },
    kill(index) {
      nodes.get(index)?.kill('SIGKILL')
      process.kill(postmasterOf(files[index]), 'SIGKILL')
    },
    freeze: (index) => signalAll(index, 'SIGSTOP'),
    thaw: (index) => signalAll(index, 'SIGCONT'),
    async killEtcd(index) {
      const child = etcds[index]?.child
      if (child === undefined) throw new Error(`no etcd ${index}`)
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async switchOver(from) {
      const answer = await fetch(`${api(from)}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: `db${from}` }),
      })
      if (answer.status !== 200) throw new Error(await answer.text())
    },
  }
}

async function portsOf(howMany: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < howMany) ports.push(await freePort())
  return ports
}

interface Etcd {
  readonly address: string
  readonly child: ChildProcess
}

/** As many as there are machines, in one cluster, with the configuration of an operator. */
async function startEtcds(
  makeDirectory: (name: string) => string,
  running: Set<ChildProcess>,
): Promise<Etcd[]> {
  const [clients, peers] = [await portsOf(count), await portsOf(count)]
  const cluster = peers.map((peer, index) => `db${index}=http://127.0.0.1:${peer}`).join(',')
  const etcds = clients.map((client, index): Etcd => {
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peers[index]}`]
    const directory = makeDirectory(`etcd${index}`)
    const config = {
      ...parse(readFileSync(etcdTemplate, 'utf8')),
      name: `db${index}`,
      'data-dir': `${directory}/data`,
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': cluster,
    }
    const path = `${directory}/etcd.conf.yml`
    writeFileSync(path, stringify(config))
    const options = { ...debianOwner, cwd: '/', stdio: 'ignore' } as const
    const child = spawn('/usr/bin/etcd', ['--config-file', path], options)
    running.add(child)
    child.once('exit', () => running.delete(child))
    return { address: `127.0.0.1:${client}`, child }
  })
  for (const etcd of etcds) await healthy(etcd)
  return etcds
}

async function healthy({ address, child }: Etcd): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://${address}/health`).catch(() => undefined)
    if (answer?.ok) return
    if (child.exitCode !== null) throw new Error('etcd did not start')
    await sleep(100)
  }
}

function postmasterOf(config: string | undefined): number {
  return Number(readFileSync(`${config}.data/postmaster.pid`, 'utf8').split('\n')[0])
}

function childrenOf(pid: number): number[] {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return found.trim().split(' ').filter(Boolean).map(Number)
}

interface Place {
  readonly index: number
  readonly port: number
  readonly rest: number
  readonly etcd: readonly string[]
}

/** The configuration of an operator, with the addresses of this machine. Returns its path. */
function configure(
  template: string,
  directory: string,
  { index, port, rest, etcd }: Place,
): string {
  const text = template
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
    .replaceAll('10.0.0.1:8008', `127.0.0.1:${rest}`)
    .replaceAll('10.0.0.1:5432', `127.0.0.1:${port}`)
  const config = parse(text)
  const path = `${directory}/patroni.yml`
  config.name = `db${index}`
  config.etcd = { hosts: etcd }
  config.watchdog = { mode: 'off' }
  Object.assign(config.postgresql, {
    data_dir: `${path}.data`,
    pgpass: `${directory}/pgpass`,
    parameters: { unix_socket_directories: directory },
  })
  writeFileSync(path, stringify(config))
  return path
}

/** Whoever answers knows all members. */
async function membersOf(apis: readonly string[]): Promise<Member[]> {
  for (const api of apis) {
    const signal = AbortSignal.timeout(2_000)
    const answer = await fetch(`${api}/cluster`, { signal }).catch(() => undefined)
    if (!answer?.ok) continue
    const { members } = (await answer.json()) as { members: (Member & { name: string })[] }
    return members.toSorted((a, b) => a.name.localeCompare(b.name))
  }
  return []
}

function logOf(files: readonly string[]): string {
  return files.map((path) => readFileSync(`${path}.log`, 'utf8').slice(-1_500)).join('\n')
}
