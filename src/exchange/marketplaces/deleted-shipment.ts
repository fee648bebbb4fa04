import type { Instant } from '../../platform/kernel/moscow-time.ts'
import type { ReportedShipment } from '../../warehouse/shipments/mirror.ts'

/** The report of a shipment that was open and that the marketplace no longer has. */
export function deletedShipment(externalId: string, at: Instant): ReportedShipment {
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
