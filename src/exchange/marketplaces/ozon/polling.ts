import type { MarketplaceError } from '../calls/failure.ts'
import type { Time } from '../calls/limits.ts'

/**
 * OZON accepts some calls and carries them out a little later: these functions poll for the result.
 */

const attemptsMax = 6
const pauseMs = 1000

/** Polls until `look` returns a result. Throws the failure `late` after the last attempt. */
export async function pollUntil<T>(
  time: Time,
  look: (isLast: boolean) => Promise<T | undefined>,
  late: () => MarketplaceError,
  attempts = attemptsMax,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === attempts
    const found = await look(isLast)
    if (found !== undefined) return found
    if (isLast) throw late()
    await time.wait(pauseMs)
  }
}
