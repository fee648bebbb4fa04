import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isPrintOf } from '../../documents/printing/queries.ts'
import { ownerOfSubscription } from '../../exchange/webhooks/queries.ts'
import { ownerOfKey } from '../../identity/keys/api-keys.ts'
import { isDeviceOf } from '../../identity/staff/devices.ts'
import { isUserOf } from '../../identity/staff/users.ts'
import type { Database } from '../../platform/db/connection.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { isId, newId } from '../../platform/kernel/ids.ts'
import { ownerOfCabinet } from '../../warehouse/clients/cabinet-queries.ts'
import { isClientOf } from '../../warehouse/clients/clients.ts'
import { ownerOfCount } from '../../warehouse/counts/queries.ts'
import { exceptionOwner } from '../../warehouse/exceptions/queries.ts'
import { ownerOfOrder } from '../../warehouse/orders/staff-queries.ts'
import { ownerOfMiss } from '../../warehouse/picking/miss-queries.ts'
import { ownerOfPickingTask } from '../../warehouse/picking/queries.ts'
import { receiptOwner } from '../../warehouse/receipts/staff-queries.ts'
import { ownerOfReturnBatch } from '../../warehouse/returns/batch-queries.ts'
import { ownerOfShipment } from '../../warehouse/shipments/staff-queries.ts'
import { isLocationOf } from '../../warehouse/storage/locations.ts'
import { findStored } from '../../warehouse/storage/queries.ts'

type OwnerOf = (db: Database, id: string) => Promise<string>

/** Whose object a path names, by the collection that it begins with. */
const owners: Readonly<Record<string, OwnerOf>> = {
  clients: async (_, id) => id,
  cabinets: ownerOfCabinet,
  receipts: (db, id) => receiptOwner(db, id, { seesPending: true }),
  orders: ownerOfOrder,
  shipments: ownerOfShipment,
  'picking-tasks': ownerOfPickingTask,
  misses: ownerOfMiss,
  returns: ownerOfReturnBatch,
  boxes: async (db, id) => (await findStored(db, 'box', id)).clientId,
  pallets: async (db, id) => (await findStored(db, 'pallet', id)).clientId,
  counts: ownerOfCount,
  exceptions: exceptionOwner,
  keys: ownerOfKey,
  webhooks: ownerOfSubscription,
}

type IsWithin = (db: Database, id: string, warehouses: readonly string[]) => Promise<boolean>

/** Whether a warehouse, or an object of one that belongs to no client, is among these. */
const withinWarehouses: Readonly<Record<string, IsWithin>> = {
  warehouses: async (_, code, codes) => codes.includes(code),
  users: isUserOf,
  devices: isDeviceOf,
  // The room itself asks who sees a view.
  'list-views': async () => true,
  locations: isLocationOf,
  'print-stations': (db, id, codes) => isPrintOf(db, 'station', id, codes),
  'print-jobs': (db, id, codes) => isPrintOf(db, 'job', id, codes),
}

/**
 * To a user of some warehouses the objects of clients of others look like none: paths that name one object answer
 * not_found. A user of all warehouses costs nothing here.
 */
export function addMemberWarehouses(app: FastifyInstance, db: Database): void {
  app.addHook('preHandler', async (request) => {
    const warehouses = request.member?.warehouses ?? []
    const named = request.params as { readonly id?: string; readonly code?: string }
    const id = named.id ?? named.code
    if (warehouses.length === 0 || id === undefined) return
    const collection = collectionOf(request)
    await refuseUnseen(db, warehouses, collection, id)
  })
}

/**
 * Throws not_found where somebody of these warehouses does not see an object of a collection, in the words for one that
 * does not exist.
 */
export async function refuseUnseen(
  db: Database,
  warehouses: readonly string[],
  collection: string,
  id: string,
): Promise<void> {
  const isWithin = entryOf(withinWarehouses, collection)
  if (isWithin !== undefined && !(await isWithin(db, id, warehouses))) throw notFound()
  const ownerOf = entryOf(owners, collection)
  if (ownerOf === undefined) return
  const client = await ownerOf(db, id)
  if (isId(client) && (await isClientOf(db, client, warehouses))) return
  await ownerOf(db, newId())
  throw notFound()
}

function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The collection of the object that a path names; of a paper, that of what it is printed from. */
function collectionOf({ params, routeOptions: { url = '' } }: FastifyRequest): string {
  if (url.endsWith('/documents/:kind/:id')) return `${(params as { readonly kind: string }).kind}s`
  return /\/staff\/v1\/([\w-]+)\/:(?:id|code)(?:\/|$)/.exec(url)?.[1] ?? ''
}
