import { type Database, inTransaction } from '../../../platform/db/connection.ts'
import { type Work, workAt } from '../../../platform/db/work.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import type { WarningLog } from '../../../platform/kernel/log.ts'
import {
  day,
  fromTimestamp,
  hour,
  type Instant,
  type Timestamp,
  toTimestamp,
} from '../../../platform/kernel/moscow-time.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import { clockSkewMsMax } from '../calls/marketplace-clock.ts'
import type { Connect } from '../connecting/open-connector.ts'
import type { Connector, ReportedPage } from '../connector.ts'
import type { AdvisoryLocks } from '../coordination/advisory-locks.ts'
import {
  holdLease,
  recordProgress,
  type SyncProgress,
  type SyncRun,
  SyncRunAborted,
} from './sync-runs.ts'
import type { UnknownStatuses } from './unknown-statuses.ts'
import type { WithdrawnCalls } from './withdrawn-calls.ts'

export interface SyncParts {
  readonly db: Database
  /** For the remote commands that a sync run resumes. */
  readonly locks: AdvisoryLocks
  readonly clock: Clock
  readonly connect: Connect
  /** Seals the seller of a cabinet. */
  readonly box: SecretBox
  /** From the beginning of one sync run of a cabinet to the beginning of the next. */
  readonly intervalMs: number
  readonly log: WarningLog
  readonly unknownStatuses: UnknownStatuses
  readonly withdrawnCalls: WithdrawnCalls
  /** Whether the service stops: a sync run then aborts before its next page. */
  readonly stopping: () => boolean
}

/** One sync run of one cabinet, as its parts see it. */
export interface SyncContext extends SyncParts {
  run: SyncRun
  readonly connector: Connector
  /** By the marketplace's clock, as far as it was known then. */
  readonly startedAt: Instant
  /** Since the beginning, whatever becomes of the clock. */
  readonly elapsedMs: () => number
  readonly found: {
    /** Orders name goods that have no card. */
    unknownGoods: boolean
    /** This run took orders in, or changed some. */
    ordersChanged: boolean
    /** This run has read the cards. */
    cardsRead: boolean
  }
}

/**
 * Runs verbs in a transaction under the run's lease, as of the moment at which the marketplace was
 * asked: a response that was under way for long overwrites nothing younger. Throws SyncRunAborted.
 */
export async function write<T>(
  sync: Pick<SyncContext, 'db' | 'run' | 'stopping'>,
  requestedAt: Instant,
  verbs: (work: Work) => Promise<T>,
): Promise<T> {
  const { db, run } = sync
  if (sync.stopping()) throw new SyncRunAborted('the service stops')
  return inTransaction(db, async (tx) => {
    await holdLease(tx, run)
    return verbs(workAt(tx, requestedAt, { kind: 'sync', cabinetId: run.cabinetId }))
  })
}

/** Writes each page in a transaction of its own. */
export async function writePages<Page extends ReportedPage<unknown>>(
  sync: SyncContext,
  pages: AsyncIterable<Page>,
  verbs: (work: Work, page: Page) => Promise<unknown>,
): Promise<void> {
  for await (const page of pages) {
    await write(sync, page.requestedAt, (work) => verbs(work, page))
  }
}

/**
 * How far a part has come that read everything: to the beginning of the run, by the clock that ran behind, ours or
 * the marketplace's. What changes from then on, the next run reads.
 */
export function progressAt({ startedAt, connector, elapsedMs }: SyncContext): Timestamp {
  return toTimestamp(Math.min(startedAt, Math.round(connector.now() - elapsedMs())))
}

/** Where a part goes on. Never in the future, though a clock that ran ahead may have recorded such a moment. */
export function continuedFrom(
  { connector }: SyncContext,
  progress: Timestamp,
  overlapMs: number,
): Instant {
  return Math.min(fromTimestamp(progress), connector.now()) - overlapMs
}

export function writeProgress(sync: SyncContext, progress: SyncProgress): Promise<void> {
  return write(sync, sync.startedAt, ({ tx }) => recordProgress(tx, sync.run, progress))
}

/**
 * Whether a part that does not run every time is due. So it is where its last time lies in the future, by a clock that
 * ran ahead.
 */
export function isPartDue(sync: SyncContext, last: Timestamp | null, everyMs: number): boolean {
  if (last === null) return true
  const agoMs = sync.startedAt - fromTimestamp(last)
  return agoMs >= everyMs || agoMs < -clockSkewMsMax
}

/** How far back sync runs ask a marketplace. */

/** The first run of a cabinet: WB reports thirty days in one request, less a minute for the request. */
export const firstWindowMs = 30 * day - 60_000

/** Later runs begin this long before the last one, because clocks differ and marketplaces lag. */
export const overlapMs = hour

/** Older open orders and shipments are not asked about: marketplaces no longer report them. */
export const followedMs = 90 * day
