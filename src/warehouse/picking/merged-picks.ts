import type { Work } from '../../platform/db/work.ts'
import { replaceMisses } from './miss-endings.ts'

/**
 * In these orders the picks, checks and open misses of merged goods become those of the product that the goods became.
 * Where an order has a miss of both, the first counts as reported again.
 */
export async function renameMergedPicking(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  const { tx } = work
  const ids = [...orderIds]
  await tx`
    update picks k set barcode = p.merged_into from products p
    where k.client_id = ${clientId} and k.order_id = any(${ids}::uuid[])
      and p.client_id = k.client_id and p.barcode = k.barcode and p.merged_into is not null`
  await tx`
    update pack_checks k set barcode = p.merged_into from products p
    where k.client_id = ${clientId} and k.order_id = any(${ids}::uuid[])
      and p.client_id = k.client_id and p.barcode = k.barcode and p.merged_into is not null`
  await renameMergedMisses(work, clientId, ids)
}

async function renameMergedMisses(
  work: Work,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  const { tx } = work
  const rows = await tx<{ id: string; both: boolean }[]>`
    select m.id, exists (
        select from pick_misses o
        where o.client_id = m.client_id and o.order_id = m.order_id and o.barcode = p.merged_into and o.outcome is null
      ) as both
    from pick_misses m join products p on p.client_id = m.client_id and p.barcode = m.barcode
    where m.client_id = ${clientId} and m.order_id = any(${[...orderIds]}::uuid[]) and m.outcome is null
      and p.merged_into is not null
    order by m.id for update of m`
  const idsOf = (both: boolean) => rows.filter((row) => row.both === both).map(({ id }) => id)
  await replaceMisses(work, clientId, idsOf(true))
  await tx`
    update pick_misses m set barcode = p.merged_into from products p
    where m.client_id = ${clientId} and m.id = any(${idsOf(false)}::uuid[])
      and p.client_id = m.client_id and p.barcode = m.barcode`
}
