import { readGoodsBarcode } from '../../../src/platform/kernel/codes/goods-barcode.ts'
import { readSscc } from '../../../src/platform/kernel/codes/gs1.ts'
import { readMarkingCode } from '../../../src/platform/kernel/codes/marking-code.ts'
import type { StaffReceipt, StaffReceiptItem } from '../../api/staff-calls.ts'
import { hasGtin, meantGoods } from '../scan/meant-goods.ts'
import { strayItem } from '../scan/stray.ts'
import type { WrongItem } from '../scan/verdict.ts'

/** What a scan does to the receipt that is shown. */
export interface ReceiptEffect {
  readonly barcode: string
  readonly name: string
  readonly qty: number
  /** Of goods that the document does not name. */
  readonly asks_expiry?: true
}

/** The receipt after a scan; `times` is -1 where it is undone. */
export function foldReceipt(
  receipt: StaffReceipt,
  { barcode, name, qty, ...own }: ReceiptEffect,
  times: 1 | -1,
): StaffReceipt {
  const items = receipt.items ?? []
  const isKnown = items.some((item) => item.barcode === barcode)
  const all = isKnown ? items : [...items, unlistedItem(barcode, name, own)]
  return {
    ...receipt,
    accepted_qty: receipt.accepted_qty + qty * times,
    items: all.map((item) =>
      item.barcode === barcode ? { ...item, accepted_qty: item.accepted_qty + qty * times } : item,
    ),
  }
}

export function unlistedItem(
  barcode: string,
  name: string,
  { asks_expiry }: { readonly asks_expiry?: boolean | undefined } = {},
): StaffReceiptItem {
  return {
    ...(asks_expiry === true ? { asks_expiry } : {}),
    barcode,
    name,
    expected_qty: 0,
    accepted_qty: 0,
    discrepancy_qty: 0,
    card_honest_mark: null,
    unlisted: true,
  }
}

/** A unit that the document does not name. */
export interface UnlistedUnit {
  readonly barcode: string
  readonly marking?: string
}

/** What a scanned code means in a receipt. Pure. */
export type ReceiptReading =
  | { readonly kind: 'item'; readonly item: StaffReceiptItem; readonly marking?: string }
  /** Marked goods, which are counted by their marking codes. */
  | { readonly kind: 'marking-wanted'; readonly item: StaffReceiptItem }
  | { readonly kind: 'box'; readonly sscc: string }
  | ({ readonly kind: 'unlisted' } & UnlistedUnit)
  | WrongItem

/** `wanted`: the goods whose marking code was asked for. */
export function readReceiptCode(
  receipt: StaffReceipt,
  code: string,
  wanted: string | undefined,
): ReceiptReading {
  const items = receipt.items ?? []
  const [barcode, ...others] = meantGoods(code, items)
  const item = items.find((each) => each.barcode === barcode)
  if (item !== undefined && others.length === 0) {
    return isMarked(item) ? { kind: 'marking-wanted', item } : { kind: 'item', item }
  }
  const box = readSscc(code)
  if (box !== undefined) return { kind: 'box', sscc: box }
  const marking = readMarkingCode(code)
  if (marking.ok) {
    const item = markedItem(items, marking.gtin, code, wanted)
    if (item !== undefined) return item
    return receipt.walk_in
      ? { kind: 'unlisted', barcode: barcodeOf(marking.gtin), marking: code }
      : stray(receipt, code)
  }
  if (code.length > 25) return { kind: 'wrong', sentence: marking.problem }
  return { kind: 'unlisted', barcode: barcodeOf(code) }
}

function barcodeOf(code: string): string {
  return readGoodsBarcode(code).exact.at(-1) ?? code
}

function isMarked({ honest_mark, card_honest_mark }: StaffReceiptItem): boolean {
  return honest_mark ?? card_honest_mark ?? false
}

function markedItem(
  items: readonly StaffReceiptItem[],
  gtin: string,
  marking: string,
  wanted: string | undefined,
): ReceiptReading | undefined {
  const item =
    items.find(({ barcode }) => barcode === wanted) ?? items.find((each) => hasGtin(each, gtin))
  return item && { kind: 'item', item, marking }
}

function stray({ client_id: clientId }: StaffReceipt, code: string): WrongItem {
  return strayItem({ code, clientId, reason: 'нет в этой приёмке', action: 'Отложите' })
}

export interface Shortage {
  readonly barcode: string
  readonly name: string
  readonly missing: number
}

export function shortagesOf({ items = [] }: StaffReceipt): Shortage[] {
  return items
    .map(({ barcode, name, expected_qty: expected, accepted_qty: accepted }) => ({
      barcode,
      name,
      missing: expected - accepted,
    }))
    .filter(({ missing }) => missing > 0)
}
