/**
 * Looks for due work at once and then at an interval. What takes long is done in turns beside the looks. A look that is due
 * while the last one still runs is skipped. What fails is reported, and the next look comes as ever. It keeps no process alive.
 */
export interface Polling {
  start(): void
  /** Looks once, and waits for all turns under way. Throws what the look throws. For tests. */
  runOnce(): Promise<void>
  /** Ends the looks. Waits for the one under way and for all turns, a few seconds at most. */
  stop(): Promise<void>
}

export interface Poller<Turn> extends Polling {
  /** To be called by a look that has begun the work of a turn. */
  begin(turn: Turn, work: Promise<void>): void
  /** The turns under way. */
  readonly running: readonly Turn[]
  readonly isStopping: boolean
}

interface PollerOptions {
  readonly everyMs: number
  readonly look: () => Promise<void>
  readonly onError: (error: unknown) => void
}

const stopMsMax = 3_000

export function openPoller<Turn = never>({ everyMs, look, onError }: PollerOptions): Poller<Turn> {
  const running = new Map<Turn, Promise<void>>()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  function lookSafely(): void {
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined
      })
  }

  async function allEnded(): Promise<void> {
    await looking
    await Promise.all(running.values())
  }

  return {
    start() {
      lookSafely()
      timer = setInterval(lookSafely, everyMs)
      timer.unref()
    },
    async runOnce() {
      await look()
      await Promise.all(running.values())
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      const late = new Promise((resolve) => setTimeout(resolve, stopMsMax).unref())
      await Promise.race([allEnded(), late])
    },
    begin(turn, work) {
      const ended = work.catch(onError).finally(() => running.delete(turn))
      running.set(turn, ended)
    },
    get running() {
      return [...running.keys()]
    },
    get isStopping() {
      return isStopping
    },
  }
}
