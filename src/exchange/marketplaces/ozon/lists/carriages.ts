import { day, type Instant } from '../../../../platform/kernel/moscow-time.ts'
import type { ReportedShipment } from '../../../../warehouse/shipments/mirror.ts'
import { openPartialReader } from '../../calls/partial-reader.ts'
import { deletedShipment } from '../../calls/reported-facts.ts'
import { isRemoteId } from '../../calls/response-fields.ts'
import type { ReportedPage, ShipmentsQuery } from '../../connector.ts'
import type { OzonClient } from '../client.ts'
import { carriagesBetween, fetchCarriage } from '../shipping/carriages.ts'

/** A carriage departs on the day of its creation or at most this much later. */
const departureDelayMsMax = 7 * day

/**
 * Lists carriages, one per page. OZON lists them by day of departure, without their time of creation
 * and their orders, so that each is fetched by its own call. Known carriages that departed earlier
 * are fetched as well. A carriage never stays open for long.
 */
export async function* listOzonCarriages(
  client: OzonClient,
  { from, known, onlyKnown, onlyLatest }: ShipmentsQuery,
  now: () => Instant,
): AsyncGenerator<ReportedPage<ReportedShipment>> {
  const unlisted = new Map(known.map((shipment) => [shipment.externalId, shipment]))
  const reader = openPartialReader()
  // Undefined if OZON refused it or it cannot be read; `found` is undefined if it does not exist.
  const attempt = (id: string, withOrders: boolean) =>
    reader.attempt(fetchCarriage(client, id, withOrders).then((found) => ({ found })))
  const latest = now() + departureDelayMsMax
  const earliest = (onlyLatest ? now() : from) - day
  const listed = onlyKnown ? [] : carriagesBetween(client, earliest, latest)
  for await (const carriages of listed) {
    for (const { id } of carriages) {
      const before = unlisted.get(id)
      unlisted.delete(id)
      const { found } = (await attempt(id, before?.closed !== true)) ?? {}
      if (found === undefined || (before === undefined && found.shipment.createdAt < from)) continue
      yield { requestedAt: found.requestedAt, items: [found.shipment] }
    }
  }
  for (const { externalId, closed } of unlisted.values()) {
    // Staff enter numbers by hand, so a number may have a form that OZON never gives.
    if (!isRemoteId(externalId)) continue
    const result = await attempt(externalId, !closed)
    if (result === undefined) continue
    const { found } = result
    if (found !== undefined) yield { requestedAt: found.requestedAt, items: [found.shipment] }
    else if (!closed) yield { requestedAt: now(), items: [deletedShipment(externalId, now())] }
  }
  reader.finish()
}

/** Carriages that departed on these days, one per page. */
export async function* listEarlierCarriages(
  client: OzonClient,
  from: Instant,
  to: Instant,
): AsyncGenerator<ReportedPage<ReportedShipment>> {
  const reader = openPartialReader()
  for await (const carriages of carriagesBetween(client, from, to)) {
    for (const { id } of carriages) {
      const found = await reader.attempt(fetchCarriage(client, id, true))
      if (found !== undefined) yield { requestedAt: found.requestedAt, items: [found.shipment] }
    }
  }
  reader.finish()
}
