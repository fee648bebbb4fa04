import {
  matchingBarcodes,
  readGoodsBarcode,
} from '../../../src/platform/kernel/codes/goods-barcode.ts'
import { gtinOf } from '../../../src/platform/kernel/codes/gs1.ts'

/** Goods as the device keeps them, so that scans are read without a network, too. */
export interface ScannableGoods {
  readonly barcode: string
  readonly other_barcodes?: readonly string[] | undefined
  /** By cards of marketplaces. */
  readonly card_gtins?: readonly string[] | undefined
}

/** The barcodes of the goods that a scanned barcode means; goods whose own barcode it is come before those that have it besides. */
export function meantGoods(code: string, goods: readonly ScannableGoods[]): string[] {
  const scanned = readGoodsBarcode(code)
  const own = matchingBarcodes(
    scanned,
    goods.map(({ barcode }) => barcode),
  )
  if (own.length > 0) return own
  const besides = goods.filter(
    ({ other_barcodes: others = [] }) => matchingBarcodes(scanned, others).length > 0,
  )
  return [...new Set(besides.map(({ barcode }) => barcode))]
}

/** Whether one of the barcodes of goods, or their card, has the GTIN of a marking code. */
export function hasGtin(
  { barcode, other_barcodes: others = [], card_gtins: gtins = [] }: ScannableGoods,
  gtin: string,
): boolean {
  return gtins.includes(gtin) || [barcode, ...others].some((each) => gtinOf(each) === gtin)
}
