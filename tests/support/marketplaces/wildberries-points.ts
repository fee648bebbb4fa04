import { moscowDate } from '../../../src/platform/kernel/moscow-time.ts'
import type { FakeResponse } from './fake.ts'
import { bodyOf, check, listIn, type WildberriesRequest } from './wildberries-request.ts'
import { type Method, pictureOf, type Supply } from './wildberries-state.ts'
import { isForPickupPoint, supplyOf } from './wildberries-supplies.ts'

/** Shipping points, shipping methods and boxes of the fake WB. */

export function shippingPoints({ seller, call }: WildberriesRequest): FakeResponse {
  const { city = '', cargoType } = call.query
  if (city === '') {
    return { status: 400, body: { code: 'IncorrectParameter', message: 'Incorrect parameter' } }
  }
  const found = seller.points
    .filter((point) => point.city === city && !seller.closedPoints.has(point.id))
    .filter(({ cargoTypes }) => cargoType === undefined || cargoTypes.includes(Number(cargoType)))
    .map((point) => ({
      ...point,
      address: `${point.city}, ${point.id}`,
      latitude: 55.7,
      longitude: 37.6,
    }))
  return { body: { shippingPoints: found } }
}

/** The status is 200 in any case; the results say whether WB took the method. */
export function setShippingMethod(request: WildberriesRequest): FakeResponse {
  const methods = bodyOf(request).data as readonly (Method & { supplyId: string })[]
  const results = methods.map(({ supplyId, ...method }) => {
    const supply = request.seller.supplies.get(supplyId)
    const error = refusalOf(request, supply, method)
    if (error !== undefined || supply === undefined) return { supplyId, error }
    supply.method = method
    return { supplyId, success: true }
  })
  return { body: { results } }
}

function refusalOf(
  { seller, now }: WildberriesRequest,
  supply: Supply | undefined,
  method: Partial<Method>,
) {
  const { shippingDt = '', shippingPointId, shippingType = '' } = method
  if (supply === undefined) return { code: 404, detail: 'NotFound' }
  if (supply.acceptedAt !== undefined) return { code: 409, detail: 'SupplyAlreadyScanned' }
  const point = seller.points.find(({ id }) => id === shippingPointId)
  const closed = point === undefined || seller.closedPoints.has(point.id)
  const known = ['selfShipping', 'transportCompany'].includes(shippingType)
  if (!known || closed || supply.orders.length === 0) {
    return { code: 400, detail: 'IncorrectRequestBody' }
  }
  if (supply.isFulfilled && !point.fulfillment) return { code: 400, detail: 'FulfillmentRequired' }
  if (shippingDt < moscowDate(now())) return { code: 409, detail: 'InvalidShippingDt' }
  return undefined
}

export function boxes(request: WildberriesRequest): FakeResponse {
  return { body: { trbxes: supplyOf(request).boxes.map((id) => ({ id, orders: [] })) } }
}

/** At most half as many boxes as orders, but one for a single order; where the supply goes in boxes. */
export function addBoxes(request: WildberriesRequest): FakeResponse {
  const supply = supplyOf(request)
  const amount = Number(bodyOf(request).amount)
  check(Number.isInteger(amount) && amount >= 1 && amount <= 1000, 400, 'IncorrectRequestBody')
  const max = Math.max(1, Math.floor(supply.orders.length / 2))
  const fits =
    supply.closedAt === undefined &&
    (isForPickupPoint(request.seller, supply) || supply.isFulfilled) &&
    supply.boxes.length + amount <= max
  check(fits, 409, 'FailedToAddSupplyTrbx')
  const trbxIds = Array.from({ length: amount }, () => `WB-TRBX-${request.newNumber()}`)
  supply.boxes.push(...trbxIds)
  return { status: 201, body: { trbxIds } }
}

export function removeBoxes(request: WildberriesRequest): FakeResponse {
  const supply = supplyOf(request)
  check(supply.closedAt === undefined, 409, 'FailedToDeleteSupplyTrbx')
  const ids = listIn(request, 'trbxIds', 100)
  check(
    ids.every((id) => supply.boxes.includes(id)),
    404,
    'NotFound',
  )
  supply.boxes = supply.boxes.filter((id) => !ids.includes(id))
  return { status: 204 }
}

export function boxStickers(request: WildberriesRequest): FakeResponse {
  const supply = supplyOf(request)
  check(request.call.query.type === 'svg', 400, 'IncorrectParameter')
  const ids = listIn(request, 'trbxIds', 100)
  check(
    ids.every((id) => supply.boxes.includes(id)),
    404,
    'NotFound',
  )
  const stickers = ids.map((id) => ({
    barcode: `$1:${id}`,
    file: pictureOf(request.seller, id),
  }))
  return { body: { stickers } }
}
