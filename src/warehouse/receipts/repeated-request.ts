import { goodsKey } from '../../platform/kernel/codes/goods-barcode.ts'
import { toMidnight } from '../../platform/kernel/moscow-time.ts'
import type { ReceiptDraft } from './draft.ts'
import type { Receipt } from './view.ts'

/** Fields in which a repeated request may differ from the first one. The receipt stays as the first made it. */
export type IgnoredField = 'cabinet_id' | 'comment' | 'planned_date' | 'items'

/** A receipt that waits for its confirmation. */
export interface PendingReceipt {
  readonly receipt: Receipt
  readonly cabinetId: string | null
}

/** The fields in which a repeat differs from the receipt that the first request made. */
export function ignoredFields(
  draft: ReceiptDraft,
  given: { readonly cabinetId: string | undefined; readonly plannedDate: string | undefined },
  { receipt, cabinetId }: PendingReceipt,
): IgnoredField[] {
  const plannedDate = given.plannedDate === undefined ? null : toMidnight(given.plannedDate)
  const differs: Readonly<Record<IgnoredField, boolean>> = {
    cabinet_id: (given.cabinetId ?? null) !== cabinetId,
    comment: draft.comment !== receipt.comment,
    planned_date: plannedDate !== receipt.planned_date,
    items: differInItems(draft.items, receipt.items ?? []),
  }
  return (Object.keys(differs) as IgnoredField[]).filter((field) => differs[field])
}

/** The order of lines does not matter; a name or article that the repeat leaves out is the known one. */
function differInItems(asked: ReceiptDraft['items'], kept: NonNullable<Receipt['items']>): boolean {
  const keptByGoods = new Map(kept.map((item) => [goodsKey(item.barcode), item]))
  return (
    asked.length !== kept.length ||
    asked.some(({ barcode, name, article, qty, honest_mark }) => {
      const item = keptByGoods.get(goodsKey(barcode))
      return (
        item?.expected_qty !== qty ||
        item.honest_mark !== honest_mark ||
        (name !== undefined && name !== item.name) ||
        (article !== undefined && article !== item.article)
      )
    })
  )
}
