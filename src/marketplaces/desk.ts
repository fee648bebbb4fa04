import type { Database } from '../db/connection.ts'
import { perform, type Work } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, conflict, invalidField, notFound } from '../kernel/errors.ts'
import { addOrders, closeShipment, openShipment, removeOrder } from '../shipments/verbs.ts'
import { codesOfOrders } from '../stock/marking.ts'
import type { Connect } from './connect.ts'
import {
  type Cabinet,
  cabinetOfOrder,
  cabinetOfShipment,
  findCabinet,
  isConnected,
} from './connection.ts'
import type { Shipping, Sticker } from './connector.ts'
import { MarketplaceError } from './failure.ts'
import { membersOf, shippedOrders } from './members.ts'
import { askTask, endTask, holdTask, markOf, type Task, type TaskDraft } from './tasks.ts'

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
}

/** Runs a verb in the caller's own kind of transaction, with what else belongs into it. */
export type Run<Result, Answer> = (verb: (work: Work) => Promise<Result>) => Promise<Answer>

export interface ShipmentRequest {
  readonly cabinetId: string
  /** Needed where the cabinet is not connected; where it is, the worker's own number of the request. */
  readonly externalId: string | undefined
  readonly name: string | undefined
}

export interface Desk {
  open<A>(clientId: string, draft: ShipmentRequest, actor: string, run: Run<string, A>): Promise<A>
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

export function openDesk({ db, clock, connect }: DeskParts): Desk {
  /** Undefined where the cabinet is not connected. Throws conflict for one that is mirrored. */
  function shippingOf(cabinet: Cabinet): Shipping | undefined {
    if (!isConnected(cabinet)) return undefined
    if (cabinet.shipments === 'mirrored') {
      throw conflict('Отгрузки этого кабинета делают в самом маркетплейсе')
    }
    return connect(cabinet).shipping
  }

  async function ask(cabinet: Cabinet, actor: string, draft: TaskDraft) {
    return perform(db, clock, actor, (work) => askTask(work, cabinet, draft))
  }

  /** Does what a task asks; a refusal, here or there, ends it. */
  async function settle<A>(task: Task, act: () => Promise<A>): Promise<A> {
    try {
      return await act()
    } catch (error) {
      const refused =
        error instanceof ApiError ||
        (error instanceof MarketplaceError && error.kind !== 'unreachable')
      if (refused) {
        await perform(db, clock, task.actor, (work) =>
          endTask(work, task, 'refused', (error as Error).message),
        )
      }
      throw shownToStaff(error)
    }
  }

  /** A verb and its task in one transaction. */
  function taking<Result, A>(
    task: Task,
    run: Run<Result, A>,
    verb: (work: Work) => Promise<Result>,
  ): Promise<A> {
    return run(async (work) => {
      if (!(await holdTask(work, task))) throw conflict('Это уже сделано: обновите отгрузку')
      const result = await verb(work)
      await endTask(work, task, 'done')
      return result
    })
  }

  async function shipmentCabinet(clientId: string, shipmentId: string) {
    const cabinet = await cabinetOfShipment(db, clientId, shipmentId)
    if (cabinet === undefined) throw notFound('Отгрузка не найдена')
    return cabinet
  }

  return {
    async open(clientId, { cabinetId, externalId, name }, actor, run) {
      const cabinet = await findCabinet(db, clientId, cabinetId)
      if (cabinet === undefined) throw notFound('Кабинет не найден')
      const shipping = shippingOf(cabinet)
      const named = name === undefined ? {} : { name }
      if (shipping === undefined) {
        if (externalId === undefined) throw invalidField('external_id', 'обязательно')
        return run((work) => openShipment(work, clientId, { cabinetId, externalId, ...named }))
      }
      const wanted = externalId ?? name
      if (wanted === undefined) throw invalidField('name', 'обязательно для подключённого кабинета')
      const detail = { externalId: wanted, name: name ?? wanted }
      const { task, again } = await ask(cabinet, actor, { kind: 'create', detail })
      return settle(task, async () => {
        const mark = markOf(task)
        const made =
          (again ? await shipping.find(mark) : undefined) ??
          (await shipping.create({ name: detail.name, mark }))
        const draft = { cabinetId, externalId: made.externalId, name: detail.name }
        return taking(task, run, (work) => openShipment(work, clientId, draft))
      })
    },

    async fill(clientId, shipmentId, orderIds, actor, run) {
      const cabinet = await shipmentCabinet(clientId, shipmentId)
      const shipping = shippingOf(cabinet)
      const verb = (work: Work) => addOrders(work, clientId, shipmentId, orderIds)
      if (shipping === undefined) return run(verb)
      const { task } = await ask(cabinet, actor, { kind: 'fill', shipmentId, detail: { orderIds } })
      return settle(task, () =>
        taking(task, run, async (work) => {
          const added = await verb(work)
          const orders = await shippedOrders(work.tx, clientId, orderIds)
          await shipping.fill(cabinet.externalId, orders)
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
      const { task } = await ask(cabinet, actor, { kind: 'deliver', shipmentId, detail: {} })
      return settle(task, () =>
        taking(task, run, async (work) => {
          await verb(work)
          await handOver(work, shipping, clientId, shipmentId, cabinet.externalId)
        }),
      )
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

/** The marketplace gets exactly the orders that leave here, with the codes of their units. */
async function handOver(
  work: Work,
  shipping: Shipping,
  clientId: string,
  shipmentId: string,
  externalId: string,
): Promise<void> {
  const leaving = await membersOf(work.tx, clientId, shipmentId)
  const known = new Set(leaving.map((order) => order.externalId))
  const foreign = (await shipping.ordersOf(externalId)).filter((number) => !known.has(number))
  const here = await cancelledAmong(work, clientId, shipmentId, foreign)
  const extra = foreign.filter((number) => !here.has(number))
  if (extra.length > 0) {
    throw conflict(
      `В поставке маркетплейса есть заказы, которых нет в этой отгрузке: ${extra.slice(0, 5).join(', ')}`,
    )
  }
  const ids = leaving.map(({ id }) => id)
  const codes = await codesOfOrders(work.tx, clientId, ids)
  for (const order of leaving) {
    const own = codes.get(order.id)
    if (own !== undefined) await shipping.attachMarks(order.externalId, own)
  }
  await shipping.deliver(externalId)
}

/** Orders that were cancelled stay in the marketplace's shipment; it knows of that itself. */
async function cancelledAmong(
  work: Work,
  clientId: string,
  shipmentId: string,
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await work.tx<{ external_id: string }[]>`
    select external_id from orders
    where client_id = ${clientId} and shipment_id = ${shipmentId} and status = 'CANCELLED'
      and external_id = any(${externalIds as string[]})`
  return new Set(rows.map((row) => row.external_id))
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw shownToStaff(error)
  }
}

/** What a worker reads of a marketplace's failure. */
function shownToStaff(error: unknown): unknown {
  if (!(error instanceof MarketplaceError)) return error
  const code = error.kind === 'rejected' ? 'conflict' : 'marketplace_unavailable'
  return new ApiError(code, error.message, { cause: error })
}
