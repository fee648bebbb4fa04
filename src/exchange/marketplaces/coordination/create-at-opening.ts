import type { Queryable } from '../../../platform/db/connection.ts'
import { day, fromTimestamp, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { isNeedless, isTooEarly } from '../calls/failure.ts'
import type { Shipping } from '../connector.ts'
import {
  type CreateCommand,
  type CreateLateCommand,
  type RemoteCommand,
  referenceOf,
} from './remote-command.ts'
import { membersOf, shippedOrders } from './shipment-orders.ts'

/**
 * Returns the marketplace's number of the shipment that a command asks for; undefined where the marketplace
 * creates it only when its orders are packed, or wants none. `again`: an earlier attempt may have created it, so it is
 * looked for first.
 */
export async function createOnce(
  db: Queryable,
  shipping: Shipping,
  command: RemoteCommand<CreateCommand>,
  again: boolean,
): Promise<string | undefined> {
  const found = again ? await findCreated(db, shipping, command) : undefined
  if (found !== undefined) return found
  const orders = await plannedOrders(db, command)
  const plan = {
    name: command.detail.name,
    reference: referenceOf(command),
    requestedAt: fromTimestamp(command.requestedAt),
    orders,
  }
  return shipping.create(plan).catch((error: unknown) => {
    if (isTooEarly(error) || isNeedless(error)) return undefined
    throw error
  })
}

/** The marketplace's number of the shipment that it created for a command; undefined if it did not. */
export async function findCreated(
  db: Queryable,
  shipping: Shipping,
  command: RemoteCommand<CreateCommand | CreateLateCommand>,
): Promise<string | undefined> {
  return shipping.findCreated(referenceOf(command), {
    requestedAt: fromTimestamp(command.requestedAt),
    known: await knownNumbers(db, command),
    orders: await (command.kind === 'create'
      ? plannedOrders(db, command)
      : membersOf(db, command.clientId, command.shipmentId)),
  })
}

function plannedOrders(db: Queryable, { clientId, detail }: RemoteCommand<CreateCommand>) {
  return shippedOrders(db, clientId, detail.orderIds ?? [])
}

/** Numbers of recent shipments of the cabinet, which the command did not create. */
async function knownNumbers(db: Queryable, { clientId, cabinetId, requestedAt }: RemoteCommand) {
  const from = toTimestamp(fromTimestamp(requestedAt) - day)
  const rows = await db<{ number: string }[]>`
    select external_id as number from shipments
    where client_id = ${clientId} and cabinet_id = ${cabinetId} and created_at >= ${from}`
  return rows.map(({ number }) => number)
}
