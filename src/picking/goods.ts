import type { Work } from '../db/work.ts'
import { invalidField } from '../kernel/errors.ts'
import { meantOf, readGoodsBarcode } from '../kernel/goods-barcode.ts'
import { contradicts, gtinOf } from '../kernel/gs1.ts'
import type { MarkingCode } from '../kernel/marking-code.ts'
import type { OrderLine } from '../orders/lines.ts'
import { pickMark, storeMark } from '../stock/marking.ts'
import type { Pick } from './verbs.ts'

/** Which goods a scan is of: what its barcode says or, where there is none, its marking code. */
export interface PickOfGoods extends Pick {
  readonly barcode: string
  /** Whether the scan itself named the barcode. */
  readonly barcodeTold: boolean
  /** A marking code that the warehouse has not seen before. */
  readonly newMark: boolean
}

/** Finds the goods of picks for these lines. Throws validation_error where they can't be told. */
export async function goodsOfPicks(
  work: Work,
  clientId: string,
  picks: readonly Pick[],
  lines: readonly OrderLine[],
): Promise<PickOfGoods[]> {
  const marks = picks.flatMap(({ markingCode }) => markingCode?.identity ?? [])
  const known = await goodsOfMarks(work, clientId, marks)
  return picks.map((pick) => {
    const { markingCode } = pick
    const barcode = pick.barcode && scannedGoods(pick.barcode, pick.orderId, lines)
    if (markingCode === undefined) {
      if (barcode === undefined) throw invalidField('barcode', 'нужен он или marking_code')
      return { ...pick, barcode, barcodeTold: true, newMark: false }
    }
    const stored = known.get(markingCode.identity)
    return {
      ...pick,
      barcode: barcode ?? stored ?? goodsOfNewMark(markingCode, pick.orderId, lines),
      barcodeTold: barcode !== undefined,
      newMark: stored === undefined,
    }
  })
}

/** The order's goods that a scan of their barcode is of, or the scan itself where it is of none. */
function scannedGoods(text: string, orderId: string, lines: readonly OrderLine[]): string {
  const own = lines.flatMap((line) => (line.order_id === orderId ? [line.barcode] : []))
  const [barcode, ...others] = meantOf(readGoodsBarcode(text), own)
  return barcode === undefined || others.length > 0 ? text : barcode
}

async function goodsOfMarks(
  work: Work,
  clientId: string,
  marks: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (marks.length === 0) return new Map()
  const rows = await work.tx<{ identity: string; barcode: string }[]>`
    select identity, barcode from marking_codes
    where identity = any(${marks as string[]}) and client_id = ${clientId}`
  return new Map(rows.map(({ identity, barcode }) => [identity, barcode]))
}

/** Goods of the order whose barcode is the code's GTIN or, at least, may be of the same goods. */
function goodsOfNewMark(
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

/** The units with marking codes go into their orders; codes never seen before become known. */
export async function pickMarks(
  work: Work,
  clientId: string,
  picks: readonly PickOfGoods[],
): Promise<void> {
  for (const { markingCode, newMark, barcode, orderId } of picks) {
    if (markingCode === undefined) continue
    const { identity, gtin, raw } = markingCode
    if (newMark) {
      if (contradicts(gtin, barcode)) {
        throw invalidField('marking_code', `код товара с GTIN ${gtin}, а нужен ${barcode}`)
      }
      await storeMark(work, clientId, { identity, code: raw, barcode })
    }
    await pickMark(work, clientId, { mark: identity, barcode, orderId })
  }
}
