import { setImmediate } from 'node:timers/promises'

/** How long a file may keep everyone else waiting, give or take a portion. */
const STRETCH_MS = 5

/** What is awaited between two portions of work: gives the event loop a turn when one is due. */
export function pauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < STRETCH_MS) return
    await setImmediate()
    since = performance.now()
  }
}
