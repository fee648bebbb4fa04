import { setImmediate } from 'node:timers/promises'

/** How long reading a file may block the event loop, with the precision of a chunk. */
const stretchMs = 5

/** Await the returned function between two chunks of work: it yields to the event loop when due. */
export function pauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < stretchMs) return
    await setImmediate()
    since = performance.now()
  }
}
