import { excerpt } from '../../../platform/kernel/errors.ts'
import { rawNumber } from '../../../platform/kernel/json.ts'
import { type Instant, parseInstant } from '../../../platform/kernel/moscow-time.ts'
import { MarketplaceError, rejection } from './failure.ts'

/**
 * Reads fields of marketplace responses.
 *
 * - A function named `…Of` throws MarketplaceError `malformed`, with the field's name, if the field
 *   is missing or has another type.
 * - A function named `…OrNone` returns undefined or an empty list instead.
 * - Unknown fields are ignored.
 */
export type Fields = Readonly<Record<string, unknown>>

/** Parses JSON without loss: integers beyond 2^53 become texts of digits. */
export function parseResponseJson(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'), (_key, value, context?: { source?: string }) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value,
  )
}

export function fieldsOf(value: unknown, path: string): Fields {
  if (isObject(value)) return value
  throw malformed(path)
}

/** An object that may be absent or null: then it has no fields. */
export function partOf(fields: Fields, name: string): Fields {
  return fields[name] == null ? {} : fieldsOf(fields[name], name)
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(fields: Fields, name: string): readonly Fields[] {
  return itemsOf(fields, name).map((item, at) => fieldsOf(item, `${name}[${at}]`))
}

/**
 * The list that makes up a response; null is an empty list. An item that is not an object throws,
 * with its position, only when it is read, so that a PartialReader can skip it.
 */
export function responseListOf(fields: Fields, name: string): readonly Fields[] {
  if (fields[name] === null) return []
  return itemsOf(fields, name).map((item, at) =>
    isObject(item) ? item : unreadable(`${name}[${at}]`),
  )
}

function unreadable(path: string): Fields {
  const fail = () => {
    throw malformed(path)
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail })
}

export function itemsOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name]
  if (Array.isArray(value)) return value
  throw malformed(name)
}

/** A list that may be absent or null. */
export function listOrNone(fields: Fields, name: string): readonly Fields[] {
  return fields[name] == null ? [] : listOf(fields, name)
}

export function textOf(fields: Fields, name: string): string {
  const text = textOrNone(fields, name)
  if (text === undefined) throw malformed(name)
  return text
}

/** Accepts numbers as texts, because marketplaces send ids as either. An empty text is undefined. */
export function textOrNone(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (typeof value === 'string') return value === '' ? undefined : storable(value)
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}

/** The texts of a list that may be absent or null; items of other types are skipped. */
export function textsOf(fields: Fields, name: string): string[] {
  const value = fields[name]
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => textOrNone({ item }, 'item') ?? [])
}

/** The database stores neither U+0000 nor lone surrogates. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/**
 * Barcodes of goods, each once, without those longer than the service stores. Sellers type them into cards: white space
 * around one would make it another product.
 */
export function barcodesOf(fields: Fields, name: string): string[] {
  const barcodes = textsOf(fields, name).map((barcode) => barcode.trim())
  return [...new Set(barcodes)].filter(
    (barcode) => barcode !== '' && [...barcode].length <= barcodeLengthMax,
  )
}

/** In characters, as for the barcodes of a receipt. */
const barcodeLengthMax = 64

/** An address of a picture. What is longer than the service stores, or no address, says nothing. */
export function pictureAddressOf(fields: Fields, name: string): string | undefined {
  const text = textOrNone(fields, name)?.trim() ?? ''
  return text.length <= addressLengthMax && /^https?:/i.test(text) && URL.canParse(text)
    ? text
    : undefined
}

const addressLengthMax = 2048

export function integerOf(fields: Fields, name: string): number {
  const value = integerOrNone(fields, name)
  if (value === undefined) throw malformed(name)
  return value
}

/** Accepts texts of digits. A number that is not a safe integer is undefined: it is never rounded. */
export function integerOrNone(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) : undefined
}

const unitsMax = 2 ** 31 - 1

/** A number of units, from `min` to the largest the database stores. */
export function unitsOf(fields: Fields, name: string, min = 0): number {
  const units = integerOf(fields, name)
  if (units < min || units > unitsMax) throw malformed(name)
  return units
}

/** True only if the field is `true`. */
export function flagOf(fields: Fields, name: string): boolean {
  return fields[name] === true
}

export function instantOf(fields: Fields, name: string): Instant {
  const instant = instantOrNone(fields, name)
  if (instant === undefined) throw malformed(name)
  return instant
}

const farFuture = Temporal.Instant.from('9999-01-01T00:00:00Z').epochMilliseconds

/**
 * Reads RFC 3339; a time without an offset is UTC. Marketplaces write "never" as year 1, year 9999
 * or the first moment of 1970: these are undefined.
 */
export function instantOrNone(fields: Fields, name: string): Instant | undefined {
  const value = fields[name]
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined
  const instant = parseInstant(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return instant !== undefined && instant > 0 && instant < farFuture ? instant : undefined
}

export function malformed(field: string): MarketplaceError {
  return new MarketplaceError(
    'malformed',
    `Ответ маркетплейса не разобран: нет или неверно поле ${excerpt(field)}`,
  )
}

/**
 * Marketplace ids are int64. The service keeps them as texts of digits, because a JavaScript number
 * cannot hold them all.
 */

/** Whether a text has the form of a marketplace id. */
export function isRemoteId(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id)
}

/** Returns a function that writes ids as JSON numbers; it throws `rejected` for any other text. */
export function idEncoder(marketplaceName: string): (id: string) => unknown {
  return (id) => {
    if (isRemoteId(id)) return rawNumber(id)
    throw rejection(`Номера ${excerpt(id)} на ${marketplaceName} быть не может`)
  }
}
