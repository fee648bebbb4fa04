import { type Database, inTransaction, type Transaction } from '../../db/connection.ts'
import { type Work, workAt } from '../../db/work.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { WarningLog } from '../../kernel/log.ts'
import type { Instant } from '../../kernel/moscow-time.ts'
import type { Connect } from '../connect.ts'
import type { Connector, Told } from '../connector.ts'
import type { Guards } from '../desk/task-guard.ts'
import { holdLease, noteProgress, type Progress, type Round, RoundBroken } from './rounds.ts'
import type { UnknownStatuses } from './unknown-statuses.ts'

/** What a round of syncing works with, and how it writes: always under its lease. */
export interface SyncParts {
  readonly db: Database
  /** For locks alone (desk/task-guard.ts). */
  readonly guards: Guards
  readonly clock: Clock
  readonly connect: Connect
  readonly intervalMs: number
  readonly log: WarningLog
  readonly unknownStatuses: UnknownStatuses
  /** Whether the service stops: a round then ends before its next page. */
  readonly stopping: () => boolean
}

export interface Sync extends SyncParts {
  round: Round
  readonly connector: Connector
  readonly startedAt: Instant
  /** What the round has come across. */
  readonly found: { unknownGoods: boolean; cardsRead: boolean }
}

type Writing = Pick<Sync, 'db' | 'round' | 'stopping'>

/** Runs verbs as of the moment at which the marketplace was asked, under the lease. */
export async function write<T>(
  sync: Writing,
  askedAt: Instant,
  verbs: (work: Work) => Promise<T>,
): Promise<T> {
  const { db, round } = sync
  if (sync.stopping()) throw new RoundBroken('the service stops')
  return inTransaction(db, async (tx) => {
    await holdLease(tx, round)
    return verbs(workAt(tx, askedAt, `marketplace:${round.cabinetId}`))
  })
}

/** Writes page after page. */
export async function writePages<Page extends Told<unknown>>(
  sync: Sync,
  pages: AsyncIterable<Page>,
  verbs: (work: Work, page: Page) => Promise<unknown>,
): Promise<void> {
  for await (const page of pages) {
    await write(sync, page.askedAt, (work) => verbs(work, page))
  }
}

export function note(sync: Sync, made: Progress): Promise<void> {
  return write(sync, sync.startedAt, ({ tx }: { tx: Transaction }) =>
    noteProgress(tx, sync.round, made),
  )
}
