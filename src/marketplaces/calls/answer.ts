import { excerpt } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/moscow-time.ts'
import { isFailure, MarketplaceError, PartlyMalformed } from './failure.ts'

/**
 * Reads answers of marketplaces: what is needed must be there and is named where it is not; what is
 * unknown is passed over. Integers beyond 2^53 come as texts of digits (parseJson).
 */
export type Fields = Readonly<Record<string, unknown>>

/** Integers that a number can't hold become their digits. */
export function parseJson(bytes: Buffer): unknown {
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

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(fields: Fields, name: string): readonly Fields[] {
  return itemsOf(fields, name).map((item, at) => fieldsOf(item, `${name}[${at}]`))
}

/**
 * The list that an answer consists of. Null is an empty one, as some write it. An item that is no
 * object fails, by its name, when it is read and not before: openReading tells of the others.
 */
export function listAnswered(fields: Fields, name: string): readonly Fields[] {
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

/** Numbers are taken for texts too: ids come as either. */
export function textOrNone(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (typeof value === 'string') return value === '' ? undefined : clean(value)
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}

/** Texts of a list that may be absent or null. */
export function textsOf(fields: Fields, name: string): string[] {
  const value = fields[name]
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => textOrNone({ item }, 'item') ?? [])
}

/** No text of ours may hold U+0000 or half a character, whoever sent it. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

export function integerOf(fields: Fields, name: string): number {
  const value = integerOrNone(fields, name)
  if (value === undefined) throw malformed(name)
  return value
}

export function integerOrNone(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) : undefined
}

const unitsMax = 2 ** 31 - 1

/** How many there are of something: what no stock can be was not read rightly. */
export function unitsOf(fields: Fields, name: string, min = 0): number {
  const units = integerOf(fields, name)
  if (units < min || units > unitsMax) throw malformed(name)
  return units
}

export function flagOf(fields: Fields, name: string): boolean {
  return fields[name] === true
}

export function instantOf(fields: Fields, name: string): Instant {
  const instant = instantOrNone(fields, name)
  if (instant === undefined) throw malformed(name)
  return instant
}

const farFuture = Date.parse('9999-01-01T00:00:00Z')

/** A moment in RFC 3339; the years 1 and 9999 and the first moment of 1970, as some write «never», are none. */
export function instantOrNone(fields: Fields, name: string): Instant | undefined {
  const value = fields[name]
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined
  const instant = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return instant > 0 && instant < farFuture ? instant : undefined
}

export function malformed(field: string): MarketplaceError {
  return new MarketplaceError(
    'malformed',
    `Ответ маркетплейса не разобран: нет или неверно поле ${excerpt(field)}`,
  )
}

/** Reads items one by one, so that one that can't be read does not take the others with it. */
export interface Reading {
  /** What was read of those items that can be; undefined is nothing. */
  of<Item, T>(items: readonly Item[], read: (item: Item) => T | readonly T[] | undefined): T[]
  /** The answer about one of several; undefined where it was refused, or can't be read. */
  ask<T>(answer: Promise<T>): Promise<T | undefined>
  /** Whether all could be read so far. */
  isWhole(): boolean
  /** Throws PartlyMalformed where something could not be read, or the first refusal. */
  end(): void
}

export function openReading(): Reading {
  let first: MarketplaceError | undefined
  return {
    of(items, read) {
      return items.flatMap((item) => {
        try {
          return read(item) ?? []
        } catch (error) {
          if (!(error instanceof MarketplaceError)) throw error
          first ??= error
          return []
        }
      })
    },
    async ask(answer) {
      try {
        return await answer
      } catch (error) {
        if (!isFailure(error, 'rejected', 'malformed')) throw error
        first ??= error
        return undefined
      }
    },
    isWhole: () => first === undefined,
    end() {
      if (first === undefined) return
      throw first.kind === 'rejected' ? first : new PartlyMalformed(first.message, { cause: first })
    },
  }
}
