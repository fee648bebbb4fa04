import { BlockList, isIP } from 'node:net'
import type { Mode } from '../../platform/kernel/mode.ts'

/**
 * The addresses that a webhook may have: the form of a URL, and which hosts are on the public internet.
 * Pure; `egress.ts` looks names up. The tables follow IANA's registries of special-purpose addresses.
 * They are stricter where an address can carry another one (tunnels, translation): an address that is
 * not certainly public counts as not public.
 */

/**
 * Targets allowed besides the public internet. `deny`: none. `sandbox`: loopback, for test keys.
 * `allow`: all, for an installation inside its owner's network; then http is allowed, too, for
 * addresses that are visibly not public.
 */
export type PrivateTargets = 'deny' | 'sandbox' | 'allow'

const TARGET_LENGTH_MAX = 2048

const closedV4 = [
  '0.0.0.0/8', // this network; 0.0.0.0 reaches the machine itself
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host agent at a public number
  '169.254.0.0/16', // link-local, metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/**
 * Global unicast. Outside of it are loopback, unspecified, IPv4-mapped and -compatible, NAT64,
 * discard-only, SRv6, unique local, link-local, site-local and multicast addresses.
 */
const openV6 = ['2000::/3']

const closedV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]

/** One list per family: a common list would match IPv6 addresses that map to an IPv4 one. */
const lists = {
  ipv4: { closed: blockList(closedV4), loopback: blockList(['127.0.0.0/8']) },
  ipv6: { closed: blockList(closedV6), loopback: blockList(['::1/128']) },
}
const globalV6 = blockList(openV6)

/** False for text that is no address, too, and for an address with a zone (`fe80::1%eth0`). */
export function isPublicAddress(ip: string): boolean {
  const family = familyOf(ip)
  if (family === undefined || lists[family].closed.check(ip, family)) return false
  return family === 'ipv4' || globalV6.check(ip, family)
}

/** 127.0.0.0/8 and ::1; not an IPv4 loopback address that is mapped to IPv6. */
export function isLoopback(ip: string): boolean {
  const family = familyOf(ip)
  return family !== undefined && lists[family].loopback.check(ip, family)
}

/** Names that no public DNS resolves to a public host. */
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|corp|home|home\.arpa)$/

export type TargetReading = { readonly url: URL } | { readonly problem: string }

/**
 * Reads a subscription's URL (specification, POST /v1/webhooks). The problem continues a sentence that begins with the
 * field's name. Egress may still refuse the URL when it connects: only then the addresses behind its name are known.
 */
export function judgeTarget(
  text: string,
  mode: Mode,
  privateTargets: PrivateTargets,
): TargetReading {
  if (text.length > TARGET_LENGTH_MAX) return { problem: `строка до ${TARGET_LENGTH_MAX} символов` }
  const url = /^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(text) ? URL.parse(text) : null
  const open = mode === 'test' || (privateTargets === 'allow' && url !== null && isPrivate(url))
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'https' && !(scheme === 'http' && open)) {
    return { problem: 'адрес должен начинаться с https:// (с тестовым ключом можно и с http://)' }
  }
  if (url === null) return { problem: 'полный адрес, например https://example.com/webhook' }
  if (url.href.length > TARGET_LENGTH_MAX) {
    return { problem: `строка до ${TARGET_LENGTH_MAX} символов` }
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'адрес без имени пользователя и пароля' }
  }
  if (text.includes('#')) return { problem: 'адрес без символа # и того, что после него' }
  if (url.port === '0') return { problem: 'порт от 1 до 65535' }
  if (mayName(hostOf(url), mode, privateTargets)) return { url }
  const here = privateTargets === 'sandbox' && mode === 'test'
  return {
    problem: here
      ? 'адрес, доступный из интернета, или localhost'
      : 'адрес, доступный из интернета: внутренние имена и адреса не принимаются',
  }
}

/** The name without a final dot, or the address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Whether a host that the operator names is meant to be inside of the operator's own network. */
export function namesOwnNetwork(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return !host.includes('.') || LOCAL_NAMES.test(host)
}

/** Whether the URL itself names a host outside of the public internet. */
function isPrivate(url: URL): boolean {
  const host = hostOf(url)
  return isIP(host) === 0 ? isLocalhost(host) : !isPublicAddress(host)
}

function mayName(host: string, mode: Mode, privateTargets: PrivateTargets): boolean {
  if (host === '') return false
  if (isIP(host) !== 0) return mayConnect(host, mode, privateTargets)
  if (privateTargets === 'allow') return true
  if (privateTargets === 'sandbox' && mode === 'test' && isLocalhost(host)) return true
  const labels = host.split('.')
  return labels.length > 1 && !labels.includes('') && !LOCAL_NAMES.test(host)
}

/** Whether a connection to this address is allowed. */
export function mayConnect(address: string, mode: Mode, privateTargets: PrivateTargets): boolean {
  if (privateTargets === 'allow' || isPublicAddress(address)) return true
  return privateTargets === 'sandbox' && mode === 'test' && isLoopback(address)
}

type Family = 'ipv4' | 'ipv6'

function familyOf(ip: string): Family | undefined {
  if (ip.includes('%')) return undefined
  return { 4: 'ipv4' as const, 6: 'ipv6' as const }[isIP(ip)]
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
