/**
 * Notices what has gone without a word: a machine that froze, a network that was cut, one connection that a firewall
 * forgot.
 *
 * - A statement without an answer for three fifths of the patience makes it ask the server on a new connection, for the
 *   rest of the patience, what its backends work at. If one works at the statement, the statement is only slow. If none
 *   does, and no byte comes or goes for a moment more, the statement's connection is silent.
 * - It looks only while callers wait for a connection or for an answer.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientSettings, newSession } from './client.ts'
import { ConnectionError, sqlStateOf } from './errors.ts'
import { command, type Running, type Session } from './session.ts'

export interface Watched {
  /** The connections whose statements wait for an answer. */
  running(): readonly Session[]
  /** Since when callers wait for a connection. */
  waitingSince(): readonly number[]
  /** Rejects those that have waited since before the moment. */
  giveUpWaiting(before: number, error: ConnectionError): void
  /** The connections are silent, though the server answers. */
  giveUp(sessions: readonly Session[], error: ConnectionError): void
  giveUpServer(error: ConnectionError): void
}

interface WatchdogSettings extends ClientSettings {
  readonly patienceMs: number
}

/** A statement that has waited for long, with what had moved on its connection by then. */
interface Late {
  readonly session: Session
  readonly running: Running
  readonly bytesMoved: number
}

interface Backend {
  readonly id: number
  /** Its beginning, where it is long. */
  readonly text: string
}

const looksPerPatience = 20

export class Watchdog {
  readonly #settings: WatchdogSettings
  readonly #watched: Watched
  #timer: NodeJS.Timeout | undefined
  #progressAt = 0
  #asks = false

  constructor(settings: WatchdogSettings, watched: Watched) {
    this.#settings = settings
    this.#watched = watched
  }

  /** Begins to look, while there is something to look at. */
  wake(): void {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => this.#look(), this.#settings.patienceMs / looksPerPatience)
    this.#timer.unref()
  }

  /** A connection has done its work, so the server is there. */
  noteProgress(): void {
    this.#progressAt = performance.now()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const now = performance.now()
    const { patienceMs } = this.#settings
    const sessions = this.#watched.running()
    const waiting = this.#watched.waitingSince()
    if (sessions.length + waiting.length === 0) {
      this.stop()
      return
    }
    if (now - this.#progressAt > patienceMs) {
      this.#watched.giveUpWaiting(now - patienceMs, silent('no connection became free in time'))
    }
    const late = sessions.flatMap((session) => lateAt(session, now - patienceMs * 0.6))
    if (late.length > 0 && !this.#asks) void this.#ask(late)
  }

  async #ask(late: readonly Late[]): Promise<void> {
    this.#asks = true
    try {
      const backends = await this.#backendsAtWork()
      const isAtWork = (each: Late) => backends?.some((one) => worksAt(one, each)) ?? true
      const doubtful = late.filter((each) => !isAtWork(each))
      // An answer that the server has sent meanwhile may be on its way.
      if (doubtful.length > 0) await sleep(this.#settings.patienceMs / looksPerPatience)
      const lost = doubtful.filter(isUnmoved).map(({ session }) => session)
      for (const { running } of late) running.seenAt = performance.now()
      if (lost.length > 0) {
        this.#watched.giveUp(lost, silent('the connection has become silent'))
      }
    } catch {
      this.#watched.giveUpServer(silent('the server has stopped answering'))
    } finally {
      this.#asks = false
    }
  }

  /** Undefined where the server answers with a refusal. Throws where it does not answer in time. */
  async #backendsAtWork(): Promise<readonly Backend[] | undefined> {
    const session = newSession(this.#settings)
    const lateness = new AbortController()
    try {
      return await Promise.race([
        session.client.connect().then(() => backendsSeenBy(session)),
        sleep(this.#settings.patienceMs * 0.4, undefined, { signal: lateness.signal }).then(() => {
          throw silent('the server does not answer')
        }),
      ])
    } catch (error) {
      if (sqlStateOf(error) !== undefined) return undefined
      throw error
    } finally {
      lateness.abort()
      session.destroy(silent('the question is over'))
    }
  }
}

/** Those that wait for this side have answered, or never heard of a statement. */
const backendsAtWork = `
  select pid as id, query as text from pg_stat_activity
  where usename = current_user and backend_type = 'client backend'
    and wait_event_type is distinct from 'Client'`

async function backendsSeenBy(session: Session): Promise<readonly Backend[]> {
  return (await session.execute(command(backendsAtWork))).rows as Backend[]
}

function lateAt(session: Session, before: number): Late[] {
  const { running, bytesMoved } = session
  if (running === undefined || running.seenAt > before) return []
  return [{ session, running, bytesMoved }]
}

/** Behind a pooler nobody knows whose backend it is, and one at the same statement counts. */
function worksAt(backend: Backend, { session: { backendId }, running }: Late): boolean {
  if (backendId !== undefined) return backend.id === backendId
  return running.text.startsWith(backend.text)
}

function isUnmoved({ session, running, bytesMoved }: Late): boolean {
  return session.running === running && session.bytesMoved === bytesMoved
}

const silent = (message: string) => new ConnectionError('SERVER_SILENT', message)
