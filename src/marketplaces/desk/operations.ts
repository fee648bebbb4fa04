import type { Database } from '../../db/connection.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Connect } from '../connect.ts'
import { type Cabinet, connectionOfShipment, isConnected } from '../connection.ts'
import type { Shipping } from '../connector.ts'
import { asked, type TaskRunner } from './task-runner.ts'

/** What the operations of the desk are done with, a file each: opening, filling, removing, closing. */
export interface DeskTools extends TaskRunner {
  readonly db: Database
  readonly connect: Connect
}

/** A shipment that an operation is about. */
export interface Subject {
  readonly clientId: string
  readonly shipmentId: string
}

/** Undefined where the cabinet is not connected. Throws marketplace_unavailable. */
export async function shippingOf(
  { connect }: DeskTools,
  cabinet: Cabinet,
): Promise<Shipping | undefined> {
  return isConnected(cabinet) ? asked(() => connect(cabinet).shipping) : undefined
}

/** The cabinet of a shipment, with the shipment's number there. Throws not_found. */
export async function shipmentCabinet({ db }: DeskTools, { clientId, shipmentId }: Subject) {
  const cabinet = await connectionOfShipment(db, clientId, shipmentId)
  if (cabinet === undefined) throw notFound('Отгрузка не найдена')
  return cabinet
}
