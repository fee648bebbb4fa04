import type { Marketplace } from '../clients/marketplace.ts'
import type { RawStatus, StatusReading } from '../orders/state.ts'
import { readOzonStatus } from './ozon/status.ts'
import { readWildberriesStatus } from './wildberries/status.ts'

const readers: Readonly<Record<Marketplace, (raw: RawStatus) => StatusReading>> = {
  WB: readWildberriesStatus,
  OZON: (raw) => readOzonStatus(raw),
}

/** Reads a raw status pair by the rules of its marketplace. */
export function readStatus(marketplace: Marketplace, raw: RawStatus): StatusReading {
  return readers[marketplace](raw)
}
