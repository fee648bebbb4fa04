import type { ReportedShipment } from '../../../../warehouse/shipments/mirror.ts'
import { isFailure } from '../../calls/failure.ts'
import type { KnownShipment } from '../../connector.ts'
import { parseOrderIds } from '../answers/supplies.ts'
import type { WildberriesClient } from '../client.ts'

/**
 * Finds and deletes orphan supplies. WB may create a supply long after the service stopped waiting
 * for the response. By then the service may have created another supply with the same reference, or
 * abandoned the shipment. The late supply belongs to no shipment.
 *
 * Only a supply that has a reference of ours, is open and holds no orders is deleted.
 */
export interface OrphanSupplies {
  inspect(supply: ReportedShipment): void
  /**
   * Deletes the orphans; call it after all supplies were inspected. A failure leaves them for
   * later.
   */
  deleteAll(client: WildberriesClient): Promise<void>
}

/** The form of our references, which people do not type by hand. */
const ownReference = /^SK-[0-9A-F]{12}(?= |$)/

export function openOrphanSupplies(
  known: readonly KnownShipment[],
  abandonedReferences: readonly string[],
): OrphanSupplies {
  const knownIds = new Set(known.map(({ externalId }) => externalId))
  const takenReferences = new Set(abandonedReferences)
  const openUnknown = new Map<string, string>()
  return {
    inspect({ externalId, name = '', closedAt }) {
      const reference = ownReference.exec(name)?.[0]
      if (reference === undefined) return
      if (knownIds.has(externalId)) takenReferences.add(reference)
      else if (closedAt === undefined) openUnknown.set(externalId, reference)
    },
    async deleteAll(client) {
      for (const [id, reference] of openUnknown) {
        if (takenReferences.has(reference)) await deleteIfEmpty(client, id)
      }
    },
  }
}

/** WB itself also refuses to delete a supply that holds orders. */
async function deleteIfEmpty(client: WildberriesClient, id: string): Promise<void> {
  try {
    if (parseOrderIds(await client.orderIds(id)).length === 0) await client.deleteSupply(id)
  } catch (error) {
    if (!isFailure(error)) throw error
  }
}
