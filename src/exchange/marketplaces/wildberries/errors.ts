import type { ReportedError } from '../calls/attempt-failure.ts'
import type { Meaning } from '../calls/failure.ts'
import { type Fields, textOrNone } from '../calls/response-fields.ts'

/** What texts say beside the status; the first that fits counts. */
const meanings: readonly (readonly [RegExp, Meaning])[] = [
  // The token is valid, but its category or kind does not allow the call.
  [/(scope|base token) (is )?not allowed|token does not satisfy/i, 'rights'],
  [/offer (is )?not (signed|accepted)/i, 'offer'],
  [/(client|seller|supplier) (is )?blocked/i, 'blocked'],
]

/**
 * Reads the body of an error response. `title` holds the name of the error or a sentence; `code`
 * holds that name or the id of a trace.
 */
export function readWildberriesError(body: unknown): ReportedError {
  if (typeof body !== 'object' || body === null) return {}
  const fields: Fields = { ...body }
  const textsIn = (names: readonly string[]) =>
    names.flatMap((name) => textOrNone(fields, name) ?? [])
  const texts = textsIn(['message', 'detail', 'errorText', 'title'])
  return {
    code: textsIn(['code', 'title']).find((text) => /^[A-Za-z]\w*$/.test(text)),
    text: texts[0],
    meaning: meanings.find(([words]) => texts.some((text) => words.test(text)))?.[1],
  }
}
