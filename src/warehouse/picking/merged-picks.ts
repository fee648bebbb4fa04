import type { Work } from '../../platform/db/work.ts'

/** Units of these orders that were picked as goods which were merged are units of the product that these became. */
export async function renameMergedPicks(
  { tx }: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx`
    update picks k set barcode = p.merged_into from products p
    where k.client_id = ${clientId} and k.order_id = any(${[...orderIds]}::uuid[])
      and p.client_id = k.client_id and p.barcode = k.barcode and p.merged_into is not null`
}
