import type { Work } from '../db/work.ts'
import { announceReceipt } from './announce.ts'
import type { ReceiptStatus } from './state.ts'
import type { ReceiptSource } from './view.ts'

export interface NewReceiptItem {
  readonly barcode: string
  readonly name: string
  readonly article?: string | null | undefined
  readonly honestMark?: boolean | undefined
  readonly qty: number
}

export interface NewReceipt {
  readonly id: string
  readonly cabinetId?: string | undefined
  readonly status: ReceiptStatus
  readonly source: ReceiptSource | null
  readonly externalRef?: string | undefined
  readonly comment?: string | undefined
  /** YYYY-MM-DD, Moscow. */
  readonly plannedDate?: string | undefined
  readonly items: readonly NewReceiptItem[]
}

/** Writes a receipt and its lines, with the next number of the client, and announces it. */
export async function insertReceipt(
  work: Work,
  clientId: string,
  receipt: NewReceipt,
): Promise<void> {
  const { tx } = work
  const lines = receipt.items.map((item, index) => ({
    barcode: item.barcode,
    line: index + 1,
    name: item.name,
    article: item.article ?? null,
    honest_mark: item.honestMark ?? null,
    expected_qty: item.qty,
  }))
  const expected = receipt.items.reduce((sum, item) => sum + item.qty, 0)
  await tx`
    with numbered as (
      update client_counters set receipts = receipts + 1
      where client_id = ${clientId} returning receipts
    )
    insert into receipts (client_id, id, number, cabinet_id, status, source, external_ref, comment,
      planned_date, expected_qty, created_at)
    select ${clientId}, ${receipt.id}, 'R-' || lpad(receipts::text, greatest(6, length(receipts::text)), '0'),
      ${receipt.cabinetId ?? null}, ${receipt.status}, ${receipt.source},
      ${receipt.externalRef ?? null}, ${receipt.comment ?? null}, ${receipt.plannedDate ?? null},
      ${expected}, ${work.at}
    from numbered`
  await tx`
    insert into receipt_items
      (client_id, receipt_id, barcode, line, name, article, honest_mark, expected_qty)
    select ${clientId}, ${receipt.id}, i.*
    from jsonb_to_recordset(${tx.json(lines)}) as i
      (barcode text, line integer, name text, article text, honest_mark boolean, expected_qty bigint)`
  await announceReceipt(work, clientId, receipt.id, null)
}
