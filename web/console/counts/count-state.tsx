import type { StockCount } from '../../api/staff-calls.ts'
import { Badge } from '../../ui/badge.tsx'
import { countTones, countWords } from '../../words/statuses.ts'

/** Whether all who counted have said that nothing is left, so that a manager decides when counting ends. */
export function isCounted({
  status,
  counted_at: at,
}: Pick<StockCount, 'status' | 'counted_at'>): boolean {
  return status === 'COUNTING' && at !== null
}

/** Whether it is known what differs: a count that goes on has not been compared. */
export function isCompared({ status }: Pick<StockCount, 'status'>): boolean {
  return status === 'REVIEW' || status === 'CLOSED'
}

/** The state of a count; one that is counted waits for a manager though it goes on. */
export function CountState({ of }: { readonly of: Pick<StockCount, 'status' | 'counted_at'> }) {
  return isCounted(of) ? (
    <Badge tone="warn" word="Посчитан" />
  ) : (
    <Badge tone={countTones[of.status]} word={countWords[of.status]} />
  )
}
