import type { Marketplace } from '../clients/marketplace.ts'
import type { Database } from '../db/connection.ts'
import { perform, type Work } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, conflict, invalidField, notFound } from '../kernel/errors.ts'
import { addOrders, closeShipment, openShipment, removeOrder } from '../shipments/verbs.ts'
import type { Connect } from './connect.ts'
import {
  type Cabinet,
  cabinetOfOrder,
  cabinetOfShipment,
  findCabinet,
  isConnected,
} from './connection.ts'
import type { RemoteShipment, Shipping, Sticker } from './connector.ts'
import { createOnce } from './creation.ts'
import { MarketplaceError } from './failure.ts'
import { attachMarks, handOver } from './hand-over.ts'
import { fillingOf, refuseUnknown } from './members.ts'
import {
  type Asked,
  askTask,
  completeTask,
  holdTask,
  refuseTask,
  type Task,
  type TaskDraft,
} from './tasks.ts'
import { openTurns, type Turns } from './turns.ts'

/**
 * Where workers make shipments. For a cabinet that is not connected it is the verb alone; for a
 * connected one the marketplace is asked too, and both say yes or nothing changes:
 *
 * - A shipment is created there first: its number is the marketplace's.
 * - Orders are added, and a shipment handed over, by the verb with the marketplace asked at the end of
 *   its transaction: it refuses, and nothing has happened here.
 * - Every call has its task (tasks.ts). A crash, or an answer that never came, leaves it asked; the
 *   next round of syncing learns what the marketplace has, and follows (resume.ts).
 */
export interface DeskParts {
  readonly db: Database
  readonly clock: Clock
  readonly connect: Connect
  /** Of each marketplace: whoever asks it holds a connection meanwhile, and others need some too. */
  readonly atOnceMax?: number
}

/** Runs a verb in the caller's own kind of transaction, with what else belongs into it. */
export type Run<Result, Answer> = (verb: (work: Work) => Promise<Result>) => Promise<Answer>

export interface ShipmentRequest {
  readonly cabinetId: string
  /** Needed where the cabinet is not connected; where it is, the worker's own number of the request. */
  readonly externalId: string | undefined
  readonly name: string | undefined
  /** What will be put into it: OZON's shipments are of one delivery method, which its orders tell. */
  readonly orderIds?: readonly string[] | undefined
}

export interface Opened {
  readonly id: string
  /** It was opened before, by the same number of the same cabinet. */
  readonly again: boolean
}

export interface Desk {
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
  sticker(clientId: string, orderId: string): Promise<Sticker>
  pass(clientId: string, shipmentId: string): Promise<Sticker>
}

export function openDesk({ db, clock, connect, atOnceMax = 3 }: DeskParts): Desk {
  const turns: Readonly<Record<Marketplace, Turns>> = {
    WB: openTurns(atOnceMax),
    OZON: openTurns(atOnceMax),
  }

  /** Undefined where the cabinet is not connected. Throws conflict for one that is mirrored. */
  function shippingOf(cabinet: Cabinet): Shipping | undefined {
    if (!isConnected(cabinet)) return undefined
    if (cabinet.shipments === 'mirrored') {
      throw conflict('Отгрузки этого кабинета делают в самом маркетплейсе')
    }
    return connect(cabinet).shipping
  }

  function ask<Draft extends TaskDraft>(cabinet: Cabinet, actor: string, draft: Draft) {
    return perform(db, clock, actor, (work) => askTask(work, cabinet, draft))
  }

  /** Writes the task down and does what it asks; a refusal, here or there, ends it. */
  function doing<Draft extends TaskDraft, A>(
    cabinet: Cabinet,
    actor: string,
    draft: Draft,
    act: (asked: Asked<Draft>) => Promise<A>,
  ): Promise<A> {
    return turns[cabinet.marketplace](async () => {
      const asked = await ask(cabinet, actor, draft)
      return settle(asked.task, () => act(asked))
    })
  }

  async function settle<A>(task: Task, act: () => Promise<A>): Promise<A> {
    try {
      return await act()
    } catch (error) {
      if (isRefusal(error)) {
        await perform(db, clock, task.actor, (work) =>
          refuseTask(work, task, (error as Error).message),
        )
      }
      throw shownToStaff(error)
    }
  }

  /** A verb and its task in one transaction; `held` tells whether somebody has not ended it yet. */
  function taking<Result, A>(
    task: Task,
    run: Run<Result, A>,
    verb: (work: Work, held: boolean) => Promise<Result>,
    madeOf?: (result: Result) => string,
  ): Promise<A> {
    return run(async (work) => {
      // The marketplace is asked inside, and may take its time.
      await work.tx`set local idle_in_transaction_session_timeout = '15min'`
      const held = await holdTask(work, task)
      const result = await verb(work, held)
      await completeTask(work, task, madeOf?.(result))
      return result
    })
  }

  async function shipmentCabinet(clientId: string, shipmentId: string) {
    const cabinet = await cabinetOfShipment(db, clientId, shipmentId)
    if (cabinet === undefined) throw notFound('Отгрузка не найдена')
    return cabinet
  }

  return {
    async open(clientId, { cabinetId, externalId, name, orderIds }, actor, run) {
      const cabinet = await findCabinet(db, clientId, cabinetId)
      if (cabinet === undefined) throw notFound('Кабинет не найден')
      await refuseUnknown(db, cabinet, orderIds ?? [])
      const shipping = shippingOf(cabinet)
      const named = name === undefined ? {} : { name }
      if (shipping === undefined) {
        if (externalId === undefined) throw invalidField('external_id', 'обязательно')
        return run(async (work) => {
          const id = await openShipment(work, clientId, { cabinetId, externalId, ...named })
          return { id, again: false }
        })
      }
      const wanted = externalId ?? name
      if (wanted === undefined) throw invalidField('name', 'обязательно для подключённого кабинета')
      const numbered = externalId !== undefined
      const detail = {
        externalId: wanted,
        numbered,
        name: name ?? wanted,
        ...(orderIds === undefined ? {} : { orderIds }),
      }
      // A transaction that is run again does not create again.
      let remote: Promise<RemoteShipment> | undefined
      return doing(cabinet, actor, { kind: 'create', detail }, ({ task, again, made }) => {
        if (made !== undefined) return run(() => Promise.resolve({ id: made, again: true }))
        const verb = async (work: Work, held: boolean) => {
          if (!held) throw conflict('Эта отгрузка уже создана: обновите список')
          remote ??= createOnce(db, shipping, task, again)
          const draft = { cabinetId, externalId: (await remote).externalId, name: detail.name }
          return { id: await openShipment(work, clientId, draft), again: false }
        }
        return taking(task, run, verb, ({ id }) => id)
      })
    },

    async fill(clientId, shipmentId, orderIds, actor, run) {
      const cabinet = await shipmentCabinet(clientId, shipmentId)
      const shipping = shippingOf(cabinet)
      const verb = (work: Work) => addOrders(work, clientId, shipmentId, orderIds)
      if (shipping === undefined) return run(verb)
      const draft = { kind: 'fill', shipmentId, detail: { orderIds } } as const
      return doing(cabinet, actor, draft, ({ task }) =>
        taking(task, run, async (work) => {
          const added = await verb(work)
          const { joining, present } = await fillingOf(work.tx, clientId, shipmentId, orderIds)
          await shipping.fill(cabinet.externalId, joining, present)
          return added
        }),
      )
    },

    async remove(clientId, shipmentId, orderId, run) {
      shippingOf(await shipmentCabinet(clientId, shipmentId))
      return run((work) => removeOrder(work, clientId, shipmentId, orderId))
    },

    async close(clientId, shipmentId, actor, run) {
      const cabinet = await shipmentCabinet(clientId, shipmentId)
      const shipping = shippingOf(cabinet)
      const verb = (work: Work) => closeShipment(work, clientId, shipmentId)
      if (shipping === undefined) return run(verb)
      const draft = { kind: 'deliver', shipmentId, detail: {} } as const
      return doing(cabinet, actor, draft, async ({ task }) => {
        // Codes of hundreds of units take minutes, in which nobody should have to wait.
        const attached = new Map<string, string>()
        await attachMarks(db, shipping, clientId, shipmentId, attached)
        return taking(task, run, async (work) => {
          await verb(work)
          await attachMarks(work.tx, shipping, clientId, shipmentId, attached)
          await handOver(work, shipping, clientId, shipmentId, cabinet.externalId)
        })
      })
    },

    async sticker(clientId, orderId) {
      const cabinet = await cabinetOfOrder(db, clientId, orderId)
      const [sticker] = await asked(printing(cabinet).stickers([cabinet?.externalId ?? '']))
      if (sticker === undefined) throw notFound('Маркетплейс ещё не дал этикетку этого заказа')
      return sticker
    },

    async pass(clientId, shipmentId) {
      const cabinet = await shipmentCabinet(clientId, shipmentId)
      return asked(printing(cabinet).pass(cabinet.externalId))
    },
  }

  function printing(cabinet: Cabinet | undefined): Shipping {
    if (isConnected(cabinet)) return connect(cabinet).shipping
    throw conflict('Кабинет не подключён: этикетку взять неоткуда')
  }
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw shownToStaff(error)
  }
}

/** Certainly nothing came of it. An answer that can't be read may have done what was asked. */
function isRefusal(error: unknown): boolean {
  if (error instanceof MarketplaceError) {
    return error.kind === 'rejected' || error.kind === 'credentials'
  }
  return error instanceof ApiError
}

/** What a worker reads of a marketplace's failure. */
function shownToStaff(error: unknown): unknown {
  if (!(error instanceof MarketplaceError)) return error
  const code = error.kind === 'rejected' ? 'conflict' : 'marketplace_unavailable'
  return new ApiError(code, error.message, { cause: error })
}
