import type { Queryable } from '../../../platform/db/connection.ts'
import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { removeOrder } from '../../../warehouse/shipments/verbs.ts'
import { isFailure, isRejected, type MarketplaceError, unlessRejected } from '../calls/failure.ts'
import { type ConnectedCabinet, isConnected } from '../connecting/connected-cabinet.ts'
import type { Connect } from '../connecting/open-connector.ts'
import type { ShippedOrder, Shipping } from '../connector.ts'
import type { RunVerb } from './command-runner.ts'
import { type CoordinatorTools, type ShipmentRef, shipmentCabinet } from './coordinator-tools.ts'
import { refuseWhileEnding } from './request-command.ts'
import { cancelledIn, membersOf } from './shipment-orders.ts'

export interface OrderRemoval extends ShipmentRef {
  readonly orderId: string
}

/**
 * A marketplace that removes orders directly is asked to, so that the order may join another shipment
 * at once. At any other marketplace the order is removed only here, and the hand-over removes it there.
 * So it is where the cabinet's key is refused or unreadable: the order must not stay in the shipment
 * for that reason, and the command's message says so.
 */
export async function coordinateRemoveOrder<A>(
  tools: CoordinatorTools,
  removal: OrderRemoval,
  actor: Actor,
  run: RunVerb<void, A>,
): Promise<A> {
  const { clientId, shipmentId, orderId } = removal
  const { db, connect } = tools
  const cabinet = await shipmentCabinet(tools, removal)
  const verb = (work: Work) => removeOrder(work, clientId, shipmentId, orderId, refuseWhileEnding)
  if (!isConnected(cabinet) || cabinet.awaitsCreation || !needsCommand(connect, cabinet)) {
    return run(verb)
  }
  const draft = { kind: 'remove_order', shipmentId, detail: { orderId } } as const
  return tools.runner.runOnBothSides(cabinet, actor, draft, {
    verb,
    run,
    async call() {
      try {
        const { shipping } = connect(cabinet)
        return { note: await removeRemotely(db, shipping, cabinet.externalId, removal) }
      } catch (error) {
        if (!isFailure(error, 'credentials')) throw error
        const message = error.outcomeUnknown ? unknownMessage : keptMessage
        return { note: `${message}: ${error.message}` }
      }
    },
  })
}

/** Also where the key is unreadable: the command then records why the marketplace was not called. */
function needsCommand(connect: Connect, cabinet: ConnectedCabinet): boolean {
  try {
    return connect(cabinet).shipping.removesOrdersDirectly === true
  } catch (error) {
    if (isFailure(error, 'credentials')) return true
    throw error
  }
}

const unknownMessage = 'Заказ убран здесь, а с маркетплейсом это выяснится при передаче отгрузки'
const keptMessage = 'Заказ убран только здесь, на маркетплейсе он в отгрузке, пока её не передадут'
const handedOverMessage = 'Заказ убран только здесь: на маркетплейсе отгрузка с ним уже передана'
const shipmentGoneMessage = 'Заказ убран только здесь: на маркетплейсе этой отгрузки больше нет'

/**
 * Removes an order from the marketplace's shipment; repeatable. Returns a note for managers, in
 * Russian. Throws the marketplace's refusal, except one that would keep the order in the shipment for
 * ever: then the order is removed only here, and the note says so.
 */
export async function removeRemotely(
  db: Queryable,
  shipping: Shipping,
  externalId: string,
  { clientId, shipmentId, orderId }: OrderRemoval,
): Promise<string | undefined> {
  const members = await membersOf(db, clientId, shipmentId)
  const order = members.find(({ id }) => id === orderId)
  // A cancelled order: the marketplace has removed it itself.
  if (order === undefined) return undefined
  const staying = members.filter((member) => member !== order)
  // OZON accepts no list that contains a cancelled order.
  const out = [order.externalId, ...(await cancelledIn(db, clientId, shipmentId))]
  try {
    await shipping.removeOrders(externalId, out, staying)
    return undefined
  } catch (error) {
    if (!isRejected(error)) throw error
    return noteOfRefusal(shipping, externalId, { out, staying, refusal: error })
  }
}

/** The note for a refusal that must not keep the order in the shipment. Throws any other refusal. */
async function noteOfRefusal(
  shipping: Shipping,
  externalId: string,
  { out, staying, refusal }: RefusedRemoval,
): Promise<string> {
  const state = await unlessRejected(shipping.remoteStateOf(externalId))
  if (state === 'handedOver') return handedOverMessage
  if (state !== 'open') return shipmentGoneMessage
  const present = await shipping.ordersOf(externalId)
  const numbers = present ?? staying.map((member) => member.externalId)
  // The last order: an empty shipment is handed over on neither side, and adding orders to it replaces
  // this one.
  if (numbers.every((number) => out.includes(number))) return `${keptMessage}: ${refusal.message}`
  throw refusal
}

interface RefusedRemoval {
  readonly out: readonly string[]
  readonly staying: readonly ShippedOrder[]
  readonly refusal: MarketplaceError
}
