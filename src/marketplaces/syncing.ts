import {
  claimRounds,
  enrolCabinets,
  leaseSeconds,
  type Round,
  RoundBroken,
  releaseRound,
  renewLease,
} from './rounds.ts'
import { type SyncParts, syncCabinet } from './sync.ts'

/**
 * Keeps all connected cabinets in step, a bounded number at a time. Any number of processes may run
 * one: each cabinet is leased to one of them. A round's lease is renewed by a timer of its own, so a
 * marketplace that is slow to answer does not lose it, and a killed process lets go within seconds.
 */
export interface Syncing {
  start(): void
  /** One look for cabinets that are due, and the rounds of those found. For tests. */
  runOnce(): Promise<void>
  /** Lets the page under way end, and gives the cabinets back. */
  stop(): Promise<void>
}

const pollMs = 500
const roundsAtOnceMax = 16

export function openSyncing(options: Omit<SyncParts, 'stopping'>): Syncing {
  const { db, log } = options
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let stopping = false
  const parts: SyncParts = { ...options, stopping: () => stopping }

  async function look(): Promise<void> {
    const room = roundsAtOnceMax - running.size
    if (stopping || room <= 0) return
    await enrolCabinets(db)
    for (const round of await claimRounds(db, room)) {
      const run = runRound(parts, round).finally(() => running.delete(run))
      running.add(run)
    }
  }

  function lookSafely(): Promise<void> {
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'cabinets not looked at'))
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  return {
    start() {
      timer = setInterval(lookSafely, pollMs)
      timer.unref()
    },
    async runOnce() {
      await look()
      await Promise.all(running)
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await looking
      await Promise.all(running)
    },
  }
}

async function runRound(parts: SyncParts, round: Round): Promise<void> {
  const { db, log } = parts
  const renewer = setInterval(
    () => {
      // One that was lost shows with the round's next page.
      renewLease(db, round).catch(() => {})
    },
    (leaseSeconds * 1000) / 3,
  )
  try {
    await syncCabinet(parts, round)
  } catch (error) {
    if (!(error instanceof RoundBroken)) log.error({ err: error }, 'a round of syncing broke off')
    await releaseRound(db, round).catch(() => {})
  } finally {
    clearInterval(renewer)
  }
}
