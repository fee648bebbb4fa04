import type { Transaction } from '../../platform/db/connection.ts'
import { type Work, workAt } from '../../platform/db/work.ts'
import { day, type Instant } from '../../platform/kernel/moscow-time.ts'
import { createClient } from '../../warehouse/clients/clients.ts'
import { codesOfPattern } from '../../warehouse/storage/location-code.ts'
import { addLocations } from '../../warehouse/storage/locations.ts'
import { seller, warehouse } from './goods.ts'

/** What is there before the scenario begins: the seller and the places of the warehouse. */

export const palletZone = 'Паллеты'
export const shelfZone = 'Полки'
const zones = [
  { zone: palletZone, pattern: 'P-{01..20}' },
  { zone: shelfZone, pattern: 'A-{01..06}-{1..4}' },
] as const

/** Creates the seller, long before the scenario's last moment. Returns the client's id. */
export function createSeller(tx: Transaction, end: Instant): Promise<string> {
  return createClient(workAt(tx, end - 200 * day, { kind: 'robot' }), {
    mode: 'test',
    ...seller,
    warehouse: warehouse.code,
  })
}

interface Place {
  readonly id: string
  readonly code: string
  readonly zone: string
}

/** The warehouse's locations, sorted by code. All sandboxes share them, so these may exist. */
export async function layOutWarehouse(work: Work): Promise<Place[]> {
  for (const { zone, pattern } of zones) {
    const drafts = codesOfPattern(pattern).map((code, order) => ({ code, zone, order }))
    await addLocations(work, warehouse.code, drafts, 'test')
  }
  return work.tx<Place[]>`
    select id, code, zone from locations where warehouse_code = ${warehouse.code} order by code`
}
