import type { Queryable } from '../../db/connection.ts'
import { day, fromTimestamp, toTimestamp } from '../../kernel/moscow-time.ts'
import type { Shipping } from '../connector.ts'
import { shippedOrders } from './members.ts'
import { type CreateTask, markOf, type Task } from './tasks.ts'

/** The number of a task's shipment, found where it may have been created before, else created now. */
export async function createOnce(
  db: Queryable,
  shipping: Shipping,
  task: Task<CreateTask>,
  again: boolean,
): Promise<string> {
  const known = again ? await findCreated(db, shipping, task) : undefined
  if (known !== undefined) return known
  const orders = await plannedOrders(db, task)
  const at = fromTimestamp(task.askedAt)
  return shipping.create({ name: task.detail.name, mark: markOf(task), at, orders })
}

/** What the marketplace has created for a task, if it has. */
export async function findCreated(
  db: Queryable,
  shipping: Shipping,
  task: Task<CreateTask>,
): Promise<string | undefined> {
  return shipping.find(markOf(task), {
    at: fromTimestamp(task.askedAt),
    known: await knownNumbers(db, task),
    orders: await plannedOrders(db, task),
  })
}

function plannedOrders(db: Queryable, { clientId, detail }: Task<CreateTask>) {
  return shippedOrders(db, clientId, detail.orderIds ?? [])
}

/** Numbers of the cabinet's shipments that may be taken for the one that was asked for. */
async function knownNumbers(db: Queryable, { clientId, cabinetId, askedAt }: Task) {
  const from = toTimestamp(fromTimestamp(askedAt) - day)
  const rows = await db<{ number: string }[]>`
    select external_id as number from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and created_at >= ${from}`
  return rows.map(({ number }) => number)
}
