/** Time and chance of the client, so that a test can hand in its own. */
export interface Timing {
  /** Milliseconds that only grow. */
  readonly elapsedMs: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export const realTiming: Timing = {
  elapsedMs: () => performance.now(),
  random: Math.random,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', abort, { once: true })
    }),
}

export interface Linked {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  /** Lets go of the sources: a signal that lives long must not collect listeners. */
  release(): void
}

/** A signal that is aborted with any of the sources. */
export function linked(sources: readonly (AbortSignal | undefined)[]): Linked {
  const controller = new AbortController()
  const removers: (() => void)[] = []
  for (const source of sources) {
    if (source === undefined) continue
    const abort = () => controller.abort(source.reason)
    if (source.aborted) abort()
    else source.addEventListener('abort', abort, { once: true })
    removers.push(() => source.removeEventListener('abort', abort))
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release() {
      for (const remove of removers) remove()
    },
  }
}

/** A random pause of at most `baseMs`, 2 · `baseMs`, 4 · `baseMs`…, and never more than `maxMs`. */
export function growingPauseMs(
  attempt: number,
  { baseMs, maxMs }: { readonly baseMs: number; readonly maxMs: number },
  random: () => number,
): number {
  return random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30))
}
