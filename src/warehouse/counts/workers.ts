import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { allowCountVerb, type LockedCount, shareCount } from './lock.ts'

/**
 * Who counts, and who has said that nothing is left to count. The first scan of a worker makes him one of those who
 * count; a scan after that word takes it back. Once all have said it the count waits for a manager.
 */

/** The round that a worker is done with: it began with this review, null for the first. */
export type CountRound = Instant | null

/**
 * The worker has counted all that there is to count. Returns false for a repeat, and for a round that is over: the
 * manager has looked at it meanwhile. Throws not_found, conflict.
 */
export async function finishCounting(
  work: Work,
  clientId: string,
  id: string,
  round?: CountRound,
): Promise<boolean> {
  const { tx, at, actor } = work
  const count = await shareCount(work, clientId, id)
  if (isOver(count, round)) return false
  allowCountVerb(count, 'finish')
  const done = await tx`
    insert into count_workers as w (client_id, count_id, actor, done_at)
    values (${clientId}, ${id}, ${actorText(actor)}, ${at})
    on conflict (client_id, count_id, actor) do update set done_at = excluded.done_at
    where w.done_at is null returning actor`
  return done.length > 0
}

/**
 * The worker goes on after all. Returns false for one who was not done, and for a round that is over. Throws not_found,
 * conflict.
 */
export async function resumeCounting(
  work: Work,
  clientId: string,
  id: string,
  round?: CountRound,
): Promise<boolean> {
  const { tx, actor } = work
  const count = await shareCount(work, clientId, id)
  if (isOver(count, round)) return false
  allowCountVerb(count, 'resume')
  await holdWorker(work, clientId, id, actorText(actor))
  const going = await tx`
    update count_workers set done_at = null
    where client_id = ${clientId} and count_id = ${id} and actor = ${actorText(actor)}
      and done_at is not null
    returning actor`
  await forgetIdleWorker(work, clientId, id, actorText(actor))
  return going.length > 0
}

/** SQL: the actor of the scan `s` counted its units himself. He is not the manager who accepted a late scan. */
export function isCountedInTime(db: Queryable) {
  return db`not exists (
    select from scan_exceptions x
    where x.client_id = s.client_id and x.kind = 'count_scan' and x.object_id = s.count_id
      and x.scan_id = s.scan_id and x.decision = 'accepted')`
}

function isOver(count: LockedCount, round: CountRound | undefined): boolean {
  return round !== undefined && count.reviewed_at !== (round && toTimestamp(round))
}

/**
 * Until the transaction ends this worker has no other scan, and neither finishes nor resumes. The next statement sees a
 * scan that held the row before. As in the statement that records scans, the worker is held before the goods.
 */
export async function holdWorker(
  { tx }: Work,
  clientId: string,
  countId: string,
  actor: string,
): Promise<void> {
  await tx`
    select from count_workers
    where client_id = ${clientId} and count_id = ${countId} and actor = ${actor} for update`
}

/**
 * Forgets a worker who is not done and has no scan left, so that the others do not wait for him. The caller holds the
 * worker.
 */
export async function forgetIdleWorker(
  { tx }: Work,
  clientId: string,
  countId: string,
  actor: string,
): Promise<void> {
  await tx`
    delete from count_workers
    where client_id = ${clientId} and count_id = ${countId} and actor = ${actor} and done_at is null
      and not exists (
        select from count_scans s
        where s.client_id = ${clientId} and s.count_id = ${countId} and s.actor = ${actor}
          and s.undone_at is null and ${isCountedInTime(tx)})`
}
