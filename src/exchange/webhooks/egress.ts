import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Mode } from '../../platform/kernel/mode.ts'
import { judgeTarget, type PrivateTargets } from './addresses.ts'
import { type Lookup, lookupFor, openSocket, type Route, TargetRefused } from './checked-socket.ts'
import { InterimAnswers } from './interim-answers.ts'

/**
 * Egress: the only way out to addresses that clients name.
 *
 * - For each connection the name is looked up once. Every address of the answer is checked, and one
 *   that is not allowed refuses them all. The connection goes to one of the checked addresses: there is
 *   no second look-up, so a DNS answer that changes in between has no effect.
 * - A connection serves one origin and one mode, one request at a time, and never reconnects. It is
 *   used for at most `maxAgeMs` after the check, and kept idle for `idleMs`.
 * - TLS is verified for the name in the URL, whatever it resolves to.
 *
 *     connecting --connected--> in use --answer read to its end--> idle --taken--> in use
 *     connecting, in use, idle --error, drop, close, too old--> closed
 */

export interface EgressOptions {
  readonly privateTargets: PrivateTargets
  /** Of an attempt: from its start to the end of the answer's headers. */
  readonly timeoutMs?: number
  readonly idleMs?: number
  readonly maxAgeMs?: number
  /** Replaces DNS in tests. */
  readonly lookup?: Lookup
  readonly tls?: Route['tls']
}

export interface Egress {
  readonly privateTargets: PrivateTargets
  readonly timeoutMs: number
  /** Judges a URL that a client named; for any number of attempts. */
  destination(url: string, mode: Mode): Destination
  /** Closes idle connections at once, and connections in use when they are given back. */
  close(): Promise<void>
}

/** Where attempts go: a URL that was judged once. */
export interface Destination {
  readonly url: string
  readonly mode: Mode
  readonly timeoutMs: number
  /** What a request asks for: the URL's path with its query. */
  readonly path: string
  /**
   * An idle connection or a new one.
   *
   * @throws TargetRefused where the URL is not allowed
   */
  take(): EgressConnection
}

export interface EgressConnection {
  /** Connects with the first request, which fails if connecting fails. */
  readonly client: Client
  /** Makes it idle; for a connection whose answer was read to its end. */
  giveBack(): void
  /** Closes it at once, in any state. */
  drop(reason: Error): void
}

const HEADER_BYTES_MAX = 16 * 1024
/** Connections in use at once; as many are kept idle, so that what a burst opened serves the next one. */
export const connectionsMax = 1_600

export function makeEgress(options: EgressOptions): Egress {
  const { privateTargets, timeoutMs = 10_000, maxAgeMs = 30_000 } = options
  const route = { ...options, lookup: options.lookup ?? lookupFor(privateTargets) }
  const idle = new IdleConnections()
  const takeTo = (target: URL, mode: Mode) => {
    const key = `${mode} ${target.origin}`
    return () => {
      const kept = idle.take(key, performance.now() - maxAgeMs)
      return kept ?? new Connection(target, mode, route, key, idle)
    }
  }
  return {
    privateTargets,
    timeoutMs,
    destination(url, mode) {
      const reading = judgeTarget(url, mode, privateTargets)
      const named = { url, mode, timeoutMs }
      if ('problem' in reading) return { ...named, path: '', take: () => refuse(reading.problem) }
      const { pathname, search } = reading.url
      return { ...named, path: pathname + search, take: takeTo(reading.url, mode) }
    },
    close: () => idle.close(),
  }
}

function refuse(problem: string): never {
  throw new TargetRefused(problem)
}

interface PooledRoute extends Route {
  readonly idleMs?: number
}

/** One socket, from its check to its close. */
class Connection implements EgressConnection {
  readonly client: Client
  readonly key: string
  checkedAt = 0
  #socket: Socket | undefined
  #answers: InterimAnswers | undefined
  readonly #idle: IdleConnections
  readonly #connecting = new AbortController()

  constructor(target: URL, mode: Mode, route: PooledRoute, key: string, idle: IdleConnections) {
    this.key = key
    this.#idle = idle
    const idleMs = route.idleMs ?? 500
    this.client = new Client(target.origin, {
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      connect: (_, callback) => {
        this.#connect(target, mode, route).then(
          (socket) => callback(null, socket),
          (error) => callback(error, null),
        )
      },
    })
    this.client.on('disconnect', () => {
      this.#idle.forget(this)
    })
  }

  async #connect(target: URL, mode: Mode, route: Route): Promise<Socket> {
    if (this.checkedAt > 0) throw Object.assign(new Error('closed'), { code: 'ECONNRESET' })
    this.checkedAt = performance.now()
    this.#socket = await openSocket(target, mode, route, this.#connecting.signal)
    this.#answers = new InterimAnswers(this.#socket)
    this.#answers.expect()
    return this.#socket
  }

  /** For another request on the open socket. */
  reuse(): void {
    this.#answers?.expect()
  }

  get open(): boolean {
    return this.#socket?.destroyed === false
  }

  giveBack(): void {
    if (!this.open || !this.#idle.keep(this)) this.drop(new Error('not kept'))
  }

  drop(reason: Error): void {
    this.#connecting.abort(reason)
    void this.client.destroy(reason)
  }
}

/** Connections without a request, by origin and mode; the one last used is taken first. */
class IdleConnections {
  readonly #byKey = new Map<string, Connection[]>()
  #size = 0
  #closed = false

  keep(connection: Connection): boolean {
    if (this.#closed || this.#size >= connectionsMax) return false
    const kept = this.#byKey.get(connection.key)
    if (kept === undefined) this.#byKey.set(connection.key, [connection])
    else kept.push(connection)
    this.#size += 1
    return true
  }

  /** Drops connections that were checked before the given moment. */
  take(key: string, checkedSince: number): Connection | undefined {
    for (;;) {
      const connection = this.#byKey.get(key)?.at(-1)
      if (connection === undefined) return undefined
      this.#remove(connection)
      if (connection.open && connection.checkedAt >= checkedSince) {
        connection.reuse()
        return connection
      }
      connection.drop(new Error('too old'))
    }
  }

  /** Removes a connection that the receiver closed. */
  forget(connection: Connection): void {
    if (this.#remove(connection)) connection.drop(new Error('closed'))
  }

  async close(): Promise<void> {
    this.#closed = true
    const connections = [...this.#byKey.values()].flat()
    for (const connection of connections) this.#remove(connection)
    await Promise.all(connections.map(({ client }) => client.destroy()))
  }

  #remove(connection: Connection): boolean {
    const kept = this.#byKey.get(connection.key)
    const at = kept?.lastIndexOf(connection) ?? -1
    if (kept === undefined || at < 0) return false
    kept.splice(at, 1)
    if (kept.length === 0) this.#byKey.delete(connection.key)
    this.#size -= 1
    return true
  }
}
