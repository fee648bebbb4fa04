import type { Work } from '../db/work.ts'
import { invalidField } from '../kernel/errors.ts'
import { matchingBarcodes, readGoodsBarcode } from '../kernel/goods-barcode.ts'
import { contradicts, gtinOf } from '../kernel/gs1.ts'
import type { MarkingCode } from '../kernel/marking-code.ts'
import type { OrderLine } from '../orders/lines.ts'
import { pickMarkingCode, storeMarkingCode } from '../stock/marking-codes.ts'
import type { PickScan } from './scan.ts'

/** A scan with the barcode of its goods, found by the scanned barcode or by the marking code. */
export interface ScannedGoods extends PickScan {
  readonly barcode: string
  /** False: the barcode follows from the marking code. */
  readonly isBarcodeScanned: boolean
  /** The warehouse has not seen the marking code before. */
  readonly isNewCode: boolean
}

/** Finds the goods of scans among these lines. Throws validation_error where a scan is ambiguous. */
export async function goodsOfScans(
  work: Work,
  clientId: string,
  scans: readonly PickScan[],
  lines: readonly OrderLine[],
): Promise<ScannedGoods[]> {
  const identities = scans.flatMap(({ markingCode }) => markingCode?.identity ?? [])
  const known = await barcodesOfCodes(work, clientId, identities)
  return scans.map((scan) => {
    const { markingCode } = scan
    const barcode = scan.barcode && orderedBarcode(scan.barcode, scan.orderId, lines)
    if (markingCode === undefined) {
      if (barcode === undefined) throw invalidField('barcode', 'нужен он или marking_code')
      return { ...scan, barcode, isBarcodeScanned: true, isNewCode: false }
    }
    const stored = known.get(markingCode.identity)
    return {
      ...scan,
      barcode: barcode ?? stored ?? barcodeOfNewCode(markingCode, scan.orderId, lines),
      isBarcodeScanned: barcode !== undefined,
      isNewCode: stored === undefined,
    }
  })
}

/** The order's barcode that the scanned text means, or the text itself where it means none. */
function orderedBarcode(text: string, orderId: string, lines: readonly OrderLine[]): string {
  const own = lines.flatMap((line) => (line.order_id === orderId ? [line.barcode] : []))
  const [barcode, ...others] = matchingBarcodes(readGoodsBarcode(text), own)
  return barcode === undefined || others.length > 0 ? text : barcode
}

async function barcodesOfCodes(
  work: Work,
  clientId: string,
  identities: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (identities.length === 0) return new Map()
  const rows = await work.tx<{ identity: string; barcode: string }[]>`
    select identity, barcode from marking_codes
    where identity = any(${identities as string[]}) and client_id = ${clientId}`
  return new Map(rows.map(({ identity, barcode }) => [identity, barcode]))
}

/** The barcode of the order that equals the code's GTIN, else the only one that may belong to it. */
function barcodeOfNewCode(
  { gtin }: MarkingCode,
  orderId: string,
  lines: readonly OrderLine[],
): string {
  const own = lines.filter((line) => line.order_id === orderId)
  const same = own.find(({ barcode }) => gtinOf(barcode) === gtin)
  if (same !== undefined) return same.barcode
  const possible = own.filter(({ barcode }) => !contradicts(gtin, barcode))
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

/** Puts units with marking codes into their orders, and stores codes that were unknown. */
export async function pickMarkingCodes(
  work: Work,
  clientId: string,
  scans: readonly ScannedGoods[],
): Promise<void> {
  for (const { markingCode, isNewCode, barcode, orderId } of scans) {
    if (markingCode === undefined) continue
    const { identity, gtin, raw } = markingCode
    if (isNewCode) {
      if (contradicts(gtin, barcode)) {
        throw invalidField('marking_code', `код товара с GTIN ${gtin}, а нужен ${barcode}`)
      }
      await storeMarkingCode(work, clientId, { identity, code: raw, barcode })
    }
    await pickMarkingCode(work, clientId, { identity, barcode, orderId })
  }
}
