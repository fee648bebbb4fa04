import type { Work } from '../db/work.ts'
import { fromTimestamp, hour, type Timestamp } from '../kernel/moscow-time.ts'
import { deletePickingTask } from '../picking/tasks.ts'

/** A marketplace may take this long to list a shipment that was just created. */
const listedAfterMs = hour

export interface RemovableShipment {
  readonly id: string
  readonly cabinet_id: string
  readonly mirrored: boolean
  readonly created_at: Timestamp
}

/**
 * Whether a shipment may be deleted, asked once it is locked and known to be empty. A true answer
 * promises that nothing else refers to the shipment when the transaction ends.
 */
export type MayRemove = (
  work: Work,
  clientId: string,
  shipment: RemovableShipment,
) => Promise<boolean>

/**
 * Deletes an open shipment that the marketplace no longer has, unless orders are in it or `mayRemove`
 * refuses. A shipment made here is deleted only an hour after its creation, with its picking task.
 */
export async function removeMissingShipment(
  work: Work,
  clientId: string,
  shipment: RemovableShipment,
  mayRemove: MayRemove,
): Promise<void> {
  const { id, mirrored } = shipment
  if (!(await isEmpty(work, clientId, id))) return
  if (!mirrored && isNew(work, shipment)) return
  if (!(await mayRemove(work, clientId, shipment))) return
  if (!mirrored) await deletePickingTask(work, clientId, id)
  await work.tx`delete from shipments where client_id = ${clientId} and id = ${id}`
}

async function isEmpty({ tx }: Work, clientId: string, id: string): Promise<boolean> {
  const empty = await tx`
    select id from shipments where client_id = ${clientId} and id = ${id} and orders_count = 0`
  return empty.length > 0
}

function isNew(work: Work, { created_at: createdAt }: RemovableShipment): boolean {
  return fromTimestamp(createdAt) > work.now - listedAfterMs
}
