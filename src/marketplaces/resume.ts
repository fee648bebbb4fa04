import type { Database } from '../db/connection.ts'
import { perform, type Work } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { fromTimestamp } from '../kernel/moscow-time.ts'
import { addOrders, closeShipment, openShipment } from '../shipments/verbs.ts'
import { cabinetOfShipment } from './connection.ts'
import type { Connector } from './connector.ts'
import { MarketplaceError } from './failure.ts'
import { shippedOrders } from './members.ts'
import { endTask, holdTask, markOf, strandedTasks, type Task } from './tasks.ts'

/**
 * Tasks that a crash, or an answer that never came, left open. The marketplace is asked what it has:
 * what was done there is taken over here; what was not is given up, and nothing changed anywhere.
 */
export interface ResumeParts {
  readonly db: Database
  readonly clock: Clock
  readonly connector: Connector
}

export async function resumeTasks(
  parts: ResumeParts,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  for (const task of await strandedTasks(parts.db, clientId, cabinetId)) {
    const verb = await verbOf(parts, task)
    await end(parts, task, verb)
  }
}

type Verb = (work: Work) => Promise<unknown>

async function end(parts: ResumeParts, task: Task, verb: Verb | undefined): Promise<void> {
  const { db, clock } = parts
  const finish = (state: 'done' | 'refused', reason?: string, run?: Verb) =>
    perform(db, clock, task.actor, async (work) => {
      if (!(await holdTask(work, task))) return
      await run?.(work)
      await endTask(work, task, state, reason)
    })
  if (verb === undefined) return finish('refused', 'Маркетплейс этого не выполнил')
  try {
    await finish('done', undefined, verb)
  } catch (error) {
    const rejected = error instanceof MarketplaceError && error.kind === 'rejected'
    if (!(error instanceof ApiError) && !rejected) throw error
    // Done there, and no longer possible here: closing the shipment will name what is too much there.
    await finish('refused', `На маркетплейсе выполнено, здесь нет: ${error.message}`)
  }
}

/** What is to be done here, because the marketplace did its part; undefined where it did not. */
async function verbOf(parts: ResumeParts, task: Task): Promise<Verb | undefined> {
  const { clientId, cabinetId } = task
  const { shipping } = parts.connector
  if (task.kind === 'create') {
    const made = await shipping.find(markOf(task), { at: fromTimestamp(task.askedAt) })
    if (made === undefined) return undefined
    const draft = { cabinetId, externalId: made.externalId, name: task.detail.name }
    return (work) => openShipment(work, clientId, draft)
  }
  const { shipmentId } = task
  const shipment = await cabinetOfShipment(parts.db, clientId, shipmentId)
  if (shipment === undefined) return undefined
  if (task.kind === 'fill') {
    const { orderIds } = task.detail
    const wanted = await shippedOrders(parts.db, clientId, orderIds)
    const there = new Set(await shipping.ordersOf(shipment.externalId))
    if (!wanted.some(({ externalId }) => there.has(externalId))) return undefined
    // It may have been broken off in the middle.
    return async (work) => {
      await addOrders(work, clientId, shipmentId, orderIds)
      await shipping.fill(shipment.externalId, wanted)
    }
  }
  const handedOver = await isHandedOver(parts, shipment.externalId)
  return handedOver ? (work) => closeShipment(work, clientId, shipmentId) : undefined
}

async function isHandedOver({ connector, clock }: ResumeParts, externalId: string) {
  const known = [{ externalId, closed: false }]
  for await (const { items } of connector.shipments(clock.now(), known)) {
    const told = items.find((item) => item.externalId === externalId)
    if (told !== undefined) return told.closedAt !== undefined
  }
  return false
}
