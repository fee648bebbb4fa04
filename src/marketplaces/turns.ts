/** Lets so many act at once; the others wait in the order in which they came. */
export type Turns = <T>(act: () => Promise<T>) => Promise<T>

export function openTurns(max: number): Turns {
  let free = max
  const waiting: (() => void)[] = []
  return async (act) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
