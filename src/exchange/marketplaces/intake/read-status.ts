import type { Marketplace } from '../../../warehouse/clients/marketplace.ts'
import type { RawStatus, StatusReading } from '../../../warehouse/orders/state.ts'
import { isOzonStatusKnown, readOzonStatus } from '../ozon/status.ts'
import { isWildberriesStatusKnown, readWildberriesStatus } from '../wildberries/status.ts'

const readers: Readonly<Record<Marketplace, (raw: RawStatus) => StatusReading>> = {
  WB: readWildberriesStatus,
  OZON: readOzonStatus,
}

/** Reads a raw status pair by the rules of its marketplace. */
export function readStatus(marketplace: Marketplace, raw: RawStatus): StatusReading {
  return readers[marketplace](raw)
}

const known: Readonly<Record<Marketplace, (raw: RawStatus) => boolean>> = {
  WB: isWildberriesStatusKnown,
  OZON: isOzonStatusKnown,
}

/** Whether the marketplace documents a raw status pair, even if it means OTHER here. */
export function isStatusKnown(marketplace: Marketplace, raw: RawStatus): boolean {
  return known[marketplace](raw)
}
