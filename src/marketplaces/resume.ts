import type { Database } from '../db/connection.ts'
import { perform, type Work } from '../db/work.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { addOrders, closeShipment, openShipment } from '../shipments/verbs.ts'
import { cabinetOfShipment } from './connection.ts'
import type { Connector } from './connector.ts'
import { findCreated } from './creation.ts'
import { MarketplaceError } from './failure.ts'
import { fillingOf, shippedOrders } from './members.ts'
import { completeTask, holdTask, refuseTask, strandedTasks, type Task } from './tasks.ts'

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

/** Returns the shipment, where one is opened. */
type Verb = (work: Work) => Promise<string | undefined>

async function end(parts: ResumeParts, task: Task, verb: Verb | undefined): Promise<void> {
  const { db, clock } = parts
  const held = (run: (work: Work) => Promise<void>) =>
    perform(db, clock, task.actor, async (work) => {
      if (await holdTask(work, task)) await run(work)
    })
  const refuse = (reason: string) => held((work) => refuseTask(work, task, reason))
  if (verb === undefined) return refuse('Маркетплейс этого не выполнил')
  try {
    await held(async (work) => completeTask(work, task, await verb(work)))
  } catch (error) {
    const rejected = error instanceof MarketplaceError && error.kind === 'rejected'
    if (!(error instanceof ApiError) && !rejected) throw error
    // Done there, and no longer possible here: closing the shipment will name what is too much there.
    await refuse(`На маркетплейсе выполнено, здесь нет: ${error.message}`)
  }
}

/** What is to be done here, because the marketplace did its part; undefined where it did not. */
async function verbOf(parts: ResumeParts, task: Task): Promise<Verb | undefined> {
  const { clientId, cabinetId } = task
  const { shipping } = parts.connector
  if (task.kind === 'create') {
    const made = await findCreated(parts.db, shipping, task)
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
      const { joining, present } = await fillingOf(work.tx, clientId, shipmentId, orderIds)
      await shipping.fill(shipment.externalId, joining, present)
      return undefined
    }
  }
  const handedOver = await isHandedOver(parts, shipment.externalId)
  if (!handedOver) return undefined
  return async (work) => {
    await closeShipment(work, clientId, shipmentId)
    return undefined
  }
}

async function isHandedOver({ connector, clock }: ResumeParts, externalId: string) {
  const asked = {
    from: clock.now(),
    openFrom: clock.now(),
    known: [{ externalId, closed: false }],
  }
  for await (const { items } of connector.shipments(asked)) {
    const told = items.find((item) => item.externalId === externalId)
    if (told !== undefined) return told.closedAt !== undefined
  }
  return false
}
