import { setTimeout as sleep } from 'node:timers/promises'
import { KeyedMutex } from '../../../platform/concurrency/keyed-mutex.ts'
import {
  type Database,
  openDirectBeside,
  type Transaction,
} from '../../../platform/db/connection.ts'

/**
 * Mutual exclusion over all processes, for work that waits for a marketplace and must not keep a row
 * locked meanwhile. Callers of one key run one after the other: a mutex orders those of this process,
 * an advisory lock of PostgreSQL those of different processes. A process that ends, in whatever way,
 * releases its locks, because its connection ends.
 *
 * All locks of a process share one connection that serves nothing else, so the number of marketplaces that hang is
 * not limited by a pool. If that connection is lost, so are its locks, and an action under way goes on without them.
 * Then nothing keeps another one out, but the writers of `remote_commands` refuse what was done already.
 */
export interface AdvisoryLocks {
  /** Waits for the key, then runs the action. */
  withLock<T>(key: string, action: () => Promise<T>): Promise<T>
  /** Runs the action if the key is free; else returns undefined at once. */
  ifUnlocked<T>(key: string, action: () => Promise<T>): Promise<T | undefined>
  /** Call it when no lock is held. */
  end(): Promise<void>
}

/** Pause between two tries for a lock that another process holds. */
const retryMs = 100

export function openAdvisoryLocks(db: Database): AdvisoryLocks {
  // One connection in use, and a second for the moment in which a lost one is still counted.
  const connections = openDirectBeside(db, 2)
  const joinSession = openSharedSession(connections)
  const mutex = new KeyedMutex()

  return {
    withLock: (key, action) =>
      mutex.run(key, async () => {
        const session = await joinSession()
        try {
          while (!(await tryLock(session, key))) await sleep(retryMs)
          return await action().finally(() => unlock(session, key))
        } finally {
          session.leave()
        }
      }),
    async ifUnlocked(key, action) {
      if (mutex.isHeld(key)) return undefined
      return mutex.run(key, async () => {
        const session = await joinSession()
        try {
          if (!(await tryLock(session, key))) return undefined
          return await action().finally(() => unlock(session, key))
        } finally {
          session.leave()
        }
      })
    },
    end: () => connections.end({ timeout: 1 }),
  }
}

async function tryLock({ tx, retire }: Session, key: string): Promise<boolean> {
  try {
    const [row] = await tx<[{ locked: boolean }]>`
      select pg_try_advisory_lock(${lockNumber(tx, key)}) as locked`
    return row.locked
  } catch (error) {
    retire()
    throw error
  }
}

/** Ignores failures: a lost connection has released the lock. */
async function unlock({ tx }: Session, key: string): Promise<void> {
  await tx`select pg_advisory_unlock(${lockNumber(tx, key)})`.catch(() => {})
}

function lockNumber(tx: Transaction, key: string) {
  return tx`hashtextextended(${`remote command ${key}`}, 0)`
}

interface Session {
  readonly tx: Transaction
  leave(): void
  /** Later callers get a new session. */
  retire(): void
}

/** A transaction that stays open while anybody holds a lock, and reserves its connection. */
function openSharedSession(db: Database): () => Promise<Session> {
  let current: { readonly begun: Promise<Transaction>; users: number; end(): void } | undefined

  function begin() {
    const begun = Promise.withResolvers<Transaction>()
    const ended = Promise.withResolvers<void>()
    const session = { begun: begun.promise, users: 0, end: ended.resolve }
    db.begin(async (tx) => {
      // A broken transaction may have left locks on the connection.
      await tx`select pg_advisory_unlock_all()`
      await tx`set local idle_in_transaction_session_timeout = 0`
      begun.resolve(tx)
      await ended.promise
    }).catch((error: unknown) => {
      begun.reject(error)
      if (current === session) current = undefined
    })
    return session
  }

  return async () => {
    current ??= begin()
    const session = current
    session.users += 1
    const retire = () => {
      if (current === session) current = undefined
    }
    const leave = () => {
      session.users -= 1
      if (session.users > 0) return
      retire()
      session.end()
    }
    try {
      return { tx: await session.begun, leave, retire }
    } catch (error) {
      leave()
      throw error
    }
  }
}
