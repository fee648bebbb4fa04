import type { SharedWork } from '../../platform/db/work.ts'
import { matchingBarcodes, readGoodsBarcode } from '../../platform/kernel/codes/goods-barcode.ts'
import { gtinOf } from '../../platform/kernel/codes/gs1.ts'
import type { MarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { invalidField } from '../../platform/kernel/errors.ts'
import type { OrderLine } from '../orders/lines.ts'
import type { Contradiction } from '../stock/card-gtins.ts'
import {
  type KnownMarkingCode,
  markPicked,
  refuseUnpickable,
  storeMarkingCodes,
} from '../stock/marking-codes.ts'
import type { PickScan } from './recorded-pick.ts'

/** A scan with the barcode of its goods, found by the scanned barcode or by the marking code. */
export interface ScannedGoods extends PickScan {
  readonly barcode: string
  /** False: the barcode follows from the marking code. */
  readonly isBarcodeScanned: boolean
  /** The warehouse has not seen the marking code before. */
  readonly isNewCode: boolean
}

/**
 * Finds the goods of a scan among the lines of its order. `known` has the marking codes that the client has;
 * `contradicts` says what its cards say of new ones. Throws validation_error where the scan is ambiguous, and
 * validation_error or conflict for a unit that may not go into the order.
 */
export function goodsOfScan(
  scan: PickScan,
  lines: readonly OrderLine[],
  known: ReadonlyMap<string, KnownMarkingCode>,
  contradicts: Contradiction,
): ScannedGoods {
  const { markingCode } = scan
  const scanned = scan.barcode && orderedBarcode(scan.barcode, lines)
  if (markingCode === undefined) {
    if (scanned === undefined) throw invalidField('barcode', 'нужен он или marking_code')
    return { ...scan, barcode: scanned, isBarcodeScanned: true, isNewCode: false }
  }
  const stored = known.get(markingCode.identity)
  const barcode = scanned ?? stored?.barcode ?? barcodeOfNewCode(markingCode, lines, contradicts)
  return {
    ...scan,
    barcode,
    isBarcodeScanned: scanned !== undefined,
    isNewCode: stored === undefined,
  }
}

/** The order's barcode that the scanned text means, or the text itself where it means none. */
export function orderedBarcode(text: string, lines: readonly OrderLine[]): string {
  const own = lines.map(({ barcode }) => barcode)
  const [barcode, ...others] = matchingBarcodes(readGoodsBarcode(text), own)
  return barcode === undefined || others.length > 0 ? text : barcode
}

/** The barcode of the order that equals the code's GTIN, else the only one that may belong to it. */
function barcodeOfNewCode(
  { gtin }: MarkingCode,
  lines: readonly OrderLine[],
  contradicts: Contradiction,
): string {
  const same = lines.find(({ barcode }) => gtinOf(barcode) === gtin)
  if (same !== undefined) return same.barcode
  const possible = lines.filter(({ barcode }) => !contradicts(gtin, barcode))
  const needed = possible.filter((line) => line.picked < line.units)
  const barcodes = new Set((needed.length > 0 ? needed : possible).map(({ barcode }) => barcode))
  const [barcode, ...others] = barcodes
  if (barcode === undefined) {
    throw invalidField('marking_code', `товара с GTIN ${gtin} в заказе нет`)
  }
  if (others.length > 0) {
    throw invalidField('barcode', 'по коду маркировки товар не определить, отсканируйте и штрихкод')
  }
  return barcode
}

/** Throws validation_error or conflict for a unit whose marking code may not go into the order. */
export function refuseWrongCode(
  { markingCode, isNewCode, barcode }: ScannedGoods,
  known: ReadonlyMap<string, KnownMarkingCode>,
  contradicts: Contradiction,
): void {
  if (markingCode === undefined) return
  const { identity, gtin } = markingCode
  if (!isNewCode) refuseUnpickable(known.get(identity), barcode)
  else if (contradicts(gtin, barcode)) {
    throw invalidField('marking_code', `код товара с GTIN ${gtin}, а нужен ${barcode}`)
  }
}

/** Puts units with marking codes into their orders, and stores codes that were unknown. */
export async function pickMarkingCodes(
  work: SharedWork,
  clientId: string,
  scans: readonly ScannedGoods[],
): Promise<void> {
  const coded = scans.flatMap(({ markingCode, ...scan }) =>
    markingCode === undefined ? [] : [{ ...scan, ...markingCode }],
  )
  const unknown = coded.filter(({ isNewCode }) => isNewCode)
  await storeMarkingCodes(
    work,
    clientId,
    unknown.map(({ identity, code, barcode }) => ({ identity, code, barcode })),
  )
  await markPicked(work, clientId, coded)
}
