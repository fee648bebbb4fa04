import type { Instant } from '../../kernel/moscow-time.ts'
import type { OrderDraft } from '../../orders/verbs.ts'
import { type Fields, textOf } from '../answer.ts'
import type { Card, CardKey, Connector, KnownShipment, RemoteShipment, Told } from '../connector.ts'
import { MarketplaceError } from '../failure.ts'
import { isNumber } from '../ids.ts'
import {
  allPages,
  type CardsCursor,
  idsMax,
  inPieces,
  openClient,
  readCursor,
  type WildberriesClient,
  type WildberriesOptions,
} from './client.ts'
import {
  cardsOf,
  figureOf,
  orderOf,
  shipmentOf,
  statusOf,
  type Warehouse,
  warehouseOf,
} from './mapper.ts'
import { shippingOf } from './shipping.ts'
import { readToken } from './token.ts'

const second = 1000
const day = 24 * 3_600 * second
/** The longest time between the ends of a question for orders. */
const windowMs = 30 * day
/** Older orders are not told any more. */
const ordersKeptMs = 90 * day

export function openWildberries(options: WildberriesOptions): Connector {
  const { credentials, now = Date.now } = options
  const client = openClient(options)
  return {
    marketplace: 'WB',
    async access() {
      // Any call would do: it shows that the token is good for orders and supplies.
      await client.warehouses()
      return { expiresAt: readToken(credentials.token).expiresAt }
    },
    cards: (since) => cardsSince(client, since),
    orders: (from) => ordersSince(client, from, now()),
    async *statuses(externalIds) {
      for (const ids of inPieces(externalIds.filter(isNumber), idsMax.statuses)) {
        const { askedAt, items } = await client.statuses(ids)
        yield { askedAt, items: items.flatMap((item) => statusOf(item) ?? []) }
      }
    },
    shipments: (from, known) => shipmentsSince(client, from, known),
    stock: (goods) => stockOf(client, goods),
    shipping: shippingOf(client),
  }
}

async function* cardsSince(
  client: WildberriesClient,
  since: string | undefined,
): AsyncGenerator<Told<Card> & { readonly mark: string }> {
  let cursor = cursorOf(since)
  let mark = since
  for (;;) {
    const { askedAt, items, cursor: told } = await client.cards(cursor)
    if (items.length === 0) return
    cursor = readCursor(told)
    const reached = JSON.stringify(cursor)
    yield { askedAt, items: items.flatMap(cardsOf), mark: reached }
    if (reached === mark) return
    mark = reached
  }
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
  const fresh = await client.newOrders()
  const told = new Set(fresh.items.map((order) => textOf(order, 'id')))
  for (const page of inPieces(fresh.items, idsMax.statuses)) yield withStatuses(client, page)
  let start = Math.max(from, now - ordersKeptMs)
  while (start < now) {
    const to = Math.min(start + windowMs, now)
    const seconds = [Math.floor(start / second), Math.floor(to / second)] as const
    for await (const { items } of allPages((next) => client.orders(...seconds, next))) {
      const others = items.filter((order) => !told.has(textOf(order, 'id')))
      for (const page of inPieces(others, idsMax.statuses)) yield withStatuses(client, page)
    }
    start = to
  }
}

/** An order of whose status nothing is said is told without one, and keeps what it has. */
async function withStatuses(
  client: WildberriesClient,
  orders: readonly Fields[],
): Promise<Told<OrderDraft>> {
  const ids = orders.map((order) => textOf(order, 'id'))
  const { askedAt, items } = await client.statuses(ids)
  const statuses = items.flatMap((item) => statusOf(item) ?? [])
  const readings = new Map(statuses.map(({ externalId, reading }) => [externalId, reading]))
  return {
    askedAt,
    items: orders.map((order, at) => orderOf(order, readings.get(ids[at] ?? ''))),
  }
}

/**
 * Supplies come oldest first and can't be asked for by date, so all pages are read; a supply with its
 * orders is told by itself, so that memory holds the orders of one.
 */
async function* shipmentsSince(
  client: WildberriesClient,
  from: Instant,
  known: readonly KnownShipment[],
): AsyncGenerator<Told<RemoteShipment>> {
  const closed = new Map(known.map((shipment) => [shipment.externalId, shipment.closed]))
  const missing = new Set(known.flatMap((shipment) => (shipment.closed ? [] : shipment.externalId)))
  for await (const { askedAt, items } of allPages((next) => client.supplies(next))) {
    for (const supply of items) {
      const shipment = shipmentOf(supply)
      const { externalId, createdAt } = shipment
      missing.delete(externalId)
      if (createdAt < from && !closed.has(externalId)) continue
      // What is in one that was closed when we last looked can't have changed since.
      const orders = closed.get(externalId) ? undefined : await client.ordersOf(externalId)
      yield { askedAt, items: [{ ...shipment, orders }] }
    }
  }
  for (const externalId of missing) yield toldAlone(client, externalId)
}

/** An open supply that is not in the list: empty ones can be deleted in the cabinet. */
async function toldAlone(
  client: WildberriesClient,
  externalId: string,
): Promise<Told<RemoteShipment>> {
  const found = await unlessRefused(404, client.supply(externalId))
  if (found === undefined) {
    const askedAt = client.now()
    return { askedAt, items: [deleted(externalId, askedAt)] }
  }
  const orders = await client.ordersOf(externalId)
  return { askedAt: found.askedAt, items: [shipmentOf(found.fields, orders)] }
}

function deleted(externalId: string, at: Instant): RemoteShipment {
  return {
    externalId,
    name: undefined,
    createdAt: at,
    closedAt: undefined,
    acceptedAt: undefined,
    cancelled: true,
    orders: [],
  }
}

async function* stockOf(client: WildberriesClient, goods: AsyncIterable<readonly CardKey[]>) {
  const warehouses = (await client.warehouses()).flatMap((item) => warehouseOf(item) ?? [])
  for await (const page of goods) {
    for (const cards of inPieces(page, idsMax.stocks)) {
      for (const warehouse of warehouses) yield figuresOf(client, cards, warehouse)
    }
  }
}

async function figuresOf(
  client: WildberriesClient,
  cards: readonly CardKey[],
  warehouse: Warehouse,
) {
  const barcodes = new Map(cards.map(({ itemId, barcode }) => [itemId, barcode]))
  const { askedAt, items } = await client.stocks(warehouse.id, [...barcodes.keys()])
  return { askedAt, items: items.flatMap((item) => figureOf(item, barcodes, warehouse) ?? []) }
}

/** Undefined where the answer was a refusal with this status. */
async function unlessRefused<T>(status: number, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof MarketplaceError && error.status === status) return undefined
    throw error
  }
}
