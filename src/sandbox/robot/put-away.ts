import type { Work } from '../../platform/db/work.ts'
import { handleShelves } from '../../warehouse/stock/put-away.ts'
import { shelfZone } from '../scenario/founding.ts'

export interface CountedLine {
  readonly line: number
  readonly barcode: string
  readonly units: number
}

/**
 * Puts the counted units of a receipt on shelves: to others of the same goods, else on the shelf of the line's number.
 * Goods of which something was picked meanwhile stay where they are.
 */
export async function putAwayReceipt(
  work: Work,
  clientId: string,
  receiptId: string,
  lines: readonly CountedLine[],
): Promise<void> {
  const shelves = await shelvesOf(work, clientId)
  const known = await shelvesOfGoods(work, clientId, lines)
  const scans = lines.flatMap(({ line, barcode, units }) => {
    const locationId = known.get(barcode) ?? shelves[line % shelves.length]
    if (locationId === undefined || units === 0) return []
    const scanId = `robot-${receiptId}-${line}`
    return [
      {
        kind: 'put',
        clientId,
        locationId,
        scanId,
        code: barcode,
        units,
        actor: work.actor,
      } as const,
    ]
  })
  await handleShelves(work, scans)
}

async function shelvesOf({ tx }: Work, clientId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select l.id from locations l
    join clients c on c.id = ${clientId} and c.warehouse_code = l.warehouse_code
    where l.active and l.zone = ${shelfZone} order by l.walk_order, l.code`
  return rows.map(({ id }) => id)
}

async function shelvesOfGoods(
  { tx }: Work,
  clientId: string,
  lines: readonly CountedLine[],
): Promise<ReadonlyMap<string, string>> {
  const barcodes = lines.map(({ barcode }) => barcode)
  const rows = await tx<{ barcode: string; location_id: string }[]>`
    select c.barcode, c.location_id from location_contents c
    join locations l on l.id = c.location_id and l.active
    where c.client_id = ${clientId} and c.barcode = any(${barcodes})
    order by c.barcode, c.location_id desc`
  return new Map(rows.map((row) => [row.barcode, row.location_id]))
}
