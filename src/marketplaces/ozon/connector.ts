import { day, type Instant } from '../../kernel/moscow-time.ts'
import type { ToldStatus } from '../../orders/verbs.ts'
import type { ToldShipment } from '../../shipments/mirror.ts'
import type { MirroredFigure } from '../../stock/marketplace-stock.ts'
import { openReading, textOf } from '../calls/answer.ts'
import { isFailure, isObsolete } from '../calls/failure.ts'
import { isNumber } from '../calls/ids.ts'
import { realTime } from '../calls/limits.ts'
import { inPieces, type Page } from '../calls/pages.ts'
import type { Card, CardKey, Connector, ShipmentsAsked, Told, ToldOrders } from '../connector.ts'
import { deletedShipment } from '../deleted-shipment.ts'
import { carriagesBetween, remoteShipment } from './carriages.ts'
import { allPages, clocksDifferMs, idsMax, type OzonClient, openClient } from './client.ts'
import { accessOf, cardsOf, figureOf, orderOf, statusOf } from './mapper.ts'
import { shippingOf } from './shipping.ts'
import type { OzonOptions } from './wire.ts'

/** Postings may be asked for by the time of their coming in within a year; a day for clocks. */
const postingsKeptMs = 364 * day
/** A carriage departs on the day on which it is made, or within so many. */
const departsWithinMs = 7 * day

export function openOzon(options: OzonOptions): Connector {
  const { now = Date.now, time = realTime } = options
  const client = openClient(options)
  return {
    marketplace: 'OZON',
    seller: options.credentials.clientId,
    async access() {
      try {
        return accessOf(await client.roles())
      } catch (error) {
        // It says until when the key is good, no more: orders show whether it is.
        if (isFailure(error, 'unreachable', 'credentials')) throw error
        return { expiresAt: undefined }
      }
    },
    cards: () => allCards(client),
    orders: (from) => ordersSince(client, from, now()),
    statuses: () => noStatuses(),
    tellsChanges: true,
    shipments: (asked) => shipmentsSince(client, asked, now),
    stock: (goods) => stockOf(client, goods),
    shipping: shippingOf({ client, time, now }),
  }
}

/** Of two calls that go through all goods, the second where the first is there no more. */
async function* productPages(client: OzonClient): AsyncGenerator<Page> {
  try {
    yield* allPages((lastId) => client.products(lastId))
  } catch (error) {
    if (!isObsolete(error)) throw error
    yield* allPages((cursor) => client.stockedProducts(cursor))
  }
}

/** OZON can't be asked what has changed, so each walk is of all goods and its marks say nothing. */
async function* allCards(
  client: OzonClient,
): AsyncGenerator<Told<Card> & { readonly mark: string }> {
  const reading = openReading()
  for await (const { items } of productPages(client)) {
    const ids = reading.of(items, (item) => textOf(item, 'product_id'))
    if (ids.length === 0) continue
    const told = await client.productInfos('product_id', ids)
    yield { askedAt: told.askedAt, items: reading.of(told.items, cardsOf), mark: '' }
  }
  reading.end()
}

/** A new posting is one whose status has changed too. */
async function* ordersSince(
  client: OzonClient,
  from: Instant,
  now: Instant,
): AsyncGenerator<ToldOrders> {
  const until = now + clocksDifferMs
  const time = (instant: Instant) => new Date(instant).toISOString()
  const earliest = until - postingsKeptMs
  const filter = {
    since: time(earliest),
    to: time(until),
    last_changed_status_date: { from: time(Math.max(from, earliest)), to: time(until) },
  }
  const reading = openReading()
  for await (const { askedAt, items } of allPages((cursor) => client.postings(filter, cursor))) {
    const orders = reading.of(items, orderOf)
    const read = new Set(orders.map(({ externalId }) => externalId))
    const others = openReading().of(items, statusOf)
    yield { askedAt, items: orders, statuses: others.filter((one) => !read.has(one.externalId)) }
  }
  reading.end()
}

/** Every change is told by `orders`. */
async function* noStatuses(): AsyncGenerator<Told<ToldStatus>> {}

/**
 * Lists tell carriages by day of departure, without the time of their making or their orders: each
 * is asked for by itself, and so are known ones that departed long ago. None stays open for long.
 */
async function* shipmentsSince(
  client: OzonClient,
  { from, known }: ShipmentsAsked,
  now: () => Instant,
): AsyncGenerator<Told<ToldShipment>> {
  const left = new Map(known.map((shipment) => [shipment.externalId, shipment]))
  const reading = openReading()
  // One that is refused or can't be read keeps no others from being told; none is no failure.
  const look = (id: string, withOrders: boolean) =>
    reading.ask(remoteShipment(client, id, withOrders).then((found) => ({ found })))
  for await (const carriages of carriagesBetween(client, from - day, now() + departsWithinMs)) {
    for (const { id } of carriages) {
      const before = left.get(id)
      left.delete(id)
      const { found } = (await look(id, before?.closed !== true)) ?? {}
      if (found === undefined || (before === undefined && found.shipment.createdAt < from)) continue
      yield { askedAt: found.askedAt, items: [found.shipment] }
    }
  }
  for (const { externalId, closed } of left.values()) {
    // What was entered by hand may be no number of OZON's at all.
    if (!isNumber(externalId)) continue
    const looked = await look(externalId, !closed)
    if (looked === undefined) continue
    const { found } = looked
    if (found !== undefined) yield { askedAt: found.askedAt, items: [found.shipment] }
    else if (!closed) yield { askedAt: now(), items: [deletedShipment(externalId, now())] }
  }
  reading.end()
}

async function* stockOf(
  client: OzonClient,
  goods: AsyncIterable<readonly CardKey[]>,
): AsyncGenerator<Told<MirroredFigure>> {
  const reading = openReading()
  for await (const cards of goods) {
    for (const piece of inPieces(cards, idsMax.stock)) {
      const barcodes = new Map(piece.map(({ itemId, barcode }) => [itemId, barcode]))
      const skus = [...barcodes.keys()]
      for await (const page of allPages((cursor) => client.stock(skus, cursor))) {
        const items = reading.of(page.items, (item) => figureOf(item, barcodes))
        yield { askedAt: page.askedAt, items }
      }
    }
  }
  reading.end()
}
