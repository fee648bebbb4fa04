import { setTimeout as sleep } from 'node:timers/promises'
import { renewPeriodically } from '../../../platform/concurrency/lease-renewal.ts'
import type { Database } from '../../../platform/db/connection.ts'
import { isOn } from '../../../platform/process/switches.ts'
import { type Marketplace, marketplaces } from '../../../warehouse/clients/marketplace.ts'
import type { SyncParts } from './context.ts'
import { syncCabinet } from './sync-cabinet.ts'
import {
  claimSyncRuns,
  enrolCabinets,
  leaseSeconds,
  releaseSyncRun,
  renewLease,
  type SyncRun,
  SyncRunAborted,
} from './sync-runs.ts'
import { openUnknownStatuses } from './unknown-statuses.ts'
import { openWithdrawnCalls } from './withdrawn-calls.ts'

/**
 * Syncs all connected cabinets, a bounded number at a time. Any number of processes may run a scheduler:
 * each cabinet is leased to one of them. A timer renews the lease of a run, so a slow response does not
 * lose it, and a killed process delays its cabinets by the few seconds of a lease.
 *
 * A run that takes long waits most of the time: for a marketplace that answers slowly or limits calls, or
 * for the pauses between the pages of a backlog. It gives its place to another cabinet, so that no number
 * of such accounts delays the others.
 */
export interface SyncScheduler {
  start(): void
  /** Looks once for cabinets that are due, and waits for their runs. For tests. */
  runOnce(): Promise<void>
  /** Waits a few seconds for the pages under way, then releases the leases. */
  stop(): Promise<void>
}

const pollMs = 500
/** Runs at a time for each marketplace, so that one that hangs does not delay the others. */
const runsMax = 16
/** Runs at a time for each client, so that its cabinets leave room for other clients. */
const clientRunsMax = runsMax / 2
/** A run that takes longer than this does not count. */
const usualRunMs = 8_000
/** All runs of a marketplace, with those that take long: their pages and connections are bounded. */
const allRunsMax = 8 * runsMax
/** Pause after an unexpected error, so that the run does not start again at once. */
const errorPauseMs = 30_000
const stopMsMax = 3_000

interface Running {
  readonly marketplace: Marketplace
  readonly run: SyncRun
  readonly begunAt: number
}

export interface SchedulerOptions
  extends Omit<SyncParts, 'stopping' | 'unknownStatuses' | 'withdrawnCalls'> {
  readonly usualRunMs?: number
  /** For the pages of runs, where these must not keep others from `db`. Leases are renewed on `db`. */
  readonly runsDb?: Database
}

export function openSyncScheduler(options: SchedulerOptions): SyncScheduler {
  const { db, runsDb = db, log, usualRunMs: longAfterMs = usualRunMs } = options
  const running = new Map<Promise<void>, Running>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let stopping = false
  const parts: SyncParts = {
    ...options,
    db: runsDb,
    unknownStatuses: openUnknownStatuses(log),
    withdrawnCalls: openWithdrawnCalls(log),
    stopping: () => stopping,
  }

  async function poll(): Promise<void> {
    if (stopping || !(await isOn(db, 'marketplaces'))) return
    await enrolCabinets(db)
    for (const marketplace of marketplaces) {
      const free = freePlaces(marketplace)
      if (free <= 0) continue
      const limits = { max: free, clientMax: clientRunsMax, longAfterMs }
      for (const run of await claimSyncRuns(db, marketplace, limits)) begin(marketplace, run)
    }
  }

  function freePlaces(marketplace: Marketplace): number {
    const own = [...running.values()].filter((one) => one.marketplace === marketplace)
    const usual = own.filter(({ begunAt }) => performance.now() - begunAt < longAfterMs)
    return Math.min(runsMax - usual.length, allRunsMax - own.length)
  }

  function begin(marketplace: Marketplace, run: SyncRun): void {
    const ended = runUnderLease(db, parts, run).finally(() => running.delete(ended))
    running.set(ended, { marketplace, run, begunAt: performance.now() })
  }

  function pollSafely(): Promise<void> {
    polling ??= poll()
      .catch((error: unknown) => log.error({ err: error }, 'looking for due cabinets failed'))
      .finally(() => {
        polling = undefined
      })
    return polling
  }

  return {
    start() {
      timer = setInterval(pollSafely, pollMs)
      timer.unref()
    },
    async runOnce() {
      await poll()
      await Promise.all(running.keys())
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await polling
      const patience = new AbortController()
      const late = sleep(stopMsMax, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([Promise.all(running.keys()), late])
      patience.abort()
      // Later responses are discarded: nothing is written without the lease.
      for (const { run } of running.values()) await releaseSyncRun(db, run)
    },
  }
}

async function runUnderLease(db: Database, parts: SyncParts, run: SyncRun): Promise<void> {
  const { log } = parts
  // Renewal ignores a lost lease: the next page of the run notices it.
  const stopRenewing = renewPeriodically(() => renewLease(db, run), (leaseSeconds * 1000) / 3)
  try {
    await syncCabinet(parts, run)
  } catch (error) {
    const isUnexpected = !(error instanceof SyncRunAborted) && !parts.stopping()
    if (isUnexpected) log.error({ err: error }, 'a sync run failed')
    await releaseSyncRun(db, run, isUnexpected ? errorPauseMs : 0).catch(() => {})
  } finally {
    stopRenewing()
  }
}
