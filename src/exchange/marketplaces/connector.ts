import type { GivenMarks } from '../../platform/kernel/codes/unit-mark.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { TokenType } from '../../warehouse/clients/credentials.ts'
import type { Marketplace } from '../../warehouse/clients/marketplace.ts'
import type { OrderDraft, OrderLineDraft, ReportedStatus } from '../../warehouse/orders/draft.ts'
import type { MarkVerdict } from '../../warehouse/picking/mark-proofs.ts'
import type { ReportedReturn } from '../../warehouse/returns/expected.ts'
import type { ReportedShipment } from '../../warehouse/shipments/mirror.ts'
import type { ReportedReshipment } from '../../warehouse/shipments/reshipment.ts'
import type { ShippingPoint } from '../../warehouse/shipments/shipping-method.ts'
import type { ReportedStock } from '../../warehouse/stock/marketplace-stock.ts'

/**
 * The port to a marketplace. A connector talks to one cabinet with its credentials. It knows the
 * marketplace's calls and statuses, and neither the database nor the verbs of this service. A new
 * marketplace is an implementation of this interface, plus a line for its name, credentials, base
 * address and statuses in a few lists, to which the compiler points.
 *
 * - Pages are read one at a time and have a bounded size, so a cabinet of any size fits in memory.
 * - Every page carries the moment of its request, so that a slow response never overwrites a younger
 *   one.
 * - Every failure is a MarketplaceError (calls/failure.ts).
 */
export interface Connector {
  readonly marketplace: Marketplace
  /** The account that the credentials belong to; undefined where they do not name one. */
  readonly seller: string | undefined

  /** The current moment, by the marketplace's clock where ours differs from it by more than clocks usually do. */
  now(): Instant

  /** Checks that the marketplace accepts the credentials. */
  access(): Promise<Access>

  /** The seller's warehouses, those of other schemes too. */
  warehouses(): Promise<readonly SellerWarehouse[]>

  /**
   * Product cards that changed since the cursor of an earlier page, or all. The cursor of a page never
   * passes an unreadable card.
   */
  cards(since: string | undefined): AsyncIterable<ReportedPage<Card> & { readonly cursor: string }>

  /**
   * Orders that were created or changed at `from` or later, each with its current status. `inParts`: the listing before
   * broke off. A marketplace that may have many pages then lists them by the time of their change, and each page says
   * how far it goes (`readUntil`).
   */
  orders(from: Instant, inParts?: boolean): AsyncIterable<ReportedOrderPage>

  /**
   * Orders as the marketplace shows each of them alone, where its lists leave something out
   * (`OrderFacts.listed`). Without those that it refuses to show or that can't be read. Absent where lists
   * leave nothing out.
   */
  details?(externalIds: readonly string[]): Promise<ReportedPage<ReportedOrder>>

  /**
   * What a scanner reads from the labels of these orders, by number; without those that have no label. Absent
   * where lists say it (`OrderFacts.labelCodes`).
   */
  labelCodes?(externalIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>

  /** Current statuses of orders that `orders` may not report again. */
  statuses(externalIds: readonly string[]): AsyncIterable<ReportedPage<ReportedStatus>>
  /** Whether `orders` reports every change of status, which makes `statuses` unnecessary. */
  readonly reportsStatusChanges?: boolean

  /**
   * Shipments (WB: supplies, OZON: carriages), with their orders where these may have changed. Deletes
   * empty orphan supplies, which the marketplace created late for a reference of ours.
   */
  shipments(query: ShipmentsQuery): AsyncIterable<ReportedPage<ReportedShipment>>

  /**
   * Shipments that left on the days from one moment to another. Present where shipments are listed day by day, which
   * takes long. There a cabinet's first `shipments` brings the latest alone, and this brings the others, later and in
   * parts.
   */
  earlierShipments?(from: Instant, to: Instant): AsyncIterable<ReportedPage<ReportedShipment>>

  /**
   * Orders that the marketplace did not find in a shipment that it scanned: they must be brought again.
   * Absent where the marketplace has no such list.
   */
  reshipments?(): AsyncIterable<ReportedPage<ReportedReshipment>>

  /**
   * Goods that come back, whose state changed at `since` or later. Absent where the marketplace has no such
   * list.
   */
  returns?(since: Instant | undefined): AsyncIterable<ReportedPage<ReportedReturn>>
  /** The code that the marketplace scans when returns are fetched; undefined where there is none. */
  giveoutCode?(): Promise<string | undefined>

  /** The stock that the cabinet shows for these goods, split by warehouse where it says so. */
  stock(goods: AsyncIterable<readonly CardKey[]>): AsyncIterable<ReportedPage<ReportedStock>>

  /** Whether a lost answer may leave a shipment that `shipments` must look for and delete. */
  readonly leavesOrphans?: boolean

  readonly shipping: Shipping
}

/** Changes to shipments that are made here and exist in the cabinet, too. */
export interface Shipping {
  /**
   * Creates a shipment and returns its number. A repeated call creates another one: look for the first
   * with `findCreated`. Throws `isTooEarly` where the marketplace creates shipments with packed orders alone
   * and all of these wait for marks: create it with `marksAttached` before the hand-over. Throws `isNeedless` where
   * the marketplace wants no shipment: the orders are brought without one, once they are packed.
   */
  create(plan: ShipmentPlan): Promise<string>
  /**
   * The number of the shipment that `create` made for this reference, if it did. OZON stores no
   * reference: there it is the one new carriage of that time, and undefined without `attempt`. Throws
   * unreachable where several carriages could be the one.
   */
  findCreated(reference: string, attempt?: CreationAttempt): Promise<string | undefined>
  /**
   * Adds these orders. Returns those that the marketplace refused while others joined, and throws where
   * none joined. Orders that are in the shipment stay;
   * `present` names those that we know of, for a marketplace that does not tell. On OZON, orders that
   * wait for marks of their units are added by `handOver`.
   */
  addOrders(
    externalId: string,
    orders: readonly ShippedOrder[],
    present?: readonly ShippedOrder[],
  ): Promise<readonly RefusedOrder[]>
  /**
   * Packs orders of a shipment that the marketplace does not know. Repeatable. Unless their marks are there, those
   * that wait for marks stay as they are. Absent where all shipments are known to the marketplace.
   */
  pack?(orders: readonly ShippedOrder[], marksAttached: boolean): Promise<void>
  /** Whether all orders of a shipment must be of one kind: cargo, warehouse, border, buyer. */
  readonly holdsOneKind?: boolean
  /** The numbers of the orders in the shipment; undefined where the marketplace does not tell. */
  ordersOf(externalId: string): Promise<readonly string[] | undefined>
  /**
   * Removes these orders; one that is not in the shipment is no error. `present` names those that stay,
   * for a marketplace that does not tell. WB moves the orders to a leftover supply, and leaves
   * cancelled ones in place.
   */
  removeOrders(
    externalId: string,
    orders: readonly string[],
    present?: readonly ShippedOrder[],
  ): Promise<void>
  /** Whether orders can be removed at any time, and `handOver` removes those that it is not given. */
  readonly removesOrdersDirectly?: boolean
  remoteStateOf(externalId: string): Promise<RemoteShipmentState>
  /**
   * Hands the shipment over; no error if it already is. `orders` are all that leave: OZON sets the
   * contents to exactly these before. Without `orders` the contents stay as they are.
   */
  handOver(externalId: string, orders?: readonly ShippedOrder[]): Promise<void>
  /**
   * Cancels an open shipment; no error if it no longer exists. Its orders stay at the marketplace and
   * may join another shipment. WB deletes only an empty supply, so they are moved out of it before.
   */
  cancel(externalId: string): Promise<void>
  /**
   * Makes one order several, each with the goods of one package, and returns the new ones. A repeated
   * call is refused: look for the result with `partsOf`. Absent where the marketplace cannot.
   */
  split?(externalId: string, packages: readonly (readonly SplitGoods[])[]): Promise<SplitOrders>
  /** The orders that a split of this order has made; undefined where it was not split. */
  partsOf?(externalId: string): Promise<SplitOrders | undefined>
  /**
   * Says in how many boxes an order is packed, until the marketplace has packed it. Repeatable. Absent where
   * the marketplace does not ask.
   */
  setOrderBoxes?(externalId: string, count: number): Promise<void>
  /** In how many boxes the marketplace thinks that an order is packed. */
  orderBoxesOf?(externalId: string): Promise<number | undefined>
  /**
   * Passes on the marks of orders' units; what the marketplace has already is not sent again. Some goods
   * must not be handed over without. Marks that the marketplace does not want are no error.
   */
  attachMarks(orders: readonly MarkedOrder[]): Promise<void>
  /** Marks proven while their shipment is being picked. */
  readonly proving: MarkProving
  /** One printable sticker for each order, at most 20 orders a call. */
  stickers(externalIds: readonly string[]): Promise<readonly Sticker[]>
  /** Whether each sticker is a PDF, and one that is not ready refuses the whole call. */
  readonly printsOneByOne?: boolean
  /** Whether an order that wants a customs declaration has no sticker before `attachMarks` has passed it on. */
  readonly printsDeclaredOnly?: boolean
  /** Where shipments go, at a marketplace that wants to know it before the hand-over (WB). */
  readonly destinations?: Destinations
  /** The code that the marketplace scans at the hand-over. Exists once it is handed over here. */
  pass(externalId: string): Promise<Sticker>
  /** A PDF as the marketplace made it. Throws rejected where it makes none. */
  document(externalId: string, document: ShipmentDocument): Promise<Sticker>
}

/**
 * Papers of a shipment: `papers` are what travels with it (shipping list or act, and waybill),
 * `containers` the labels of its cargo places, `discrepancy` the act of what the marketplace counted
 * otherwise.
 */
export type ShipmentDocument = 'papers' | 'containers' | 'discrepancy'
/** Shipping methods and boxes of shipments that are brought to points of the marketplace. */
export interface Destinations {
  /** Points of this kind take shipments in boxes alone. */
  readonly boxedKind: string
  /** Points of these kinds may take boxes. */
  readonly boxKinds: readonly string[]
  /** The points of a city that take this kind of cargo, or any. */
  points(city: string, cargoType: number | undefined): Promise<readonly ShippingPoint[]>
  /** What the marketplace knows of the shipment: somebody may have chosen there. */
  methodOf(externalId: string): Promise<RemoteMethod>
  /** Repeatable. A date that has passed becomes today. */
  send(externalId: string, method: SentMethod): Promise<void>
  boxesOf(externalId: string): Promise<readonly string[]>
  /** Repeated, it adds more boxes: look at `boxesOf` first. */
  addBoxes(externalId: string, count: number): Promise<void>
  /** Repeatable. */
  removeBoxes(externalId: string, boxes: readonly string[]): Promise<void>
  /** Undefined where there is none yet. */
  boxSticker(externalId: string, box: string): Promise<Sticker | undefined>
}

export interface SentMethod {
  readonly pointId: number
  readonly type: string
  /** YYYY-MM-DD; undefined: today. */
  readonly date: string | undefined
}

export interface RemoteMethod {
  /** Undefined where the marketplace does not know it yet. */
  readonly cargoType: number | undefined
  readonly method: SentMethod | undefined
}

/**
 * Marks go to the marketplace unit by unit, and it is asked for its verdict later: neither marketplace promises a time. An
 * answer that is not understood means that there is no verdict yet, and never a bad one. Verdicts are in the order of
 * the units.
 */
export interface MarkProving {
  /** Gives the marketplace the marks of an order's units. A refusal that is thrown says nothing of a mark. */
  send(order: SentOrder): Promise<readonly MarkVerdict[]>
  /** Orders whose marks it has taken. One that can't be read has no verdicts. */
  verdicts(orders: readonly MarkedOrder[]): Promise<readonly (readonly MarkVerdict[])[]>
}

export interface SentOrder extends MarkedOrder {
  /** All of its units are picked. */
  readonly isWhole: boolean
  /** An earlier attempt may have given marks of the order: the marketplace is asked first what it has. */
  readonly mayBeKnown: boolean
}

/** An order with its picked units, those without marks left out. */
export interface MarkedOrder {
  readonly externalId: string
  readonly units: readonly ShippedUnit[]
  /** Units that were picked for the order before, with marks, and were put back. */
  readonly formerUnits?: readonly ShippedUnit[]
}

export interface ShippedUnit {
  /** The marketplace's number of the goods; null where it is unknown. */
  readonly itemId: number | null
  /** With its separators. */
  readonly markingCode: string | null
  readonly marks: GivenMarks
}

/** `gone`: the marketplace has deleted or cancelled the shipment. */
export type RemoteShipmentState = 'open' | 'handedOver' | 'gone'

export interface ShipmentPlan {
  readonly name: string
  /** Unique text by which `findCreated` finds the shipment. */
  readonly reference: string
  /** When it was first requested; no other shipment of the cabinet has the same moment. */
  readonly requestedAt?: Instant
  /**
   * The orders that will be added. An OZON carriage has one delivery method, which only its orders
   * tell, and takes in all packed orders unless it is given a list.
   */
  readonly orders?: readonly ShippedOrder[]
  /** The marketplace has the marks of the orders' units: none of them waits. */
  readonly marksAttached?: boolean
}

export interface CreationAttempt {
  /** As in the plan. */
  readonly requestedAt: Instant
  /** Numbers of shipments that this attempt did not create. */
  readonly known?: readonly string[]
  readonly orders?: readonly ShippedOrder[]
}

export interface ReportedPage<Item> {
  /** When the page was requested. */
  readonly requestedAt: Instant
  readonly items: readonly Item[]
}

export interface ReportedOrderPage extends ReportedPage<ReportedOrder> {
  /** Statuses of orders whose goods are unreadable. They apply to orders that are known already. */
  readonly statuses?: readonly ReportedStatus[]
  /** All orders that changed before are on this page and those before it. */
  readonly readUntil?: Instant
}

export interface ReportedOrder extends OrderDraft {
  readonly lines: readonly ReportedLine[]
}

export interface ReportedLine extends OrderLineDraft {
  /** All barcodes of the goods, where there are several: the warehouse chooses the one it works with. */
  readonly barcodes?: readonly string[]
}

export interface Access {
  /** When the credentials expire; undefined where the marketplace does not say. */
  readonly expiresAt: Instant | undefined
  /** WB: the kind of the token, where it says so. */
  readonly tokenType?: TokenType | undefined
}

export interface SellerWarehouse {
  /** As orders name it. */
  readonly id: string
  readonly name?: string
  /** In the marketplace's words; absent where it reports nothing unusual. */
  readonly status?: string
  /** `fbs`, or another scheme: the seller delivers himself. Absent where the marketplace does not say. */
  readonly scheme?: string
}

/** Goods as a marketplace knows them. */
export interface Card {
  /** WB: chrtId of a size; OZON: sku. */
  readonly itemId: number
  readonly barcodes: readonly string[]
  /** The second GTIN, in 14 digits, which marks of the goods may have instead; absent where the marketplace names none. */
  readonly gtin?: string
  readonly article: string | undefined
  readonly name: string
  /** Whether units need marking codes; absent where the marketplace does not say. */
  readonly honestMark?: boolean
  /** Address of its first picture, small where the marketplace has sizes; absent where it names none. */
  readonly picture?: string
  /** Of the packed goods; absent where the marketplace does not say or doubts them. */
  readonly measures?: CardMeasures
}

export interface CardMeasures {
  readonly length_mm: number
  readonly width_mm: number
  readonly height_mm: number
  /** Absent where it does not say. */
  readonly weight_g?: number
}

export interface CardKey {
  readonly itemId: number
  /** The barcode under which the warehouse knows the goods. */
  readonly barcode: string
}

/** Selects the shipments that meet at least one of its conditions. */
export interface ShipmentsQuery {
  /** Asks only about the known shipments, and not for others that meet a condition. */
  readonly onlyKnown?: boolean
  /** Where shipments are listed day by day: only those of the latest days. */
  readonly onlyLatest?: boolean
  /** Created at this moment or later. */
  readonly from: Instant
  /** Created at this moment or later, and still open. */
  readonly openFrom: Instant
  readonly known: readonly KnownShipment[]
  /** The cabinet is observed: nothing is deleted. */
  readonly readsOnly?: boolean
  /** References of refused creations that the marketplace may still carry out. */
  readonly abandonedReferences?: readonly string[]
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

export interface SplitGoods {
  readonly itemId: number
  readonly quantity: number
}

/** As of one moment. One of them may keep the number of the order that was split. */
export type SplitOrders = ReportedPage<ReportedOrder>

/** An order that joined no shipment. */
export interface RefusedOrder {
  readonly externalId: string
  /** In Russian. */
  readonly reason: string
}

/** A printable label. */
export interface Sticker {
  /** The number of the order or the shipment. */
  readonly externalId: string
  readonly contentType: 'image/svg+xml' | 'image/png' | 'application/pdf'
  readonly bytes: Buffer
  /** The text of its barcode, where the marketplace tells it. */
  readonly code: string | undefined
  /** What a scanner reads or a person types from it, that text first. */
  readonly codes?: readonly string[]
}
