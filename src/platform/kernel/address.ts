import { isIP, isIPv6 } from 'node:net'

/**
 * The part of a network address that a caller cannot change at will: an IPv4 address, or the /64
 * network of an IPv6 address. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function bucketAddress(address: string): string {
  const plain = unmapped(address)
  return isIPv6(plain) ? `${networkOf(plain)}::/64` : plain.slice(0, 64)
}

/**
 * The addresses of X-Forwarded-For, without the ports, brackets and quotes that some proxies write. A proxy that does
 * not tell the address (`unknown`) ends them: what stands before it came from nobody who is known.
 */
export function forwardedAddresses(header: string): string {
  const parts = header.split(',').filter((part) => part.trim() !== '')
  const addresses = parts.map(plainAddress)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
}

function plainAddress(text: string): string | undefined {
  const given = text.trim().replace(/^"(.*)"$/, '$1')
  const withoutPort = given.replace(/:\d{1,5}$/, '')
  const spellings = [given, withoutPort].map((each) => each.replace(/^\[(.*)\]$/, '$1'))
  const address = spellings.find((each) => isIP(each) !== 0)
  return address && unmapped(address)
}

function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(gap).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
