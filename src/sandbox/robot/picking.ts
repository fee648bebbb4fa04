import type { Work } from '../../db/work.ts'
import { type Pick, pickUnits, taskOfShipment } from '../../picking/verbs.ts'

/** Orders that are collected in one go. */
const ordersMax = 5

interface MissingUnits {
  order_id: string
  line: number
  barcode: string
  picked: number
  quantity: number
  scans: number
}

/**
 * Collects the next orders of an open shipment: each unit from a box while one holds any of the SKU,
 * so that boxes never hold more than there is.
 */
export async function pickNext(work: Work, clientId: string, shipmentId: string): Promise<void> {
  const missing = await work.tx<MissingUnits[]>`
    select l.order_id, l.line, l.barcode, l.picked, l.quantity, (
        -- Those taken back too, with the order: their ids stay taken.
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
    Array.from({ length: row.quantity - row.picked }, (_, unit): Pick => {
      const boxId = boxes.get(row.barcode)?.pop()
      return {
        scanId: `robot-${row.order_id}-${row.line}-${row.scans + unit}`,
        orderId: row.order_id,
        barcode: row.barcode,
        ...(boxId === undefined ? {} : { boxId }),
      }
    }),
  )
  if (picks.length === 0) return
  await pickUnits(work, clientId, await taskOfShipment(work, clientId, shipmentId), picks)
}

/** By barcode the box of each unit, as many of them as one go may need. */
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
