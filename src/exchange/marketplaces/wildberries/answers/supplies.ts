import type { ReportedShipment } from '../../../../warehouse/shipments/mirror.ts'
import {
  type Fields,
  flagOf,
  instantOf,
  instantOrNone,
  itemsOf,
  textOf,
  textOrNone,
} from '../../calls/response-fields.ts'

export function parseSupply(
  supply: Fields,
  orders?: readonly string[] | undefined,
): ReportedShipment {
  const createdAt = instantOf(supply, 'createdAt')
  const acceptedAt = instantOrNone(supply, 'scanDt')
  const done = flagOf(supply, 'done') ? createdAt : undefined
  return {
    externalId: textOf(supply, 'id'),
    name: textOrNone(supply, 'name'),
    createdAt,
    // WB may mark a supply as done without a time. It was done before WB scanned it.
    closedAt: instantOrNone(supply, 'closedAt') ?? acceptedAt ?? done,
    acceptedAt,
    cancelled: false,
    orders,
    isB2b: flagOf(supply, 'isB2b'),
  }
}

/**
 * The numbers of all orders of a supply. One unreadable number makes the whole response malformed.
 */
export function parseOrderIds(response: Fields): string[] {
  const ids = response.orderIds === null ? [] : itemsOf(response, 'orderIds')
  return ids.map((orderIds) => textOf({ orderIds }, 'orderIds'))
}
