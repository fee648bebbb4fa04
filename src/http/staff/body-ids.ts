import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/db/connection.ts'
import { invalidField, ServiceError } from '../../platform/kernel/errors.ts'
import { ownerOfCabinet } from '../../warehouse/clients/cabinet-queries.ts'
import { findClient, isClientOf } from '../../warehouse/clients/clients.ts'
import { memberOn } from './gate.ts'

/**
 * Clients and cabinets that bodies name, as the member who sent the request sees them: what belongs to a client of another
 * warehouse does not exist. Everything else that a body names is looked for within such a client, or in its warehouse.
 */

/** The live client that a body names. Throws validation_error. */
export async function clientInBody(
  db: Database,
  request: FastifyRequest,
  id: string,
): Promise<string> {
  const client = await findClient(db, id)
  if (client === undefined || !(await seesClient(db, request, client.id))) {
    throw invalidField('client_id', 'такого клиента нет')
  }
  return client.id
}

/** Whose cabinet a body names. Throws validation_error. */
export async function ownerOfCabinetInBody(
  db: Database,
  request: FastifyRequest,
  id: string,
): Promise<string> {
  const clientId = await ownerOfCabinet(db, id).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  })
  if (clientId === undefined || !(await seesClient(db, request, clientId))) {
    throw invalidField('cabinet_id', 'идентификатор кабинета')
  }
  return clientId
}

/** Whether the member works in the client's warehouse. */
export async function seesClient(
  db: Database,
  request: FastifyRequest,
  clientId: string,
): Promise<boolean> {
  const { warehouses } = memberOn(request)
  return warehouses.length === 0 || isClientOf(db, clientId, warehouses)
}
