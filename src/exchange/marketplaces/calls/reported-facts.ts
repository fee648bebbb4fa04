import { type Instant, midnight } from '../../../platform/kernel/moscow-time.ts'
import type { ReportedShipment } from '../../../warehouse/shipments/mirror.ts'
import { type Fields, instantOrNone, textsOf } from './response-fields.ts'

/**
 * Reads facts that an order can do without: whatever shape they have, the order is taken in. Undefined: the
 * response has no such field, or one that can't be read. Null: the response says that there is none.
 */

const textLengthMax = 1000
const textsMax = 50

/** An object, or no fields where there is something else. */
export function optionalPart(fields: Fields, name: string): Fields {
  const value = fields[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

export function reportedText(fields: Fields, name: string): string | null | undefined {
  const value = fields[name]
  if (value === null) return null
  if (typeof value === 'string' && value.trim() === '') return null
  const [text] = textsOf({ value: [value] }, 'value')
  return text?.slice(0, textLengthMax).toWellFormed()
}

/** Like `reportedText`. The number 0 stands for none. */
export function reportedNumber(fields: Fields, name: string): string | null | undefined {
  const text = reportedText(fields, name)
  return text === '0' ? null : text
}

/** Null where the list is null or empty: an empty list. */
export function reportedTexts(fields: Fields, name: string): string[] | undefined {
  const value = fields[name]
  if (value === null) return []
  if (!Array.isArray(value)) return undefined
  const texts = textsOf(fields, name).map((text) => text.slice(0, textLengthMax).toWellFormed())
  return [...new Set(texts)].slice(0, textsMax)
}

export function reportedFlag(fields: Fields, name: string): boolean | null | undefined {
  const value = fields[name]
  return typeof value === 'boolean' || value === null ? value : undefined
}

/** An RFC 3339 time. */
export function reportedInstant(fields: Fields, name: string): Instant | null | undefined {
  const value = fields[name]
  return value === null || value === '' ? null : instantOrNone(fields, name)
}

const dayLast = 24 * 3_600_000 - 1

/** The last moment of a date DD.MM.YYYY in Moscow. */
export function reportedDayEnd(fields: Fields, name: string): Instant | null | undefined {
  const value = fields[name]
  if (value === null || value === '') return null
  const [, date, month, year] =
    (typeof value === 'string' && /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(value)) || []
  if (year === undefined || year < '1971' || year > '9998') return undefined
  try {
    return midnight(`${year}-${month}-${date}`) + dayLast
  } catch {
    return undefined
  }
}

const boxesMax = 10_000

/** How many there are, at least 1. */
export function reportedCount(fields: Fields, name: string): number | null | undefined {
  const value = fields[name]
  if (value === null || value === 0) return null
  const isCount = Number.isSafeInteger(value) && (value as number) > 0
  return isCount && (value as number) <= boxesMax ? (value as number) : undefined
}

/** The report of a shipment that was open and that the marketplace no longer has. */
export function deletedShipment(externalId: string, at: Instant): ReportedShipment {
  return {
    externalId,
    name: undefined,
    createdAt: at,
    closedAt: undefined,
    acceptedAt: undefined,
    cancelled: true,
    orders: [],
  }
}
