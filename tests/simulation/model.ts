/**
 * A model of the warehouse, independent of the service: plain data, and the rules written a second time.
 * The simulation enters the service's answers into it and compares what must follow.
 */

export type ReceiptStatus =
  | 'PENDING_CONFIRMATION'
  | 'EXPECTED'
  | 'RECEIVING'
  | 'RECEIVED'
  | 'RECEIVED_WITH_DISCREPANCY'
export type OrderStatus = 'NEW' | 'ASSEMBLING' | 'IN_DELIVERY' | 'COMPLETED' | 'CANCELLED' | 'OTHER'
export type ShipmentStatus = 'ASSEMBLING' | 'HANDED_OVER' | 'ACCEPTED'
export type Marketplace = 'WB' | 'OZON'

export interface Goods {
  readonly barcode: string
  readonly marked: boolean
  /** The balance; undefined until the warehouse knows the goods. */
  quantity: number | undefined
  question: number
  /** Other barcodes: those that a manager gave the goods, and those of goods that became these. */
  readonly others: Set<string>
  /** Units that ever got an expiry date, by date; undefined where dates are not kept. */
  dated?: Map<string, number>
  /** Grams that were weighed, the last one last. Of several at once nobody knows which was the last. */
  weights: number[]
  /** Pictures that were uploaded, likewise. */
  pictures: string[]
}

/** Goods of which the service knows nothing. */
export const newGoods = (barcode: string, marked: boolean): Goods => ({
  barcode,
  marked,
  quantity: undefined,
  question: 0,
  others: new Set(),
  weights: [],
  pictures: [],
})

export interface CountedScan {
  barcode: string
  readonly units: number
  readonly code: string | undefined
  readonly box: string | undefined
  readonly at: number
  undoneAt: number | undefined
}

export interface ReceiptLine {
  readonly barcode: string
  expected: number
  accepted: number
  reason: string | undefined
}

export interface Receipt {
  readonly id: string
  readonly source: 'api' | 'file' | 'manual'
  readonly ref: string | undefined
  status: ReceiptStatus
  lines: Map<string, ReceiptLine>
  readonly scans: Map<string, CountedScan>
  completedAt: number | undefined
  /** Opened for goods without a document. */
  readonly walkIn: boolean
  approved: boolean
  cancelled: boolean
}

/** Units that one receipt, or an entry by hand, put in question. */
export interface Question {
  readonly barcode: string
  readonly receipt: string | undefined
  units: number
  /** Grows with each change. */
  last: number
}

export interface OrderLine {
  barcode: string | undefined
  units: number
  picked: number
  /** The set that was ordered, while its parts stand for it: then nothing is collected here. */
  replaced?: { readonly barcode: string; readonly units: number } | undefined
  /** It stands for a set. */
  readonly stands?: true
}

/** Goods that are made of others. */
export interface SetOfGoods {
  readonly barcode: string
  readonly possible: readonly string[]
  /** Units by part; none: it is no set now. */
  parts: ReadonlyMap<string, number>
  /** All that it was ever said to be made of: of several who speak at once nobody knows who was first. */
  readonly said: ReadonlyMap<string, number>[]
  /** Documents that assembled it, or took it apart, by their ids. */
  readonly assemblies: Map<string, Assembly>
}

export interface Assembly {
  /** What it moved, sets and parts. */
  readonly moves: readonly (readonly [barcode: string, units: number])[]
  undone: boolean
}

export interface Pair {
  readonly supplier: string
  readonly buyer: string
}

export interface Order {
  readonly id: string
  readonly number: string
  readonly cabinet: string
  readonly marketplace: Marketplace
  readonly createdAt: number
  readonly lines: OrderLine[]
  pair: Pair | undefined
  /** The meaning of the pair. */
  reported: OrderStatus
  sorted: boolean
  delivered: boolean
  sortedAt: number | undefined
  deliveredAt: number | undefined
  shipment: string | undefined
  packed: boolean
  /** Units of the packing check, by the index of their line. */
  readonly checks: Map<number, number>
  /** Units that left with shipments made here and did not come back, by barcode. */
  readonly away: Map<string, number>
  /** It came back to be handed over again. */
  reship: boolean
  /** The numbers of the shipments that it came back from. */
  readonly supplies: Set<string>
  /** All readings that were ever reported. */
  readonly readings: Reading[]
  /** Its shipment before several acted at once, and what they did. */
  settled: string | undefined
  readonly joined: Set<string>
  left: boolean
}

export interface Miss {
  readonly order: string
  barcode: string
  readonly units: number
  readonly reason: string
  readonly at: number
  /** Nobody has decided, and nothing has ended it. */
  isOpen: boolean
}

export interface Pick {
  readonly order: string
  barcode: string
  readonly at: number
  undoneAt: number | undefined
  /** The index of its line in the order. */
  line: number
  /** The key of its marking code. */
  code: string | undefined
  /** What the marketplace said of its mark; undefined: it was not given it. One that is not seen may be lost, and is sent again. */
  proof: 'unsent' | 'sent' | 'unseen' | 'proven' | 'refused' | undefined
  /** The box or location that it was taken from. */
  readonly from: { readonly contents: Map<string, number> } | undefined
}

export interface Shipment {
  readonly id: string
  /** Undefined for a mirrored shipment, which is made on the marketplace's own site. */
  readonly task: string | undefined
  readonly mirrored: boolean
  readonly number: string
  readonly cabinet: string
  status: ShipmentStatus
  closedAt: number | undefined
  units: number
  readonly picks: Map<string, Pick>
  readonly misses: Miss[]
  /** Scans of counted reports of missing goods. */
  readonly reports: Set<string>
  /** Scans of packing checks. */
  readonly checks: Set<string>
  /** The last claim of its picking task, which may have ended. */
  claim: { readonly user: 'worker' | 'manager'; readonly at: number } | undefined
}

/** What a shipment begins with. */
export const emptyShipment = () => ({
  status: 'ASSEMBLING' as const,
  closedAt: undefined,
  units: 0,
  picks: new Map(),
  misses: [],
  reports: new Set<string>(),
  checks: new Set<string>(),
  claim: undefined,
})

/** Units that the client is charged for, of an object. */
export interface Charged {
  readonly id: string
  readonly units: number
  readonly at: number
}

/** Goods that came back at once. */
export interface ReturnBatch {
  readonly id: string
  isOpen: boolean
  readonly scans: Map<string, ReturnedUnit>
}

export interface ReturnedUnit {
  readonly order: string
  /** With which its order had left. */
  readonly shipment: string | undefined
  readonly barcode: string
  readonly question: 0 | 1
  /** The key of its marking code. */
  readonly code: string | undefined
  undone: boolean
}

export interface Box {
  readonly id: string
  pallet: string | undefined
  readonly contents: Map<string, number>
  readonly scans: Set<string>
}

/** Loose units of a client at a location. */
export interface Place {
  readonly id: string
  readonly contents: Map<string, number>
  readonly scans: Set<string>
}

export interface Cabinet {
  readonly id: string
  readonly marketplace: Marketplace
  /** Whether its shipments are made on the marketplace's own site. */
  readonly mirrored: boolean
  historySince: number | undefined
}

/** A unit with a marking code. */
export interface MarkingCode {
  readonly client: string
  barcode: string
  state: 'stored' | 'picked' | 'shipped'
  receipt: string | undefined
  order: string | undefined
}

/** An event that subscribers should get: the object, and its status after the change. */
export interface ExpectedEvent {
  readonly type: string
  readonly object: string
  readonly before: string | undefined
  readonly status: string
}

export interface Client {
  readonly id: string
  /** Its place among the clients. */
  readonly index: number
  readonly key: string
  readonly cabinets: readonly Cabinet[]
  readonly goods: Map<string, Goods>
  /** What goods that were merged are now, by their barcodes. */
  readonly merged: Map<string, string>
  readonly set: SetOfGoods
  readonly receipts: Map<string, Receipt>
  readonly orders: Map<string, Order>
  readonly shipments: Map<string, Shipment>
  readonly returns: Map<string, ReturnBatch>
  /** Units of closed counts that the client wished. */
  readonly counted: Charged[]
  /** Prints of labels for goods. */
  readonly labelled: Charged[]
  readonly boxes: Map<string, Box>
  readonly pallets: string[]
  readonly places: Map<string, Place>
  readonly entries: Set<string>
  readonly events: ExpectedEvent[]
  /** What put units in question, in any order. */
  readonly questions: Question[]
  /** Whether an approval came between other actions, so that their order decides what it freed. */
  approvedTogether: boolean
  /** Orders of sets that left between other actions, so that their order decides which parts stood for them. */
  readonly leftTogether: { readonly shipment: Shipment; readonly order: Order }[]
  /** Whether goods were merged between other actions, so that their order decides which receipts were over by then. */
  mergedTogether: boolean
  /** Of the whole warehouse, by the barcode that is printed in them and the number of the unit. */
  readonly markingCodes: Map<string, MarkingCode>
}

/** The own barcode of the goods that a barcode names, which may have been merged. */
export const ownBarcode = ({ merged }: Client, barcode: string) => merged.get(barcode) ?? barcode

export const goodsOf = (client: Client, barcode: string) =>
  client.goods.get(ownBarcode(client, barcode))

/** Units of a line in question as counting left them. */
export const questioned = (receipt: Receipt, line: ReceiptLine) =>
  receipt.approved ? 0 : surplus(line)

/** Lines of goods that the receipt does not list are shown while they have units. */
export const shownLines = (receipt: Receipt) =>
  [...receipt.lines.values()].filter(({ expected, accepted }) => expected > 0 || accepted > 0)

const surplus = ({ expected, accepted }: { expected: number; accepted: number }) =>
  Math.max(0, accepted - expected)

/** The status that an order shows. */
export function statusOf(client: Client, order: Order): OrderStatus {
  if (order.reported === 'COMPLETED' || order.reported === 'CANCELLED') return order.reported
  if (order.shipment === undefined) return order.reship ? 'ASSEMBLING' : order.reported
  const shipment = client.shipments.get(order.shipment)
  if (shipment?.mirrored && order.reported !== 'NEW' && order.reported !== 'ASSEMBLING')
    return order.reported
  return shipment?.status === 'ASSEMBLING' ? 'ASSEMBLING' : 'IN_DELIVERY'
}

/** Whether the order is in an open shipment of ours: its units are reserved unless it is cancelled. */
export function isOpen(client: Client, order: Order): boolean {
  const shipment = order.shipment === undefined ? undefined : client.shipments.get(order.shipment)
  return shipment?.status === 'ASSEMBLING' && !shipment.mirrored
}

export function reserved(client: Client, barcode: string): number {
  let units = 0
  for (const order of client.orders.values()) {
    if (order.reported === 'CANCELLED' || !isOpen(client, order)) continue
    for (const line of order.lines) if (line.barcode === barcode) units += line.units
  }
  return units
}

export function free(client: Client, barcode: string): number {
  const goods = goodsOf(client, barcode)
  return (
    (goods?.quantity ?? 0) - (goods?.question ?? 0) - reserved(client, ownBarcode(client, barcode))
  )
}

export function isKnown(client: Client, barcode: string): boolean {
  return goodsOf(client, barcode)?.quantity !== undefined
}

/** Units in boxes and at locations. */
export function boxed(client: Client, barcode: string): number {
  let units = 0
  for (const { contents } of [...client.boxes.values(), ...client.places.values()]) {
    units += contents.get(barcode) ?? 0
  }
  return units
}

export function putInto(
  box: { readonly contents: Map<string, number> },
  barcode: string,
  units: number,
): void {
  const sum = (box.contents.get(barcode) ?? 0) + units
  if (sum === 0) box.contents.delete(barcode)
  else box.contents.set(barcode, sum)
}

/** Units enter (+) or leave (−); boxes and locations give up the excess, the emptiest first. */
export function move(client: Client, named: string, delta: number, question = 0): void {
  const goods = goodsOf(client, named)
  if (goods === undefined) throw new Error(`the model has no ${named}`)
  const { barcode } = goods
  goods.quantity = (goods.quantity ?? 0) + delta
  goods.question += question
  if (delta >= 0) return
  let excess = boxed(client, barcode) - goods.quantity
  const held = [...client.boxes.values(), ...client.places.values()]
    .map((box) => ({ box, units: box.contents.get(barcode) ?? 0 }))
    .filter(({ units }) => units > 0)
    .sort((a, b) => a.units - b.units || (a.box.id < b.box.id ? -1 : 1))
  for (const { box, units } of held) {
    if (excess <= 0) return
    putInto(box, barcode, -Math.min(units, excess))
    excess -= Math.min(units, excess)
  }
}

/** Notes who put units in question; what counting put there and took away again is one note. */
export function ask(client: Client, named: string, units: number, receipt?: string): void {
  if (units === 0) return
  const barcode = ownBarcode(client, named)
  const last = 1 + Math.max(0, ...client.questions.map((each) => each.last))
  const known = client.questions.find(
    (each) => receipt !== undefined && each.receipt === receipt && each.barcode === barcode,
  )
  if (known === undefined) client.questions.push({ barcode, receipt, units, last })
  else Object.assign(known, { units: known.units + units, last })
}

/** Units of a receipt that are still in question: investigations found the oldest ones. */
export function openUnits(client: Client, barcode: string, receipt: string): number {
  const asked = client.questions
    .filter((each) => each.barcode === barcode && each.units > 0)
    .sort((a, b) => b.last - a.last)
  let left = client.goods.get(barcode)?.question ?? 0
  for (const each of asked) {
    const units = Math.min(left, each.units)
    if (each.receipt === receipt) return units
    left -= units
  }
  return 0
}

/** A confirmed or registered receipt makes its goods known. */
export function learn(client: Client, barcodes: Iterable<string>): void {
  for (const barcode of barcodes) {
    const goods = goodsOf(client, barcode)
    if (goods !== undefined) goods.quantity ??= 0
  }
}

const lateness = { OTHER: 0, NEW: 0, ASSEMBLING: 0, IN_DELIVERY: 0, COMPLETED: 2, CANCELLED: 3 }

export function isStepBack(before: OrderStatus, answer: OrderStatus): boolean {
  return lateness[answer] < lateness[before]
}

export interface Reading extends Pair {
  readonly status: OrderStatus
  readonly sorted: boolean
  readonly delivered: boolean
  /** The order stays sorted if it ever was: OZON cancels a posting with one pair, before sorting and after. */
  readonly keepsSorted?: boolean
}

const reading = (
  supplier: string,
  buyer: string,
  status: OrderStatus,
  sorted = false,
  delivered = false,
): Reading => ({ supplier, buyer, status, sorted, delivered })

/** Pairs of statuses that marketplaces send, and their meaning. */
export const readings: Readonly<Record<Marketplace, readonly Reading[]>> = {
  WB: [
    reading('new', 'waiting', 'NEW'),
    reading('confirm', 'waiting', 'ASSEMBLING'),
    reading('complete', 'waiting', 'IN_DELIVERY'),
    reading('complete', 'sorted', 'IN_DELIVERY', true),
    reading('complete', 'ready_for_pickup', 'IN_DELIVERY', true),
    reading('complete', 'sold', 'COMPLETED', true, true),
    reading('complete', 'canceled_by_client', 'CANCELLED', true),
    reading('cancel', 'canceled', 'CANCELLED'),
    reading('confirm', 'not readings of yet', 'OTHER'),
  ],
  OZON: [
    reading('awaiting_packaging', 'posting_created', 'NEW'),
    reading('awaiting_deliver', 'posting_packing', 'ASSEMBLING'),
    reading('delivering', 'posting_in_carriage', 'IN_DELIVERY'),
    reading('delivering', 'posting_on_way_to_city', 'IN_DELIVERY', true),
    reading('delivered', 'posting_received', 'COMPLETED', true, true),
    reading('delivered', 'posting_conditionally_delivered', 'COMPLETED', true),
    { ...reading('cancelled', 'posting_canceled', 'CANCELLED'), keepsSorted: true },
    reading('arbitration', 'posting_in_arbitration', 'OTHER'),
  ],
}

/** Units outside of boxes and locations. */
export const loose = (client: Client, barcode: string) =>
  (goodsOf(client, barcode)?.quantity ?? 0) - boxed(client, ownBarcode(client, barcode))

/** The order is here: in no shipment, or in one that is open. */
export function isHere(client: Client, order: Order): boolean {
  if (order.shipment !== undefined)
    return client.shipments.get(order.shipment)?.status === 'ASSEMBLING'
  return !['COMPLETED', 'CANCELLED'].includes(statusOf(client, order))
}

/** Lines name what their goods became. */
export function nameMergedGoods(client: Client, order: Order): void {
  for (const line of order.lines) {
    if (line.barcode !== undefined) line.barcode = ownBarcode(client, line.barcode)
  }
}
