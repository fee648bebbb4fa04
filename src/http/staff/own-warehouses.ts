import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ownerOfCabinet } from '../../clients/cabinet-queries.ts'
import { isClientOf } from '../../clients/clients.ts'
import { ownerOfCount } from '../../counts/queries.ts'
import type { Database } from '../../db/connection.ts'
import { notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { ownerOfOrder } from '../../orders/staff-queries.ts'
import { ownerOfPickingTask } from '../../picking/queries.ts'
import { receiptOwner } from '../../receipts/queries.ts'
import { ownerOfReturnBatch } from '../../returns/batch-queries.ts'
import { ownerOfShipment } from '../../shipments/staff-queries.ts'
import { isLocationOf } from '../../storage/locations.ts'
import { findStored } from '../../storage/queries.ts'
import { ownerOfSubscription } from '../../webhooks/queries.ts'

type OwnerOf = (db: Database, id: string) => Promise<string>

/** Whose object a path names, by the collection that it begins with. */
const owners: Readonly<Record<string, OwnerOf>> = {
  clients: async (_, id) => id,
  cabinets: ownerOfCabinet,
  receipts: (db, id) => receiptOwner(db, id, { seesPending: true }),
  orders: ownerOfOrder,
  shipments: ownerOfShipment,
  'picking-tasks': ownerOfPickingTask,
  returns: ownerOfReturnBatch,
  boxes: async (db, id) => (await findStored(db, 'box', id)).clientId,
  pallets: async (db, id) => (await findStored(db, 'pallet', id)).clientId,
  counts: ownerOfCount,
  webhooks: ownerOfSubscription,
}

/**
 * To a user of some warehouses the objects of clients of others look like none: paths that name one object answer
 * not_found. A user of all warehouses costs nothing here.
 */
export function addOwnWarehouses(app: FastifyInstance, db: Database): void {
  app.addHook('preHandler', async (request) => {
    const warehouses = request.member?.warehouses ?? []
    if (warehouses.length === 0) return
    const { id } = request.params as { readonly id?: string }
    const collection = collectionOf(request)
    if (collection === 'locations' && id !== undefined) {
      if (!(await isLocationOf(db, id, warehouses))) throw notFound()
      return
    }
    const ownerOf = Object.hasOwn(owners, collection) ? owners[collection] : undefined
    if (ownerOf === undefined || id === undefined) return
    const client = await ownerOf(db, id)
    if (!isId(client) || !(await isClientOf(db, client, warehouses))) throw notFound()
  })
}

/** The collection of the object that a path names; of a paper, that of what it is printed from. */
function collectionOf({ params, routeOptions: { url = '' } }: FastifyRequest): string {
  if (url.endsWith('/documents/:kind/:id')) return `${(params as { readonly kind: string }).kind}s`
  return /\/staff\/v1\/([\w-]+)\/:id(?:\/|$)/.exec(url)?.[1] ?? ''
}
