import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/**
 * The one way in which the service stops.
 *
 *   runs --first signal--> stops in order --all is closed--> ends: 0, or 1 where a part did not close
 *                                |--second signal----------> ends at once: 128 and the signal's number
 *                                |--40 seconds-------------> ends at once: 1
 *
 * A signal is taken at every moment: what a start has opened so far is closed, and the rest of it does not happen.
 * The exit code and the last line of the log say how the stop went.
 */
export interface Stop {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** Resolves at the first signal. */
  readonly requested: Promise<void>
  /** Says how the stop went. To be called when all is closed that can be closed. */
  end(failed: readonly string[]): void
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
type StopSignal = keyof typeof signals

/** npm passes a signal on that the terminal has sent to the whole group: it arrives twice. */
const echoMsMax = 300
const stopMsMax = 40_000

export function awaitSignals(log: FastifyBaseLogger): Stop {
  const request = new AbortController()
  const requested = Promise.withResolvers<void>()
  let first: { readonly name: StopSignal; readonly at: number } | undefined

  function onSignal(name: StopSignal): void {
    if (first === undefined) {
      first = { name, at: performance.now() }
      log.info(`${name}: stopping; a second signal ends at once`)
      void endLate()
      request.abort()
      requested.resolve()
    } else if (performance.now() - first.at > echoMsMax) {
      log.error(`${name} again: ended at once`)
      process.exit(128 + signals[name])
    }
  }

  async function endLate(): Promise<void> {
    await sleep(stopMsMax, undefined, { ref: false })
    log.error(`not stopped in order within ${stopMsMax / 1000} s: ended at once`)
    process.exit(1)
  }

  for (const name of Object.keys(signals) as StopSignal[]) process.on(name, () => onSignal(name))
  return {
    signal: request.signal,
    requested: requested.promise,
    end(failed) {
      if (first === undefined) return
      const seconds = ((performance.now() - first.at) / 1000).toFixed(1)
      if (failed.length === 0) return log.info(`stopped in order after ${seconds} s`)
      process.exitCode = 1
      log.error(`stopped after ${seconds} s, not in order: ${failed.join(', ')}`)
    },
  }
}
