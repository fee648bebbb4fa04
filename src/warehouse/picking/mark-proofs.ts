import type { Queryable } from '../../platform/db/connection.ts'
import type { SharedWork, Work } from '../../platform/db/work.ts'
import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import {
  type Instant,
  minute,
  type Timestamp,
  toTimestamp,
} from '../../platform/kernel/moscow-time.ts'
import { tell } from '../events/news.ts'

/**
 * What the marketplace says of the marks of each picked unit: the only writer of `mark_proofs`.
 *
 *   (none) --pick-> unsent --take-> sent --pass----> proven
 *                     |  ^            |
 *                     |  +---again----+
 *                     +-----refuse----+------------> refused
 *
 * - A unit has a row where its marks go to a connected cabinet. Marks that are given anew begin again.
 * - A unit that is put back, or whose shipment has left, has none. A refused one is put back, too, and keeps its
 *   row until the shipment has left or its order leaves the shipment.
 * - `attempted_at` is committed before the marketplace is called: after a crash it is asked what it has.
 * - A verdict on marks that were changed meanwhile counts for nothing (`given_at`).
 */

export type MarkProofState = 'unsent' | 'sent' | 'proven' | 'refused'

interface MarkedPick {
  readonly scanId: string
  readonly orderId: string
  readonly markingCode?: unknown
  readonly marks?: GivenMarks
}

/**
 * Units were picked, or given other marks: those with marks are sent to the marketplace at once. A sandbox has no
 * connected cabinet, so whoever plays the marketplace there awaits the proofs of `every cabinet`.
 */
export async function awaitProofs(
  { tx, at }: SharedWork,
  clientId: string,
  taskId: string,
  picks: readonly MarkedPick[],
  of: 'connected cabinets' | 'every cabinet' = 'connected cabinets',
): Promise<void> {
  const marked = picks.filter(({ markingCode, marks = {} }) => {
    return markingCode != null || Object.keys(marks).length > 0
  })
  if (marked.length === 0) return
  const rows = marked.map(({ scanId, orderId }) => ({ scan_id: scanId, order_id: orderId }))
  const isConnected = tx`k.active and k.credentials is not null and k.shipments <> 'observe'`
  await tx`
    insert into mark_proofs as m
      (client_id, task_id, scan_id, order_id, cabinet_id, state, given_at, due_at)
    select ${clientId}, ${taskId}, p.scan_id, o.id, k.id, 'unsent', ${at}, ${at}
    from jsonb_to_recordset(${tx.json(rows)}) as p (scan_id text, order_id uuid)
    join orders o on o.client_id = ${clientId} and o.id = p.order_id
    join cabinets k on k.client_id = o.client_id and k.id = o.cabinet_id
    where ${of === 'every cabinet' ? tx`true` : isConnected}
    order by p.scan_id
    on conflict (client_id, task_id, scan_id) do update set
      state = 'unsent', given_at = excluded.given_at, sent_at = null, due_at = excluded.due_at,
      mark_kind = null, reason_code = null, reason = null`
}

/** A unit is put back. */
export async function dropProof(
  { tx }: Work,
  clientId: string,
  taskId: string,
  scanId: string,
): Promise<void> {
  await tx`
    delete from mark_proofs
    where client_id = ${clientId} and task_id = ${taskId} and scan_id = ${scanId}`
}

/** An order leaves its shipment. */
export async function dropProofsOfOrder(
  { tx }: Work,
  clientId: string,
  orderId: string,
): Promise<void> {
  await tx`delete from mark_proofs where client_id = ${clientId} and order_id = ${orderId}`
}

/** A shipment has left, or is deleted. */
export async function dropProofsOfTask(
  { tx }: Work,
  clientId: string,
  taskId: string,
): Promise<void> {
  await tx`delete from mark_proofs where client_id = ${clientId} and task_id = ${taskId}`
}

/** The units of one order, as the marketplace is about to get them. */
export interface SentUnits {
  readonly clientId: string
  readonly taskId: string
  readonly orderId: string
}

/** Must be committed before the marketplace gets the marks. */
export async function recordSending(
  { tx, at }: Work,
  { clientId, taskId, orderId }: SentUnits,
): Promise<void> {
  await tx`
    update mark_proofs set attempted_at = ${at}
    where client_id = ${clientId} and task_id = ${taskId} and order_id = ${orderId}
      and state <> 'refused'`
}

/** A unit with the marks that it had when the marketplace was asked. */
export interface ProvedUnit {
  readonly clientId: string
  readonly taskId: string
  readonly scanId: string
  readonly givenAt: Timestamp
}

/**
 * `waiting`: the marketplace has it and still checks. `unseen`: it has taken it and does not show it yet; after a few
 * minutes it is sent once more. `later`: goes with the other units of its order. `again`: is sent once more after a
 * pause.
 */
export type MarkVerdict =
  | { readonly kind: 'waiting' | 'unseen' | 'proven' | 'later' | 'again' }
  | MarkRefusal

export interface MarkRefusal {
  readonly kind: 'refused'
  /** Undefined where the marketplace does not tell. */
  readonly mark: string | undefined
  /** In the marketplace's words. */
  readonly code: string | undefined
  /** In Russian. */
  readonly reason: string
}

/** Writes a verdict. Returns false where the unit was put back or given other marks meanwhile. */
export async function recordVerdict(
  work: Work,
  { clientId, taskId, scanId, givenAt }: ProvedUnit,
  verdict: MarkVerdict,
): Promise<boolean> {
  const { tx } = work
  const [written] = await tx<{ order_id: string; order_name: string }[]>`
    update mark_proofs p set ${stateAfter(work, verdict)}
    from orders o
    where p.client_id = ${clientId} and p.task_id = ${taskId} and p.scan_id = ${scanId}
      and p.given_at = ${givenAt} and p.state <> 'refused'
      and o.client_id = p.client_id and o.id = p.order_id
    returning p.order_id, o.external_id as order_name`
  if (written === undefined) return false
  if (verdict.kind !== 'refused') return true
  const key = `${taskId} ${scanId} ${givenAt}`
  const { order_id: objectId, order_name: subject } = written
  await tell(work, [{ clientId, kind: 'mark_refused', key, objectId, subject }])
  return true
}

function stateAfter({ tx, at, now }: Work, verdict: MarkVerdict) {
  switch (verdict.kind) {
    case 'refused': {
      const { mark = null, code = null, reason } = verdict
      return tx`state = 'refused', sent_at = null, due_at = null, mark_kind = ${mark}::text,
        reason_code = ${code}::text, reason = ${reason}`
    }
    case 'proven':
      return tx`state = 'proven', sent_at = coalesce(sent_at, ${at}), due_at = null`
    case 'later':
      return tx`state = 'unsent', sent_at = null, due_at = null`
    case 'again':
      return tx`state = 'unsent', sent_at = null, due_at = ${toTimestamp(now + laterLookMs)}`
    case 'waiting':
      return tx`state = 'sent', sent_at = coalesce(sent_at, ${at}), due_at = ${nextLook({ tx, now })}`
    case 'unseen': {
      const isLost = tx`sent_at < ${toTimestamp(now - lostAfterMs)}`
      return tx`state = case when ${isLost} then 'unsent' else 'sent' end,
        sent_at = case when ${isLost} then null else coalesce(sent_at, ${at}) end,
        due_at = case when ${isLost} then ${at} else ${nextLook({ tx, now })} end`
    }
  }
}

/** SQL: when a mark that was sent is asked about next. */
function nextLook({ tx, now }: Pick<Work, 'tx' | 'now'>) {
  return tx`case
    when sent_at is null then ${toTimestamp(now + firstLookMs)}::timestamptz
    when sent_at > ${toTimestamp(now - secondLookMs)}
      then sent_at + ${`${secondLookMs} milliseconds`}::interval
    else ${toTimestamp(now + laterLookMs)}::timestamptz end`
}

/** The marketplace promises no time. It was seen to need about a minute. */
const firstLookMs = 20_000
const secondLookMs = minute
const laterLookMs = 3 * minute
/** A marketplace that shows nothing of a mark for so long has lost it. */
const lostAfterMs = 5 * minute

/** What was due is not asked before that moment. */
export async function postponeProofs(
  { tx, at }: Work,
  { clientId, taskId }: Pick<SentUnits, 'clientId' | 'taskId'>,
  until: Instant,
  orderIds?: readonly string[],
): Promise<void> {
  const ofOrders =
    orderIds === undefined ? tx`true` : tx`order_id = any(${orderIds as string[]}::uuid[])`
  await tx`
    update mark_proofs set due_at = ${toTimestamp(until)}
    where client_id = ${clientId} and task_id = ${taskId} and ${isDue(tx, at)} and ${ofOrders}`
}

/** The next look is never this far away. Where it is, a clock was ahead, and it is due now. */
const aheadMax = '1 hour'

/** SQL condition on rows of mark_proofs. */
export function isDue(db: Queryable, at: Timestamp) {
  return db`(due_at <= ${at} or due_at > ${at}::timestamptz + ${aheadMax}::interval)`
}
