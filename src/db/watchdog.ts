/**
 * Notices a server that is there no more without having said so: a machine that froze, a network that was cut.
 *
 * - A statement without an answer for three fifths of the patience makes it ask the server on a new connection, for the
 *   rest of the patience. A server that answers there is only slow with that statement.
 * - It looks only while callers wait for a connection or for an answer.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientSettings, SessionClient } from './client.ts'
import { ConnectionError, sqlStateOf } from './errors.ts'

export interface Watched {
  /** When the statements that run were sent; undefined for a connection that runs none. */
  runningSince(): readonly (number | undefined)[]
  /** Since when callers wait for a connection. */
  waitingSince(): readonly number[]
  /** Rejects those that have waited since before the moment. */
  giveUpWaiting(before: number, error: ConnectionError): void
  giveUpConnections(error: ConnectionError): void
}

interface WatchdogSettings extends ClientSettings {
  readonly patienceMs: number
}

const looksPerPatience = 20

export class Watchdog {
  readonly #settings: WatchdogSettings
  readonly #watched: Watched
  #timer: NodeJS.Timeout | undefined
  #progressAt = 0
  /** When the server last answered on a connection of its own. */
  #answeredAt = 0
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
    const running = this.#watched.runningSince().filter((since) => since !== undefined)
    const waiting = this.#watched.waitingSince()
    if (running.length + waiting.length === 0) {
      this.stop()
      return
    }
    if (now - this.#progressAt > patienceMs) {
      this.#watched.giveUpWaiting(now - patienceMs, silent('no connection became free in time'))
    }
    const oldest = Math.max(Math.min(...running), this.#answeredAt)
    if (now - oldest > patienceMs * 0.6 && Number.isFinite(oldest)) void this.#ask()
  }

  async #ask(): Promise<void> {
    if (this.#asks) return
    this.#asks = true
    const client = new SessionClient(this.#settings)
    const lateness = new AbortController()
    try {
      await Promise.race([
        client.connect().then(() => client.session.execute(nothing)),
        sleep(this.#settings.patienceMs * 0.4, undefined, { signal: lateness.signal }).then(() => {
          throw silent('the server does not answer')
        }),
      ])
      this.#answeredAt = performance.now()
    } catch (error) {
      // A refusal is an answer, too.
      if (sqlStateOf(error) !== undefined) this.#answeredAt = performance.now()
      else this.#watched.giveUpConnections(silent('the server has stopped answering'))
    } finally {
      lateness.abort()
      client.destroy(silent('the question is over'))
      this.#asks = false
    }
  }
}

const nothing = { text: 'select 1', name: undefined, values: [] }

const silent = (message: string) => new ConnectionError('SERVER_SILENT', message)
