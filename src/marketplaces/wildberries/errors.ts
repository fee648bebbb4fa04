import type { ReportedError } from '../calls/attempt-failure.ts'
import { type Fields, textOrNone } from '../calls/response-fields.ts'

/** The token is valid, but its category or kind does not allow the call. */
const lacksRights = /(scope|base token) (is )?not allowed|token does not satisfy/i

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
    meaning: texts.some((text) => lacksRights.test(text)) ? 'rights' : undefined,
  }
}
