import { setTimeout as sleep } from 'node:timers/promises'
import { type Marketplace, marketplaces } from '../../clients/marketplace.ts'
import { keepRenewed } from './renewal.ts'
import {
  claimRounds,
  enrolCabinets,
  leaseSeconds,
  type Round,
  RoundBroken,
  releaseRound,
  renewLease,
} from './rounds.ts'
import { syncCabinet } from './sync.ts'
import { openUnknownStatuses } from './unknown-statuses.ts'
import type { SyncParts } from './writing.ts'

/**
 * Keeps all connected cabinets in step, a bounded number at a time. Any number of processes may run
 * one: each cabinet is leased to one of them. A round's lease is renewed by a timer of its own, so a
 * marketplace that is slow to answer does not lose it, and a killed process lets go within seconds.
 */
export interface Syncing {
  start(): void
  /** One look for cabinets that are due, and the rounds of those found. For tests. */
  runOnce(): Promise<void>
  /** Lets the page under way end, unless it takes long, and gives the cabinets back. */
  stop(): Promise<void>
}

const pollMs = 500
/** At once, of each marketplace: one that hangs holds the cabinets of no other up. */
const roundsMax = 16
/** Of these, for one client: its cabinets hold those of other clients up by no more than that. */
const clientRoundsMax = roundsMax / 2
/** A round that broke off for a reason of ours is not begun again at once. */
const brokenPauseMs = 30_000
const stopMsMax = 3_000

export function openSyncing(options: Omit<SyncParts, 'stopping' | 'unknownStatuses'>): Syncing {
  const { db, log } = options
  const running = new Map<Promise<void>, Round>()
  const counts = new Map<Marketplace, number>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let stopping = false
  const unknownStatuses = openUnknownStatuses(log)
  const parts: SyncParts = { ...options, unknownStatuses, stopping: () => stopping }

  function count(marketplace: Marketplace, change: 1 | -1): void {
    counts.set(marketplace, (counts.get(marketplace) ?? 0) + change)
  }

  async function look(): Promise<void> {
    if (stopping) return
    await enrolCabinets(db)
    for (const marketplace of marketplaces) {
      const room = roundsMax - (counts.get(marketplace) ?? 0)
      if (room <= 0) continue
      const rounds = await claimRounds(db, marketplace, room, clientRoundsMax)
      for (const round of rounds) begin(marketplace, round)
    }
  }

  function begin(marketplace: Marketplace, round: Round): void {
    count(marketplace, 1)
    const run = runRound(parts, round).finally(() => {
      count(marketplace, -1)
      running.delete(run)
    })
    running.set(run, round)
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
      await Promise.all(running.keys())
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await looking
      const patience = new AbortController()
      const late = sleep(stopMsMax, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([Promise.all(running.keys()), late])
      patience.abort()
      // A marketplace that hangs may keep its answer: nothing of it is written any more.
      for (const round of running.values()) await releaseRound(db, round)
    },
  }
}

async function runRound(parts: SyncParts, round: Round): Promise<void> {
  const { db, log } = parts
  // A lease that was lost shows with the round's next page.
  const stopRenewing = keepRenewed(() => renewLease(db, round), (leaseSeconds * 1000) / 3)
  try {
    await syncCabinet(parts, round)
  } catch (error) {
    const broken = !(error instanceof RoundBroken) && !parts.stopping()
    if (broken) log.error({ err: error }, 'a round of syncing broke off')
    await releaseRound(db, round, broken ? brokenPauseMs : 0).catch(() => {})
  } finally {
    stopRenewing()
  }
}
