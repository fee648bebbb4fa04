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
