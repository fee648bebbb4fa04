import { type MarketplaceError, rejection } from '../calls/failure.ts'
import { type Fields, flagOf, listOrNone, textOrNone } from '../calls/response-fields.ts'

/**
 * Numbers of customs declarations (ГТД) and of batches (РНПТ), which OZON requires for each unit
 * that a legal entity buys. Only the seller may declare a number, or that there is none.
 */
const kinds = [
  { name: 'ГТД', needed: 'is_gtd_needed', number: 'gtd', absent: 'is_gtd_absent' },
  { name: 'РНПТ', needed: 'is_rnpt_needed', number: 'rnpt', absent: 'is_rnpt_absent' },
] as const

/** The refusal to pack an order whose units lack a declaration; undefined if none is missing. */
export function missingDeclaration(
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
  return rejection(
    `Для товаров заказа ${order} OZON требует ${names}: укажите в кабинете OZON номер или что его нет, и повторите`,
    'EXEMPLAR_INFO_NOT_FILLED_COMPLETELY',
  )
}
