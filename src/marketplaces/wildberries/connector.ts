import { day, type Instant } from '../../kernel/moscow-time.ts'
import type { OrderDraft } from '../../orders/verbs.ts'
import type { ToldShipment } from '../../shipments/mirror.ts'
import type { MirroredFigure } from '../../stock/marketplace-stock.ts'
import { openReading, type Reading } from '../calls/answer.ts'
import { unlessMissing } from '../calls/failure.ts'
import { isNumber } from '../calls/ids.ts'
import { inPieces } from '../calls/pages.ts'
import type { Card, CardKey, Connector, ShipmentsAsked, Told } from '../connector.ts'
import { deletedShipment } from '../deleted-shipment.ts'
import {
  allPages,
  type CardsCursor,
  idsMax,
  isSupplyNumber,
  openClient,
  readCursor,
  type WildberriesClient,
  type WildberriesOptions,
} from './client.ts'
import {
  figureOf,
  orderIdsOf,
  orderOf,
  shipmentOf,
  sizesOf,
  statusOf,
  type Warehouse,
  warehouseOf,
} from './mapper.ts'
import { isRest, shippingOf } from './shipping.ts'
import { readToken } from './token.ts'
import { openTwins } from './twins.ts'

const second = 1000
/** The longest time between the ends of a question for orders. */
const windowSeconds = (30 * day) / second
/** Older orders are not told any more. */
const ordersKeptMs = 90 * day

export function openWildberries(options: WildberriesOptions): Connector {
  const { credentials, now = Date.now } = options
  const client = openClient(options)
  const claims = readToken(credentials.token)
  return {
    marketplace: 'WB',
    seller: claims.seller,
    async access() {
      // Any call would do: it shows that the token is good for orders and supplies.
      await client.warehouses()
      return { expiresAt: claims.expiresAt }
    },
    cards: (since) => cardsSince(client, since),
    orders: (from) => ordersSince(client, from, now()),
    async *statuses(externalIds) {
      const reading = openReading()
      for (const ids of inPieces(externalIds.filter(isNumber), idsMax.statuses)) {
        const { askedAt, items } = await client.statuses(ids)
        yield { askedAt, items: reading.of(items, statusOf) }
      }
      reading.end()
    },
    shipments: (asked) => shipmentsSince(client, asked),
    stock: (goods) => stockOf(client, goods),
    shipping: shippingOf(client),
  }
}

async function* cardsSince(
  client: WildberriesClient,
  since: string | undefined,
): AsyncGenerator<Told<Card> & { readonly mark: string }> {
  const reading = openReading()
  let cursor = cursorOf(since)
  let mark = since
  let passed = since ?? ''
  for (;;) {
    const { askedAt, items, cursor: told } = await client.cards(cursor)
    if (items.length === 0) break
    // One size that can't be read takes no other with it.
    const cards = reading.of(reading.of(items, sizesOf), (readSize) => readSize())
    const [next] = reading.of([told], readCursor)
    if (next === undefined) {
      yield { askedAt, items: cards, mark: passed }
      break
    }
    cursor = next
    const reached = JSON.stringify(cursor)
    yield { askedAt, items: cards, mark: reading.isWhole() ? reached : passed }
    if (reading.isWhole()) passed = reached
    if (reached === mark) break
    mark = reached
  }
  reading.end()
}

/** A mark that can't be read begins anew: cards told twice change nothing. */
function cursorOf(mark: string | undefined): CardsCursor | undefined {
  if (mark === undefined) return undefined
  try {
    return readCursor(JSON.parse(mark))
  } catch {
    return undefined
  }
}

/**
 * New orders first, for they are in a hurry; then those of the time asked for. Orders have no status
 * in these answers: each page is followed by a question for it, and is as old as that one's answer.
 */
async function* ordersSince(
  client: WildberriesClient,
  from: Instant,
  now: Instant,
): AsyncGenerator<Told<OrderDraft>> {
  const reading = openReading()
  const fresh = reading.of((await client.newOrders()).items, orderOf)
  const told = new Set(fresh.map(({ externalId }) => externalId))
  for (const page of inPieces(fresh, idsMax.statuses)) yield withStatuses(client, page, reading)
  const end = Math.floor(now / second)
  let start = Math.floor(Math.max(from, now - ordersKeptMs) / second)
  while (start < end) {
    const [dateFrom, dateTo] = [start, Math.min(start + windowSeconds, end)]
    for await (const { items } of allPages((next) => client.orders(dateFrom, dateTo, next))) {
      const others = reading.of(items, orderOf).filter(({ externalId }) => !told.has(externalId))
      for (const page of inPieces(others, idsMax.statuses)) {
        yield withStatuses(client, page, reading)
      }
    }
    start = dateTo
  }
  reading.end()
}

/** An order of whose status nothing is said is told without one, and keeps what it has. */
async function withStatuses(
  client: WildberriesClient,
  orders: readonly OrderDraft[],
  reading: Reading,
): Promise<Told<OrderDraft>> {
  const { askedAt, items } = await client.statuses(orders.map(({ externalId }) => externalId))
  const told = reading.of(items, statusOf)
  const statuses = new Map(told.map((status) => [status.externalId, status.reading]))
  return {
    askedAt,
    items: orders.map((order) => ({ ...order, reading: statuses.get(order.externalId) })),
  }
}

/**
 * Supplies come oldest first and can't be asked for by date, so all pages are read; a supply with its
 * orders is told by itself, so that memory holds the orders of one.
 */
async function* shipmentsSince(
  client: WildberriesClient,
  { from, openFrom, known, givenUp = [] }: ShipmentsAsked,
): AsyncGenerator<Told<ToldShipment>> {
  const closed = new Map(known.map((shipment) => [shipment.externalId, shipment.closed]))
  const open = known.flatMap((shipment) => (shipment.closed ? [] : shipment.externalId))
  const missing = new Set(open.filter(isSupplyNumber))
  const reading = openReading()
  const each = openReading()
  const twins = openTwins(known, givenUp)
  for await (const { askedAt, items } of allPages((next) => client.supplies(next))) {
    for (const shipment of reading.of(items, (supply) => shipmentOf(supply))) {
      const { externalId, createdAt, closedAt } = shipment
      missing.delete(externalId)
      twins.look(shipment)
      if (isRest(shipment)) continue
      const since = closedAt === undefined ? openFrom : from
      if (createdAt < since && !closed.has(externalId)) continue
      // What is in one that was closed when we last looked can't have changed since.
      const wasClosed = closed.get(externalId) === true
      const orders = wasClosed ? [] : await each.ask(ordersOf(client, externalId))
      // It may have been deleted since the list was told.
      if (orders === undefined) continue
      yield { askedAt, items: [wasClosed ? shipment : { ...shipment, orders }] }
    }
  }
  // What can't be read in the list may be one of the missing.
  if (reading.isWhole()) {
    for (const externalId of missing) {
      const told = await each.ask(toldAlone(client, externalId))
      if (told !== undefined) yield told
    }
  }
  await twins.drop(client)
  reading.end()
  each.end()
}

/** Undefined where there is no such supply. */
async function ordersOf(
  client: WildberriesClient,
  id: string,
): Promise<readonly string[] | undefined> {
  const found = await unlessMissing(client.orderIds(id))
  return found && orderIdsOf(found)
}

/** An open supply that is not in the list: empty ones can be deleted in the cabinet. */
async function toldAlone(
  client: WildberriesClient,
  externalId: string,
): Promise<Told<ToldShipment>> {
  const found = await unlessMissing(client.supply(externalId))
  if (found === undefined) {
    const askedAt = client.now()
    return { askedAt, items: [deletedShipment(externalId, askedAt)] }
  }
  const orders = (await ordersOf(client, externalId)) ?? []
  return { askedAt: found.askedAt, items: [shipmentOf(found.fields, orders)] }
}

async function* stockOf(
  client: WildberriesClient,
  goods: AsyncIterable<readonly CardKey[]>,
): AsyncGenerator<Told<MirroredFigure>> {
  const reading = openReading()
  const warehouses = new Set(reading.of(await client.warehouses(), warehouseOf))
  for await (const page of goods) {
    for (const cards of inPieces(page, idsMax.stocks)) {
      for (const warehouse of warehouses) {
        const figures = await reading.ask(figuresOf(client, cards, warehouse, reading))
        // The others are told all the same.
        if (figures === undefined) warehouses.delete(warehouse)
        else yield figures
      }
    }
  }
  reading.end()
}

async function figuresOf(
  client: WildberriesClient,
  cards: readonly CardKey[],
  warehouse: Warehouse,
  reading: Reading,
): Promise<Told<MirroredFigure>> {
  const barcodes = new Map(cards.map(({ itemId, barcode }) => [itemId, barcode]))
  const { askedAt, items } = await client.stocks(warehouse.id, [...barcodes.keys()])
  return { askedAt, items: reading.of(items, (item) => figureOf(item, barcodes, warehouse)) }
}
