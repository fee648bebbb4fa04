import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../../platform/kernel/errors.ts'
import { prepareShipment } from '../../../warehouse/shipments/shipping-method.ts'
import type { Destinations, Sticker } from '../connector.ts'
import type { RunVerb } from './command-runner.ts'
import { type CoordinatorTools, type ShipmentRef, shipmentCabinet } from './coordinator-tools.ts'
import { refuseWhileEnding } from './request-command.ts'
import { type LeavingShipment, membersOf } from './shipment-orders.ts'
import { resolveMethod } from './shipping-method.ts'
import { destinationsOf } from './shipping-points.ts'
import { withStaffErrors } from './staff-errors.ts'

/**
 * Boxes of a shipment that goes to a point which takes them. They exist at the marketplace alone, which numbers
 * them. A request names how many there shall be in all, and those that exist are listed before more are
 * asked for, so a repeat makes none too many.
 */

/** WB allows half as many boxes as orders; a shipment of one order needs its box, too. */
export function boxesMax(orders: number): number {
  return Math.max(1, Math.floor(orders / 2))
}

export interface ShipmentBoxes {
  readonly boxes: readonly string[]
  readonly max: number
}

async function boxedShipment(tools: CoordinatorTools, ref: ShipmentRef) {
  const cabinet = await shipmentCabinet(tools, ref)
  const { externalId } = cabinet
  const destinations = destinationsOf(tools, cabinet)
  return { cabinet, destinations, shipment: { ...ref, externalId } }
}

export async function shipmentBoxes(
  tools: CoordinatorTools,
  ref: ShipmentRef,
): Promise<ShipmentBoxes> {
  const { destinations, shipment } = await boxedShipment(tools, ref)
  const boxes = await withStaffErrors(() => destinations.boxesOf(shipment.externalId))
  const orders = await membersOf(tools.db, ref.clientId, ref.shipmentId)
  return { boxes, max: boxesMax(orders.length) }
}

/** Throws not_found where the marketplace has no such box or no sticker yet. */
export async function shipmentBoxSticker(
  tools: CoordinatorTools,
  ref: ShipmentRef,
  box: string,
): Promise<Sticker> {
  const { destinations, shipment } = await boxedShipment(tools, ref)
  const { externalId } = shipment
  const sticker = await withStaffErrors(async () => {
    if (!(await destinations.boxesOf(externalId)).includes(box)) return undefined
    return destinations.boxSticker(externalId, box)
  })
  if (sticker === undefined) throw notFound('Этикетки такого грузоместа на маркетплейсе нет')
  return sticker
}

/** Makes boxes until there are `count`. */
export async function coordinateBoxes<A>(
  tools: CoordinatorTools,
  ref: ShipmentRef,
  count: number,
  actor: Actor,
  run: RunVerb<void, A>,
): Promise<A> {
  const { cabinet, destinations, shipment } = await boxedShipment(tools, ref)
  const draft = { kind: 'add_boxes', shipmentId: ref.shipmentId, detail: { count } } as const
  return tools.runner.runOnBothSides(cabinet, actor, draft, {
    verb: prepared(ref),
    run,
    async call() {
      await addMissingBoxes(tools, destinations, shipment, count)
      return {}
    },
  })
}

async function addMissingBoxes(
  { db }: CoordinatorTools,
  destinations: Destinations,
  shipment: LeavingShipment,
  count: number,
): Promise<void> {
  const { clientId, shipmentId, externalId } = shipment
  const method = await resolveMethod(db, destinations, shipment)
  if (method === undefined || !takesBoxes(destinations, method.pointKind)) {
    throw conflict(
      'Грузоместа нужны только отгрузке в пункт выдачи или сортировочный центр: выберите для неё такой пункт',
    )
  }
  const orders = await membersOf(db, clientId, shipmentId)
  const max = boxesMax(orders.length)
  if (count > max) {
    throw conflict(`В отгрузке ${orders.length} зак., грузомест в ней может быть не больше ${max}`)
  }
  const { length: present } = await destinations.boxesOf(externalId)
  if (present > count) throw conflict(`Грузомест уже ${present}: удалите лишние по одному`)
  if (present === count) return
  // The marketplace must know that it goes to such a point.
  await destinations.send(externalId, method)
  await destinations.addBoxes(externalId, count - present)
}

/** A point of an unknown kind is left to the marketplace. */
function takesBoxes({ boxKinds }: Destinations, pointKind: string | undefined): boolean {
  return pointKind === undefined || boxKinds.includes(pointKind)
}

export async function coordinateRemoveBoxes<A>(
  tools: CoordinatorTools,
  ref: ShipmentRef,
  boxes: readonly string[],
  actor: Actor,
  run: RunVerb<void, A>,
): Promise<A> {
  const { cabinet, destinations, shipment } = await boxedShipment(tools, ref)
  const draft = { kind: 'remove_boxes', shipmentId: ref.shipmentId, detail: { boxes } } as const
  return tools.runner.runOnBothSides(cabinet, actor, draft, {
    verb: prepared(ref),
    run,
    async call() {
      await destinations.removeBoxes(shipment.externalId, boxes)
      return {}
    },
  })
}

function prepared({ clientId, shipmentId }: ShipmentRef) {
  return (work: Work) => prepareShipment(work, clientId, shipmentId, refuseWhileEnding)
}
