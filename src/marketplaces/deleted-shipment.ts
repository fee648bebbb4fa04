import type { Instant } from '../kernel/moscow-time.ts'
import type { RemoteShipment } from './connector.ts'

/** One that was open and that the marketplace has no more. */
export function deletedShipment(externalId: string, at: Instant): RemoteShipment {
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
