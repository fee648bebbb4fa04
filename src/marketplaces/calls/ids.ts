import { excerpt } from '../../kernel/errors.ts'
import { rejection } from './failure.ts'

/**
 * Marketplace ids are int64. The service keeps them as texts of digits, because a JavaScript number
 * cannot hold them all.
 */

/** Whether a text has the form of a marketplace id. */
export function isRemoteId(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id)
}

/** The number for a JSON body, exact beyond 2^53; `id` must be digits. */
export function jsonNumber(id: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(id)
}

/** Returns a function that writes ids as JSON numbers; it throws `rejected` for any other text. */
export function idEncoder(marketplaceName: string): (id: string) => unknown {
  return (id) => {
    if (isRemoteId(id)) return jsonNumber(id)
    throw rejection(`Номера ${excerpt(id)} на ${marketplaceName} быть не может`)
  }
}
