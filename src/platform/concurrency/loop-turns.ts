/**
 * Long work in slices, on the thread that answers requests: between two slices whatever came meanwhile is served. All
 * such work of the process takes turns: one slice in a turn of the event loop. So many documents at once delay a
 * request no longer than one does, and a small document does not wait for large ones.
 */

const waiting: (() => void)[] = []
let isScheduled = false

/** Resolves when the caller may work for a moment, a few milliseconds at most. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}

function schedule(): void {
  if (isScheduled || waiting.length === 0) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    waiting.shift()?.()
    schedule()
  })
}

/** How long reading a file may block the event loop, with the precision of a chunk. */
const stretchMs = 5

/** Await the returned function between two chunks of work: it yields to the event loop when due. */
export function pauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < stretchMs) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
