import { isIPv6 } from 'node:net'

/**
 * The part of a network address that one caller can't change at will: an IPv4 address, or the /64 of
 * an IPv6 one. An IPv4 address in IPv6 clothes is the IPv4 address.
 */
export function bucketAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  // A trusted proxy may pass on what is no address at all.
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
