import type { Queryable } from '../../../platform/db/connection.ts'
import { perform } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { fromTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { refuseShipmentLackingMarks } from '../../../warehouse/picking/required-marks.ts'
import { closeShipment, nameCreatedShipment } from '../../../warehouse/shipments/verbs.ts'
import { isNeedless } from '../calls/failure.ts'
import type { Cabinet } from '../connecting/connected-cabinet.ts'
import type { Shipping } from '../connector.ts'
import { completeCommand } from './command-progress.ts'
import {
  type CoordinatorTools,
  type ShipmentRef,
  shipmentCabinet,
  shippingFor,
} from './coordinator-tools.ts'
import { findCreated } from './create-at-opening.ts'
import { attachAllMarks } from './hand-over.ts'
import { type CreateLateCommand, type RemoteCommand, referenceOf } from './remote-command.ts'
import { membersOf } from './shipment-orders.ts'
import { markDoneRemotely } from './staff-errors.ts'

/**
 * Creates a shipment at the marketplace when it is closed here: OZON may refuse a carriage before one of its
 * postings is packed, and packs none without its marks. Until then the shipment is known here alone. Each of
 * the calls (marks, packing, creation) may be repeated, the creation by looking for its result first. Where the
 * marketplace wants no shipment, it stays known here alone. The hand-over follows as a command of its own.
 */
export async function createLate(
  tools: CoordinatorTools,
  cabinet: Cabinet,
  shipment: ShipmentRef,
  actor: Actor,
): Promise<void> {
  const { db, clock, runner } = tools
  const { clientId, shipmentId } = shipment
  const draft = { kind: 'create_late', shipmentId, detail: {} } as const
  await runner.run(cabinet, actor, draft, {
    done: () => Promise.resolve(),
    async act(command, again) {
      const { awaitsCreation } = await shipmentCabinet(tools, shipment)
      const shipping = awaitsCreation ? await shippingFor(tools, cabinet) : undefined
      if (shipping !== undefined) {
        await runner.rehearse(actor, (work) => closeShipment(work, clientId, shipmentId))
        await refuseShipmentLackingMarks(db, clientId, shipmentId)
      }
      const number = shipping && (await createOrFind(db, shipping, command, again))
      await markDoneRemotely(
        perform(db, clock, actor, async (work) => {
          if (number !== undefined) await nameCreatedShipment(work, clientId, shipmentId, number)
          await completeCommand(work, command)
        }),
      )
    },
  })
}

async function createOrFind(
  db: Queryable,
  shipping: Shipping,
  command: RemoteCommand<CreateLateCommand>,
  again: boolean,
): Promise<string | undefined> {
  const found = again ? await findCreated(db, shipping, command) : undefined
  if (found !== undefined) return found
  const { clientId, shipmentId } = command
  const members = await membersOf(db, clientId, shipmentId)
  await attachAllMarks(db, shipping, { clientId }, members)
  const reference = referenceOf(command)
  const requestedAt = fromTimestamp(command.requestedAt)
  const plan = { name: reference, reference, requestedAt, orders: members, marksAttached: true }
  return shipping.create(plan).catch((error: unknown) => {
    if (isNeedless(error)) return undefined
    throw error
  })
}
