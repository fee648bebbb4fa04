import { useEffect, useState } from 'preact/hooks'
import type { StockCount } from '../../api/staff-calls.ts'

/**
 * Places of which the worker has said that all there is counted. This device remembers them for one round of the count,
 * and nothing of a count that is over.
 */
export interface PlacesDone {
  readonly has: (code: string) => boolean
  readonly set: (code: string, isDone: boolean) => void
}

/** The code that the worker scans there. */
export function codeOfPlace({
  sscc,
  location_code: location,
}: NonNullable<StockCount['places']>[number]): string {
  return sscc ?? location ?? ''
}

const prefix = 'sklad.counted:'

export function usePlacesDone(
  count: Pick<StockCount, 'id' | 'reviewed_at'> | undefined,
  isOver: boolean,
): PlacesDone {
  const [, show] = useState({})
  const key = `${prefix}${count?.id ?? ''}`
  useEffect(() => {
    if (isOver) localStorage.removeItem(key)
  }, [isOver, key])
  const round = count?.reviewed_at ?? ''
  const read = (): readonly string[] => {
    const kept = localStorage.getItem(key)
    if (kept === null) return []
    const { of, codes } = JSON.parse(kept) as { of: string; codes: string[] }
    return of === round ? codes : []
  }
  return {
    has: (code) => read().includes(code),
    set: (code, isDone) => {
      const others = read().filter((each) => each !== code)
      const codes = isDone ? [...others, code] : others
      localStorage.setItem(key, JSON.stringify({ of: round, codes }))
      show({})
    },
  }
}
