import { deliveriesChannel } from '../events/outbox.ts'
import { newId } from '../kernel/ids.ts'
import type { ErrorLog } from '../kernel/log.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import { type Lane, type Leasing, leaseLanes, leaseLanesOf } from './lane.ts'
import type { SendingOptions } from './lane-attempts.ts'
import { type LaneWork, leaseMsOf, openLaneWork } from './lane-work.ts'

/**
 * The dispatcher: sends what the outbox holds. Any number of processes may run one.
 *
 * - A subscription is a lane: one process at a time holds its lease and sends for it, a bounded
 *   number at once; lanes run beside each other, so a slow receiver holds up nobody else.
 * - Nothing is sent inside a transaction. An attempt is recorded under the lease it was made under;
 *   a process that slept past its lease changes nothing. A killed process's leases run out, and its
 *   lanes are taken on; an attempt that it made and did not record is made again, with the same event.
 * - A lane with a failure is tried with a single attempt at a time; after two or more in a row it
 *   rests for the pause of the schedule first. First attempts go before retries.
 * - NOTIFY names the client whose events wait, and a lane that ends is looked at once more. So is one
 *   whose short pause ends. A walk through all pending lanes every second, less often where they are
 *   very many, is the net, and finds the repeats after longer pauses.
 */
export interface Dispatcher {
  start(): Promise<void>
  /** One look for work, and all of the work found. For tests. */
  runOnce(): Promise<void>
  /** Finishes the attempts under way, records them, and gives the leases back. */
  stop(): Promise<void>
}

export interface DispatcherOptions extends SendingOptions {
  readonly log: ErrorLog
  /** Between walks through all pending lanes. */
  readonly pollMs?: number
}

/** A shorter pause ends to the moment; to a longer one the second until the next walk adds little. */
const shortPauseMs = 10_000
/** Walks take up at most this share of the time, however many lanes rest. */
const walkShare = 0.1
/** Lanes at work: more than there will be slow receivers at a time. */
const lanesMax = 500

export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, clock, log, pollMs = 1_000 } = options
  const workLane = openLaneWork({ ...options, comesDue }, () => stopping)
  const running = new Map<LaneWork, Promise<void>>()
  /** Clients for whom something may be due. */
  const asked = new Set<string>()
  let stopping = false
  let walkWanted = false
  let walkNotBefore = 0
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  /** Short pauses under way. */
  const pauses = new Set<NodeJS.Timeout>()
  let listening: { unlisten(): Promise<void> } | undefined

  async function look(): Promise<void> {
    const walks = walkWanted && performance.now() >= walkNotBefore
    const room = lanesMax - running.size
    if (stopping || room <= 0 || !(walks || asked.size > 0)) return
    if (!(await options.enabled())) {
      // Switched on, the next walk finds what waits.
      walkWanted = false
      asked.clear()
      return
    }
    const now = clock.now()
    const leasing = { lease: newId(), now, until: now + leaseMsOf(options), lanesMax: room }
    const lanes = walks ? await walk(leasing) : await visit(leasing)
    for (const lane of lanes) run(lane, now)
  }

  async function walk(leasing: Leasing): Promise<Lane[]> {
    const began = performance.now()
    const lanes = await leaseLanes(db, leasing)
    const ended = performance.now()
    walkNotBefore = ended + (ended - began) / walkShare
    walkWanted = lanes.length === leasing.lanesMax
    return lanes
  }

  async function visit(leasing: Leasing): Promise<Lane[]> {
    const clients = [...asked]
    asked.clear()
    const lanes = await leaseLanesOf(db, clients, leasing)
    if (lanes.length === leasing.lanesMax) for (const client of clients) asked.add(client)
    return lanes
  }

  function run(lane: Lane, leasedAt: number): void {
    const work = workLane(lane, leasedAt)
    const over = work.over
      .then(
        () => asked.add(lane.clientId),
        (error: unknown) => log.error({ err: error }, 'webhook lane failed'),
      )
      .then(() => {
        running.delete(work)
        wake()
      })
    running.set(work, over)
  }

  /** Looks now or, where a look is under way, once more after it. */
  function wake(): void {
    if (stopping) return
    lookAgain = true
    looking ??= lookUntilDone()
      .catch((error: unknown) => log.error({ err: error }, 'webhook dispatcher failed'))
      .finally(() => {
        looking = undefined
        if (lookAgain) wake()
      })
  }

  async function lookUntilDone(): Promise<void> {
    while (lookAgain) {
      lookAgain = false
      await look()
    }
  }

  function onNotice(clientId: string): void {
    asked.add(clientId)
    for (const work of running.keys()) if (work.lane.clientId === clientId) work.poke()
    wake()
  }

  function comesDue(clientId: string, at: Instant): void {
    const pause = at - clock.now()
    if (timer === undefined || stopping || pause <= 0 || pause > shortPauseMs) return
    // A timer may fire a millisecond early.
    const over = setTimeout(() => {
      pauses.delete(over)
      onNotice(clientId)
    }, pause + 1)
    pauses.add(over)
  }

  function lookEverywhere(): void {
    walkWanted = true
    wake()
  }

  return {
    async start() {
      listening = await db.listen(deliveriesChannel, onNotice, lookEverywhere)
      timer = setInterval(lookEverywhere, pollMs)
    },
    async runOnce() {
      do {
        walkNotBefore = 0
        lookEverywhere()
        while (looking !== undefined || running.size > 0) {
          await Promise.all([looking, ...running.values()])
        }
      } while (walkWanted && !stopping)
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      for (const pause of pauses) clearTimeout(pause)
      await listening?.unlisten().catch(() => {})
      await looking
      await Promise.all(running.values())
    },
  }
}
