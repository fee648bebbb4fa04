import type { Transaction } from '../../platform/db/connection.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import type { Check, Found } from './check.ts'

/** A check of a slice of clients; of the whole database where it names none. */
export interface Task {
  readonly check: Check
  readonly clients: readonly string[]
}

/**
 * The tasks of an audit. Any number of transactions work on them at the same time, each on the next one that nobody has
 * taken; when one of them fails, the others take no more. What is found stands in the order of the tasks.
 */
export class Tasks {
  readonly #clock: Clock
  readonly #findingsMax: number
  readonly #queue: Iterable<readonly [number, Task]>
  readonly #found: Found[]
  #kept = 0

  constructor(tasks: readonly Task[], clock: Clock, findingsMax: number) {
    this.#clock = clock
    this.#findingsMax = findingsMax
    this.#queue = once(tasks)
    this.#found = tasks.map(() => nothing)
  }

  async work(tx: Transaction): Promise<void> {
    // Where a server compiles statements it takes seconds, for slices of milliseconds.
    await tx`set local jit = off`
    for (const [index, { check, clients }] of this.#queue) {
      const limit = this.#findingsMax
      const { findings, count } = await check.find({ tx, clients, now: this.#clock.now(), limit })
      const kept = findings.slice(0, limit - this.#kept)
      this.#kept += kept.length
      this.#found[index] = { findings: kept, count }
    }
  }

  get found(): Found {
    return {
      findings: this.#found.flatMap(({ findings }) => findings),
      count: this.#found.reduce((sum, { count }) => sum + count, 0),
    }
  }
}

const nothing: Found = { findings: [], count: 0 }

/** Gives each task once, whoever asks. Whoever fails with one ends it for all. */
function* once(tasks: readonly Task[]): Generator<readonly [number, Task]> {
  yield* tasks.entries()
}
