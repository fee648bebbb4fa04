import { type Fields, textOrNone } from '../calls/answer.ts'
import type { ToldError } from '../calls/call-failures.ts'
import type { Meaning } from '../calls/failure.ts'

/** What OZON means by words that come with a status that says something else, or less. */
const meanings: readonly (readonly [RegExp, Meaning])[] = [
  [/missing a required role|method is not allowed/i, 'rights'],
  [/restricted to specific IP addresses/i, 'addresses'],
  [/rate limit per second|circle is open/i, 'tooOften'],
  [/obsolete method/i, 'obsolete'],
]

/** Code and words stand by themselves or in `error`. */
export function readError(body: unknown): ToldError {
  if (typeof body !== 'object' || body === null) return {}
  const outer: Fields = { ...body }
  const { error } = outer
  const fields = typeof error === 'object' && error !== null ? { ...outer, ...error } : outer
  const text = textOrNone(fields, 'message')
  // Where the words are one name, it tells more than the number of the kind of error.
  const isName = text !== undefined && /^[A-Z][A-Z0-9_]{3,}$/.test(text)
  return {
    code: isName ? text : textOrNone(fields, 'code'),
    text,
    meaning: meanings.find(([words]) => text !== undefined && words.test(text))?.[1],
  }
}
