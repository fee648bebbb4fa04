import type { Queryable } from '../../platform/db/connection.ts'
import {
  type GivenMarks,
  givenMarkKinds,
  markNames,
} from '../../platform/kernel/codes/unit-mark.ts'
import { conflict, excerpt, invalidField, invalidFields } from '../../platform/kernel/errors.ts'
import type { Marketplace } from '../clients/marketplace.ts'
import type { MarkKind } from '../orders/fact-kinds.ts'
import type { OrderLine } from '../orders/lines.ts'
import type { LockedOrder } from '../orders/lock.ts'
import type { PickScan } from './recorded-pick.ts'

/** What a marketplace requires of each unit, compared with what was given at the pick. */

/** The kinds that a picker can give here. */
const kindsHere: readonly string[] = ['marking_code', ...givenMarkKinds]

/** Throws validation_error, which names every mark that the unit lacks, or one that its marketplace refuses. */
export function refuseLackingMarks(
  { external_id: number, marketplace }: Pick<LockedOrder, 'external_id' | 'marketplace'>,
  { barcode, name, required_marks: required }: OrderLine,
  scan: PickScan,
): void {
  refuseAbsence(marketplace, scan.marks ?? {})
  const lacking = required.filter((each) => isLacking(each, scan))
  if (lacking.length === 0) return
  const unit = `каждой единицы товара «${excerpt(name ?? barcode)}» (${excerpt(barcode)}) в заказе ${excerpt(number)}`
  throw invalidFields(
    lacking.map((kind, index) => ({
      path: kind === 'marking_code' ? kind : `marks.${kind}`,
      rule:
        index === 0
          ? `${marketplace} требует ${markNames[kind]} ${unit}: отсканируйте или введите`
          : `${marketplace} требует и ${markNames[kind]}`,
    })),
  )
}

function isLacking(kind: MarkKind, { markingCode, marks = {} }: PickScan): boolean {
  if (kind === 'marking_code') return markingCode === undefined
  return kindsHere.includes(kind) && !Object.hasOwn(marks, kind)
}

/** OZON takes the word that goods have no declaration; WB always wants its number. */
export function refuseAbsence(marketplace: Marketplace, marks: GivenMarks): void {
  if (marketplace === 'OZON') return
  const kind = givenMarkKinds.find((each) => marks[each] === null)
  if (kind === undefined) return
  throw invalidField(
    `marks.${kind}`,
    `${marketplace} не принимает заказ без него, укажите значение`,
  )
}

/** What staff must still do in the cabinet: the marketplace requires kinds that we don't know. */
export function notesOn(required: readonly MarkKind[]): string[] {
  return required
    .filter((kind) => !kindsHere.includes(kind))
    .map(
      (kind) =>
        `Маркетплейс требует ещё «${excerpt(kind)}», сюда это не вводят: укажите в его кабинете`,
    )
}

const namedMax = 5

interface LackingRow {
  readonly external_id: string
  readonly name: string
  readonly kinds: readonly string[]
}

/**
 * Throws conflict if a picked unit of a shipment lacks a mark that its order requires, because the
 * marketplace reported it after the pick. Cancelled orders do not leave.
 */
export async function refuseShipmentLackingMarks(
  db: Queryable,
  clientId: string,
  shipmentId: string,
): Promise<void> {
  const rows = await db<LackingRow[]>`
    select o.external_id, pr.name, array_agg(distinct k.kind) as kinds
    from orders o
    join picks p on p.client_id = o.client_id and p.order_id = o.id and p.undone_at is null
    join order_lines l on l.client_id = p.client_id and l.order_id = p.order_id and l.line = p.line
    join products pr on pr.client_id = p.client_id and pr.barcode = p.barcode
    cross join unnest(l.required_marks) as k (kind)
    where o.client_id = ${clientId} and o.shipment_id = ${shipmentId} and o.status <> 'CANCELLED'
      and k.kind = any(${[...kindsHere]}::text[])
      and case when k.kind = 'marking_code' then p.marking_code is null
        else not p.marks ? k.kind end
    group by 1, 2 order by 1, 2`
  if (rows.length === 0) return
  const named = rows.slice(0, namedMax).map(({ external_id, name, kinds }) => {
    const marks = kinds.map((kind) => markNames[kind]).join(', ')
    return `заказ ${excerpt(external_id)}, «${excerpt(name)}» — ${marks}`
  })
  const others = rows.length > namedMax ? `; и ещё ${rows.length - namedMax}` : ''
  throw conflict(
    `У собранных единиц нет того, что требует маркетплейс: ${named.join('; ')}${others}. ` +
      'Добавьте это к единицам в задании на сборку и закройте отгрузку ещё раз',
  )
}
