/**
 * Batches concurrent calls. A call that finds no batch running, and no pause after one, starts one at
 * once; calls that arrive meanwhile form the next one, up to `sizeMax` calls each. At low load a batch
 * holds one call; at high load many calls share one round trip.
 *
 * A batch without an answer keeps its own calls waiting and no others: after two seconds the next one runs beside it.
 *
 * `run` returns one output per input, in the same order. If it throws, every call of its batch
 * rejects with that error; calls of other batches are not affected.
 */
export function batchCalls<Input, Output>(
  sizeMax: number,
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  pause: BatchPause = noPause,
): (input: Input) => Promise<Output> {
  interface Call {
    readonly input: Input
    readonly result: PromiseWithResolvers<Output>
  }
  let waiting: Call[] = []
  let isRunning = false
  let endPause = () => {}

  async function runBatches(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, sizeMax)
      waiting = waiting.slice(sizeMax)
      await settledInTime(settle(batch))
      const pauseMs = Math.min(pause.msMax, batch.length * pause.msPerCall)
      if (pauseMs >= 1 && waiting.length < sizeMax) await rest(pauseMs)
    }
    isRunning = false
  }

  async function settle(batch: readonly Call[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input))
      for (const [index, { result }] of batch.entries()) result.resolve(outputs[index] as Output)
    } catch (error) {
      for (const { result } of batch) result.reject(error)
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return (input) => {
    const result = Promise.withResolvers<Output>()
    waiting.push({ input, result })
    if (!isRunning) void runBatches()
    else if (waiting.length === sizeMax) endPause()
    return result.promise
  }
}

/** Longer than a batch takes while all is well, and short enough for those who wait behind one that hangs. */
const patienceMs = 2_000

async function settledInTime(settled: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMs)
  await Promise.race([settled, late])
  clearTimeout(timer)
}

/**
 * The pause after a batch, in which calls gather for the next one. The more calls the batch held, the longer the pause: calls
 * in quick succession share what a batch costs. It ends early when the next batch is full. A pause of less than 1 ms is left out.
 */
export interface BatchPause {
  readonly msPerCall: number
  readonly msMax: number
}

const noPause: BatchPause = { msPerCall: 0, msMax: 0 }
