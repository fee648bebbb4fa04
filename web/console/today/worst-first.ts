/** The kinds of things that burn, the worst first where no deadline decides. */
export const burningKinds = [
  'miss',
  'mark',
  'shipment',
  'uncovered',
  'cabinet',
  'exception',
  'aside',
  'receipt',
  'key',
  'count',
  'webhook',
] as const
export type BurningKind = (typeof burningKinds)[number]

export interface Urgency {
  readonly kind: BurningKind
  /** The earliest deadline of the orders that it holds up; null where it holds up none. */
  readonly deadline: string | null
}

/** A deadline so near burns more than anything without one. */
export const soonMs = 2 * 3_600_000

/** What is late comes first, then what is due within two hours, then the rest by its kind; the earliest deadline first. */
export function worstFirst(one: Urgency, other: Urgency, now: number): number {
  return (
    tierOf(one, now) - tierOf(other, now) ||
    burningKinds.indexOf(one.kind) - burningKinds.indexOf(other.kind) ||
    timeOf(one) - timeOf(other)
  )
}

function tierOf(urgency: Urgency, now: number): number {
  const left = timeOf(urgency) - now
  if (left < 0) return 0
  return left < soonMs ? 1 : 2
}

function timeOf({ deadline }: Urgency): number {
  return deadline === null ? Number.MAX_SAFE_INTEGER : Date.parse(deadline)
}
