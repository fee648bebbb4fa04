/**
 * Finds, starts and shuts down the server process of a cluster.
 *
 * PostgreSQL guarantees that a cluster has at most one server, by `postmaster.pid` and by the shared memory of the
 * cluster if that file is wrong. This module trusts the file only if the process that it names belongs to this cluster:
 * after a power failure the number may belong to any process. PostgreSQL alone would refuse to start while that
 * process lives. It starts if the environment names the process as its grandparent, as pg_ctl does, and its check of
 * the shared memory still protects a cluster that is in use.
 */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartError } from '../kernel/errors.ts'
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
  // All statements are short: compiling or parallelising them costs more than it saves, and parallel workers need more
  // of /dev/shm than a container has.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  logging_collector: 'off',
  log_destination: 'stderr',
}

/** The running server that the cluster's lock file names, or undefined. */
export function findPostmaster(cluster: Cluster): Postmaster | undefined {
  const { pid, status } = readLockFile(cluster)
  return pid !== undefined && isPostmasterOf(cluster, pid) ? { pid, status } : undefined
}

/**
 * Starts a server. Returns when it appears in the lock file or has ended. `findPostmaster` says whether it runs.
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

/** Ends processes of a killed server that still run a long statement: they would block the next server. */
export function killOrphans(cluster: Cluster): number {
  const orphans = findOrphans(cluster.identity)
  for (const pid of orphans) sendSignal(pid, 'SIGKILL')
  return orphans.length
}

/**
 * Lets a server that is shutting down wait for nobody. After SIGTERM it would wait for its clients and take no new ones
 * meanwhile.
 */
export function finishShutDown(cluster: Cluster): void {
  const found = findPostmaster(cluster)
  if (found?.status === 'stopping') sendSignal(found.pid, 'SIGINT')
}

/** Ends the server at once, without waiting for it: the next start repeats what it had committed. */
export function endPostmaster(cluster: Cluster): void {
  const pid = findPostmaster(cluster)?.pid
  if (pid !== undefined) sendSignal(pid, 'SIGQUIT')
}

/** Shuts the server down, cancels running statements, and waits until it has ended. */
export async function shutDownPostmaster(cluster: Cluster): Promise<void> {
  const pid = findPostmaster(cluster)?.pid
  if (pid === undefined) return
  sendSignal(pid, 'SIGINT')
  if (await isGone(cluster, pid, fastShutdownMsMax)) return
  sendSignal(pid, 'SIGQUIT')
  if (await isGone(cluster, pid, immediateShutdownMsMax)) return
  throw new Error(`the database server (process ${pid}) does not stop`)
}

/** Waits until the process has ended, at most `withinMs`. Returns whether it has. */
async function isGone(cluster: Cluster, pid: number, withinMs: number): Promise<boolean> {
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
    // It has ended meanwhile.
  }
}
