import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { type Instant, toTimestamp } from '../../platform/kernel/moscow-time.ts'
import { tell } from '../events/news.ts'
import { type ExceptionScan, findExceptionOfScan } from './queries.ts'
import type { ExceptionDecision, ScanException } from './view.ts'

/**
 * Exceptions: scans that a handheld queued and the warehouse refused when they came. The only writer of
 * scan_exceptions.
 *
 *   OPEN --resolve--> RESOLVED
 *
 * - One exception per scan: a handheld that repeats the scan finds it.
 * - An exception is never deleted, and its decision never changes.
 * - With `accepted` the scan is done by the verb of its kind, in the transaction of the decision. The other decisions
 *   move no units: a manager has entered them by the verbs of every day, or there are none.
 */
export interface RefusedScan extends ExceptionScan {
  /** As the handheld sent it. */
  readonly scan: unknown
  readonly queuedAt: Instant
  /** Login of the user who scanned; undefined where the handheld does not say. */
  readonly queuedBy: string | undefined
  /** Why it was refused. */
  readonly reason: string
}

export interface KeptScan {
  readonly exception: ScanException
  /** False for a scan that was kept before. */
  readonly isNew: boolean
}

export async function keepRefusedScan(work: Work, refused: RefusedScan): Promise<KeptScan> {
  const { clientId, kind, objectId, scanId } = refused
  const kept = await work.tx`
    insert into scan_exceptions (client_id, id, kind, object_id, scan_id, scan, queued_at, queued_by,
      reason, created_at, actor)
    values (${clientId}, ${newId()}, ${kind}, ${objectId}, ${scanId}, ${work.tx.json(refused.scan)},
      ${toTimestamp(refused.queuedAt)}, ${refused.queuedBy ?? null}, ${refused.reason}, ${work.at},
      ${actorText(work.actor)})
    on conflict do nothing returning id`
  const exception = await findExceptionOfScan(work.tx, refused)
  if (exception === undefined) throw new Error(`exception of scan ${scanId} vanished`)
  const isNew = kept.length > 0
  const { id } = exception
  if (isNew)
    await tell(work, [{ clientId, kind: 'scan_exception', key: id, objectId: id, subject: '' }])
  return { exception, isNew }
}

/** A manager decides. Throws not_found, or conflict where somebody has decided before. The exception is locked. */
export async function resolveException(
  work: Work,
  clientId: string,
  id: string,
  { decision, comment }: { readonly decision: ExceptionDecision; readonly comment: string },
): Promise<void> {
  const [exception] = await work.tx<{ decision: string | null }[]>`
    select decision from scan_exceptions where client_id = ${clientId} and id = ${id}
    for no key update`
  if (exception === undefined) throw notFound('Исключение не найдено')
  if (exception.decision !== null) throw conflict('По этому исключению решение уже принято')
  await work.tx`
    update scan_exceptions set decision = ${decision}, comment = ${comment},
      resolved_at = ${work.at}, resolved_by = ${actorText(work.actor)}
    where client_id = ${clientId} and id = ${id}`
}
