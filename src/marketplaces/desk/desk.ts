import type { Database } from '../../db/connection.ts'
import type { Work } from '../../db/work.ts'
import type { Clock } from '../../kernel/clock.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { addOrders, closeShipment, openShipment, removeOrder } from '../../shipments/verbs.ts'
import { isRejected } from '../calls/failure.ts'
import type { Connect } from '../connect.ts'
import {
  type Cabinet,
  type ConnectedCabinet,
  connectionOf,
  connectionOfShipment,
  isConnected,
} from '../connection.ts'
import type { Shipping } from '../connector.ts'
import { createOnce } from './creation.ts'
import { goneWords, handOver } from './hand-over.ts'
import { type Labels, openLabels } from './labels.ts'
import { fillingOf, membersOf, refuseUnknown } from './members.ts'
import { holding } from './task-guard.ts'
import { asked, openTaskRunner, type Run } from './task-runner.ts'
import { completeTask, noteClosedAlone } from './tasks.ts'

/**
 * Where workers make shipments. For a cabinet that is not connected it is the verb alone; for a
 * connected one the marketplace is asked too, and both say yes or nothing changes:
 *
 * - The verb is tried out and undone, the marketplace is asked, and the verb is done. While the
 *   marketplace thinks no row is locked: the task claims what must not change meanwhile (tasks.ts).
 * - A shipment is created there first: its number is the marketplace's.
 * - A crash, or an answer that never came, leaves the task asked; the next round of syncing learns
 *   what the marketplace has, and follows (resume.ts).
 */
export interface DeskParts {
  readonly db: Database
  /** For locks alone (task-guard.ts). */
  readonly guards: Database
  readonly clock: Clock
  readonly connect: Connect
}

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

export interface Desk extends Labels {
  open<A>(clientId: string, draft: ShipmentRequest, actor: string, run: Run<Opened, A>): Promise<A>
  fill<A>(
    clientId: string,
    shipmentId: string,
    orderIds: readonly string[],
    actor: string,
    run: Run<number, A>,
  ): Promise<A>
  remove<A>(clientId: string, shipmentId: string, orderId: string, run: Run<void, A>): Promise<A>
  close<A>(clientId: string, shipmentId: string, actor: string, run: Run<void, A>): Promise<A>
}

export function openDesk({ db, guards, clock, connect }: DeskParts): Desk {
  const { doing, onBothSides } = openTaskRunner({ db, guards, clock })

  /** Undefined where the cabinet is not connected. Throws marketplace_unavailable. */
  async function shippingOf(cabinet: Cabinet): Promise<Shipping | undefined> {
    return isConnected(cabinet) ? asked(() => connect(cabinet).shipping) : undefined
  }

  async function shipmentCabinet(clientId: string, shipmentId: string) {
    const cabinet = await connectionOfShipment(db, clientId, shipmentId)
    if (cabinet === undefined) throw notFound('Отгрузка не найдена')
    return cabinet
  }

  return {
    async open(clientId, { cabinetId, externalId, name, orderIds }, actor, run) {
      const cabinet = await connectionOf(db, clientId, cabinetId)
      if (cabinet === undefined) throw notFound('Кабинет не найден')
      await refuseUnknown(db, cabinet, orderIds ?? [])
      const shipping = await shippingOf(cabinet)
      // Only new ones are refused: what was begun here, before the setting was changed, is ended here.
      if (shipping !== undefined && cabinet.shipments === 'mirrored') {
        throw conflict('Отгрузки этого кабинета делают в самом маркетплейсе')
      }
      const opening = { cabinetId, externalId, ...(name === undefined ? {} : { name }) }
      if (shipping === undefined) {
        return run(async (work) => {
          return { id: await openShipment(work, clientId, opening), again: false }
        })
      }
      const planned = orderIds === undefined ? {} : { orderIds }
      const detail = { externalId, name: name ?? externalId, ...planned }
      return doing(cabinet, actor, { kind: 'create', detail } as const, {
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
    },

    async fill(clientId, shipmentId, orderIds, actor, run) {
      const cabinet = await shipmentCabinet(clientId, shipmentId)
      const shipping = await shippingOf(cabinet)
      const verb = (work: Work) => addOrders(work, clientId, shipmentId, orderIds)
      if (shipping === undefined) return run(verb)
      const draft = { kind: 'fill', shipmentId, detail: { orderIds } } as const
      return onBothSides(cabinet, actor, draft, {
        verb,
        run,
        async ask() {
          const { joining, present } = await fillingOf(db, clientId, shipmentId, orderIds)
          await shipping.fill(cabinet.externalId, joining, present).catch((error: unknown) => {
            throw isRejected(error) && error.status === 404 ? conflict(goneWords) : error
          })
          return {}
        },
      })
    },

    async remove(clientId, shipmentId, orderId, run) {
      const cabinet = await shipmentCabinet(clientId, shipmentId)
      const removed = await run((work) => removeOrder(work, clientId, shipmentId, orderId))
      if (isConnected(cabinet)) {
        await takeOut(cabinet, { clientId, shipmentId, orderId }).catch(() => {})
      }
      return removed
    },

    async close(clientId, shipmentId, actor, run) {
      const cabinet = await shipmentCabinet(clientId, shipmentId)
      const shipping = await shippingOf(cabinet)
      const verb = (work: Work) => closeShipment(work, clientId, shipmentId)
      if (shipping === undefined) {
        return run(async (work) => {
          await verb(work)
          await noteClosedAlone(work, clientId, shipmentId)
        })
      }
      const draft = { kind: 'deliver', shipmentId, detail: {} } as const
      const { externalId } = cabinet
      return onBothSides(cabinet, actor, draft, {
        verb,
        run,
        ask: async () => ({
          note: await handOver(db, shipping, { clientId, shipmentId, externalId }),
        }),
      })
    },

    ...openLabels(db, connect),
  }

  /**
   * So that it may join another at once. Where this fails the hand-over sees to it, so nothing that
   * fails here is a failure.
   */
  async function takeOut(
    cabinet: ConnectedShipment,
    { clientId, shipmentId, orderId }: Removed,
  ): Promise<void> {
    const { shipping } = connect(cabinet)
    if (shipping.takesOutOthers !== true) return
    await holding(guards, { id: shipmentId }, async () => {
      const members = await membersOf(db, clientId, shipmentId)
      // It may have come back meanwhile.
      if (members.some(({ id }) => id === orderId)) return
      const { joining, present } = await fillingOf(db, clientId, shipmentId, [orderId])
      const numbers = joining.map((order) => order.externalId)
      await shipping.putAside(cabinet.externalId, numbers, present)
    })
  }
}

type ConnectedShipment = ConnectedCabinet & { readonly externalId: string }

interface Removed {
  readonly clientId: string
  readonly shipmentId: string
  readonly orderId: string
}
