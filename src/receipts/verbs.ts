import { learnProducts, type ProductDraft } from '../clients/products.ts'
import type { Work } from '../db/work.ts'
import { invalidField } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { announceReceipt } from './announce.ts'
import { countIn, type Scan } from './counting.ts'
import { refuseRepeatedBarcodes } from './draft.ts'
import { insertReceipt, type NewReceipt } from './insert.ts'
import { lockReceipt } from './lock.ts'
import { type CountedLine, outcomeOfCounting, type ReceiptStatus, shortage } from './state.ts'

export type { Scan } from './counting.ts'

/**
 * A manager registers a delivery, from a file or by hand: it starts EXPECTED, its goods known. Those
 * that are new are learnt as its lines are, or as more is known of them.
 */
export async function registerReceipt(
  work: Work,
  clientId: string,
  receipt: Omit<NewReceipt, 'id' | 'status'>,
  goods: readonly ProductDraft[] = receipt.items,
): Promise<string> {
  refuseRepeatedBarcodes(receipt.items)
  const id = newId()
  await learnProducts(work, clientId, goods)
  await insertReceipt(work, clientId, { ...receipt, id, status: 'EXPECTED' })
  return id
}

/** A manager confirms a seller's request: it becomes a task of the warehouse, its goods known. */
export async function confirmReceipt(work: Work, clientId: string, id: string): Promise<void> {
  await lockReceipt(work, clientId, id, 'confirm')
  const items = await work.tx<
    { barcode: string; name: string; article: string | null; honest_mark: boolean | null }[]
  >`
    select barcode, name, article, honest_mark from receipt_items
    where client_id = ${clientId} and receipt_id = ${id}`
  const goods = items.map(({ honest_mark, ...item }) => ({
    ...item,
    honestMark: honest_mark ?? false,
  }))
  await learnProducts(work, clientId, goods)
  await work.tx`
    update receipts set status = 'EXPECTED', confirmed_at = ${work.at}
    where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'PENDING_CONFIRMATION')
}

/** Counting begins. */
export async function startReceiving(work: Work, clientId: string, id: string): Promise<void> {
  await lockReceipt(work, clientId, id, 'start')
  await work.tx`
    update receipts set status = 'RECEIVING' where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'EXPECTED')
}

/** Units of one SKU are counted. Returns false for a scan that was already taken. */
export async function countUnits(
  work: Work,
  clientId: string,
  receiptId: string,
  scan: Scan,
): Promise<boolean> {
  // A scan that was taken stays taken, whatever has become of the receipt since.
  const known = await work.tx`
    select scan_id from receipt_scans
    where client_id = ${clientId} and receipt_id = ${receiptId} and scan_id = ${scan.scanId}`
  if (known.length > 0) return false
  await lockReceipt(work, clientId, receiptId, 'count', 'share')
  return (await countIn(work, clientId, receiptId, scan)) !== undefined
}

interface CountedItem extends CountedLine {
  readonly barcode: string
}

/**
 * Counting ends. Every line that is short needs a reason of the curated list, and no other line may
 * have one: `reasons` are codes by barcode. Returns the status that the receipt ended in.
 */
export async function finishReceiving(
  work: Work,
  clientId: string,
  id: string,
  reasons: ReadonlyMap<string, string>,
): Promise<ReceiptStatus> {
  const { tx } = work
  await lockReceipt(work, clientId, id, 'finish')
  const items = await tx<CountedItem[]>`
    select barcode, expected_qty as expected, accepted_qty as accepted from receipt_items
    where client_id = ${clientId} and receipt_id = ${id} order by line`
  const status = outcomeOfCounting(items)
  const short = items.filter((item) => shortage(status, item) > 0)
  refuseNeedlessReasons(reasons, items, short)
  await recordShortages(work, clientId, id, reasons, short)
  const accepted = items.reduce((sum, item) => sum + item.accepted, 0)
  await tx`
    update receipts set status = ${status}, completed_at = ${work.at}, accepted_qty = ${accepted},
      discrepancy_qty = greatest(0, expected_qty - ${accepted})
    where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'RECEIVING')
  return status
}

function refuseNeedlessReasons(
  reasons: ReadonlyMap<string, string>,
  items: readonly CountedItem[],
  short: readonly CountedItem[],
): void {
  const lacking = new Set(short.map((item) => item.barcode))
  for (const [index, barcode] of [...reasons.keys()].entries()) {
    if (lacking.has(barcode)) continue
    const rule = items.some((item) => item.barcode === barcode)
      ? `недостачи ${barcode} нет, причина не нужна`
      : `товара ${barcode} нет в этой приёмке`
    throw invalidField(`shortages[${index}].barcode`, rule)
  }
}

async function recordShortages(
  work: Work,
  clientId: string,
  receiptId: string,
  reasons: ReadonlyMap<string, string>,
  short: readonly CountedItem[],
): Promise<void> {
  if (short.length === 0) return
  const { tx } = work
  const known = await tx<{ code: string }[]>`select code from reasons where kind = 'shortage'`
  const codes = new Set(known.map((row) => row.code))
  for (const [index, reason] of [...reasons.values()].entries()) {
    if (codes.has(reason)) continue
    throw invalidField(`shortages[${index}].reason`, `нет причины с кодом ${reason}`)
  }
  const rows = short.map(({ barcode }) => {
    const reason = reasons.get(barcode)
    if (reason === undefined) throw invalidField('shortages', `нет причины недостачи ${barcode}`)
    return { barcode, reason }
  })
  await tx`
    update receipt_items i set shortage_reason = s.reason
    from jsonb_to_recordset(${tx.json(rows)}) as s (barcode text, reason text)
    where i.client_id = ${clientId} and i.receipt_id = ${receiptId} and i.barcode = s.barcode`
}
