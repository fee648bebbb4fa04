import type { Fragment } from '../../platform/db/statements/fragment.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import { type Actor, actorText } from '../../platform/kernel/actor.ts'
import type { MissEnding, MissOutcome } from './miss-state.ts'

/** How misses end: all statements that write an outcome. The caller has locked the orders. */

export interface MissEnd {
  readonly outcome: MissOutcome
  readonly comment?: string | undefined
  /** Where to look for the goods, of `look_elsewhere`. */
  readonly locationId?: string | undefined
  readonly boxId?: string | undefined
}

/** Ends an open miss. Returns false where it has ended before. */
export async function endMiss(
  { tx, at, actor }: Work,
  clientId: string,
  id: string,
  { outcome, comment, locationId, boxId }: MissEnd,
): Promise<boolean> {
  const ended = await tx`
    update pick_misses set outcome = ${outcome}, ended_at = ${at}, ended_by = ${actorText(actor)},
      comment = ${comment ?? null}, to_location_id = ${locationId ?? null}, to_box_id = ${boxId ?? null}
    where client_id = ${clientId} and id = ${id} and outcome is null returning id`
  return ended.length > 0
}

/** The same goods were reported anew, with other words or another quantity. */
export async function replaceMisses(
  work: Work,
  clientId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await close(work, clientId, 'reported_again', work.tx`id = any(${[...ids]}::uuid[])`)
}

/** The order leaves its task. */
export async function closeMissesOfOrder(
  work: Work,
  clientId: string,
  orderId: string,
): Promise<void> {
  await close(work, clientId, 'order_left', work.tx`order_id = ${orderId}`)
}

/** The shipment leaves: what still waits is of cancelled orders. */
export async function closeMissesOfTask(
  work: Work,
  clientId: string,
  taskId: string,
): Promise<void> {
  await close(work, clientId, 'order_left', work.tx`task_id = ${taskId}`)
}

async function close(
  { tx, at, actor }: Work,
  clientId: string,
  ending: MissEnding,
  which: Fragment,
): Promise<void> {
  await tx`
    update pick_misses set outcome = ${ending}, ended_at = ${at}, ended_by = ${actorText(actor)}
    where client_id = ${clientId} and outcome is null and ${which}`
}

/** Ends the misses of goods that these picks were the last units of. */
export async function closeFoundMisses(
  { tx, at }: SharedWork,
  clientId: string,
  picks: readonly { readonly orderId: string; readonly actor: Actor }[],
): Promise<void> {
  const pickers = new Map(picks.map(({ orderId, actor }) => [orderId, actorText(actor)]))
  const rows = [...pickers].map(([order_id, actor]) => ({ order_id, actor }))
  await tx`
    update pick_misses m set outcome = 'found', ended_at = ${at}, ended_by = p.actor
    from jsonb_to_recordset(${tx.json(rows)}) as p (order_id uuid, actor text)
    where m.client_id = ${clientId} and m.order_id = any(${[...pickers.keys()]}::uuid[])
      and m.order_id = p.order_id and m.outcome is null and not exists (
        select from order_lines l where l.client_id = m.client_id and l.order_id = m.order_id
          and l.barcode = m.barcode and l.picked < l.quantity)`
}
