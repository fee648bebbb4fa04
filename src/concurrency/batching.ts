/**
 * Batches concurrent calls without a timer. A call that finds no batch running starts one at once;
 * calls that arrive while a batch runs form the next one, up to `sizeMax` calls each. At low load a
 * batch holds one call; at high load many calls share one round trip.
 *
 * `run` returns one output per input, in the same order. If it throws, every call of its batch
 * rejects with that error; calls of other batches are not affected.
 */
export function batchCalls<Input, Output>(
  sizeMax: number,
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
): (input: Input) => Promise<Output> {
  interface Call {
    readonly input: Input
    readonly result: PromiseWithResolvers<Output>
  }
  let waiting: Call[] = []
  let isRunning = false

  async function runBatches(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, sizeMax)
      waiting = waiting.slice(sizeMax)
      await settle(batch)
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

  return (input) => {
    const result = Promise.withResolvers<Output>()
    waiting.push({ input, result })
    if (!isRunning) void runBatches()
    return result.promise
  }
}
