/**
 * The pool of connections.
 *
 * - A statement waits for a connection while others finish. Where none has finished for the time of patience, those
 *   that have waited for so long are rejected.
 * - A server that has not answered a statement for most of that time is asked on a connection of its own. Where it is
 * silent there too, all connections are given up. Where it works at the statement, that may take as long as it needs.
 * Where it does not, the statement's connection is given up, and the idle ones with it. What keeps one silent, such
 * as a firewall that forgot it, mostly keeps others silent, and each would cost a caller as much time.
 * - Where no server gives a sign, nobody waits for it any more until one does (`presence.ts`): callers are rejected at once.
 * - A lost connection is replaced when the next statement needs one; idle ones that break are dropped unseen.
 * - A connection comes back only between transactions, else it is closed.
 * - `end` lets what runs or waits finish, and after the timeout breaks it off: all of it is rejected.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Executable, Executed, Executor } from '../statements/executor.ts'
import { type ClientSettings, greet, newSession, openSession } from './client.ts'
import { type ConnectionError, connectFailure, ended } from './errors.ts'
import type { Session } from './session.ts'
import { Watchdog } from './watchdog.ts'

export interface PoolSettings extends ClientSettings {
  /** For what needs a session of its own, where a pooler is in front of the server. */
  readonly direct: ClientSettings | undefined
  /** Connections the pool may open; they are opened as they are needed. */
  readonly max: number
  /** Closes a connection that nobody has used for so long; 0: never. */
  readonly idleMs: number
  /** Keeps a connection open for as long as it works; otherwise each is renewed after half an hour to an hour. */
  readonly lasting: boolean
  /** Receives each connection that ends, in whatever way. */
  readonly onclose: (() => void) | undefined
  /** How long a caller waits for a server that gives no sign. */
  readonly patienceMs: number
}

/** Connections that a pool may open and that are at work, and statements that wait for one. */
export interface PoolUse {
  readonly max: number
  readonly used: number
  readonly waiting: number
}

/** The use of a connection. */
export interface Lease {
  readonly session: Session
  /** Gives the connection back, once what runs on it is done; any number of times. */
  release(): void
}

interface Waiting {
  readonly since: number
  readonly reject: (error: Error) => void
}

const lifetimeSeconds = 30 * 60
const closingMsMax = 1_000

export class Pool implements Executor {
  readonly settings: PoolSettings
  readonly #pool: pg.Pool
  readonly #sessions = new Set<Session>()
  readonly #waiting = new Set<Waiting>()
  readonly #watchdog: Watchdog
  readonly #leases = new Set<Lease>()
  readonly #resting = new Set<Session>()
  readonly #idle = Promise.withResolvers<void>()
  #ended: Promise<void> | undefined
  /** Is called when connections are given up. */
  ongiveup: (() => void) | undefined

  constructor(settings: PoolSettings) {
    this.settings = settings
    this.#pool = new pg.Pool({
      max: settings.max,
      idleTimeoutMillis: settings.idleMs,
      verify: (client, done) => {
        const session = sessionOf(client)
        const greeted = greet(session, settings)
        greeted.then(() => settings.hosts.presence.noteGreeted(session)).then(() => done(), done)
      },
      maxLifetimeSeconds: settings.lasting ? 0 : lifetimeSeconds * (1 + Math.random()),
      Client: new Proxy(pg.Client, { construct: () => this.#open() }),
    })
    this.#watchdog = new Watchdog(settings, {
      running: () => [...this.#leases].flatMap(({ session }) => (session.running ? [session] : [])),
      waitingSince: () => [...this.#waiting].map(({ since }) => since),
      giveUpWaiting: (before, error) => this.#giveUpWaiting(before, error),
      giveUp: (sessions, error) => this.#giveUp([...sessions, ...this.#resting], error),
      giveUpServer: (error) => this.#giveUpServer(error),
    })
    settings.hosts.presence.join(this)
    this.#pool.on('acquire', (client) => this.#resting.delete(sessionOf(client)))
    this.#pool.on('release', (_error, client) => this.#resting.add(sessionOf(client)))
    // Of an idle connection that was lost; its session has noticed by itself.
    this.#pool.on('error', () => {})
  }

  /** How full it is at the moment. */
  get use(): PoolUse {
    return { max: this.settings.max, used: this.#leases.size, waiting: this.#waiting.size }
  }

  async execute(statement: Executable): Promise<Executed> {
    const { session, release } = await this.acquire()
    try {
      return await session.execute(statement)
    } finally {
      release()
    }
  }

  acquire(): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(ended('the pool'))
      const { away } = this.settings.hosts.presence
      if (away !== undefined) return reject(away)
      const waiting = { since: performance.now(), reject }
      this.#waiting.add(waiting)
      this.#watchdog.wake()
      this.#connect(waiting, resolve, this.settings.hosts.count)
    })
  }

  /** Tries so many servers in turn. */
  #connect(waiting: Waiting, resolve: (lease: Lease) => void, tries: number): void {
    const { hosts } = this.settings
    const { current } = hosts
    this.#pool.connect((error, client) => {
      if (client !== undefined && sessionOf(client).isLost) {
        // Given up while it was idle, and the pool has not noticed yet.
        client.release(true)
        return this.#connect(waiting, resolve, tries)
      }
      if (error !== undefined) hosts.passOver(current)
      const again = error !== undefined && tries > 1 && this.#waiting.has(waiting)
      if (again) return this.#connect(waiting, resolve, tries - 1)
      const stillWanted = this.#waiting.delete(waiting)
      if (error !== undefined) this.#noteFailure(waiting, connectFailure(error))
      else if (client === undefined) waiting.reject(new TypeError('the pool gave no client'))
      else if (stillWanted) resolve(this.#lease(client))
      else client.release(true)
      this.#noteIdle()
    })
  }

  #noteFailure({ since, reject }: Waiting, error: Error): void {
    reject(error)
    this.settings.hosts.presence.noteFailure(since, error, this.#probe)
  }

  readonly #probe = async (signal: AbortSignal): Promise<void> => {
    const session = await openSession(this.settings, signal)
    session.destroy(ended('the question'))
  }

  /** No server gives a sign. */
  onaway(error: ConnectionError): void {
    this.#giveUpWaiting(Number.POSITIVE_INFINITY, error)
    this.#giveUp([...this.#sessions], error)
  }

  /** Ends the pool; any number of times. Without a timeout it waits for as long as the work takes. */
  end(timeoutMs: number | undefined): Promise<void> {
    this.#ended ??= this.#end(timeoutMs)
    return this.#ended
  }

  #lease(client: pg.PoolClient): Lease {
    const session = sessionOf(client)
    const lease = {
      session,
      release: () => {
        if (!this.#leases.delete(lease)) return
        this.#watchdog.noteProgress()
        session.onlost = undefined
        client.release(!session.isReusable)
        this.#noteIdle()
      },
    }
    this.#leases.add(lease)
    return lease
  }

  /** The client of a new session. */
  #open(): pg.Client {
    const session = newSession(this.settings)
    this.#sessions.add(session)
    sessions.set(session.client, session)
    const { away } = this.settings.hosts.presence
    // The driver's pool goes on with callers that queue there, though they were rejected meanwhile.
    if (away !== undefined) process.nextTick(() => session.destroy(away))
    void session.closed.then(() => {
      this.#sessions.delete(session)
      this.#resting.delete(session)
      this.settings.onclose?.()
    })
    return session.client
  }

  #giveUpWaiting(before: number, error: ConnectionError): void {
    for (const waiting of [...this.#waiting].filter(({ since }) => since < before)) {
      this.#waiting.delete(waiting)
      this.#noteFailure(waiting, error)
    }
    this.#noteIdle()
  }

  /** Of several servers the others are asked first. */
  #giveUpServer(error: ConnectionError): void {
    const { hosts } = this.settings
    hosts.passOver(hosts.current)
    if (hosts.count === 1) hosts.presence.noteSilence(error, this.#probe)
    this.#giveUp([...this.#sessions], error)
  }

  #giveUp(sessions: readonly Session[], error: ConnectionError): void {
    for (const session of sessions) session.destroy(error)
    this.ongiveup?.()
  }

  #noteIdle(): void {
    if (this.#ended !== undefined && this.#isIdle()) this.#idle.resolve()
  }

  #isIdle(): boolean {
    return this.#waiting.size + this.#leases.size === 0
  }

  async #end(timeoutMs: number | undefined): Promise<void> {
    this.settings.hosts.presence.leave(this)
    if (!this.#isIdle()) await within(timeoutMs, this.#idle.promise)
    for (const { reject } of this.#waiting) reject(ended('the pool'))
    const broken = this.#isIdle() ? [] : [...this.#sessions]
    for (const session of broken) session.destroy(ended('the pool'))
    for (const { release } of this.#leases) release()
    this.#watchdog.stop()
    const closed = this.#pool.end()
    // The pool counts a connection as closed as soon as it starts to close it. A silent one never says that it has closed.
    const all = [closed, ...[...this.#sessions].map((session) => session.closed)]
    await within(closingMsMax, Promise.all(all))
    for (const session of this.#sessions) session.destroy(ended('the pool'))
    await closed
  }
}

const sessions = new WeakMap<pg.ClientBase, Session>()

/** Of a client of a pool. */
function sessionOf(client: pg.ClientBase): Session {
  const session = sessions.get(client)
  if (session === undefined) throw new TypeError('a client that no pool has opened')
  return session
}

/** Returns when the promise resolves, or the time is over. */
async function within(timeoutMs: number | undefined, promise: Promise<unknown>): Promise<void> {
  if (timeoutMs === undefined) return void (await promise)
  const aborter = new AbortController()
  const time = sleep(timeoutMs, undefined, { signal: aborter.signal }).catch(() => {})
  await Promise.race([promise, time])
  aborter.abort()
}
