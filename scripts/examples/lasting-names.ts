import { createHash } from 'node:crypto'

/** An id, or the end of a key in its preview. */
const invented = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=svc_[a-z]+…)\w{4}/g

/** What a run invents under these names, whatever it is. */
const inventedFields: Readonly<Record<string, (value: string, hash: Buffer) => string>> = {
  next_cursor: (_, hash) => hash.toString('base64url'),
  next_after: (_, hash) => hash.toString('base64url'),
  'X-SVC-Signature': (_, hash) => `sha256=${hash.toString('hex')}`,
  'webhook-signature': (_, hash) => `v1,${hash.toString('base64')}`,
  next_attempt_at: toMinute,
  last_used_at: toMinute,
}

/**
 * The examples with what a run invents (ids, cursors, ends of keys, signatures) derived from the place where it stands first. Two
 * runs then differ only in the examples that changed.
 *
 * @param moment ids begin with it
 */
export function withLastingNames<T>(examples: T, moment: number): T {
  const time = moment.toString(16).padStart(12, '0')
  const names = new Map<string, string>()
  const nameOf = (old: string, place: string): string => {
    const name = names.get(old) ?? newName(old.length, hashOf(place), time)
    names.set(old, name)
    return name
  }
  const walk = (value: unknown, place: string, field: string): unknown => {
    if (typeof value === 'string') {
      const known = inventedFields[field]?.(value, hashOf(place))
      return known ?? value.replace(invented, (old, at: number) => nameOf(old, `${place} ${at}`))
    }
    if (Array.isArray(value)) return value.map((item, at) => walk(item, `${place}.${at}`, field))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, walk(inner, `${place}.${key}`, key)]),
    )
  }
  return walk(examples, '', '') as T
}

/** An id of version 7, or so many signs of a key. */
function newName(length: number, hash: Buffer, time: string): string {
  const hex = hash.toString('hex')
  if (length < 36) return hash.toString('base64url').replaceAll(/[-_]/g, '').slice(0, length)
  const head = `${time.slice(0, 8)}-${time.slice(8)}`
  return `${head}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

function hashOf(place: string): Buffer {
  return createHash('sha256').update(place).digest()
}

function toMinute(moment: string): string {
  return moment.replace(/\d\d\.\d{3}(?=\+)/, '00.000')
}
