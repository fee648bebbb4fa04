import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../src/platform/db/connection.ts'

/**
 * Processor time, user and system, of processes on this machine, in milliseconds. The system counts it in
 * ticks of 10 ms. Where there is no /proc, every figure is NaN.
 */

const ticksPerSecond = 100

interface ProcessStat {
  readonly parent: number
  readonly ms: number
  /** The time of children that have ended. */
  readonly endedChildrenMs: number
}

export function processorMs(pid: number): number {
  return statOf(pid)?.ms ?? Number.NaN
}

/** A process, its children that run, and those that have ended. */
export function processorMsWithChildren(pid: number): number {
  const own = statOf(pid)
  if (own === undefined) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((child) => child?.parent === pid)
  return children.reduce((sum, child) => sum + (child?.ms ?? 0), own.ms + own.endedChildrenMs)
}

/** What requests cost, per request. */
export interface ProcessorTime {
  /** Of the server's process. */
  readonly processorMsPerRequest: number
  /** Of the database server. */
  readonly databaseMsPerRequest: number
}

/** Measures what the requests of `measure` cost. */
export async function withProcessorTime<T extends { readonly requests: number }>(
  pids: { readonly server: number; readonly database: number },
  measure: () => Promise<T>,
): Promise<T & ProcessorTime> {
  const read = () => ({
    server: processorMs(pids.server),
    database: processorMsWithChildren(pids.database),
  })
  const before = read()
  const outcome = await measure()
  const after = read()
  return {
    ...outcome,
    processorMsPerRequest: (after.server - before.server) / outcome.requests,
    databaseMsPerRequest: (after.database - before.database) / outcome.requests,
  }
}

/** The process id of the database server behind a connection. The server must run on this machine. */
export async function databaseServerPid(db: Database): Promise<number> {
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  return statOf(row?.pid ?? 0)?.parent ?? 0
}

/** Undefined where the process has ended, or the system has no /proc. */
function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the name in parentheses, may hold spaces.
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ')
    const tick = (index: number) => (Number(fields[index]) * 1000) / ticksPerSecond
    return {
      parent: Number(fields[1]),
      ms: tick(11) + tick(12),
      endedChildrenMs: tick(13) + tick(14),
    }
  } catch {
    return undefined
  }
}
