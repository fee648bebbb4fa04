import type { ReportedError } from '../calls/attempt-failure.ts'
import type { MarketplaceError, Meaning } from '../calls/failure.ts'
import { type Fields, textOrNone } from '../calls/response-fields.ts'

/** Texts of error responses whose status says something else, or less. */
const meanings: readonly (readonly [RegExp, Meaning])[] = [
  [/missing a required role|method is not allowed/i, 'rights'],
  [/restricted to specific IP addresses/i, 'addresses'],
  [/offer not signed/i, 'offer'],
  [/client is blocked/i, 'blocked'],
  [/rate limit per second|circle is open/i, 'tooOften'],
  [/obsolete method/i, 'obsolete'],
]

/** POSTING_NOT_FOUND, there_are_incomplete_carriages, Incorrect_carriage_status. */
const nameLike = /^(?:[A-Z][A-Z0-9_]{3,}|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)$/

/** Reads the body of an error response. Code and text are in the body itself or in `error`. */
export function readOzonError(body: unknown): ReportedError {
  if (typeof body !== 'object' || body === null) return {}
  const outer: Fields = { ...body }
  const { error } = outer
  const fields = typeof error === 'object' && error !== null ? { ...outer, ...error } : outer
  const text = textOrNone(fields, 'message')
  // A text that is a single name says more than the code, which is then a number.
  const isName = text !== undefined && nameLike.test(text)
  return {
    code: isName ? text : textOrNone(fields, 'code'),
    text,
    meaning: meanings.find(([pattern]) => text !== undefined && pattern.test(text))?.[1],
  }
}

/**
 * Whether a failure names an error. OZON sends the name as the code, or in the text beside a
 * number.
 */
export function namesError({ code, message }: MarketplaceError, name: RegExp): boolean {
  return name.test(message) || (code !== undefined && name.test(code))
}
