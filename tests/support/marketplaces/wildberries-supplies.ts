import { rawNumber } from '../../../src/platform/kernel/json.ts'
import type { FakeResponse } from './fake.ts'
import { mustFind } from './must-find.ts'
import { uncheckedMarks } from './wildberries-marks.ts'
import {
  bodyOf,
  check,
  isoTime,
  listIn,
  pageIn,
  type WildberriesRequest,
} from './wildberries-request.ts'
import { newSupply, type Order, pictureOf, type Seller, type Supply } from './wildberries-state.ts'

/** The supply calls of the fake WB. */

export function isForPickupPoint({ points }: Seller, { method }: Supply): boolean {
  return points.find(({ id }) => id === method?.shippingPointId)?.officeType === 'pp'
}

function showSupply(supply: Supply, { orders }: Seller): unknown {
  const first = orders.get(supply.orders[0] ?? '')
  return {
    id: supply.id,
    done: supply.closedAt !== undefined,
    createdAt: isoTime(supply.createdAt),
    closedAt: isoTime(supply.closedAt),
    scanDt: isoTime(supply.acceptedAt),
    name: supply.name,
    cargoType: first === undefined ? 0 : (first.raw.cargoType ?? 1),
    crossBorderType: first?.raw.crossBorderType ?? 0,
    isB2b: supply.orders.length === 0 ? null : supply.orders.some((id) => orders.get(id)?.isB2b),
    destinationOfficeId: 15,
    isPickupPointShipmentAllowed: true,
    waybillUuid: supply.waybillUuid,
    spotAvailable: false,
    shippingDt: null,
    shippingPointId: null,
    shippingType: null,
    ...supply.method,
  }
}

/**
 * Lists supplies, the oldest first. The last page has a `next` as well; the page after it is empty.
 */
export function supplies(request: WildberriesRequest): FakeResponse {
  const { from, size } = pageIn(request)
  const page = [...request.seller.supplies.values()].slice(from, from + size)
  return {
    body: {
      next: from + page.length,
      supplies: page.map((supply) => showSupply(supply, request.seller)),
    },
  }
}

export function supplyOf({ seller, ids }: WildberriesRequest): Supply {
  const found = seller.supplies.get(ids[0] ?? '')
  check(found !== undefined, 404, 'NotFound')
  return found
}

/** A supply that no other call works on. */
function idleSupplyOf(request: WildberriesRequest): Supply {
  const found = supplyOf(request)
  const isBusy = found.busyCalls > 0
  if (isBusy) found.busyCalls -= 1
  check(!isBusy, 409, 'SupplyIsProcessing')
  return found
}

export function supply(request: WildberriesRequest): FakeResponse {
  return { body: showSupply(supplyOf(request), request.seller) }
}

export function ordersOfSupply(request: WildberriesRequest): FakeResponse {
  return { body: { orderIds: supplyOf(request).orders.map(rawNumber) } }
}

export function createSupply(request: WildberriesRequest): FakeResponse {
  const { name } = bodyOf(request)
  check(
    typeof name === 'string' && name.length >= 1 && name.length <= 128,
    400,
    'IncorrectRequestBody',
  )
  const prefix = request.seller.isSandbox ? 'WB-GI-SAND' : 'WB-GI'
  const id = `${prefix}-${request.newNumber()}`
  request.seller.supplies.set(id, newSupply(id, name, request.now()))
  return { status: 201, body: { id } }
}

export function deleteSupply(request: WildberriesRequest): FakeResponse {
  const { id, orders } = idleSupplyOf(request)
  check(orders.length === 0, 409, 'SupplyNotEmpty')
  request.seller.supplies.delete(id)
  return { status: 204 }
}

/** Takes all orders or none. All orders of a supply are of one kind, which its first orders decide. */
export function fillSupply(request: WildberriesRequest): FakeResponse {
  const { seller } = request
  const supply = idleSupplyOf(request)
  check(supply.closedAt === undefined, 409, 'SupplyAlreadyClosed')
  const ids = listIn(request, 'orders', 100)
  for (const id of ids) {
    const { supplier = '', buyer } = seller.orders.get(id) ?? {}
    const isOutside = ['new', 'confirm'].includes(supplier) || seller.reshipments.has(id)
    const fits = isOutside && buyer === 'waiting'
    check(fits && !seller.orders.get(id)?.isStuck, 409, 'FailedToAddSupplyOrder')
  }
  const kinds = [...supply.orders, ...ids].map((id) => kindOf(seller.orders.get(id)))
  check(new Set(kinds).size === 1, 409, 'FailedToAddSupplyOrder')
  for (const id of ids) moveTo(supply, mustFind(seller.orders.get(id), 'order'), seller)
  return { status: 204 }
}

/** What all orders of a supply have in common. */
function kindOf(order: Order | undefined): string {
  const { cargoType = 1, warehouseId = 1, crossBorderType = 0 } = order?.raw ?? {}
  return JSON.stringify([cargoType, warehouseId, crossBorderType, order?.isB2b])
}

function moveTo(supply: Supply, order: Order, seller: Seller): void {
  const before = seller.supplies.get(order.supplyId ?? '')
  if (before !== undefined) before.orders = before.orders.filter((id) => id !== order.id)
  supply.orders.push(order.id)
  order.supplyId = supply.id
  order.supplier = 'confirm'
  seller.reshipments.delete(order.id)
}

export function handOverSupply(request: WildberriesRequest): FakeResponse {
  const supply = supplyOf(request)
  const held = supply.orders.flatMap((id) => request.seller.orders.get(id) ?? [])
  check(supply.closedAt === undefined, 409, 'SupplyAlreadyClosed')
  check(held.length > 0, 409, 'SupplyHasZeroOrders')
  const unchecked = held.flatMap((order) => uncheckedMarks(request.seller, order))
  check(unchecked.length === 0, 409, 'MetaValidationFail', { orders: unchecked })
  const isMethodMissing = request.seller.methodIsRequired && supply.method === undefined
  check(!isMethodMissing, 409, 'SupplyShippingRequired')
  const isCarried = supply.method?.shippingType === 'transportCompany'
  const lacksWaybill = request.seller.waybillIsRequired && isCarried && !supply.waybillUuid
  check(!lacksWaybill, 409, 'SupplyWaybillRequired')
  const isBoxed = isForPickupPoint(request.seller, supply) || supply.isFulfilled
  const needsBoxes = isBoxed && supply.boxes.length === 0
  check(!needsBoxes, 409, 'FulfillmentSupplyBoxesRequired')
  supply.closedAt = request.now()
  for (const order of held) {
    if (order.supplier === 'confirm') order.supplier = 'complete'
  }
  return { status: 204 }
}

/** Orders that stayed at the seller though WB has scanned their supply. */
export function reshipments({ seller }: WildberriesRequest): FakeResponse {
  const orders = [...seller.reshipments].map(([orderID, supplyID]) => ({
    supplyID,
    orderID: rawNumber(orderID),
  }))
  return { body: { orders } }
}

export function barcode(request: WildberriesRequest): FakeResponse {
  const { id, closedAt } = supplyOf(request)
  check(closedAt !== undefined, 409, 'SupplyNotClosed')
  return { body: { barcode: id, file: pictureOf(request.seller, id) } }
}
