/**
 * The server process of a cluster: found, started, shut down.
 *
 * PostgreSQL itself guarantees that a cluster has one at most, by `postmaster.pid` and, should that file lie, by the
 * shared memory of the cluster. Here the file is only believed when the process it names is one of this cluster: after
 * a power cut its number may belong to any process. PostgreSQL alone would then refuse to start for as long as that
 * process lives; told (as its own pg_ctl tells it) that the process is its grandparent, it starts, and its check of the
 * shared memory still protects a cluster that is in use after all.
 */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartError } from '../../kernel/start-error.ts'
import { type Cluster, insideName } from './cluster.ts'
import { commandLine, findOrphans } from './processes.ts'
import { spawnError, spawnOptions } from './program.ts'

export interface Postmaster {
  readonly pid: number
  readonly status: 'starting' | 'ready' | 'stopping'
}

export type ServerSettings = Readonly<Record<string, string>>

export const port = 5432
const pollMs = 10
const fastShutdownMsMax = 60_000
const immediateShutdownMsMax = 10_000

const settings: ServerSettings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_connections: '60',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Short statements only: compiling them or spreading them over processes costs more than it gains, and the latter
  // needs more of /dev/shm than a container has.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  logging_collector: 'off',
  log_destination: 'stderr',
}

/** The living server of the cluster, as its lock file tells, or undefined. */
export function findPostmaster(cluster: Cluster): Postmaster | undefined {
  const { pid, status } = readLockFile(cluster)
  return pid !== undefined && isPostmasterOf(cluster, pid) ? { pid, status } : undefined
}

/**
 * Starts a server, in a session of its own so that no signal meant for the service's process group reaches it, and
 * returns as soon as it shows in the lock file, or has ended. Whether it is up is for `findPostmaster` to say.
 *
 * @param logFile descriptor that the server writes its log to
 * @throws StartError when the program can't be run
 */
export async function launchPostmaster(
  cluster: Cluster,
  logFile: number,
  overrides: ServerSettings,
): Promise<void> {
  const program = join(cluster.binaries.directory, 'bin/postgres')
  const all = { ...settings, ...overrides, cluster_name: cluster.identity }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const options = spawnOptions({ cwd: cluster.path, account: cluster.account })
  const child = spawn(program, ['-D', insideName(cluster.path), ...args], {
    ...options,
    env: { ...options.env, ...grandparent(cluster) },
    stdio: ['ignore', logFile, logFile],
    detached: true,
  })
  let failure: StartError | undefined
  let ended = false
  child.once('error', (error) => {
    failure = spawnError(program, error)
  })
  child.once('exit', () => {
    ended = true
  })
  child.unref()

  while (!ended && failure === undefined && findPostmaster(cluster)?.pid !== child.pid) {
    await sleep(pollMs)
  }
  if (failure !== undefined) throw failure
}

/** Ends processes that a killed server left behind in the middle of a long statement: they would block the next one. */
export function killOrphans(cluster: Cluster): number {
  const orphans = findOrphans(cluster.identity)
  for (const pid of orphans) sendSignal(pid, 'SIGKILL')
  return orphans.length
}

/** Shuts the server down, breaking off what still runs, and returns when it is gone. Does nothing when it is gone. */
export async function shutDownPostmaster(cluster: Cluster): Promise<void> {
  const pid = findPostmaster(cluster)?.pid
  if (pid === undefined) return
  sendSignal(pid, 'SIGINT')
  if (await isGone(cluster, pid, fastShutdownMsMax)) return
  sendSignal(pid, 'SIGQUIT')
  if (await isGone(cluster, pid, immediateShutdownMsMax)) return
  throw new Error(`the database server (process ${pid}) does not stop`)
}

/** Waits until the process is gone, and answers whether it is, `withinMs` at most. */
export async function isGone(cluster: Cluster, pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (isPostmasterOf(cluster, pid)) {
    if (performance.now() > deadline) return false
    await sleep(pollMs)
  }
  return true
}

function isPostmasterOf(cluster: Cluster, pid: number): boolean {
  return commandLine(pid).split(' ').includes(`cluster_name=${cluster.identity}`)
}

function readLockFile(cluster: Cluster): { pid: number | undefined; status: Postmaster['status'] } {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster.path, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return { pid: undefined, status: 'starting' }
  }
  const pid = Number(lines[0])
  const status = lines[7]?.trim()
  return {
    pid: pid > 0 ? pid : undefined,
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  }
}

function grandparent(cluster: Cluster): Record<string, string> {
  const { pid } = readLockFile(cluster)
  return pid === undefined || isPostmasterOf(cluster, pid)
    ? {}
    : { PG_GRANDPARENT_PID: String(pid) }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself meanwhile.
  }
}
