import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Mode } from '../../platform/kernel/mode.ts'
import { hostOf, isLocalhost, mayConnect, type PrivateTargets } from './addresses.ts'

/**
 * Opens a socket to a checked address: looks the name up once, refuses the target if one of its
 * addresses is not allowed, and connects to one of them without a second look-up.
 */

/** All addresses of a name, or an error with the code of node:dns. */
export type Lookup = (name: string) => Promise<readonly string[]>

/** What a connection needs to know besides its target. */
export interface Route {
  readonly privateTargets: PrivateTargets
  readonly lookup: Lookup
  /** Certificate authorities of tests. */
  readonly tls?: Pick<ConnectionOptions, 'ca'> | undefined
}

/** The URL names an address that is not allowed. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/**
 * The name has no address that may be connected to (`absent`), or DNS did not answer. An address that is
 * not allowed counts as none: its owner must not learn which names of our network exist.
 */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed'
  readonly absent: boolean

  constructor(absent: boolean, options?: ErrorOptions) {
    super('no address for the name', options)
    this.absent = absent
  }
}

const ADDRESSES_TRIED_MAX = 8
/** After this the next address of the answer is tried; a lost SYN is repeated after a second. */
const ADDRESS_TIMEOUT_MS = 1_500
const DNS_TIMEOUT_MS = 1_500

/** Looks the host up, checks its addresses and connects to one of them. The signal ends every phase. */
export async function openSocket(
  target: URL,
  mode: Mode,
  route: Route,
  signal: AbortSignal,
): Promise<Socket> {
  const host = hostOf(target)
  const addresses = await addressesOf(host, mode, route)
  const allowed = (address: string) => mayConnect(address, mode, route.privateTargets)
  if (!addresses.every(allowed)) {
    throw isIP(host) === 0 ? new LookupFailed(true) : new TargetRefused('not an allowed address')
  }
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
    else socket.destroy(new TargetRefused('connected to an address that was not checked'))
  })
  return promise
}

async function addressesOf(host: string, mode: Mode, route: Route): Promise<readonly string[]> {
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

/** Answers the socket's look-up with the checked addresses. */
function answer(addresses: readonly string[]): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, options, callback) => {
    const [first] = checked
    if (options.all) callback(null, checked)
    else callback(null, first?.address ?? '', first?.family ?? 0)
  }
}

/**
 * The system's look-up knows names of the local network, and blocks one of the few threads that file
 * access needs, too: one client's slow DNS would delay all. So it is used only where every target is
 * trusted.
 */
export function lookupFor(privateTargets: PrivateTargets): Lookup {
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
