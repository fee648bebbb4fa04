import type { Work } from '../../platform/db/work.ts'
import { fromTimestamp, hour, type Timestamp } from '../../platform/kernel/moscow-time.ts'
import { changeOrders } from '../orders/change.ts'
import { linesOf } from '../orders/lines.ts'
import { lockOrderBook, lockOrdersOfShipment, phaseOutside } from '../orders/lock.ts'
import { standAsOrdered } from '../orders/sets.ts'
import { holdsReserve, orderStatus } from '../orders/state.ts'
import { deletePickingTask, lockPicking, undoPicks } from '../picking/tasks.ts'
import { releaseUnits } from '../stock/ledger.ts'
import { returnMarkingCodes } from '../stock/marking-codes.ts'
import { lockShipment } from './lock.ts'

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

/**
 * Cancels an open shipment that was made here, and deletes it with its picking task. Its orders show their
 * marketplace's status again, the reserved units become free, and picked units go back to the shelf. Throws conflict
 * for a shipment that is handed over or mirrored.
 */
export async function cancelShipment(work: Work, clientId: string, id: string): Promise<void> {
  await lockOrderBook(work, clientId)
  await lockShipment(work, clientId, id, 'cancel')
  await lockPicking(work, clientId, id)
  const orders = await lockOrdersOfShipment(work, clientId, id)
  for (const order of orders) await returnMarkingCodes(work, clientId, order.id)
  const holding = orders.filter(({ status, phase }) => holdsReserve(status, phase))
  const lines = await linesOf(
    work,
    clientId,
    holding.map((order) => order.id),
  )
  await releaseUnits(work, clientId, lines)
  const changes = orders.map((order) => ({
    order,
    patch: {
      shipment_id: null,
      status: orderStatus(order.marketplace_status, phaseOutside(order)),
      packed_at: null,
    },
  }))
  await changeOrders(work, clientId, changes)
  for (const order of orders) await undoPicks(work, clientId, order.id)
  await standAsOrdered(
    work,
    clientId,
    orders.map((order) => order.id),
  )
  await deletePickingTask(work, clientId, id)
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
