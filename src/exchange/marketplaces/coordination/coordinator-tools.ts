import type { Database } from '../../../platform/db/connection.ts'
import type { Clock } from '../../../platform/kernel/clock.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { type Cabinet, connectionOfShipment, isConnected } from '../connecting/connected-cabinet.ts'
import type { Connect } from '../connecting/open-connector.ts'
import type { Shipping } from '../connector.ts'
import type { CommandRunner } from './command-runner.ts'
import { withStaffErrors } from './staff-errors.ts'

/** The dependencies that all operations of the coordinator share. Each operation has a file of its own. */
export interface CoordinatorTools {
  readonly db: Database
  readonly clock: Clock
  readonly connect: Connect
  readonly runner: CommandRunner
}

export interface ShipmentRef {
  readonly clientId: string
  readonly shipmentId: string
}

/** Undefined where the cabinet is not connected. Throws marketplace_unavailable. */
export async function shippingFor(
  { connect }: CoordinatorTools,
  cabinet: Cabinet,
): Promise<Shipping | undefined> {
  return isConnected(cabinet) ? withStaffErrors(() => connect(cabinet).shipping) : undefined
}

/** The cabinet of a shipment, with the shipment's number at the marketplace. Throws not_found. */
export async function shipmentCabinet(
  { db }: CoordinatorTools,
  { clientId, shipmentId }: ShipmentRef,
) {
  const cabinet = await connectionOfShipment(db, clientId, shipmentId)
  if (cabinet === undefined) throw notFound('Отгрузка не найдена')
  return cabinet
}
