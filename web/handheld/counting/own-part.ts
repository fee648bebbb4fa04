import { firstNames } from '../../../src/platform/kernel/sentences.ts'
import { isAtWork } from '../../../src/warehouse/counts/state.ts'
import type { StockCount } from '../../api/staff-calls.ts'

/** What a worker says of the own part of a count: nothing is left there, or something is after all. */
export interface PartEffect {
  readonly actor: string
  readonly doneAt: string | null
}

type Workers = NonNullable<StockCount['workers']>

export const actorOf = (userId: string) => `staff:${userId}`

/** Whether the worker has said that nothing is left to count. */
export function isDone(count: StockCount | undefined, userId: string): boolean {
  const own = count?.workers?.find(({ actor }) => actor === actorOf(userId))
  return own !== undefined && own.finished_at !== null
}

/** Who still counts, apart from this worker. */
export function othersAtWork({ workers = [], reviewed_at }: StockCount, userId: string): string[] {
  return workers
    .filter((each) => each.actor !== actorOf(userId) && isAtWork(each, reviewed_at))
    .map(({ actor, name }) => name ?? actor)
}

export function foldPart(count: StockCount, { actor, doneAt }: PartEffect): StockCount {
  const { workers = [] } = count
  const isKnown = workers.some((each) => each.actor === actor)
  const all: Workers = isKnown
    ? workers
    : [...workers, { actor, scans: 0, units: 0, last_at: doneAt ?? '', finished_at: null }]
  return {
    ...count,
    workers: all.map((each) => (each.actor === actor ? { ...each, finished_at: doneAt } : each)),
  }
}

/** What of the count nobody has visited or scanned, in words; undefined where that is nothing. */
export function leftOver(
  { places = [], uncounted = [], lines = [] }: StockCount,
  isVisited: (place: NonNullable<StockCount['places']>[number]) => boolean,
): string | undefined {
  if (places.length > 0) {
    const left = places.filter((place) => !isVisited(place))
    return left.length === 0
      ? undefined
      : `Не обойдено: ${firstNames(left.map((each) => each.location_code ?? `короб …${each.sscc?.slice(-5)}`))}`
  }
  const scanned = new Set(lines.filter(({ scans }) => scans > 0).map(({ barcode }) => barcode))
  const left = uncounted.filter(({ barcode }) => !scanned.has(barcode)).map(({ name }) => name)
  return left.length === 0 ? undefined : `Не посчитано: ${firstNames(left)}`
}
