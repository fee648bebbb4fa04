import { type Fields, textOrNone } from '../calls/answer.ts'
import type { ToldError } from '../calls/call-failures.ts'

/** The token is good, but not for this: it is of another category or kind. */
const lacksRights = /(scope|base token) (is )?not allowed|token does not satisfy/i

/** `title` may have the name of the error, or words; `code` that name, or the number of a trace. */
export function readError(body: unknown): ToldError {
  if (typeof body !== 'object' || body === null) return {}
  const fields: Fields = { ...body }
  const told = (names: readonly string[]) => names.flatMap((name) => textOrNone(fields, name) ?? [])
  const words = told(['message', 'detail', 'errorText', 'title'])
  return {
    code: told(['code', 'title']).find((text) => /^[A-Za-z]\w*$/.test(text)),
    text: words[0],
    meaning: words.some((text) => lacksRights.test(text)) ? 'rights' : undefined,
  }
}
