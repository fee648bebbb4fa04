import type { Actor } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { openShipment } from '../../shipments/verbs.ts'
import { connectionOf } from '../connected-cabinet.ts'
import type { RunVerb } from './command-runner.ts'
import { type CoordinatorTools, shippingFor } from './coordinator-tools.ts'
import { createOnce } from './create-remote.ts'
import { completeCommand } from './finish-command.ts'
import { refuseUnknown } from './shipment-orders.ts'

export interface ShipmentRequest {
  readonly cabinetId: string
  /** In a connected cabinet, the worker's own number of the request. */
  readonly externalId: string
  readonly name: string | undefined
  /** The orders that will be added: OZON's shipments have one delivery method, which orders name. */
  readonly orderIds?: readonly string[] | undefined
}

export interface OpeningResult {
  readonly id: string
  /** An earlier request with the same number opened it. */
  readonly again: boolean
}

/** Creates the shipment at the marketplace first, because its number there becomes the number here. */
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
  if (shipping !== undefined && cabinet.shipments === 'mirrored') {
    throw conflict('Отгрузки этого кабинета делают в самом маркетплейсе')
  }
  const opening = { cabinetId, externalId, ...(name === undefined ? {} : { name }) }
  if (shipping === undefined) {
    return run(async (work) => ({ id: await openShipment(work, clientId, opening), again: false }))
  }
  const planned = orderIds === undefined ? {} : { orderIds }
  const detail = { externalId, name: name ?? externalId, ...planned }
  return tools.runner.run(cabinet, actor, { kind: 'create', detail } as const, {
    done: (id) => run(() => Promise.resolve({ id, again: true })),
    async act(command, again) {
      const number = await createOnce(db, shipping, command, again)
      const created = { cabinetId, externalId: number, name: detail.name }
      return run(async (work) => {
        const id = await openShipment(work, clientId, created)
        await completeCommand(work, command, { shipmentId: id })
        return { id, again: false }
      })
    },
  })
}
