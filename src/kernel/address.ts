import { isIPv6 } from 'node:net'

/**
 * The part of a network address that a caller cannot change at will: an IPv4 address, or the /64
 * network of an IPv6 address. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function bucketAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  // A trusted proxy may forward a text that is no address.
  return isIPv6(address) ? `${networkOf(address)}::/64` : address.slice(0, 64)
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
