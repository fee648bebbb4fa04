import { excerpt } from '../../../platform/kernel/errors.ts'
import { rawNumber } from '../../../platform/kernel/raw-json.ts'
import { rejection } from './failure.ts'

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
