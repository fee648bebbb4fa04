import { createHmac, timingSafeEqual } from 'node:crypto'

/** The place of the last shown row in a list: the values of its sort keys. */
export type Position = readonly (string | number)[]

export interface Cursors {
  /**
   * The token of a position. `scope` names everything the cursor is valid for: client, list and
   * filters, in a canonical order. Throws RangeError if the token would be longer than `read`
   * accepts.
   */
  issue(scope: readonly string[], position: Position): string
  /** The position; undefined unless exactly this text was issued for this scope. Never throws. */
  read(scope: readonly string[], text: string): Position | undefined
}

const TAG_BYTES = 16
const LENGTH_MAX = 1024

/**
 * Cursors for lists (specification, List envelope). They are opaque, so that callers do not build
 * them, and signed, so that a cursor of another client, list or filter is refused and never shows a
 * wrong page. A token is base64url of a truncated HMAC-SHA256 and the position as JSON.
 *
 * The first key signs and all keys verify, so that replacing a key does not break cursors in use.
 */
export function makeCursors(keys: readonly Buffer[]): Cursors {
  const [sealing] = keys
  if (sealing === undefined) throw new RangeError('cursors need a key')
  return {
    issue(scope, position) {
      const payload = Buffer.from(JSON.stringify(position))
      const text = Buffer.concat([tag(sealing, scope, payload), payload]).toString('base64url')
      if (text.length > LENGTH_MAX) throw new RangeError('position too long for a cursor')
      return text
    },
    read(scope, text) {
      const bytes = unpack(text)
      if (bytes === undefined) return undefined
      const given = bytes.subarray(0, TAG_BYTES)
      const payload = bytes.subarray(TAG_BYTES)
      const sealed = keys.some((key) => timingSafeEqual(tag(key, scope, payload), given))
      return sealed ? JSON.parse(payload.toString()) : undefined
    },
  }
}

/** JSON without indentation has no line break, so the scope cannot run into the payload. */
function tag(key: Buffer, scope: readonly string[], payload: Buffer): Buffer {
  const seal = createHmac('sha256', key).update(`cursor\n${JSON.stringify(scope)}\n`)
  return seal.update(payload).digest().subarray(0, TAG_BYTES)
}

/** Accepts only the canonical spelling: Buffer decodes several texts to the same bytes. */
function unpack(text: string): Buffer | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length > TAG_BYTES && bytes.toString('base64url') === text ? bytes : undefined
}
