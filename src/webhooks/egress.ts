import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { Client } from 'undici'
import type { KeyMode } from '../kernel/api-key.ts'
import { hostOf, isLocalhost, mayConnect, type PrivateTargets } from './addresses.ts'

/**
 * The way out to addresses that clients name. What it promises:
 *
 * - A name is looked up once for a connection; every address of the answer is judged, and one that is
 *   not allowed refuses them all. The connection goes to one of the addresses that were judged: there
 *   is no second look-up, so an answer that changes in between changes nothing.
 * - A connection serves one origin and one mode, one request at a time, and never connects again by
 *   itself. It is used again for at most `maxAgeMs` after it was judged, and kept for `idleMs`.
 * - TLS is checked for the name of the address, whatever it resolved to.
 */

/** All addresses of a name, or an error with the code of node:dns. */
export type Lookup = (name: string) => Promise<readonly string[]>

export interface EgressOptions {
  readonly privateTargets: PrivateTargets
  /** From the start of an attempt to the end of the answer's headers. */
  readonly timeoutMs?: number
  readonly idleMs?: number
  readonly maxAgeMs?: number
  /** Replaced where no DNS may be asked. */
  readonly lookup?: Lookup
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

export interface Egress {
  readonly privateTargets: PrivateTargets
  readonly timeoutMs: number
  /** A kept connection or, where there is none, a new one. */
  take(target: URL, mode: KeyMode): EgressConnection
  /** Closes what is idle; connections in use are closed when they are given back. */
  close(): Promise<void>
}

export interface EgressConnection {
  /** Connects with the first request; an error of connecting is that request's error. */
  readonly client: Client
  /** After an answer that was read to its end. */
  giveBack(): void
  /** Ends it at once, whatever it is doing. */
  drop(reason: Error): void
}

/** The target is, by its address or by what its name resolves to, none that may be connected to. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/** No address for the name: there is none (`absent`), or DNS could not say. */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed'
  readonly absent: boolean

  constructor(absent: boolean, options?: ErrorOptions) {
    super('no address for the name', options)
    this.absent = absent
  }
}

const HEADER_BYTES_MAX = 16 * 1024
const IDLE_MAX = 512
const ADDRESSES_TRIED_MAX = 8
/** Then the next address of the same answer is tried; a lost SYN is repeated after a second. */
const ADDRESS_TIMEOUT_MS = 1_500
const DNS_TIMEOUT_MS = 1_500

export function makeEgress(options: EgressOptions): Egress {
  const { privateTargets, timeoutMs = 10_000, maxAgeMs = 30_000 } = options
  const route: Route = { ...options, lookup: options.lookup ?? lookupFor(privateTargets) }
  const idle = new IdleConnections()
  return {
    privateTargets,
    timeoutMs,
    take(target, mode) {
      const key = `${mode} ${target.origin}`
      const kept = idle.take(key, performance.now() - maxAgeMs)
      return kept ?? new Connection(target, mode, route, key, idle)
    },
    close: () => idle.close(),
  }
}

/** What connecting takes from the options. */
interface Route extends EgressOptions {
  readonly lookup: Lookup
}

/** One socket, from being judged to its end. */
class Connection implements EgressConnection {
  readonly client: Client
  readonly key: string
  judgedAt = 0
  #socket: Socket | undefined
  readonly #idle: IdleConnections
  readonly #connecting = new AbortController()

  constructor(target: URL, mode: KeyMode, route: Route, key: string, idle: IdleConnections) {
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

  async #connect(target: URL, mode: KeyMode, route: Route): Promise<Socket> {
    if (this.judgedAt > 0) throw Object.assign(new Error('closed'), { code: 'ECONNRESET' })
    this.judgedAt = performance.now()
    this.#socket = await openSocket(target, mode, route, this.#connecting.signal)
    return this.#socket
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

/** Connections without a request, by origin and mode; the one last used goes first. */
class IdleConnections {
  readonly #byKey = new Map<string, Connection[]>()
  #size = 0
  #closed = false

  keep(connection: Connection): boolean {
    if (this.#closed || this.#size >= IDLE_MAX) return false
    const kept = this.#byKey.get(connection.key)
    if (kept === undefined) this.#byKey.set(connection.key, [connection])
    else kept.push(connection)
    this.#size += 1
    return true
  }

  /** Connections that were judged before the given moment are dropped. */
  take(key: string, judgedSince: number): Connection | undefined {
    for (;;) {
      const connection = this.#byKey.get(key)?.at(-1)
      if (connection === undefined) return undefined
      this.#remove(connection)
      if (connection.open && connection.judgedAt >= judgedSince) return connection
      connection.drop(new Error('too old'))
    }
  }

  /** For one that its other end has closed. */
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

/** Looks up, judges, and connects to what was judged. Cut off by the signal in every phase. */
async function openSocket(
  target: URL,
  mode: KeyMode,
  route: Route,
  signal: AbortSignal,
): Promise<Socket> {
  const host = hostOf(target)
  const addresses = await addressesOf(host, mode, route)
  const allowed = (address: string) => mayConnect(address, mode, route.privateTargets)
  if (!addresses.every(allowed)) throw new TargetRefused('an address of the target is not allowed')
  signal.throwIfAborted()
  const options = {
    host,
    port: Number(target.port) || (target.protocol === 'https:' ? 443 : 80),
    lookup: answer(addresses.slice(0, ADDRESSES_TRIED_MAX)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    noDelay: true,
  }
  const secure = target.protocol === 'https:'
  const servername = isIP(host) === 0 ? host : ''
  const socket = secure
    ? connectTls({ ...options, ...route.tls, servername, ALPNProtocols: ['http/1.1'] })
    : connectTcp(options)
  return ready(socket, secure ? 'secureConnect' : 'connect', allowed, signal)
}

function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  allowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const stop = () => socket.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  socket.on('error', reject)
  socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  socket.once(event, () => {
    signal.removeEventListener('abort', stop)
    if (allowed(socket.remoteAddress ?? '')) resolve(socket)
    else socket.destroy(new TargetRefused('connected to an address that was not judged'))
  })
  return promise
}

async function addressesOf(host: string, mode: KeyMode, route: Route): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  if (route.privateTargets === 'sandbox' && mode === 'test' && isLocalhost(host)) {
    return ['127.0.0.1', '::1']
  }
  const addresses = await route.lookup(host).catch((error: unknown) => {
    throw new LookupFailed(isAbsent(error), { cause: error })
  })
  if (addresses.length === 0) throw new LookupFailed(true)
  return addresses
}

/** Hands over the addresses that were judged, in place of a look-up. */
function answer(addresses: readonly string[]): LookupFunction {
  const judged = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, options, callback) => {
    const [first] = judged
    if (options.all) callback(null, judged)
    else callback(null, first?.address ?? '', first?.family ?? 0)
  }
}

/**
 * The system's look-up knows names of the own network, and waits in the few threads that files need
 * too: a slow DNS of one client would hold up all. It is used only where every target is trusted.
 */
function lookupFor(privateTargets: PrivateTargets): Lookup {
  if (privateTargets === 'allow') {
    return async (name) => (await systemLookup(name, { all: true })).map(({ address }) => address)
  }
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    const failures = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    if (found.length === 0) throw failures.find((error) => !isAbsent(error)) ?? failures[0]
    return found
  }
}

function isAbsent(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME'].includes(String(error.code))
  )
}
