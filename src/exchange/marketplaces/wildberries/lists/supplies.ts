import type { ReportedShipment } from '../../../../warehouse/shipments/mirror.ts'
import { unlessMissing } from '../../calls/failure.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { deletedShipment } from '../../calls/reported-facts.ts'
import type { KnownShipment, ReportedPage, ShipmentsQuery } from '../../connector.ts'
import { parseOrderIds, parseSupply } from '../answers/supplies.ts'
import { type WildberriesClient, wildberriesPages } from '../client.ts'
import { isSupplyNumber } from '../environment.ts'
import { isLeftoverSupply } from '../leftover-supplies.ts'
import { openOrphanSupplies } from './orphan-supplies.ts'

/**
 * Lists supplies, one per page, so that memory holds the orders of one supply. WB lists them oldest
 * first and cannot filter by date, so all pages are read. Known open supplies that the list lacks
 * are fetched one by one. Orphan supplies are deleted at the end.
 */
export async function* listWildberriesSupplies(
  client: WildberriesClient,
  query: ShipmentsQuery,
): AsyncGenerator<ReportedPage<ReportedShipment>> {
  const { from, openFrom, known, readsOnly, abandonedReferences = [] } = query
  if (query.onlyKnown && known.length <= singleSuppliesMax)
    return yield* knownSupplies(client, known)
  const closed = new Map(known.map((shipment) => [shipment.externalId, shipment.closed]))
  const open = known.flatMap((shipment) => (shipment.closed ? [] : shipment.externalId))
  const missing = new Set(open.filter(isSupplyNumber))
  const listReader = openPartialReader()
  const supplyReader = openPartialReader()
  const orphans = openOrphanSupplies(known, abandonedReferences)
  for await (const { requestedAt, items } of wildberriesPages((next) => client.supplies(next))) {
    for (const supply of listReader.each(items, (fields) => parseSupply(fields))) {
      const { externalId, createdAt, closedAt } = supply
      missing.delete(externalId)
      orphans.inspect(supply)
      if (isLeftoverSupply(supply)) continue
      const since = closedAt === undefined ? openFrom : from
      if (createdAt < since && !closed.has(externalId)) continue
      // The orders of a supply cannot change after it was seen closed.
      const wasClosed = closed.get(externalId) === true
      const orders = wasClosed ? [] : await supplyReader.attempt(fetchOrderIds(client, externalId))
      // Undefined: deleted since the list was made, or unreadable.
      if (orders === undefined) continue
      yield { requestedAt, items: [wasClosed ? supply : { ...supply, orders }] }
    }
  }
  // An unreadable supply of the list may be one of the missing.
  if (listReader.isComplete()) {
    for (const externalId of missing) {
      const page = await supplyReader.attempt(fetchSupply(client, externalId))
      if (page !== undefined) yield page
    }
  }
  if (!readsOnly) await orphans.deleteAll(client)
  listReader.finish()
  supplyReader.finish()
}

/** More known supplies cost less by the list, of which a page has a thousand. */
const singleSuppliesMax = 10

async function* knownSupplies(
  client: WildberriesClient,
  known: readonly KnownShipment[],
): AsyncGenerator<ReportedPage<ReportedShipment>> {
  const reader = openPartialReader()
  for (const { externalId, closed } of known) {
    if (!isSupplyNumber(externalId)) continue
    const page = await reader.attempt(fetchSupply(client, externalId, !closed))
    // A supply that is closed here left the warehouse, whatever became of it at WB.
    const isGone = page?.items.some(({ cancelled }) => cancelled)
    if (page !== undefined && !(closed && isGone)) yield page
  }
  reader.finish()
}

/** Undefined if there is no such supply. */
async function fetchOrderIds(
  client: WildberriesClient,
  id: string,
): Promise<readonly string[] | undefined> {
  const found = await unlessMissing(client.orderIds(id))
  return found && parseOrderIds(found)
}

/** A known open supply that the list lacks. Staff can delete an empty supply in the cabinet. */
async function fetchSupply(
  client: WildberriesClient,
  externalId: string,
  withOrders = true,
): Promise<ReportedPage<ReportedShipment>> {
  const found = await unlessMissing(client.supply(externalId))
  if (found === undefined) {
    const requestedAt = client.now()
    return { requestedAt, items: [deletedShipment(externalId, requestedAt)] }
  }
  if (!withOrders) return { requestedAt: found.requestedAt, items: [parseSupply(found.fields)] }
  const orders = (await fetchOrderIds(client, externalId)) ?? []
  return { requestedAt: found.requestedAt, items: [parseSupply(found.fields, orders)] }
}
