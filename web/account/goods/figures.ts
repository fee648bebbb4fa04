import type { Metrics } from '../../api/account-calls.ts'
import type { Period } from '../../ui/days.ts'

/** The figures of a period by their names, each with the field of the API that it is. */

/** Of the call that answers with the figures of a period. */
export function metricsPath({ from, to }: Period): string {
  return `/metrics?from=${from}&to=${to}`
}

export interface Figure {
  readonly name: string
  /** Of the answer of GET /v1/metrics: `funnel.accepted`. */
  readonly field: string
  readonly of: (metrics: Metrics) => number
}

type Block = 'funnel' | 'storage' | 'receiving' | 'shipments'
type Numbers<T> = { [Name in keyof T]: T[Name] extends number ? Name : never }[keyof T]

function figuresOf<B extends Block, Name extends Numbers<Metrics[B]> & string>(
  block: B,
  names: Readonly<Record<Name, string>>,
): readonly Figure[] {
  return (Object.keys(names) as Name[]).map((name) => ({
    name: names[name],
    field: `${block}.${name}`,
    of: (metrics) => Number(metrics[block][name]),
  }))
}

/** The way of the units, step by step. */
export const funnel = figuresOf('funnel', {
  accepted: 'Принято на склад',
  shipped: 'Отгружено',
  sorted_by_marketplace: 'Принято маркетплейсом',
  delivered: 'Доставлено покупателям',
})
/** Of now, whatever the period. */
export const funnelNow = figuresOf('funnel', { in_storage: 'Лежит на складе сейчас' })

export const receiving = figuresOf('receiving', {
  receipts: 'Приёмок',
  expected_units: 'Заявлено единиц',
  accepted_units: 'Принято единиц',
  discrepancy_units: 'Расхождений, единиц',
})
/** Of now, whatever the period. */
export const stored = figuresOf('storage', {
  units: 'На складе сейчас',
  in_question: 'Под вопросом сейчас',
  sku_count: 'Товаров',
  boxes: 'Коробов',
  pallets: 'Паллет',
})
export const moved = figuresOf('storage', {
  received: 'Принято за период',
  shipped: 'Отгружено за период',
})
export const shipping = figuresOf('shipments', {
  orders_total: 'Заказов',
  shipments_closed: 'Отгрузок закрыто',
  units_shipped: 'Отгружено единиц',
  cancelled: 'Отменено',
  not_found: 'Не найдено',
})

/** How the page calls the fields that a caveat of the API names. */
export const funnelNames = Object.fromEntries(
  funnel.map(({ field, name }) => [field.replace('funnel.', ''), name]),
)
