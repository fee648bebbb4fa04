import type { Database } from '../../../platform/db/connection.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import type { ShippingPoint } from '../../../warehouse/shipments/shipping-method.ts'
import type { Connect } from '../connecting/open-connector.ts'
import type { Sticker } from '../connector.ts'
import { type AddedOrders, coordinateAddOrders } from './add-orders.ts'
import type { AdvisoryLocks } from './advisory-locks.ts'
import { coordinateCancel } from './cancel-shipment.ts'
import { coordinateClose } from './close-shipment.ts'
import { CommandRunner, type RunVerb } from './command-runner.ts'
import type { CoordinatorTools } from './coordinator-tools.ts'
import { type Labels, openLabels } from './labels.ts'
import { coordinateOpen, type OpeningResult, type ShipmentRequest } from './open-shipment.ts'
import { coordinateOrderBoxes, type OrderBoxes } from './order-boxes.ts'
import { coordinateRemoveOrder } from './remove-order.ts'
import {
  coordinateBoxes,
  coordinateRemoveBoxes,
  type ShipmentBoxes,
  shipmentBoxes,
  shipmentBoxSticker,
} from './shipment-boxes.ts'
import { findShippingPoints, type PointsQuery } from './shipping-points.ts'
import { coordinateSplit, type SplitRequest } from './split-order.ts'

/**
 * Coordinates the shipments that workers make here with those of the marketplace: a saga of two
 * transactions with a call between them, since no transaction spans both sides. In a cabinet that is
 * not connected an operation is the verb alone. In a connected one:
 *
 * 1. A transaction records a remote command, which blocks contradicting changes (request-command.ts).
 * 2. The verb runs and is rolled back. Where the warehouse refuses, the marketplace is not called.
 * 3. The marketplace is called. No row is locked meanwhile.
 * 4. A transaction runs the verb and completes the command.
 *
 * A refusal in step 2 or 3 refuses the command, and nothing has changed on either side. After a crash, or a call with
 * an unknown outcome, the command stays open; the next sync run asks the marketplace and either follows it or refuses
 * the command (resume.ts). Opening a shipment tries step 2 with a made-up number: the marketplace gives the real one
 * in step 3.
 *
 * The promise has an end: if another shipment takes the units meanwhile, the warehouse refuses in step 4 what it
 * allowed in step 2. Then the marketplace has an order that we do not. The worker and the command's message say so,
 * and the hand-over makes the marketplace's shipment match ours.
 */
export interface CoordinatorParts {
  readonly db: Database
  readonly locks: AdvisoryLocks
  readonly clock: Clock
  readonly connect: Connect
}

export interface ShipmentCoordinator extends Labels {
  open<A>(
    clientId: string,
    draft: ShipmentRequest,
    actor: Actor,
    run: RunVerb<OpeningResult, A>,
  ): Promise<A>
  addOrders<A>(
    clientId: string,
    shipmentId: string,
    orderIds: readonly string[],
    actor: Actor,
    run: RunVerb<AddedOrders, A>,
  ): Promise<A>
  removeOrder<A>(
    clientId: string,
    shipmentId: string,
    orderId: string,
    actor: Actor,
    run: RunVerb<void, A>,
  ): Promise<A>
  /** Returns the ids of the orders that the order became. */
  split<A>(request: SplitRequest, actor: Actor, run: RunVerb<readonly string[], A>): Promise<A>
  setOrderBoxes<A>(boxes: OrderBoxes, actor: Actor, run: RunVerb<void, A>): Promise<A>
  close<A>(clientId: string, shipmentId: string, actor: Actor, run: RunVerb<void, A>): Promise<A>
  /** How many boxes the shipment shall have. */
  setBoxes<A>(
    clientId: string,
    shipmentId: string,
    count: number,
    actor: Actor,
    run: RunVerb<void, A>,
  ): Promise<A>
  removeBoxes<A>(
    clientId: string,
    shipmentId: string,
    boxes: readonly string[],
    actor: Actor,
    run: RunVerb<void, A>,
  ): Promise<A>
  boxes(clientId: string, shipmentId: string): Promise<ShipmentBoxes>
  boxSticker(clientId: string, shipmentId: string, box: string): Promise<Sticker>
  shippingPoints(
    clientId: string,
    cabinetId: string,
    query: PointsQuery,
    actor: Actor,
  ): Promise<readonly ShippingPoint[]>
  cancel<A>(clientId: string, shipmentId: string, actor: Actor, run: RunVerb<void, A>): Promise<A>
}

export function openShipmentCoordinator(parts: CoordinatorParts): ShipmentCoordinator {
  const { db, clock, connect } = parts
  const tools: CoordinatorTools = { db, clock, connect, runner: new CommandRunner(parts) }
  return {
    open: (clientId, draft, actor, run) => coordinateOpen(tools, clientId, draft, actor, run),
    addOrders: (clientId, shipmentId, orderIds, actor, run) =>
      coordinateAddOrders(tools, { clientId, shipmentId }, orderIds, actor, run),
    removeOrder: (clientId, shipmentId, orderId, actor, run) =>
      coordinateRemoveOrder(tools, { clientId, shipmentId, orderId }, actor, run),
    close: (clientId, shipmentId, actor, run) =>
      coordinateClose(tools, { clientId, shipmentId }, actor, run),
    cancel: (clientId, shipmentId, actor, run) =>
      coordinateCancel(tools, { clientId, shipmentId }, actor, run),
    setBoxes: (clientId, shipmentId, count, actor, run) =>
      coordinateBoxes(tools, { clientId, shipmentId }, count, actor, run),
    removeBoxes: (clientId, shipmentId, boxes, actor, run) =>
      coordinateRemoveBoxes(tools, { clientId, shipmentId }, boxes, actor, run),
    boxes: (clientId, shipmentId) => shipmentBoxes(tools, { clientId, shipmentId }),
    boxSticker: (clientId, shipmentId, box) =>
      shipmentBoxSticker(tools, { clientId, shipmentId }, box),
    shippingPoints: (clientId, cabinetId, query, actor) =>
      findShippingPoints(tools, clientId, cabinetId, query, actor),
    setOrderBoxes: (boxes, actor, run) => coordinateOrderBoxes(tools, boxes, actor, run),
    split: (request, actor, run) => coordinateSplit(tools, request, actor, run),
    ...openLabels({ db, clock, connect }),
  }
}
