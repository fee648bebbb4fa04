export interface Step {
  readonly title: string
  /** Why this machine can't run it. */
  readonly missing?: string | undefined
  readonly run: () => Promise<void>
}

/**
 * Runs the steps in their order, up to the first that fails, and prints the seconds of each and the sum. Answers whether none
 * failed.
 */
export async function runSteps(
  steps: readonly Step[],
  print: (line: string) => void,
): Promise<boolean> {
  const began = performance.now()
  for (const { title, missing, run } of steps) {
    if (missing !== undefined) {
      print(`skipped  ${title}: ${missing}`)
      continue
    }
    const start = performance.now()
    try {
      await run()
    } catch (error) {
      print(`${secondsSince(start)}  ${title}: FAILED\n${(error as Error).message}`)
      return false
    }
    print(`${secondsSince(start)}  ${title}`)
  }
  print(`${secondsSince(began)}  in all`)
  return true
}

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s`
}
