import type { Database, Queryable } from '../../platform/db/connection.ts'
import { isStaying } from '../../platform/db/leaving.ts'
import { markNames } from '../../platform/kernel/codes/unit-mark.ts'
import type { Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import { isDue, type MarkProofState } from './mark-proofs.ts'
import type { PickingTask, RefusedUnitMark } from './view.ts'

/** Reads of `mark_proofs`. */

/** A shipment with marks that are to be sent or asked about now. */
export interface DueShipment {
  readonly clientId: string
  readonly cabinetId: string
  readonly marketplace: Marketplace
  readonly shipmentId: string
  readonly taskId: string
}

/** Shipments of connected cabinets, those that wait longest first. */
export function shipmentsWithDueMarks(
  db: Database,
  at: Timestamp,
  limit: number,
): Promise<DueShipment[]> {
  return db<DueShipment[]>`
    select due.client_id as "clientId", due.cabinet_id as "cabinetId", k.marketplace,
      t.shipment_id as "shipmentId", due.task_id as "taskId"
    from (
      select client_id, cabinet_id, task_id, min(due_at) as due_at from mark_proofs
      where due_at is not null and ${isDue(db, at)} group by 1, 2, 3
    ) due
    join cabinets k on k.client_id = due.client_id and k.id = due.cabinet_id
    join picking_tasks t on t.client_id = due.client_id and t.id = due.task_id
    where k.active and k.credentials is not null and k.shipments <> 'observe'
      and ${isStaying(db, 'k.client_id')}
    order by due.due_at limit ${limit}`
}

/** An order whose units have marks, with what is known of each. */
export interface ProvedOrder {
  readonly id: string
  readonly externalId: string
  /** All of its units are picked. */
  readonly isWhole: boolean
  /** Units that were not refused, by their scans. */
  readonly proofs: readonly UnitProof[]
}

export interface UnitProof {
  readonly scanId: string
  readonly state: Exclude<MarkProofState, 'refused'>
  readonly givenAt: Timestamp
  /** The marketplace may have marks of the unit. */
  readonly attempted: boolean
}

/** Orders of a task with marks that are due in this state, those that wait longest first. */
export function ordersToProve(
  db: Queryable,
  { clientId, taskId }: Pick<DueShipment, 'clientId' | 'taskId'>,
  state: 'unsent' | 'sent',
  at: Timestamp,
  limit: number,
): Promise<ProvedOrder[]> {
  return db<ProvedOrder[]>`
    select o.id, o.external_id as "externalId", o.packed_at is not null as "isWhole", m.proofs
    from (
      select order_id, min(due_at) as due_at from mark_proofs
      where client_id = ${clientId} and task_id = ${taskId} and state = ${state}
        and ${isDue(db, at)}
      group by 1
    ) due
    join orders o on o.client_id = ${clientId} and o.id = due.order_id and o.status <> 'CANCELLED'
    cross join lateral (
      select json_agg(json_build_object('scanId', m.scan_id, 'state', m.state,
        'givenAt', m.given_at, 'attempted', m.attempted_at is not null)
        order by m.scan_id) as proofs
      from mark_proofs m
      where m.client_id = o.client_id and m.order_id = o.id and m.state <> 'refused'
    ) m
    order by due.due_at, o.id limit ${limit}`
}

/** Those of the orders of which the marketplace has taken all marks, as they are now. */
export async function ordersWithTakenMarks(
  db: Queryable,
  clientId: string,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db<{ order_id: string }[]>`
    select order_id from mark_proofs
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])
      and state <> 'refused'
    group by 1 having bool_and(state in ('sent', 'proven'))`
  return new Set(rows.map(({ order_id }) => order_id))
}

interface RefusedRow {
  order_id: string
  order_external_id: string
  barcode: string
  name: string
  marketplace: Marketplace
  mark_kind: string | null
  reason: string
}

/** Refused units whose order still wants another one, by order. */
export async function refusedMarksOf(
  db: Queryable,
  clientId: string,
  taskId: string,
): Promise<RefusedUnitMark[]> {
  const rows = await db<RefusedRow[]>`
    select m.order_id, o.external_id as order_external_id, p.barcode, g.name, o.marketplace,
      m.mark_kind, m.reason
    from mark_proofs m
    join picks p on p.client_id = m.client_id and p.task_id = m.task_id and p.scan_id = m.scan_id
    join orders o on o.client_id = m.client_id and o.id = m.order_id and o.status <> 'CANCELLED'
    join order_lines l on l.client_id = p.client_id and l.order_id = p.order_id
      and l.line = p.line and l.picked < l.quantity
    join products g on g.client_id = p.client_id and g.barcode = p.barcode
    where m.client_id = ${clientId} and m.task_id = ${taskId} and m.state = 'refused'
    order by o.external_id, m.scan_id`
  return rows.map(({ marketplace, mark_kind: kind, reason, ...unit }) => ({
    ...unit,
    reason: `${marketplace} не принял ${markNames[kind ?? ''] ?? 'данные единицы'}: ${reason}`,
  }))
}

/**
 * How many picked units have marks that are proven, or that still wait for the marketplace, and the refused units to be
 * replaced.
 */
export async function marksOfTask(
  db: Queryable,
  clientId: string,
  taskId: string,
): Promise<Pick<PickingTask, 'marks' | 'refused_marks'>> {
  const [[counted], refused] = await Promise.all([
    db<{ proven: number; waiting: number }[]>`
      select count(*) filter (where m.state = 'proven')::int as proven,
        count(*) filter (where m.state in ('unsent', 'sent'))::int as waiting
      from mark_proofs m
      join orders o on o.client_id = m.client_id and o.id = m.order_id and o.status <> 'CANCELLED'
      where m.client_id = ${clientId} and m.task_id = ${taskId}`,
    refusedMarksOf(db, clientId, taskId),
  ])
  const { proven = 0, waiting = 0 } = counted ?? {}
  return { marks: { proven, waiting, refused: refused.length }, refused_marks: refused }
}
