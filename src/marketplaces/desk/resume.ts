import type { Database } from '../../db/connection.ts'
import { perform, type Work } from '../../db/work.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { addOrders, closeShipment, openShipment, removeOrder } from '../../shipments/verbs.ts'
import { isRejected } from '../calls/failure.ts'
import { connectionOfShipment } from '../connection.ts'
import type { Connector } from '../connector.ts'
import { findCreated } from './creation.ts'
import { compareLeft } from './hand-over.ts'
import { fillingOf, shippedOrders } from './members.ts'
import { takeOut } from './removing.ts'
import { type Guards, guardedBy } from './task-guard.ts'
import { doneThereOnly } from './task-runner.ts'
import {
  type Completion,
  type CreateTask,
  completeTask,
  type DeliverTask,
  type FillTask,
  outcomeOf,
  type RemoveTask,
  refuseTask,
  strandedTasks,
  type Task,
} from './tasks.ts'

/**
 * Tasks that a crash, or an answer that never came, left open. The marketplace is asked what it has:
 * what was done there is taken over here; what was not is given up, and nothing changed anywhere.
 */
export interface ResumeParts {
  readonly db: Database
  readonly guards: Guards
  readonly clock: Clock
  readonly connector: Connector
}

export async function resumeTasks(
  parts: ResumeParts,
  clientId: string,
  cabinetId: string,
): Promise<void> {
  const failures: unknown[] = []
  for (const task of await strandedTasks(parts.db, clientId, cabinetId)) {
    try {
      await parts.guards.ifNobodyHolds(guardedBy(task), () => resume(parts, task))
    } catch (error) {
      // Younger ones do not wait for what can't be told yet.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function resume(parts: ResumeParts, task: Task): Promise<void> {
  const { db, clock } = parts
  const { state, tried } = await outcomeOf(db, task)
  if (state !== 'asked') return
  const refuse = (reason: string) =>
    perform(db, clock, task.actor, (work) => refuseTask(work, task, reason))
  try {
    const verb = tried ? await verbOf(parts, task) : undefined
    if (verb === undefined) return await refuse('Маркетплейс этого не выполнил')
    await perform(db, clock, task.actor, async (work) => completeTask(work, task, await verb(work)))
  } catch (error) {
    if (!(error instanceof ApiError) && !isRejected(error)) throw error
    await refuse(isRejected(error) ? error.message : doneThereOnly(error.message))
  }
}

type Verb = (work: Work) => Promise<Completion>

/** What is to be done here, because the marketplace did its part; undefined where it did not. */
async function verbOf(parts: ResumeParts, task: Task): Promise<Verb | undefined> {
  if (task.kind === 'create') return verbOfCreation(parts, task)
  const { clientId, shipmentId } = task
  const shipment = await connectionOfShipment(parts.db, clientId, shipmentId)
  if (shipment === undefined) return undefined
  const { externalId } = shipment
  switch (task.kind) {
    case 'fill':
      return verbOfFilling(parts, task, externalId)
    case 'remove':
      return verbOfRemoval(parts, task, externalId)
    case 'deliver':
      return verbOfLeaving(parts, task, externalId)
  }
}

async function verbOfCreation({ db, connector }: ResumeParts, task: Task<CreateTask>) {
  const { clientId, cabinetId } = task
  const externalId = await findCreated(db, connector.shipping, task)
  if (externalId === undefined) return undefined
  const draft = { cabinetId, externalId, name: task.detail.name }
  return async (work: Work) => ({ shipmentId: await openShipment(work, clientId, draft) })
}

async function verbOfFilling(
  { db, connector: { shipping } }: ResumeParts,
  { clientId, shipmentId, detail: { orderIds } }: Task<FillTask>,
  externalId: string,
) {
  const { joining, present } = await fillingOf(db, clientId, shipmentId, orderIds)
  const there = await shipping.ordersOf(externalId)
  if (there !== undefined && !joining.some((order) => there.includes(order.externalId))) {
    return undefined
  }
  // It may have been broken off in the middle; and where nobody tells, it may have been done.
  await shipping.fill(externalId, joining, present)
  return async (work: Work) => {
    await addOrders(work, clientId, shipmentId, orderIds)
    return {}
  }
}

async function verbOfRemoval(
  { db, connector: { shipping } }: ResumeParts,
  { clientId, shipmentId, detail: { orderId } }: Task<RemoveTask>,
  externalId: string,
) {
  const [order] = await shippedOrders(db, clientId, [orderId])
  const there = await shipping.ordersOf(externalId)
  if (order !== undefined && there?.includes(order.externalId)) return undefined
  // Where nobody tells, it may have been done.
  const note = await takeOut(db, shipping, externalId, { clientId, shipmentId, orderId })
  return async (work: Work) => {
    await removeOrder(work, clientId, shipmentId, orderId)
    return { note }
  }
}

async function verbOfLeaving(
  { db, connector: { shipping } }: ResumeParts,
  { clientId, shipmentId }: Task<DeliverTask>,
  externalId: string,
) {
  if ((await shipping.standingOf(externalId)) !== 'left') return undefined
  const note = await compareLeft(db, shipping, { clientId, shipmentId, externalId })
  return async (work: Work) => {
    await closeShipment(work, clientId, shipmentId)
    return { note }
  }
}
