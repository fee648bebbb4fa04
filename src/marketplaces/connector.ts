import type { Marketplace } from '../clients/marketplace.ts'
import type { Instant } from '../kernel/moscow-time.ts'
import type { OrderDraft, OrderLineDraft, ToldStatus } from '../orders/verbs.ts'
import type { ToldShipment } from '../shipments/mirror.ts'
import type { MirroredFigure } from '../stock/marketplace-stock.ts'

/**
 * What a marketplace is to this service. A connector talks to one cabinet with its credentials, knows
 * the marketplace's calls and words, and nothing of ours: no database, no verb. Whoever implements
 * this port adds a marketplace; its name, credentials, base address and statuses are a line each in
 * a few lists, to which the compiler points.
 *
 * - Pages are read one at a time and have a bounded size, so that a cabinet of any size fits in memory.
 * - Everything told carries the moment it was asked for: an answer that was under way for long never
 *   overwrites a younger one.
 * - Every failure is a MarketplaceError (calls/failure.ts).
 */
export interface Connector {
  readonly marketplace: Marketplace
  /** Whose cabinet the credentials open; undefined where they do not tell. */
  readonly seller: string | undefined

  /** Whether the credentials are accepted, and until when they are good. */
  access(): Promise<Access>

  /**
   * Cards of goods, those changed since a mark of an earlier page; each page with its own mark, which
   * passes by no card that could not be read.
   */
  cards(since: string | undefined): AsyncIterable<Told<Card> & { readonly mark: string }>

  /** Orders that were created or changed at `from` or later, each with its present status. */
  orders(from: Instant): AsyncIterable<ToldOrders>

  /** Present statuses of orders that `orders` need not have told of again. */
  statuses(externalIds: readonly string[]): AsyncIterable<Told<ToldStatus>>
  /** Whether `orders` tells of every change of status, so that `statuses` is not asked. */
  readonly tellsChanges?: boolean

  /**
   * Shipments (supplies, carriages). Their orders are told where they may have changed. One that was
   * made late under a mark of ours, and is empty, may be deleted on the way.
   */
  shipments(asked: ShipmentsAsked): AsyncIterable<Told<ToldShipment>>

  /** What the cabinet shows as stock of these goods, by marketplace warehouse where it says so. */
  stock(goods: AsyncIterable<readonly CardKey[]>): AsyncIterable<Told<MirroredFigure>>

  readonly shipping: Shipping
}

/** Shipments that are made here and carried out in the cabinet. */
export interface Shipping {
  /**
   * Creates a shipment and answers its number; `mark` is unique and is found again by `find`. Not
   * repeatable by itself.
   */
  create(draft: ShipmentPlan): Promise<string>
  /**
   * The number of the shipment that was created with this mark, if it was. OZON keeps no mark:
   * there it is the one new carriage of that time, and without `tried` there is none. Throws
   * unreachable where it can't be told from others.
   */
  find(mark: string, tried?: TriedCreation): Promise<string | undefined>
  /**
   * Puts orders into it; those already in it stay, of which `present` are those that we know of. All
   * of them or, where one is refused, an error. On OZON orders whose marking codes are still to be
   * scanned join with `deliver`.
   */
  fill(
    externalId: string,
    orders: readonly ShippedOrder[],
    present?: readonly ShippedOrder[],
  ): Promise<void>
  /** The orders that the marketplace has in it; undefined where it does not say. */
  ordersOf(externalId: string): Promise<readonly string[] | undefined>
  /**
   * Takes these orders out of it; those that are not in it stay
   * where they are. `present` are those that we know to stay, for where the marketplace does not say. WB
   * moves them to a supply of ours for what remains, and leaves cancelled ones.
   */
  putAside(
    externalId: string,
    orders: readonly string[],
    present?: readonly ShippedOrder[],
  ): Promise<void>
  /** Whether it has left there, by whomever, or was deleted or cancelled. */
  standingOf(externalId: string): Promise<ShipmentStanding>
  /**
   * Hands it over; handed over already is no error. `orders` are all that leave. OZON makes the
   * shipment hold exactly these first, unless it has left; without them it goes as it is.
   */
  deliver(externalId: string, orders?: readonly ShippedOrder[]): Promise<void>
  /** Whether `deliver` takes out what else is in the shipment; where it does not, the caller looks. */
  readonly takesOutOthers?: boolean
  /** Marking codes of an order's units, which some goods may not leave without; before `deliver`. */
  attachMarks(externalId: string, codes: readonly string[]): Promise<void>
  /** A printable sticker an order, at most 20 orders a call. */
  stickers(externalIds: readonly string[]): Promise<readonly Sticker[]>
  /** The code that the marketplace scans at hand-over, once delivered. */
  pass(externalId: string): Promise<Sticker>
}

export type ShipmentStanding = 'open' | 'left' | 'gone'

export interface ShipmentPlan {
  readonly name: string
  readonly mark: string
  /** Just before it was first asked for; no other shipment of the cabinet has the same. */
  readonly at?: Instant
  /**
   * What will be put into it. An OZON carriage is of one delivery method, which only its orders tell,
   * and takes in all that is ready unless it is told what: there it holds exactly these from the start.
   */
  readonly orders?: readonly ShippedOrder[]
}

export interface TriedCreation {
  /** As of the plan. */
  readonly at: Instant
  /** Numbers of shipments that are known for others. */
  readonly known?: readonly string[]
  readonly orders?: readonly ShippedOrder[]
}

export interface Told<Item> {
  readonly askedAt: Instant
  readonly items: readonly Item[]
}

export interface ToldOrders extends Told<ToldOrder> {
  /** Of orders whose goods can't be read; they are known, or wait until they can. */
  readonly statuses?: readonly ToldStatus[]
}

export interface ToldOrder extends OrderDraft {
  readonly lines: readonly ToldLine[]
}

export interface ToldLine extends OrderLineDraft {
  /** Where the marketplace knows the goods by several: the one that the warehouse knows is taken. */
  readonly barcodes?: readonly string[]
}

export interface Access {
  /** Undefined where the marketplace does not say. */
  readonly expiresAt: Instant | undefined
}

/** How a marketplace names goods: its own number, the barcodes, what the seller wrote. */
export interface Card {
  /** WB: chrtId of a size; OZON: sku. */
  readonly itemId: number
  readonly barcodes: readonly string[]
  readonly article: string | undefined
  readonly name: string
  /** Whether units need marking codes; absent where the marketplace does not say. */
  readonly honestMark?: boolean
}

export interface CardKey {
  readonly itemId: number
  /** The barcode under which the warehouse knows the goods. */
  readonly barcode: string
}

export interface ShipmentsAsked {
  /** Those created at this moment or later, */
  readonly from: Instant
  /** those still open that were created at this moment or later, */
  readonly openFrom: Instant
  /** and what became of these. */
  readonly known: readonly KnownShipment[]
  /** Marks of shipments that were asked for lately, and that nobody waits for any more. */
  readonly givenUp?: readonly string[]
}

export interface KnownShipment {
  readonly externalId: string
  readonly closed: boolean
}

export interface ShippedOrder {
  readonly externalId: string
  /** Total units, for marketplaces that count them. */
  readonly units: number
}

export interface Sticker {
  /** Of the order or the shipment. */
  readonly externalId: string
  readonly contentType: 'image/svg+xml' | 'image/png' | 'application/pdf'
  readonly bytes: Buffer
  /** What the code holds, where the marketplace says. */
  readonly code: string | undefined
}
