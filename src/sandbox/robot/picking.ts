import type { Work } from '../../db/work.ts'
import { pickUnits } from '../../picking/picks.ts'
import type { PickScan } from '../../picking/scan.ts'
import { pickingTaskOf } from '../../picking/tasks.ts'

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
 * Collects the next orders of an open shipment, and answers how many units they were. It takes units from boxes first, so that boxes never
 * hold more than the balance.
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
  const boxes = await boxesWith(work, clientId, [...new Set(missing.map((row) => row.barcode))])
  const picks = missing.flatMap((row) =>
    Array.from({ length: row.quantity - row.picked }, (_, unit): PickScan => {
      const boxId = boxes.get(row.barcode)?.pop()
      return {
        scanId: `robot-${row.order_id}-${row.line}-${row.scans + unit}`,
        orderId: row.order_id,
        barcode: row.barcode,
        ...(boxId === undefined ? {} : { boxId }),
      }
    }),
  )
  if (picks.length === 0) return 0
  await pickUnits(work, clientId, await pickingTaskOf(work, clientId, shipmentId), picks)
  return picks.length
}

/** The boxes to take units from, by barcode: a box once for each of its units. */
async function boxesWith(
  work: Work,
  clientId: string,
  barcodes: string[],
): Promise<Map<string, string[]>> {
  const rows = await work.tx<{ barcode: string; box_id: string; quantity: number }[]>`
    select barcode, box_id, quantity from box_contents
    where client_id = ${clientId} and barcode = any(${barcodes})
    order by barcode, quantity desc, box_id`
  const boxes = new Map<string, string[]>()
  for (const { barcode, box_id, quantity } of rows) {
    const units = Array.from({ length: quantity }, () => box_id)
    boxes.set(barcode, [...(boxes.get(barcode) ?? []), ...units])
  }
  return boxes
}
