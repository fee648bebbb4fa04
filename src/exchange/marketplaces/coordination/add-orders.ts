import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { conflict } from '../../../platform/kernel/errors.ts'
import { firstNames } from '../../../platform/kernel/sentences.ts'
import { addOrders } from '../../../warehouse/shipments/verbs.ts'
import { isRejected } from '../calls/failure.ts'
import type { RefusedOrder } from '../connector.ts'
import type { RunVerb } from './command-runner.ts'
import {
  type CoordinatorTools,
  type ShipmentRef,
  shipmentCabinet,
  shippingFor,
} from './coordinator-tools.ts'
import { goneMessage } from './hand-over.ts'
import { refuseMixedKinds } from './order-kinds.ts'
import { refuseWhileEnding } from './request-command.ts'
import { joiningAndPresent, shippedOrders, withoutNumbers } from './shipment-orders.ts'
import { withStaffErrors } from './staff-errors.ts'

/** What became of the orders of a request. */
export interface AddedOrders {
  /** How many joined now. */
  readonly added: number
  /** Orders that the marketplace refused; all others are in the shipment. */
  readonly refused: readonly RefusedOrder[]
}

/**
 * Adds orders on both sides. Where the marketplace refuses some of them the others join, and the result and
 * the command's message name the refused ones.
 */
export async function coordinateAddOrders<A>(
  tools: CoordinatorTools,
  { clientId, shipmentId }: ShipmentRef,
  orderIds: readonly string[],
  actor: Actor,
  run: RunVerb<AddedOrders, A>,
): Promise<A> {
  const { db } = tools
  const cabinet = await shipmentCabinet(tools, { clientId, shipmentId })
  const shipping = await shippingFor(tools, cabinet)
  const verb = async (work: Work, refused: readonly RefusedOrder[] = []) => {
    const added = await addAccepted(work, { clientId, shipmentId }, orderIds, refused)
    return { added, refused }
  }
  if (shipping === undefined) return run(verb)
  if (cabinet.awaitsCreation) {
    // Labels come with packing, and packing may be repeated.
    await tools.runner.rehearse(actor, verb)
    const joining = await shippedOrders(db, clientId, orderIds)
    await withStaffErrors(() => shipping.pack?.(joining, false))
    return run(verb)
  }
  const draft = { kind: 'add_orders', shipmentId, detail: { orderIds } } as const
  return tools.runner.runOnBothSides(cabinet, actor, draft, {
    verb,
    run,
    async call() {
      if (shipping.holdsOneKind) await refuseMixedKinds(db, clientId, shipmentId, orderIds)
      const { joining, present } = await joiningAndPresent(db, clientId, shipmentId, orderIds)
      const refused = await shipping
        .addOrders(cabinet.externalId, joining, present)
        .catch((error: unknown) => {
          throw isRejected(error) && error.status === 404 ? conflict(goneMessage) : error
        })
      return { refused, note: noteOf(refused) }
    },
  })
}

/** Adds those of the orders here that the marketplace did not refuse. Returns how many joined. */
export async function addAccepted(
  work: Work,
  { clientId, shipmentId }: ShipmentRef,
  orderIds: readonly string[],
  refused: readonly RefusedOrder[],
): Promise<number> {
  const accepted = await withoutNumbers(
    work.tx,
    clientId,
    orderIds,
    refused.map(({ externalId }) => externalId),
  )
  return addOrders(work, clientId, shipmentId, accepted, refuseWhileEnding)
}

/** For managers: which orders of a batch the marketplace refused. */
export function noteOf(refused: readonly RefusedOrder[]): string | undefined {
  const [first] = refused
  if (first === undefined) return undefined
  const numbers = firstNames(refused.map(({ externalId }) => externalId))
  return `Маркетплейс не принял заказы ${numbers}, остальные в отгрузке: ${first.reason}`
}
