import { inBatches } from '../kernel/batch.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import {
  type Asked,
  type Due,
  dueDeliveries,
  type Lane,
  releaseLeases,
  renewLeases,
} from './lane.ts'
import { LaneAttempts, type SendingOptions, windowMax } from './lane-attempts.ts'
import { type LaneOutcome, recordOutcomes } from './record.ts'

/**
 * The work on leased lanes. A lane sends a bounded number at once; as soon as one is answered it looks
 * for the next, so that a slow answer takes up one place and not all. What the lanes of a process ask
 * of the database at the same time goes there in one statement.
 */

/** How much longer than an attempt a lease holds: for what the database takes. */
const leaseMarginMs = 5_000
/** No attempt starts under a lease that was renewed longer ago. */
const renewAfterMs = 1_000
/** Attempts of all subscriptions at once: of many at work, each gets fewer. */
const sendingMax = 1_600
const lanesPerStatement = 200
const attemptsPerStatement = 256

/** No longer than needed: what a killed process held waits for so long. */
export function leaseMsOf({ egress }: SendingOptions): number {
  return egress.timeoutMs + leaseMarginMs
}

/** What lanes ask of the database, gathered over all of them. */
interface Desk {
  due(asked: Asked): Promise<Due | undefined>
  record(outcome: LaneOutcome): Promise<void>
  renew(lane: Lane): Promise<void>
  release(lane: Lane): Promise<void>
}

function openDesk(options: SendingOptions, window: () => number): Desk {
  const { db, clock } = options
  return {
    due: inBatches(lanesPerStatement, async (asked: readonly Asked[]) => {
      if (!(await options.enabled())) return asked.map(() => undefined)
      return dueDeliveries(db, asked, clock.now(), window())
    }),
    record: inBatches(attemptsPerStatement, (outcomes: readonly LaneOutcome[]) =>
      recordOutcomes(options, outcomes).then(() => outcomes.map(() => undefined)),
    ),
    renew: inBatches(lanesPerStatement, (lanes: readonly Lane[]) =>
      renewLeases(db, lanes, clock.now() + leaseMsOf(options)).then(() =>
        lanes.map(() => undefined),
      ),
    ),
    release: inBatches(lanesPerStatement, (lanes: readonly Lane[]) =>
      releaseLeases(db, lanes).then(() => lanes.map(() => undefined)),
    ),
  }
}

/** A lane at work. */
export interface LaneWork {
  readonly lane: Lane
  /** Something new may be due for it. */
  poke(): void
  /** Ends when nothing is due any more and the lease is given back. */
  readonly over: Promise<void>
}

export function openLaneWork(
  options: SendingOptions,
  stopping: () => boolean,
): (lane: Lane, leasedAt: Instant) => LaneWork {
  let lanes = 0
  const window = () => Math.max(1, Math.min(windowMax, Math.floor(sendingMax / lanes)))
  const desk = openDesk(options, window)
  return (lane, leasedAt) => {
    const poke = new Poke()
    lanes += 1
    const over = workLane(options, desk, { lane, leasedAt, poke, stopping }).finally(() => {
      lanes -= 1
    })
    return { lane, poke: () => poke.give(), over }
  }
}

/** Stays given until it is taken. */
class Poke {
  #given = Promise.withResolvers<void>()

  give(): void {
    this.#given.resolve()
  }

  take(): void {
    this.#given = Promise.withResolvers<void>()
  }

  get given(): Promise<void> {
    return this.#given.promise
  }
}

interface Leased {
  readonly lane: Lane
  readonly leasedAt: Instant
  readonly poke: Poke
  readonly stopping: () => boolean
}

/** Sends what is due on a leased lane until nothing is, then gives the lease back. */
async function workLane(
  options: SendingOptions,
  desk: Desk,
  { lane, leasedAt, poke, stopping }: Leased,
): Promise<void> {
  const { clock } = options
  const attempts = new LaneAttempts(options, lane, (outcome) => desk.record({ lane, outcome }))
  let renewedAt = leasedAt
  try {
    while (!stopping() && !attempts.broken) {
      const now = clock.now()
      if (now - renewedAt > renewAfterMs) {
        await desk.renew(lane)
        renewedAt = now
      }
      poke.take()
      const due = await desk.due({ lane, ...attempts.underWay })
      if (due === undefined) break
      for (const delivery of due.deliveries) attempts.begin(due.state, delivery)
      if (attempts.underWay.sending === 0) break
      await attempts.next(poke.given)
    }
  } finally {
    await attempts.over()
    await desk.release(lane)
  }
  attempts.rethrow()
}
