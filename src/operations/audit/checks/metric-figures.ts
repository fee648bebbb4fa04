import type { Metrics } from '../../../warehouse/metrics/view.ts'

/** Figures by their names in the API; counts by reason or status leave out zeros. */
export type Figures = Readonly<Record<string, unknown>>

export function figuresOf({ funnel, storage, receiving, shipments }: Metrics): Figures {
  const { shortages_by_reason, fill_rate, ...received } = receiving
  const { orders_by_status, not_found_by_reason, ...shipped } = shipments
  const reasons = (counts: readonly { reason: string; count: number }[]) =>
    Object.fromEntries(counts.map(({ reason, count }) => [reason, count]))
  return {
    ...prefixed('funnel', funnel),
    ...prefixed('storage', storage),
    ...prefixed('receiving', received),
    ...prefixed('shipments', shipped),
    'receiving.fill_rate': fill_rate,
    'receiving.shortages_by_reason': reasons(shortages_by_reason),
    'shipments.not_found_by_reason': reasons(not_found_by_reason),
    'shipments.orders_by_status': Object.fromEntries(
      orders_by_status.flatMap(({ status, count }) => (count === 0 ? [] : [[status, count]])),
    ),
  }
}

function prefixed(group: string, figures: object): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [`${group}.${key}`, value]),
  )
}
