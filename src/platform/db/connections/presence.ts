/**
 * Whether the servers of a database give any sign of life. All pools to it share what they know.
 *
 *   there --callers have waited for a server without a sign--> away --a new connection is answered, or refused at once--> there
 *
 * While it is away nobody waits for it but a prober: callers are answered at once. A server that refuses connections says so at
 * once itself, so it is asked each time and never counts as away. An attempt whose packets were lost hears late that the server
 * is back, so another one begins beside it every half second.
 *
 * With a shorter timeout instead a slow network would count as away for good; a circuit breaker would refuse on for half a
 * second after the server is back.
 */

import { ConnectionError } from './errors.ts'

/** A pool. */
interface Member {
  /** Rejects what waits, and ends all connections. */
  onaway(error: ConnectionError): void
}

interface LiveSession {
  readonly isLost: boolean
  readonly closed: Promise<void>
}

/** Connects and is greeted, or throws what the last server said. */
type Probe = (signal: AbortSignal) => Promise<void>

/** An attempt that ends sooner has kept nobody waiting. */
const atOnceMs = 250
const probeEveryMs = 500
const probesMax = 10

export class Presence {
  readonly #members = new Set<Member>()
  readonly #live = new Set<LiveSession>()
  readonly #probes = new Set<AbortController>()
  #timer: NodeJS.Timeout | undefined
  #away: ConnectionError | undefined

  /** Why callers need not try; undefined while the database is there, or nobody knows better. */
  get away(): ConnectionError | undefined {
    return this.#away
  }

  join(member: Member): void {
    this.#members.add(member)
  }

  leave(member: Member): void {
    this.#members.delete(member)
    if (this.#members.size === 0) this.#setThere()
  }

  noteGreeted(session: LiveSession): void {
    this.#setThere()
    this.#live.add(session)
    void session.closed.then(() => this.#live.delete(session))
  }

  /** A caller has waited since then and no server could be used. One connection that works proves that the database is there. */
  noteFailure(since: number, error: Error, probe: Probe): void {
    const isAlive = this.#live.values().some(({ isLost }) => !isLost)
    const tookLong = performance.now() - since > atOnceMs
    if (!isAlive && tookLong && error instanceof ConnectionError) this.noteSilence(error, probe)
  }

  /** The server works at nothing and answers nobody. */
  noteSilence(reason: ConnectionError, probe: Probe): void {
    if (this.#away !== undefined || this.#members.size === 0) return
    const away = new ConnectionError('SERVER_AWAY', 'no server gives a sign', reason)
    this.#away = away
    for (const member of this.#members) member.onaway(away)
    const attempt = () => void this.#attempt(probe)
    this.#timer = setInterval(attempt, probeEveryMs)
    this.#timer.unref()
    attempt()
  }

  async #attempt(probe: Probe): Promise<void> {
    const [oldest] = this.#probes
    if (oldest !== undefined && this.#probes.size === probesMax) oldest.abort()
    const aborter = new AbortController()
    this.#probes.add(aborter)
    const since = performance.now()
    const isAnswered = await probe(aborter.signal).then(
      () => true,
      () => performance.now() - since < atOnceMs,
    )
    this.#probes.delete(aborter)
    if (isAnswered && !aborter.signal.aborted) this.#setThere()
  }

  #setThere(): void {
    this.#away = undefined
    clearInterval(this.#timer)
    for (const aborter of this.#probes) aborter.abort()
    this.#probes.clear()
  }
}
