/**
 * Gathers calls into batches without making any of them wait for a timer: a call that finds nothing
 * under way goes at once; those that come while a batch is under way go together when it is done.
 * At low load a batch is one call; at high load the cost of one round trip is shared by many.
 */
export function inBatches<Input, Output>(
  sizeMax: number,
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
): (input: Input) => Promise<Output> {
  interface Waiting {
    readonly input: Input
    readonly done: PromiseWithResolvers<Output>
  }
  let waiting: Waiting[] = []
  let underWay = false

  async function work(): Promise<void> {
    underWay = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, sizeMax)
      waiting = waiting.slice(sizeMax)
      await settle(batch)
    }
    underWay = false
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input))
      for (const [at, { done }] of batch.entries()) done.resolve(outputs[at] as Output)
    } catch (error) {
      for (const { done } of batch) done.reject(error)
    }
  }

  return (input) => {
    const done = Promise.withResolvers<Output>()
    waiting.push({ input, done })
    if (!underWay) void work()
    return done.promise
  }
}
