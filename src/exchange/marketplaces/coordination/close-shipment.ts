import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { refuseShipmentLackingMarks } from '../../../warehouse/picking/required-marks.ts'
import { closeShipment } from '../../../warehouse/shipments/verbs.ts'
import { recordOnlyHere } from './command-progress.ts'
import type { RunVerb } from './command-runner.ts'
import {
  type CoordinatorTools,
  type ShipmentRef,
  shipmentCabinet,
  shippingFor,
} from './coordinator-tools.ts'
import { createLate } from './create-late.ts'
import { handOverAlone, handOverShipment } from './hand-over.ts'

export async function coordinateClose<A>(
  tools: CoordinatorTools,
  { clientId, shipmentId }: ShipmentRef,
  actor: Actor,
  run: RunVerb<void, A>,
): Promise<A> {
  const { db } = tools
  const cabinet = await shipmentCabinet(tools, { clientId, shipmentId })
  const shipping = await shippingFor(tools, cabinet)
  const verb = (work: Work) => closeShipment(work, clientId, shipmentId)
  if (shipping === undefined) {
    return run(async (work) => {
      await verb(work)
      await refuseShipmentLackingMarks(work.tx, clientId, shipmentId)
      await recordOnlyHere(work, clientId, shipmentId, 'hand_over')
    })
  }
  if (cabinet.awaitsCreation) await createLate(tools, cabinet, { clientId, shipmentId }, actor)
  const draft = { kind: 'hand_over', shipmentId, detail: {} } as const
  const { externalId, awaitsCreation } = cabinet.awaitsCreation
    ? await shipmentCabinet(tools, { clientId, shipmentId })
    : cabinet
  const leaving = { clientId, shipmentId, externalId }
  return tools.runner.runOnBothSides(cabinet, actor, draft, {
    verb,
    run,
    call: async () => ({
      note: await (awaitsCreation ? handOverAlone : handOverShipment)(db, shipping, leaving),
    }),
  })
}
