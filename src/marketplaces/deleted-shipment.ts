import type { Instant } from '../kernel/moscow-time.ts'
import type { ToldShipment } from '../shipments/mirror.ts'

/** One that was open and that the marketplace has no more. */
export function deletedShipment(externalId: string, at: Instant): ToldShipment {
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
