import type { SharedWork, Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { CountScope } from './expected.ts'
import { afterCountVerb, type CountStatus, type CountVerb, refusalOfCount } from './state.ts'

/**
 * Workers lock a count shared, so several of them count at once; a verb that changes its state locks it alone.
 * The lock comes before those of balances.
 */

export interface LockedCount extends CountScope {
  readonly status: CountStatus
  readonly blind: boolean
  /** The last review, which began a new round. */
  readonly reviewed_at: Timestamp | null
}

/** Names of a count, unique over all clients. */
export interface CountName {
  readonly clientId: string
  readonly countId: string
}

/** The key of a count in the answer of shareCounts. */
export const countKey = ({ clientId, countId }: CountName) => `${clientId} ${countId}`

/** Locks counts against a change of their state, in the order of clients and ids. Unknown ones are left out. */
export async function shareCounts(
  { tx }: SharedWork,
  names: readonly CountName[],
): Promise<ReadonlyMap<string, LockedCount>> {
  const different = new Map(names.map((name) => [countKey(name), name])).values()
  const rows = [...different].map(({ clientId, countId }) => ({ client_id: clientId, id: countId }))
  const counts = await tx<(LockedCount & { client_id: string; id: string })[]>`
    select q.client_id, q.id, c.*
    from (
      select * from jsonb_to_recordset(${tx.json(rows)}) as q (client_id uuid, id uuid)
      order by client_id, id
    ) q
    cross join lateral (
      select status, blind, reviewed_at, barcodes, box_ids, location_ids from stock_counts
      where client_id = q.client_id and id = q.id
      offset 0 for share
    ) c`
  return new Map(
    counts.map(({ client_id: clientId, id: countId, ...count }) => [
      countKey({ clientId, countId }),
      count,
    ]),
  )
}

/** Locks a count against a change of its state. Throws not_found. */
export async function shareCount(
  work: SharedWork,
  clientId: string,
  countId: string,
): Promise<LockedCount> {
  const [count] = (await shareCounts(work, [{ clientId, countId }])).values()
  if (count === undefined) throw unknownCount()
  return count
}

/** Locks a count alone. Throws not_found. */
async function holdCount({ tx }: SharedWork, clientId: string, id: string): Promise<LockedCount> {
  const [count] = await tx<LockedCount[]>`
    select status, blind, reviewed_at, barcodes, box_ids, location_ids from stock_counts
    where client_id = ${clientId} and id = ${id} for no key update`
  if (count === undefined) throw unknownCount()
  return count
}

export function unknownCount(): Error {
  return notFound('Пересчёт не найден')
}

/** The state after the verb. Throws conflict where the state does not allow it. */
export function allowCountVerb({ status }: LockedCount, verb: CountVerb): CountStatus {
  const after = afterCountVerb(status, verb)
  if (after === undefined) throw conflict(refusalOfCount(status, verb))
  return after
}

/** Locks a count and moves it along its diagram. Throws not_found, conflict. */
export async function advanceCount(
  work: Work,
  clientId: string,
  id: string,
  verb: CountVerb,
): Promise<LockedCount> {
  const count = await holdCount(work, clientId, id)
  const status = allowCountVerb(count, verb)
  if (status !== count.status) {
    const { tx, at, actor } = work
    const ends = status === 'CLOSED' || status === 'CANCELLED'
    await tx`
      update stock_counts set status = ${status},
        started_at = ${verb === 'start' ? tx`${at}` : tx`started_at`},
        reviewed_at = ${status === 'REVIEW' ? tx`${at}` : tx`reviewed_at`},
        ended_at = ${ends ? at : null}, ended_by = ${ends ? actorText(actor) : null}
      where client_id = ${clientId} and id = ${id}`
  }
  return count
}
