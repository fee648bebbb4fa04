import type { Work } from '../../platform/db/work.ts'
import { actorText } from '../../platform/kernel/actor.ts'

/** Labels for goods that the client wished to have. Writes goods_labels. */

export interface LabelsOfGoods {
  readonly barcode: string
  readonly copies: number
}

/** Keeps what was printed. False for a print that was kept before: it counts once. */
export async function keepGoodsLabels(
  { tx, at, actor }: Work,
  { clientId, printId }: { readonly clientId: string; readonly printId: string },
  labels: readonly LabelsOfGoods[],
): Promise<boolean> {
  const kept = await tx`
    insert into goods_labels (client_id, print_id, barcode, labels, at, actor)
    select ${clientId}, ${printId}, l.barcode, sum(l.copies), ${at}, ${actorText(actor)}
    from jsonb_to_recordset(${tx.json([...labels])}) l (barcode text, copies integer)
    group by l.barcode order by l.barcode
    on conflict do nothing returning barcode`
  return kept.length > 0
}
