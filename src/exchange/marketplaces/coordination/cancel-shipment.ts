import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { lockOrderBook } from '../../../warehouse/orders/lock.ts'
import { cancelShipment } from '../../../warehouse/shipments/removal.ts'
import { recordOnlyHere, withdrawCancelled } from './command-progress.ts'
import type { RunVerb } from './command-runner.ts'
import {
  type CoordinatorTools,
  type ShipmentRef,
  shipmentCabinet,
  shippingFor,
} from './coordinator-tools.ts'
import { refuseWhileEnding } from './request-command.ts'

/** Cancels an open shipment on both sides. Its orders become free and may join another one. */
export async function coordinateCancel<A>(
  tools: CoordinatorTools,
  { clientId, shipmentId }: ShipmentRef,
  actor: Actor,
  run: RunVerb<void, A>,
): Promise<A> {
  const cabinet = await shipmentCabinet(tools, { clientId, shipmentId })
  const shipping = await shippingFor(tools, cabinet)
  const shipment = { clientId, cabinetId: cabinet.id, shipmentId }
  if (shipping === undefined) {
    return run(async (work) => {
      await recordOnlyHere(work, clientId, shipmentId, 'cancel')
      await cancelHere(work, shipment)
    })
  }
  if (cabinet.awaitsCreation) return run((work) => cancelBeforeCreation(work, shipment))
  const draft = { kind: 'cancel', shipmentId, detail: {} } as const
  return tools.runner.runOnBothSides(cabinet, actor, draft, {
    verb: (work) => cancelHere(work, shipment),
    run,
    async call() {
      await shipping.cancel(cabinet.externalId)
      return {}
    },
  })
}

/** The marketplace does not know the shipment, unless it is being created. */
async function cancelBeforeCreation(
  work: Work,
  shipment: ShipmentRef & { readonly cabinetId: string },
): Promise<void> {
  // Whoever creates it takes this lock before the marketplace is called.
  await lockOrderBook(work, shipment.clientId)
  await refuseWhileEnding(work, shipment.clientId, shipment.shipmentId)
  await cancelHere(work, shipment)
}

export async function cancelHere(
  work: Work,
  shipment: ShipmentRef & { readonly cabinetId: string },
): Promise<void> {
  await cancelShipment(work, shipment.clientId, shipment.shipmentId)
  await withdrawCancelled(work, shipment)
}
