/** Lets at most `max` pieces of work run at once; the others wait in the order of asking, and hold nothing meanwhile. */
export function atOnce(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
