import { isFailure, type MarketplaceError } from '../../calls/failure.ts'

/**
 * Carries out a call for many numbers where WB refuses all of them because of some, and does not say
 * which: the numbers are halved until those at fault stand alone. The others get what they asked for.
 *
 * A refused call counts as ten, so the refusals are bounded. With one number of a hundred at fault
 * there are seven; a call for each number would make a hundred calls.
 */
export interface Bisection<T> {
  readonly results: readonly T[]
  readonly refused: readonly RefusedNumbers[]
}

export interface RefusedNumbers {
  /** Several where the refusals were used up before these stood alone. */
  readonly numbers: readonly string[]
  readonly error: MarketplaceError
}

/** Two numbers at fault in different calls are found; nearly half of a minute's calls remain. */
export const refusalsMax = 16

/**
 * `groups` are numbers that one call takes together. A refusal for which `mayBeOfSome` is false is
 * thrown, like every other failure.
 */
export async function bisect<T>(
  groups: readonly (readonly string[])[],
  call: (numbers: readonly string[]) => Promise<T>,
  mayBeOfSome: (error: MarketplaceError) => boolean | Promise<boolean>,
): Promise<Bisection<T>> {
  const results: T[] = []
  const refused: RefusedNumbers[] = []
  const waiting: { readonly numbers: readonly string[]; readonly before?: MarketplaceError }[] =
    groups.map((numbers) => ({ numbers }))
  let refusals = 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { numbers, before } = next
    if (before !== undefined && refusals >= refusalsMax) {
      refused.push({ numbers, error: before })
      continue
    }
    try {
      results.push(await call(numbers))
    } catch (error) {
      if (!isFailure(error, 'rejected') || !(await mayBeOfSome(error))) throw error
      refusals += 1
      if (numbers.length === 1) refused.push({ numbers, error })
      else waiting.push(...halvesOf(numbers).map((half) => ({ numbers: half, before: error })))
    }
  }
  return { results, refused }
}

function halvesOf(numbers: readonly string[]): readonly (readonly string[])[] {
  const middle = Math.ceil(numbers.length / 2)
  return [numbers.slice(0, middle), numbers.slice(middle)]
}
