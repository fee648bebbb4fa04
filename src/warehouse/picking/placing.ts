import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import { conflict, invalidField, notFound } from '../../platform/kernel/errors.ts'
import { dottedDate, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import type { OrderLine } from '../orders/lines.ts'
import type { LockedOrder } from '../orders/lock.ts'
import type { Contradiction } from '../stock/card-gtins.ts'
import type { KnownMarkingCode } from '../stock/marking-codes.ts'
import type { LotOfPick, LotSupply } from '../stock/picked-lots.ts'
import { holdsLess, lineKey, placesNamed } from '../storage/place-contents.ts'
import { refuseOrder, refuseOtherScheme } from './lock.ts'
import type { ReceivedPick } from './recorded-pick.ts'
import { notesOn, refuseLackingMarks } from './required-marks.ts'
import { goodsOfScan, refuseWrongCode, type ScannedGoods } from './scanned-goods.ts'
import type { SharedTask } from './tasks.ts'
import { refuseHeldMarks } from './unit-marks.ts'

/** Which line of its order a scanned unit goes to. Pure: picks.ts reads what this needs and writes the picks. */

export interface PlacedPick extends ReceivedPick, ScannedGoods {
  readonly barcode: string
  readonly line: number
  readonly orderNumber: string
  readonly name: string
  readonly orderUnits: number
  readonly orderPicked: number
  /** When the order was packed; undefined while it needs more units after this one. */
  readonly packedAt: Timestamp | undefined
  /** What staff must do about the unit elsewhere, in Russian. */
  readonly notes: readonly string[]
  /** Of goods whose lots are kept. */
  readonly lot: LotOfPick | undefined
}

interface Surroundings {
  readonly at: Timestamp
  readonly orders: ReadonlyMap<string, LockedOrder>
  /** Throws conflict for an order that nobody can collect. */
  readonly lines: (orderId: string) => OrderLine[]
  readonly codes: ReadonlyMap<string, KnownMarkingCode>
  readonly contradicts: Contradiction
  /** Units of the lines of boxes and locations, by `lineKey`. */
  readonly stored: ReadonlyMap<string, number>
  /** Marks of the scans that units in other orders have. */
  readonly held: ReadonlySet<string>
  readonly lots: LotSupply
}

/**
 * Returns a function that places one scan after the other, each beside those before it. It throws
 * validation_error, not_found or conflict for a scan that has no place, and `guard` may refuse it, too.
 */
export function placing(given: Surroundings) {
  const { at, orders, lines, codes, contradicts, stored, held, lots } = given
  const linesLeft = new Map<string, OrderLine[]>()
  const unitsLeft = new Map(stored)
  return (scan: ReceivedPick, { shipmentId }: SharedTask, guard: () => void): PlacedPick => {
    const order = orders.get(scan.orderId)
    if (order === undefined) throw notFound('Заказ не найден')
    guard()
    refuseOrder(order, shipmentId)
    refuseOtherScheme(order)
    const own = linesLeft.get(order.id) ?? lines(order.id)
    const goods = goodsOfScan(scan, own, codes, contradicts)
    const index = findLine(goods, own, order)
    refuseWrongCode(goods, codes, contradicts)
    const line = own[index]
    const lot = lots.first(goods.barcode, scan, scan.marks?.expiration)
    const pick = { ...scan, ...goods, marks: marksWithLot(scan, line, lot) }
    if (line !== undefined) refuseLackingMarks(order, line, pick)
    refuseHeldMarks(pick, held)
    takeFromPlace(pick, goods.barcode, unitsLeft)
    lots.take(lot)
    const after = own.map((line, n) => (n === index ? { ...line, picked: line.picked + 1 } : line))
    linesLeft.set(order.id, after)
    const isPacked = after.every((line) => line.picked >= line.units)
    return {
      ...pick,
      lot,
      line: line?.line ?? 0,
      orderNumber: order.external_id,
      name: line?.name ?? goods.barcode,
      orderUnits: after.reduce((sum, { units }) => sum + units, 0),
      orderPicked: after.reduce((sum, { picked }) => sum + picked, 0),
      notes: [...notesOn(line?.required_marks ?? []), ...notesOnLot(lot)],
      packedAt: isPacked ? (order.packed_at ?? at) : undefined,
    }
  }
}

/** The marks of a unit, and its expiry date where the marketplace takes it and the lot has one. */
function marksWithLot(
  { marks = {} }: ReceivedPick,
  line: OrderLine | undefined,
  lot: LotOfPick | undefined,
): GivenMarks {
  const takes = [...(line?.required_marks ?? []), ...(line?.optional_marks ?? [])]
  if (!lot?.expiresOn || marks.expiration !== undefined || !takes.includes('expiration'))
    return marks
  return { ...marks, expiration: lot.expiresOn }
}

function notesOnLot(lot: LotOfPick | undefined): string[] {
  if (lot?.earlier === undefined) return []
  const [ours, earlier] = [lot.expiresOn, lot.earlier].map((date) => date && dottedDate(date))
  return [`Годен до ${ours}, а есть и до ${earlier}: в следующий раз берите с места из задания`]
}

/** The index of the line that still needs the unit. */
function findLine(
  { barcode, isBarcodeScanned }: ScannedGoods,
  lines: readonly OrderLine[],
  { external_id: number }: LockedOrder,
): number {
  if (!lines.some((line) => line.barcode === barcode)) {
    const field = isBarcodeScanned ? 'barcode' : 'marking_code'
    throw invalidField(field, `товара ${barcode} в заказе ${number} нет: верните его на место`)
  }
  const index = lines.findIndex((line) => line.barcode === barcode && line.picked < line.units)
  if (index < 0)
    throw conflict(`Заказу ${number} товар ${barcode} больше не нужен: верните его на место`)
  return index
}

function takeFromPlace(
  { boxId, locationId }: ReceivedPick,
  barcode: string,
  unitsLeft: Map<string, number>,
): void {
  for (const place of placesNamed(boxId, locationId)) {
    const key = lineKey(place, barcode)
    const units = unitsLeft.get(key) ?? 0
    if (units < 1) throw holdsLess(place, barcode, units)
    unitsLeft.set(key, units - 1)
  }
}
