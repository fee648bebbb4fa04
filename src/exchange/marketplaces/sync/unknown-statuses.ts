import { excerpt } from '../../../platform/kernel/errors.ts'
import type { WarningLog } from '../../../platform/kernel/log.ts'
import type { Marketplace } from '../../../warehouse/clients/marketplace.ts'
import type { StatusReading } from '../../../warehouse/orders/state.ts'
import { isStatusKnown } from '../intake/read-status.ts'

/**
 * Warns the operator about raw statuses that no connector can read: sellers see OTHER for them. Each
 * raw status is logged once for each process and marketplace, however many orders have it.
 */
export interface UnknownStatuses {
  look(marketplace: Marketplace, orders: readonly ReadOrder[]): void
}

interface ReadOrder {
  readonly externalId: string
  readonly reading?: StatusReading | undefined
}

/** Bounds the memory if a marketplace invents statuses without end. */
const pairsMax = 1_000

export function openUnknownStatuses(log: WarningLog): UnknownStatuses {
  const known = new Set<string>()
  return {
    look(marketplace, orders) {
      for (const { externalId, reading } of orders) {
        if (reading?.status !== 'OTHER' || isStatusKnown(marketplace, reading)) continue
        const { supplier, buyer } = reading
        const pair = JSON.stringify([marketplace, supplier, buyer])
        if (known.has(pair) || known.size >= pairsMax) continue
        known.add(pair)
        const details = {
          marketplace,
          ...(supplier === undefined ? {} : { supplier: excerpt(supplier) }),
          ...(buyer === undefined ? {} : { buyer: excerpt(buyer) }),
          order: excerpt(externalId),
        }
        log.warn(details, 'a status of the marketplace is not known, its orders show as OTHER')
      }
    },
  }
}
