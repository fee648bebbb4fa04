import { renewPeriodically } from '../../../platform/concurrency/lease-renewal.ts'
import { openPoller, type Polling } from '../../../platform/concurrency/poller.ts'
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

const pollMs = 500
/**
 * Runs at a time for each marketplace, so that one that hangs does not delay the others. A run takes about ten seconds, in which it waits
 * for the marketplace nearly always: so many keep 1,500 cabinets at three minutes.
 */
const runsMax = 64
/** Runs at a time for each client, so that its cabinets leave room for other clients. */
const clientRunsMax = 8
/** A run that takes longer than this does not count. */
const usualRunMs = 8_000
/** All runs of a marketplace, with those that take long: their pages and connections are bounded. */
const allRunsMax = 3 * runsMax
/** Pause after an unexpected error, so that the run does not start again at once. */
const errorPauseMs = 30_000

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

/**
 * Syncs all connected cabinets, a bounded number at a time. Any number of processes may run a scheduler:
 * each cabinet is leased to one of them. A timer renews the lease of a run, so a slow response does not
 * lose it, and a killed process delays its cabinets by the few seconds of a lease. A stop waits for the pages
 * under way, then releases the leases.
 *
 * A run that takes long waits most of the time: for a marketplace that answers slowly or limits calls, or
 * for the pauses between the pages of a backlog. It gives its place to another cabinet, so that no number
 * of such accounts delays the others.
 */
export function openSyncScheduler(options: SchedulerOptions): Polling {
  const { db, runsDb = db, log, usualRunMs: longAfterMs = usualRunMs } = options
  const poller = openPoller<Running>({
    everyMs: pollMs,
    look,
    onError: (error) => log.error({ err: error }, 'looking for due cabinets failed'),
  })
  const parts: SyncParts = {
    ...options,
    db: runsDb,
    unknownStatuses: openUnknownStatuses(log),
    withdrawnCalls: openWithdrawnCalls(log),
    stopping: () => poller.isStopping,
  }

  async function look(): Promise<void> {
    if (!(await isOn(db, 'marketplaces'))) return
    await enrolCabinets(db)
    for (const marketplace of marketplaces) {
      const free = freePlaces(marketplace)
      if (free <= 0) continue
      const limits = { max: free, clientMax: clientRunsMax, longAfterMs }
      for (const run of await claimSyncRuns(db, marketplace, limits)) {
        const running = { marketplace, run, begunAt: performance.now() }
        poller.begin(running, runUnderLease(db, parts, run))
      }
    }
  }

  function freePlaces(marketplace: Marketplace): number {
    const own = poller.running.filter((one) => one.marketplace === marketplace)
    const usual = own.filter(({ begunAt }) => performance.now() - begunAt < longAfterMs)
    return Math.min(runsMax - usual.length, allRunsMax - own.length)
  }

  const { start, runOnce } = poller
  return {
    start,
    runOnce,
    async stop() {
      await poller.stop()
      // Later responses are discarded: nothing is written without the lease.
      for (const { run } of poller.running) await releaseSyncRun(db, run)
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
