import type { Work } from '../../../platform/db/work.ts'
import type { Actor } from '../../../platform/kernel/actor.ts'
import { conflict, notFound } from '../../../platform/kernel/errors.ts'
import { newId } from '../../../platform/kernel/ids.ts'
import { observedMessage } from '../../../warehouse/shipments/state.ts'
import { addOrders, type NewShipment, openShipment } from '../../../warehouse/shipments/verbs.ts'
import { connectionOf } from '../connecting/connected-cabinet.ts'
import { completeCommand } from './command-progress.ts'
import type { RunVerb } from './command-runner.ts'
import { type CoordinatorTools, shippingFor } from './coordinator-tools.ts'
import { createOnce } from './create-at-opening.ts'
import { refuseMixedKinds } from './order-kinds.ts'
import { referenceOf } from './remote-command.ts'
import { refuseUnknown } from './shipment-orders.ts'

export interface ShipmentRequest {
  readonly cabinetId: string
  /** In a connected cabinet, the worker's own number of the request. */
  readonly externalId: string
  readonly name: string | undefined
  /** The orders to ship. They also name the delivery method, of which a shipment at OZON has one. */
  readonly orderIds?: readonly string[] | undefined
}

export interface OpeningResult {
  readonly id: string
  /** An earlier request with the same number opened it. */
  readonly again: boolean
}

/**
 * Opens a shipment. In a cabinet that is not connected its orders join in the same transaction. Otherwise
 * the marketplace creates it first, because its number there becomes the number here; the caller then adds
 * the orders (add-orders.ts). They are rehearsed before the call, so that a refused order creates nothing.
 * Where the marketplace creates it only with packed orders, and all of these wait for marks, it is created
 * when it is closed (create-late.ts).
 */
export async function coordinateOpen<A>(
  tools: CoordinatorTools,
  clientId: string,
  { cabinetId, externalId, name, orderIds }: ShipmentRequest,
  actor: Actor,
  run: RunVerb<OpeningResult, A>,
): Promise<A> {
  const { db } = tools
  const cabinet = await connectionOf(db, clientId, cabinetId)
  if (cabinet === undefined) throw notFound('Кабинет не найден')
  await refuseUnknown(db, cabinet, orderIds ?? [])
  const shipping = await shippingFor(tools, cabinet)
  // Shipments that were opened here before the setting changed may still be filled and closed here.
  if (cabinet.shipments === 'observe') throw conflict(observedMessage)
  if (shipping !== undefined && cabinet.shipments === 'mirrored') {
    throw conflict('Отгрузки этого кабинета делают в самом маркетплейсе')
  }
  const opening = { cabinetId, externalId, ...(name === undefined ? {} : { name }) }
  const openFilled = async (work: Work, draft: NewShipment) => {
    const id = await openShipment(work, clientId, draft)
    if (orderIds !== undefined) await addOrders(work, clientId, id, orderIds)
    return id
  }
  if (shipping === undefined) {
    return run(async (work) => ({ id: await openFilled(work, opening), again: false }))
  }
  const planned = orderIds === undefined ? {} : { orderIds }
  const detail = { externalId, name: name ?? externalId, ...planned }
  return tools.runner.run(cabinet, actor, { kind: 'create', detail } as const, {
    done: (id) => run(() => Promise.resolve({ id, again: true })),
    async act(command, again) {
      const rehearsed = { cabinetId, externalId: newId() }
      if (!again) {
        await tools.runner.rehearse(actor, (work) => openFilled(work, rehearsed))
        if (shipping.holdsOneKind) await refuseMixedKinds(db, clientId, undefined, orderIds ?? [])
      }
      const number = await createOnce(db, shipping, command, again)
      const created = {
        cabinetId,
        externalId: number ?? referenceOf(command),
        name: detail.name,
        awaitsCreation: number === undefined,
      }
      return run(async (work) => {
        const id = await openShipment(work, clientId, created)
        await completeCommand(work, command, { shipmentId: id })
        return { id, again: false }
      })
    },
  })
}
