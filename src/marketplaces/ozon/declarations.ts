import { type Fields, flagOf, listOrNone, textOrNone } from '../calls/answer.ts'
import type { MarketplaceError } from '../calls/failure.ts'
import { refused } from './refusal.ts'

/**
 * Numbers of customs declarations (ГТД) and of batches (РНПТ), which OZON wants of each unit that a
 * legal entity buys. What they are, or that there are none, nobody but the seller may declare.
 */
const kinds = [
  { name: 'ГТД', needed: 'is_gtd_needed', number: 'gtd', absent: 'is_gtd_absent' },
  { name: 'РНПТ', needed: 'is_rnpt_needed', number: 'rnpt', absent: 'is_rnpt_absent' },
] as const

/** Why the order can't be packed as its exemplars are; undefined where that is not why. */
export function undeclared(
  order: string,
  products: readonly Fields[],
): MarketplaceError | undefined {
  const missing = kinds.filter(({ needed, number, absent }) =>
    products
      .filter((product) => flagOf(product, needed))
      .flatMap((product) => listOrNone(product, 'exemplars'))
      .some((exemplar) => textOrNone(exemplar, number) === undefined && !flagOf(exemplar, absent)),
  )
  if (missing.length === 0) return undefined
  const names = missing.map(({ name }) => name).join(' и ')
  return refused(
    `Для товаров заказа ${order} OZON требует ${names}: укажите в кабинете OZON номер или что его нет, и повторите`,
    'EXEMPLAR_INFO_NOT_FILLED_COMPLETELY',
  )
}
