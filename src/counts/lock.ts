import type { SharedWork, Work } from '../db/work.ts'
import { actorText } from '../kernel/actor.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import type { CountScope } from './expected.ts'
import { afterCountVerb, type CountStatus, type CountVerb, countStatusLabels } from './state.ts'

/**
 * Workers lock a count shared, so several of them count at once; a verb that changes its state locks it alone.
 * The lock comes before those of balances.
 */

export interface LockedCount extends CountScope {
  readonly status: CountStatus
  readonly blind: boolean
}

/** Throws not_found. */
export async function readCount(
  { tx }: SharedWork,
  clientId: string,
  id: string,
  lock: 'share' | 'alone',
): Promise<LockedCount> {
  const [count] = await tx<LockedCount[]>`
    select status, blind, barcodes, box_ids, location_ids from stock_counts
    where client_id = ${clientId} and id = ${id}
    ${lock === 'share' ? tx`for share` : tx`for no key update`}`
  if (count === undefined) throw notFound('Пересчёт не найден')
  return count
}

/** The state after the verb. Throws conflict where the state does not allow it. */
export function allowCountVerb({ status }: LockedCount, verb: CountVerb): CountStatus {
  const after = afterCountVerb(status, verb)
  if (after === undefined) {
    throw conflict(`${refusals[verb]}: пересчёт в состоянии «${countStatusLabels[status]}»`)
  }
  return after
}

const refusals: Readonly<Record<CountVerb, string>> = {
  start: 'Начать нельзя',
  scan: 'Считать нельзя',
  review: 'Отдать на проверку нельзя',
  recount: 'Пересчитать заново нельзя',
  decide: 'Решить по строке нельзя',
  close: 'Закрыть нельзя',
  cancel: 'Отменить нельзя',
}

/** Locks a count and moves it along its diagram. Throws not_found, conflict. */
export async function advanceCount(
  work: Work,
  clientId: string,
  id: string,
  verb: CountVerb,
): Promise<LockedCount> {
  const count = await readCount(work, clientId, id, 'alone')
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
