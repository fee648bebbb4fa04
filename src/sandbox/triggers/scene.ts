import type { Work } from '../../platform/db/work.ts'
import type { Requester } from '../../warehouse/journal/receipt-journal.ts'

/** The copy that a trigger acts in, locked for it alone. */
export interface Scene {
  readonly work: Work
  readonly clientId: string
  /** The WB cabinet. */
  readonly cabinetId: string
  /** The call that plays the trigger. */
  readonly requester: Requester
  /** What the trigger had to make before it could begin. */
  readonly made: Touched[]
}

export const touchedObjects = ['receipt', 'order', 'shipment', 'stock_item', 'cabinet'] as const

/** An object that a trigger changed or made. The id of a stock item is its barcode. */
export interface Touched {
  readonly object: (typeof touchedObjects)[number]
  readonly id: string
}

export async function openScene(work: Work, requester: Requester): Promise<Scene> {
  const { clientId } = requester
  const [cabinet] = await work.tx<{ id: string }[]>`
    select id from cabinets where client_id = ${clientId} and marketplace = 'WB'
    order by created_at, id limit 1`
  if (cabinet === undefined) throw new Error(`the sandbox of ${clientId} has no WB cabinet`)
  return { work, clientId, cabinetId: cabinet.id, requester, made: [] }
}

/** The first numbers that triggers give: larger than those of the scenario and of the robot. */
const first = {
  orders: { prefix: '', digits: '3000000001' },
  shipments: { prefix: 'WB-GI-', digits: '90000001' },
} as const

/** The next number of an order or shipment in the WB cabinet. */
export async function nextNumber(scene: Scene, table: 'orders' | 'shipments'): Promise<string> {
  return (await nextNumbers(scene, table, 1)).join()
}

/** The next numbers, ascending. */
export async function nextNumbers(
  { work, clientId, cabinetId }: Scene,
  table: 'orders' | 'shipments',
  count: number,
): Promise<string[]> {
  const { prefix, digits } = first[table]
  const like = `${prefix}${digits[0]}%`
  const [row] = await work.tx<[{ last: string | null }]>`
    select max(external_id collate "C") as last from ${work.tx(table)}
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and external_id like ${like}
      and length(external_id) = ${prefix.length + digits.length}`
  const next = row.last === null ? Number(digits) : Number(row.last.slice(prefix.length)) + 1
  return Array.from({ length: count }, (_, at) => prefix + String(next + at))
}
