import { conflict, notFound } from '../../kernel/errors.ts'
import { openShipment } from '../../shipments/verbs.ts'
import { connectionOf } from '../connection.ts'
import { createOnce } from './creation.ts'
import { refuseUnknown } from './members.ts'
import { type DeskTools, shippingOf } from './operations.ts'
import type { Run } from './task-runner.ts'
import { completeTask } from './tasks.ts'

export interface ShipmentRequest {
  readonly cabinetId: string
  /** Where the cabinet is connected, the worker's own number of the request. */
  readonly externalId: string
  readonly name: string | undefined
  /** What will be put into it: OZON's shipments are of one delivery method, which its orders tell. */
  readonly orderIds?: readonly string[] | undefined
}

export interface Opened {
  readonly id: string
  /** It was opened before, by the same number of the same cabinet. */
  readonly again: boolean
}

/** A shipment is created there first: its number is the marketplace's. */
export async function open<A>(
  tools: DeskTools,
  clientId: string,
  { cabinetId, externalId, name, orderIds }: ShipmentRequest,
  actor: string,
  run: Run<Opened, A>,
): Promise<A> {
  const { db } = tools
  const cabinet = await connectionOf(db, clientId, cabinetId)
  if (cabinet === undefined) throw notFound('Кабинет не найден')
  await refuseUnknown(db, cabinet, orderIds ?? [])
  const shipping = await shippingOf(tools, cabinet)
  // Only new ones are refused: what was begun here, before the setting was changed, is ended here.
  if (shipping !== undefined && cabinet.shipments === 'mirrored') {
    throw conflict('Отгрузки этого кабинета делают в самом маркетплейсе')
  }
  const opening = { cabinetId, externalId, ...(name === undefined ? {} : { name }) }
  if (shipping === undefined) {
    return run(async (work) => ({ id: await openShipment(work, clientId, opening), again: false }))
  }
  const planned = orderIds === undefined ? {} : { orderIds }
  const detail = { externalId, name: name ?? externalId, ...planned }
  return tools.doing(cabinet, actor, { kind: 'create', detail } as const, {
    done: (id) => run(() => Promise.resolve({ id, again: true })),
    async act(task, again) {
      const number = await createOnce(db, shipping, task, again)
      const made = { cabinetId, externalId: number, name: detail.name }
      return run(async (work) => {
        const id = await openShipment(work, clientId, made)
        await completeTask(work, task, { shipmentId: id })
        return { id, again: false }
      })
    },
  })
}
