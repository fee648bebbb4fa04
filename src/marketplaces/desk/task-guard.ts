import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openBeside, type Transaction } from '../../db/connection.ts'
import type { Task } from './tasks.ts'

/**
 * Whoever is at a shipment, or at the creation of one, is the only one, in whatever process, while no
 * row is locked and a marketplace thinks. Within a process they queue; between processes advisory locks
 * decide, and a process that ends lets go however it ends. All locks of a process are on one
 * connection that does nothing else: however many marketplaces keep silent, nobody waits for one.
 */
export interface Guards {
  /** Waits for its turn. */
  holding<T>(what: Guarded, act: () => Promise<T>): Promise<T>
  /** Undefined where somebody is at it. */
  ifNobodyHolds<T>(what: Guarded, act: () => Promise<T>): Promise<T | undefined>
  /** When nothing is held any more. */
  end(): Promise<void>
}

/** What is locked: a shipment, or a task that is to create one. */
export interface Guarded {
  readonly id: string
}

export function guardedBy(task: Task): Guarded {
  return { id: task.kind === 'create' ? task.id : task.shipmentId }
}

/** How soon a lock that another process holds is tried again. */
const pauseMs = 100

export function openGuards(db: Database): Guards {
  // One connection, and one more while a lost one is not noticed yet.
  const connections = openBeside(db, 2)
  const enter = openSessions(connections)
  const queue = openQueue()

  return {
    holding: (what, act) =>
      queue.inTurn(what.id, async () => {
        const session = await enter()
        try {
          while (!(await isTaken(session, what))) await sleep(pauseMs)
          return await act().finally(() => letGo(session, what))
        } finally {
          session.leave()
        }
      }),
    async ifNobodyHolds(what, act) {
      if (queue.has(what.id)) return undefined
      return queue.inTurn(what.id, async () => {
        const session = await enter()
        try {
          if (!(await isTaken(session, what))) return undefined
          return await act().finally(() => letGo(session, what))
        } finally {
          session.leave()
        }
      })
    },
    end: () => connections.end({ timeout: 1 }),
  }
}

async function isTaken({ tx, retire }: Session, what: Guarded): Promise<boolean> {
  try {
    const [row] = await tx<[{ taken: boolean }]>`
      select pg_try_advisory_lock(${keyOf(tx, what)}) as taken`
    return row.taken
  } catch (error) {
    retire()
    throw error
  }
}

/** A lock whose connection was lost has gone with it. */
async function letGo({ tx }: Session, what: Guarded): Promise<void> {
  await tx`select pg_advisory_unlock(${keyOf(tx, what)})`.catch(() => {})
}

function keyOf(tx: Transaction, { id }: Guarded) {
  return tx`hashtextextended(${`at a marketplace ${id}`}, 0)`
}

interface Session {
  readonly tx: Transaction
  leave(): void
  /** Those who come get another. */
  retire(): void
}

/** A transaction that all who hold locks share, from the first to the last of them. */
function openSessions(db: Database): () => Promise<Session> {
  let current: { readonly begun: Promise<Transaction>; users: number; end(): void } | undefined

  function begin() {
    const begun = Promise.withResolvers<Transaction>()
    const ended = Promise.withResolvers<void>()
    const session = { begun: begun.promise, users: 0, end: ended.resolve }
    db.begin(async (tx) => {
      // What a broken transaction may have left on the connection.
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

/** Those who are at one thing, one after the other. */
function openQueue() {
  const last = new Map<string, Promise<unknown>>()
  return {
    has: (id: string) => last.has(id),
    async inTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
      const mine = (last.get(id) ?? Promise.resolve()).then(act, act)
      last.set(id, mine)
      try {
        return await mine
      } finally {
        if (last.get(id) === mine) last.delete(id)
      }
    },
  }
}
