import type { Queryable } from '../../platform/db/connection.ts'
import type { Work } from '../../platform/db/work.ts'
import type { Merging } from '../catalogue/merged-products.ts'
import { openReceiptStatuses } from './state.ts'

/** Lines of receipts that are not over, of goods that became another product. Those that are over keep their barcode. */

export interface OpenLine {
  readonly receipt_id: string
  readonly number: string
  readonly barcode: string
  readonly expected: number
  readonly accepted: number
}

/** The lines of both products. */
export function openLinesOf(
  db: Queryable,
  clientId: string,
  { from, into }: Merging,
): Promise<OpenLine[]> {
  return db<OpenLine[]>`
    select i.receipt_id, r.number, i.barcode, i.expected_qty as expected, i.accepted_qty as accepted
    from receipts r join receipt_items i on i.client_id = r.client_id and i.receipt_id = r.id
    where r.client_id = ${clientId} and r.status = any(${[...openReceiptStatuses]})
      and i.barcode in (${from}, ${into})
    order by r.number, i.barcode`
}

/** Keeps the receipts of these goods from being counted, or ended, until the transaction ends. */
export async function lockOpenReceiptsOf(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
): Promise<void> {
  await tx`
    select from receipts r
    where r.client_id = ${clientId} and r.status = any(${[...openReceiptStatuses]})
      and exists (
        select from receipt_items i
        where i.client_id = r.client_id and i.receipt_id = r.id and i.barcode in (${from}, ${into}))
    order by r.id for update of r`
}

/**
 * Renames lines and their scans, in the receipts of the client that are open or in one of them; where a receipt has lines of
 * both products, they become one. The caller has locked the receipts.
 */
export async function mergeReceiptLines(
  { tx }: Work,
  clientId: string,
  { from, into }: Merging,
  receiptId?: string,
): Promise<void> {
  const receipts =
    receiptId === undefined
      ? tx`
        select r.id from receipts r
        where r.client_id = ${clientId} and r.status = any(${[...openReceiptStatuses]})`
      : tx`select ${receiptId}::uuid`
  await tx`
    update receipt_scans set barcode = ${into}
    where client_id = ${clientId} and barcode = ${from} and receipt_id in (${receipts})`
  await tx`
    with joined as (
      delete from receipt_items i using receipt_items o
      where i.client_id = ${clientId} and i.barcode = ${from} and i.receipt_id in (${receipts})
        and o.client_id = i.client_id and o.receipt_id = i.receipt_id and o.barcode = ${into}
      returning i.receipt_id, i.expected_qty, i.accepted_qty
    )
    update receipt_items o set expected_qty = o.expected_qty + j.expected_qty,
      accepted_qty = o.accepted_qty + j.accepted_qty
    from joined j where o.client_id = ${clientId} and o.receipt_id = j.receipt_id and o.barcode = ${into}`
  await tx`
    update receipt_items set barcode = ${into}
    where client_id = ${clientId} and barcode = ${from} and receipt_id in (${receipts})`
}
