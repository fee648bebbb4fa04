import { gtinOf } from '../../platform/kernel/codes/gs1.ts'
import { type MarkingCode, readMarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { conflict, excerpt, invalidField } from '../../platform/kernel/errors.ts'
import type { OrderLine } from '../orders/lines.ts'
import type { GtinOwnership } from '../stock/card-gtins.ts'
import type { CountedCheck } from './check-queries.ts'
import { orderedBarcode } from './scanned-goods.ts'

/** Which unit of its order a packing check scanned. Pure: checks.ts reads what this needs. */

export interface Parcel {
  readonly number: string
  /** A barcode of goods or a marking code, as the scanner sends it. */
  readonly code: string
  readonly owns: GtinOwnership
  readonly lines: readonly OrderLine[]
  readonly checks: readonly CountedCheck[]
  /** The units that were picked for the order. */
  readonly picks: readonly PickedCode[]
}

export interface PickedCode {
  readonly order_id: string
  readonly line: number
  readonly barcode: string
  /** The identity of the unit's marking code. */
  readonly code: string | null
}

export interface CheckedUnit {
  readonly line: number
  readonly barcode: string
  readonly markingCode: string | null
}

/**
 * Throws validation_error for goods that are not in the order, and conflict for a unit that was not picked, was checked
 * already or is one too many.
 */
export function checkedUnit(parcel: Parcel): CheckedUnit {
  const { code, owns, lines, number, checks } = parcel
  const read = readMarkingCode(code)
  const marked = read.ok ? markedUnit(parcel, read) : undefined
  if (marked !== undefined) return marked
  const barcode = read.ok
    ? (
        lines.find((line) => gtinOf(line.barcode) === read.gtin) ??
        lines.find((line) => owns(read.gtin, line.barcode)) ?? { barcode: read.gtin }
      ).barcode
    : orderedBarcode(code, lines)
  const own = lines.filter((line) => line.barcode === barcode)
  if (own.length === 0) {
    throw invalidField(
      'code',
      `товара ${excerpt(barcode)} в заказе ${number} нет: он из другого заказа`,
    )
  }
  const unchecked = own.find(({ line, picked }) => {
    return checks.filter((check) => check.line === line).length < picked
  })
  if (unchecked === undefined) throw oneTooMany(own, barcode, number)
  return { line: unchecked.line, barcode, markingCode: read.ok ? read.identity : null }
}

/** The unit that was picked with this marking code; undefined where only goods without codes may be meant. */
function markedUnit(
  { checks, picks, number, owns }: Parcel,
  { identity, gtin }: MarkingCode,
): CheckedUnit | undefined {
  if (checks.some(({ marking_code }) => marking_code === identity)) {
    throw conflict(`Эту единицу заказа ${number} уже проверили`)
  }
  const unit = picks.find(({ code }) => code === identity)
  if (unit !== undefined) return { line: unit.line, barcode: unit.barcode, markingCode: identity }
  const alike = picks.filter(({ barcode }) => owns(gtin, barcode))
  if (alike.length === 0 || alike.some(({ code }) => code === null)) return undefined
  throw invalidField(
    'code',
    `единицы с этим кодом маркировки в заказе ${number} нет: она из другого заказа`,
  )
}

function oneTooMany(lines: readonly OrderLine[], barcode: string, number: string): Error {
  const isPicked = lines.every((line) => line.picked >= line.units)
  return conflict(
    isPicked
      ? `Товара ${excerpt(barcode)} в заказе ${number} больше, чем нужно: лишнюю единицу верните на полку`
      : `Товар ${excerpt(barcode)} в заказ ${number} ещё не собран: сначала соберите его`,
  )
}
