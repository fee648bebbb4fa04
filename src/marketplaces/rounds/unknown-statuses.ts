import type { Marketplace } from '../../clients/marketplace.ts'
import { excerpt } from '../../kernel/errors.ts'
import type { WarningLog } from '../../kernel/log.ts'
import type { StatusReading } from '../../orders/state.ts'

/**
 * Tells the operator of raw pairs that mean nothing to us yet: sellers see OTHER until a connector
 * learns them. Each pair once a process and marketplace, however many orders have it.
 */
export interface UnknownStatuses {
  look(marketplace: Marketplace, told: readonly ReadOrder[]): void
}

interface ReadOrder {
  readonly externalId: string
  readonly reading?: StatusReading | undefined
}

/** A marketplace that makes statuses up is not followed for ever. */
const pairsMax = 1_000

export function openUnknownStatuses(log: WarningLog): UnknownStatuses {
  const known = new Set<string>()
  return {
    look(marketplace, told) {
      for (const { externalId, reading } of told) {
        if (reading?.status !== 'OTHER') continue
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
