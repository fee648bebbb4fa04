import type { Work } from '../../db/work.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/errors.ts'
import { addOrders } from '../../shipments/verbs.ts'
import { isRejected } from '../calls/failure.ts'
import type { RunVerb } from './command-runner.ts'
import {
  type CoordinatorTools,
  type ShipmentRef,
  shipmentCabinet,
  shippingFor,
} from './coordinator-tools.ts'
import { goneMessage } from './hand-over.ts'
import { refuseWhileEnding } from './request-command.ts'
import { joiningAndPresent } from './shipment-orders.ts'

export async function coordinateAddOrders<A>(
  tools: CoordinatorTools,
  { clientId, shipmentId }: ShipmentRef,
  orderIds: readonly string[],
  actor: Actor,
  run: RunVerb<number, A>,
): Promise<A> {
  const cabinet = await shipmentCabinet(tools, { clientId, shipmentId })
  const shipping = await shippingFor(tools, cabinet)
  const verb = (work: Work) => addOrders(work, clientId, shipmentId, orderIds, refuseWhileEnding)
  if (shipping === undefined) return run(verb)
  const draft = { kind: 'add_orders', shipmentId, detail: { orderIds } } as const
  return tools.runner.runOnBothSides(cabinet, actor, draft, {
    verb,
    run,
    async call() {
      const { joining, present } = await joiningAndPresent(tools.db, clientId, shipmentId, orderIds)
      await shipping.addOrders(cabinet.externalId, joining, present).catch((error: unknown) => {
        throw isRejected(error) && error.status === 404 ? conflict(goneMessage) : error
      })
      return {}
    },
  })
}
