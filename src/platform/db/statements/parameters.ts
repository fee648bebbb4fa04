/**
 * How values become parameters. All but bytes go to the server as text, and the server knows the type of each
 * parameter from its place in the statement. Where the text depends on that type, a cast that directly follows the
 * value says it. In `${at}::timestamptz` a number is milliseconds. In `${count}::bigint` it must be a safe integer.
 * In `${value}::jsonb` every value is written as JSON.
 */

import type { Encoded } from './executor.ts'

/** What a statement takes as a parameter. Arrays may hold nulls; `undefined` is refused. */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly Value[]

/** A type whose values need care; undefined for all others. */
export type Conversion = 'timestamptz' | 'int8' | 'json' | undefined

const casts: ReadonlyMap<string, Conversion> = new Map([
  ['timestamptz', 'timestamptz'],
  ['timestamptz[]', 'timestamptz'],
  ['int8', 'int8'],
  ['int8[]', 'int8'],
  ['bigint', 'int8'],
  ['bigint[]', 'int8'],
  ['json', 'json'],
  ['jsonb', 'json'],
])

/** The conversion of a value that `text` follows in the statement. */
export function conversionBefore(text: string): Conversion {
  const cast = /^::\s*([a-z0-9_]+(?:\[\])?)/.exec(text)?.[1]
  return cast === undefined ? undefined : casts.get(cast)
}

/**
 * Writes a parameter.
 *
 * @throws RangeError for a number that can't be passed exactly, or a date that is none
 * @throws TypeError for what is no parameter, such as undefined
 */
export function encode(value: unknown, conversion: Conversion): Encoded {
  if (value === null) return null
  if (conversion === 'json') return encodeJson(value)
  if (typeof value === 'string') return value
  if (typeof value === 'number') return encodeNumber(value, conversion)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return encodeArray(value, conversion)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  throw new TypeError(`a statement takes no parameter of type ${typeof value}`)
}

/** Writes any value as JSON; null stays the NULL of SQL. */
export function encodeJson(value: unknown): string | null {
  if (value === null) return null
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`JSON has no form for ${typeof value}`)
  return text
}

function encodeNumber(value: number, conversion: Conversion): string {
  if (conversion === 'timestamptz') return new Date(value).toISOString()
  const mustBeInteger = conversion === 'int8' || Number.isInteger(value)
  if (mustBeInteger && !Number.isSafeInteger(value)) {
    throw new RangeError(`not an integer that int8 can carry exactly: ${value}`)
  }
  return String(value)
}

function encodeArray(values: readonly unknown[], conversion: Conversion): string {
  return `{${values.map((value) => encodeElement(value, conversion)).join(',')}}`
}

function encodeElement(value: unknown, conversion: Conversion): string {
  if (Array.isArray(value)) return encodeArray(value, conversion)
  const encoded = encode(value, conversion)
  if (encoded === null) return 'NULL'
  if (typeof value === 'number') return String(encoded)
  if (typeof encoded !== 'string') return `"\\\\x${encoded.toString('hex')}"`
  return `"${encoded.replace(/["\\]/g, '\\$&')}"`
}
