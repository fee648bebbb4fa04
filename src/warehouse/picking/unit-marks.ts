import type { SharedWork, Work } from '../../platform/db/work.ts'
import {
  type GivenMarks,
  markNames,
  uniqueMarkKinds,
} from '../../platform/kernel/codes/unit-mark.ts'
import { conflict } from '../../platform/kernel/errors.ts'

/**
 * Marks that name one unit in the world: the only writer of `unit_marks`.
 *
 * - The primary key is the mark alone, without the client: of any number of orders that take one mark
 *   at once, one does.
 * - An order holds the marks of its units until it leaves its shipment for the shelf, or the unit comes back. A
 *   cancelled order holds none, because its unit stays here or comes back.
 * - No message reveals whose order holds a mark.
 */

export interface MarkedUnit {
  readonly orderId: string
  readonly scanId: string
  readonly marks?: GivenMarks
}

interface UnitMark {
  readonly key: string
  readonly kind: string
  readonly value: string
  readonly order_id: string
  readonly scan_id: string
}

/** The marks of a unit that no other unit has, each with a key that is unique among all marks. */
export function uniqueMarksOf({ orderId, scanId, marks = {} }: MarkedUnit): UnitMark[] {
  return uniqueMarkKinds.flatMap((kind) => {
    const value = marks[kind]
    if (value == null) return []
    return [{ key: `${kind} ${value}`, kind, value, order_id: orderId, scan_id: scanId }]
  })
}

/** The keys of those marks of the units that other units have. */
export async function heldUnitMarks(
  { tx }: SharedWork,
  units: readonly MarkedUnit[],
): Promise<ReadonlySet<string>> {
  const wanted = units.flatMap(uniqueMarksOf)
  if (wanted.length === 0) return new Set()
  const rows = await tx<{ key: string }[]>`
    select m.kind || ' ' || m.value as key
    from unit_marks m
    join jsonb_to_recordset(${tx.json(wanted.map((mark) => ({ ...mark })))}) as w
      (kind text, value text) on w.kind = m.kind and w.value = m.value
    join orders o on o.client_id = m.client_id and o.id = m.order_id
    where o.status <> 'CANCELLED'`
  return new Set(rows.map(({ key }) => key))
}

/** Throws conflict for a unit with a mark that another unit has. */
export function refuseHeldMarks(unit: MarkedUnit, held: ReadonlySet<string>): void {
  const other = uniqueMarksOf(unit).find(({ key }) => held.has(key))
  if (other !== undefined) throw alreadyTaken(other)
}

/** Units go into orders. Throws conflict for a mark that another unit has got meanwhile. */
export async function takeUnitMarks(
  { tx }: SharedWork,
  clientId: string,
  units: readonly MarkedUnit[],
): Promise<void> {
  const wanted = units.flatMap(uniqueMarksOf)
  if (wanted.length === 0) return
  // Sorted, so that two transactions do not wait for each other.
  const taken = await tx<{ key: string }[]>`
    insert into unit_marks as m (kind, value, client_id, order_id, scan_id)
    select w.kind, w.value, ${clientId}, w.order_id, w.scan_id
    from jsonb_to_recordset(${tx.json(wanted.map((mark) => ({ ...mark })))}) as w
      (kind text, value text, order_id uuid, scan_id text)
    order by w.kind, w.value collate "C"
    on conflict (kind, value) do update set
      client_id = excluded.client_id, order_id = excluded.order_id, scan_id = excluded.scan_id
    where exists (
      select from orders o
      where o.client_id = m.client_id and o.id = m.order_id and o.status = 'CANCELLED')
    returning kind || ' ' || value as key`
  const known = new Set(taken.map(({ key }) => key))
  const other = wanted.find(({ key }) => !known.has(key))
  if (other !== undefined) throw alreadyTaken(other)
}

function alreadyTaken({ kind, value }: UnitMark): Error {
  return conflict(
    `Единица, у которой ${markNames[kind]} ${value}, уже собрана в заказ: проверьте, та ли это единица`,
  )
}

/** A unit gets other marks: those that it had are free. */
export async function replaceUnitMarks(
  work: Work,
  clientId: string,
  unit: MarkedUnit,
): Promise<void> {
  await releaseMarksOfUnit(work, clientId, unit)
  await takeUnitMarks(work, clientId, [unit])
}

/** The units of these orders go back to the shelf. */
export async function releaseUnitMarks(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx`
    delete from unit_marks
    where client_id = ${clientId} and order_id = any(${orderIds as string[]}::uuid[])`
}

/** A unit came back: its marks are free. */
export async function releaseMarksOfUnit(
  { tx }: Work,
  clientId: string,
  unit: { readonly orderId: string; readonly scanId: string },
): Promise<void> {
  await tx`
    delete from unit_marks
    where client_id = ${clientId} and order_id = ${unit.orderId} and scan_id = ${unit.scanId}`
}
