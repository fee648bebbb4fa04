/** Lets so many act at once; the others wait in the order in which they came. */
export type Turns = <T>(who: string, act: () => Promise<T>) => Promise<T>

interface Waiting {
  readonly who: string
  readonly start: () => void
}

/** At most `max` at once, and of those of one not all: who is slow holds up others less. */
export function openTurns(max: number): Turns {
  const maxOfOne = Math.max(1, max - 1)
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  let total = 0

  const mayStart = ({ who }: Waiting) => total < max && (running.get(who) ?? 0) < maxOfOne

  function count(who: string, change: 1 | -1): void {
    total += change
    const own = (running.get(who) ?? 0) + change
    if (own === 0) running.delete(who)
    else running.set(who, own)
  }

  function startNext(): void {
    const at = waiting.findIndex(mayStart)
    if (at < 0) return
    const [next] = waiting.splice(at, 1)
    if (next === undefined) return
    count(next.who, 1)
    next.start()
  }

  return async (who, act) => {
    await new Promise<void>((start) => {
      waiting.push({ who, start })
      startNext()
    })
    try {
      return await act()
    } finally {
      count(who, -1)
      startNext()
    }
  }
}
