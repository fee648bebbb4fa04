/**
 * Records who uses the server of a data directory, as advisory locks in the server. Each process holds them on one
 * connection, so they end with the process, in whatever way it ends.
 *
 * | Lock    | held by                                                         |
 * |---------|-----------------------------------------------------------------|
 * | users   | every process, shared; the process that stops the server, alone |
 * | service | the one service of the data directory                           |
 *
 * A process that leaves releases its share and then tries to take `users` alone. The last one succeeds, so some process
 * always stops the server. A process that joins meanwhile waits for the lock, loses its connection in the shutdown,
 * and starts the server again.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../db/connection.ts'
import type { DatabaseTarget } from '../db/connections/address.ts'

export type MemberKind = 'service' | 'command'

export interface Membership {
  /** Resolves when the connection is lost and the locks with it; never rejects. */
  readonly lost: Promise<void>
  /** Releases the share. Returns whether no other process is left; then none can join until `close`. */
  leave(): Promise<boolean>
  close(): Promise<void>
}

const lockClass = 5_231
const usersLock = 1
const serviceLock = 2

// The server may need a moment to notice that the connection of a killed service has ended.
const serviceLockMsMax = 1_000
const serviceLockPollMs = 25

/**
 * Connects and takes the locks. Returns undefined if another service holds its lock.
 *
 * @throws the driver's error when the connection can't be made or is lost
 */
export async function joinServer(
  target: DatabaseTarget,
  kind: MemberKind,
): Promise<Membership | undefined> {
  const lost = Promise.withResolvers<void>()
  const db = openDatabase(target, {
    max: 1,
    lasting: true,
    applicationName: `sklad ${kind}`,
    onclose: lost.resolve,
  })
  const close = () => db.end({ timeout: 0 })
  try {
    await db`select pg_advisory_lock_shared(${lockClass}, ${usersLock})`
    if (kind === 'command' || (await takeServiceLock(db))) {
      return { lost: lost.promise, leave: () => leave(db), close }
    }
  } catch (error) {
    await close()
    throw error
  }
  await close()
  return undefined
}

async function takeServiceLock(db: Database): Promise<boolean> {
  const deadline = performance.now() + serviceLockMsMax
  for (;;) {
    const [row] = await db<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${lockClass}, ${serviceLock}) as taken`
    if (row?.taken || performance.now() > deadline) return row?.taken ?? false
    await sleep(serviceLockPollMs)
  }
}

async function leave(db: Database): Promise<boolean> {
  await db`select pg_advisory_unlock_shared(${lockClass}, ${usersLock})`
  const [row] = await db<{ alone: boolean }[]>`
    select pg_try_advisory_lock(${lockClass}, ${usersLock}) as alone`
  return row?.alone ?? false
}

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  '57P01', // shutting down, by an operator
  '57P02', // another process of the server crashed
  '57P03', // not accepting connections now
])

/** Whether the error only says that the server is not available at the moment. */
export function isServerAway(error: unknown): boolean {
  return awayCodes.has((error as { code?: string }).code ?? '')
}
