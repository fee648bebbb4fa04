import type { Work } from '../../platform/db/work.ts'
import { pickUnits } from '../../warehouse/picking/picks.ts'
import type { PickScan } from '../../warehouse/picking/recorded-pick.ts'
import { pickingTaskOf } from '../../warehouse/picking/tasks.ts'
import type { Shelf } from '../scenario/shelves.ts'

/** Orders that the robot collects per step. */
const ordersPerStep = 5

interface MissingUnits {
  order_id: string
  line: number
  barcode: string
  picked: number
  quantity: number
  scans: number
}

/**
 * Collects the next orders of an open shipment, and answers how many units they were. It takes units from boxes
 * first, then from locations, so that these never hold more than the balance.
 */
export async function pickNext(
  work: Work,
  clientId: string,
  shipmentId: string,
  ordersMax = ordersPerStep,
): Promise<number> {
  const missing = await work.tx<MissingUnits[]>`
    select l.order_id, l.line, l.barcode, l.picked, l.quantity, (
        -- Undone scans count, too: their ids stay used.
        select count(*)::int from picks p
        where p.client_id = ${clientId} and p.order_id = l.order_id and p.line = l.line
      ) as scans
    from (
      select id from orders
      where client_id = ${clientId} and shipment_id = ${shipmentId}
        and packed_at is null and status <> 'CANCELLED'
      order by created_at, id limit ${ordersMax}
    ) o
    join order_lines l on l.client_id = ${clientId} and l.order_id = o.id
    where l.picked < l.quantity
    order by l.order_id, l.line`
  const shelves = await shelvesWith(work, clientId, [...new Set(missing.map((row) => row.barcode))])
  const picks = missing.flatMap((row) =>
    Array.from({ length: row.quantity - row.picked }, (_, unit): PickScan => {
      const shelf = shelves.get(row.barcode)?.pop()
      return {
        scanId: `robot-${row.order_id}-${row.line}-${row.scans + unit}`,
        orderId: row.order_id,
        barcode: row.barcode,
        ...shelf,
      }
    }),
  )
  if (picks.length === 0) return 0
  await pickUnits(work, clientId, await pickingTaskOf(work, clientId, shipmentId), picks)
  return picks.length
}

/** Where to take units from, by barcode, the last first: a box or location once for each of its units. */
async function shelvesWith(
  work: Work,
  clientId: string,
  barcodes: string[],
): Promise<Map<string, Shelf[]>> {
  const rows = await work.tx<
    { barcode: string; box_id: string | null; location_id: string; quantity: number }[]
  >`
    select * from (
      select barcode, null::uuid as box_id, location_id, quantity from location_contents
      where client_id = ${clientId} and barcode = any(${barcodes})
      union all
      select barcode, box_id, null, quantity from box_contents
      where client_id = ${clientId} and barcode = any(${barcodes})
    ) shelves
    order by barcode, box_id is not null, quantity desc, box_id, location_id`
  const shelves = new Map<string, Shelf[]>()
  for (const { barcode, box_id: boxId, location_id: locationId, quantity } of rows) {
    const shelf = boxId === null ? { locationId } : { boxId }
    const units = Array.from({ length: quantity }, () => shelf)
    shelves.set(barcode, [...(shelves.get(barcode) ?? []), ...units])
  }
  return shelves
}
