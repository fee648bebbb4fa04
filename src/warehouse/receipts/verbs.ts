import type { Work } from '../../platform/db/work.ts'
import { invalidField } from '../../platform/kernel/errors.ts'
import type { StoredBarcode } from '../catalogue/products.ts'
import { keepInWarehouse } from '../clients/clients.ts'
import { registerProducts } from '../stock/new-products.ts'
import { announceReceipt } from './announce.ts'
import { lockReceipt } from './lock.ts'
import { mergeReceiptLines } from './merged-lines.ts'
import { refuseUnseenVersion } from './request-version.ts'
import { outcomeOfCounting, type QuantityPair, type ReceiptStatus, shortage } from './state.ts'

/**
 * A manager confirms a seller's request: the warehouse sees it, and its goods become products. Throws conflict where
 * the seller has changed the request since the manager saw the version `seen`.
 */
export async function confirmReceipt(
  work: Work,
  clientId: string,
  id: string,
  seen?: string,
): Promise<void> {
  await lockReceipt(work, clientId, id, 'confirm')
  if (seen !== undefined) await refuseUnseenVersion(work, clientId, id, seen)
  const items = await work.tx<
    { barcode: string; name: string; article: string | null; honest_mark: boolean | null }[]
  >`
    select barcode, name, article, honest_mark from receipt_items
    where client_id = ${clientId} and receipt_id = ${id}`
  const goods = items.map(({ honest_mark, ...item }) => ({
    ...item,
    honestMark: honest_mark ?? false,
  }))
  const storedAs = await registerProducts(work, clientId, goods)
  await renameLines(work, clientId, id, goods, storedAs)
  await work.tx`
    update receipts set status = 'EXPECTED', confirmed_at = ${work.at}
    where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'PENDING_CONFIRMATION')
}

/** Goods of a line may have become a product under another barcode since the request, which may have a line of its own. */
async function renameLines(
  work: Work,
  clientId: string,
  receiptId: string,
  lines: readonly { readonly barcode: string }[],
  storedAs: StoredBarcode,
): Promise<void> {
  for (const { barcode: from } of lines) {
    const into = storedAs(from)
    if (into === from) continue
    await mergeReceiptLines(work, clientId, { from, into }, receiptId)
  }
}

/** The goods have arrived, and workers start to count them. */
export async function startReceiving(work: Work, clientId: string, id: string): Promise<void> {
  await keepInWarehouse(work, clientId)
  await lockReceipt(work, clientId, id, 'start')
  await work.tx`
    update receipts set status = 'RECEIVING' where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, 'EXPECTED')
}

/** The reason of all shortages of a cancelled receipt; workers cannot give it. */
const cancelledReason = 'CANCELLED'

/**
 * A manager ends a receipt whose goods will not come: nothing is accepted, and every line is short with
 * the reason CANCELLED. Figures of receiving leave it out.
 */
export async function cancelReceipt(
  work: Work,
  clientId: string,
  id: string,
  comment?: string,
): Promise<void> {
  const { tx } = work
  const { status } = await lockReceipt(work, clientId, id, 'cancel')
  await tx`
    update receipt_items set shortage_reason = ${cancelledReason}
    where client_id = ${clientId} and receipt_id = ${id}`
  await tx`
    update receipts set status = 'RECEIVED_WITH_DISCREPANCY', completed_at = ${work.at},
      cancelled_at = ${work.at}, cancel_comment = ${comment ?? null}, discrepancy_qty = expected_qty
    where client_id = ${clientId} and id = ${id}`
  await announceReceipt(work, clientId, id, status)
}

interface CountedItem extends QuantityPair {
  readonly barcode: string
}

/**
 * Ends counting. Every line that is short needs a reason of the curated list, and no other line may
 * have one: `reasons` has their codes by barcode. Returns the receipt's last status. Throws
 * validation_error, not_found or conflict.
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
    where client_id = ${clientId} and receipt_id = ${id} order by line, barcode`
  const status = outcomeOfCounting(items)
  const short = items.filter((item) => shortage(status, item) > 0)
  refuseNeedlessReasons(reasons, items, short)
  await recordShortages(work, clientId, id, reasons, short)
  const accepted = items.reduce((sum, item) => sum + item.accepted, 0)
  await tx`
    update receipts set status = ${status}, completed_at = ${work.at}, accepted_qty = ${accepted},
      discrepancy_qty = greatest(0, expected_qty - ${accepted}), pallets = (
        select count(distinct b.pallet_id) from receipt_scans s
        join boxes b on b.client_id = s.client_id and b.id = s.box_id
        where s.client_id = ${clientId} and s.receipt_id = ${id} and s.undone_at is null)
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
    if (reason === cancelledReason) {
      const rule = 'CANCELLED — только у отменённых приёмок, выберите другую причину'
      throw invalidField(`shortages[${index}].reason`, rule)
    }
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
