import { excerpt } from '../../kernel/errors.ts'
import { MarketplaceError } from './failure.ts'

/** Ids of marketplaces are int64. Here they are texts of digits, since a number can't hold them all. */

/** Whether a text may be one. */
export function isNumber(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id)
}

/** As JSON has it, beyond 2^53 too; `id` must be digits. */
export function jsonNumber(id: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(id)
}

/** Writes numbers of a marketplace as JSON has them; what it can't have given is refused. */
export function numbersOf(marketplaceName: string): (id: string) => unknown {
  return (id) => {
    if (isNumber(id)) return jsonNumber(id)
    const message = `Номера ${excerpt(id)} на ${marketplaceName} быть не может`
    throw new MarketplaceError('rejected', message)
  }
}
