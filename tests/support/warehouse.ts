import { readWildberriesStatus } from '../../src/exchange/marketplaces/wildberries/status.ts'
import { type Database, inTransaction } from '../../src/platform/db/connection.ts'
import { type Work, workAt } from '../../src/platform/db/work.ts'
import type { Mode } from '../../src/platform/kernel/mode.ts'
import type { Instant } from '../../src/platform/kernel/moscow-time.ts'
import type { ProviderDraft } from '../../src/warehouse/billing/providers.ts'
import { addCabinet } from '../../src/warehouse/clients/cabinets.ts'
import { createClient } from '../../src/warehouse/clients/clients.ts'
import type { Marketplace } from '../../src/warehouse/clients/marketplace.ts'
import type { OrderDraft } from '../../src/warehouse/orders/draft.ts'
import { countScan } from '../../src/warehouse/receipts/counting.ts'
import { registerReceipt } from '../../src/warehouse/receipts/register.ts'
import { finishReceiving, startReceiving } from '../../src/warehouse/receipts/verbs.ts'

/** The default moment of tests. */
export const noon: Instant = Date.parse('2026-11-20T12:00:00+03:00')

/** Who charges for the services of a warehouse. */
export const testProvider: ProviderDraft = {
  ...{ first_day: '2026-01-01', name: 'ООО «Склад»', inn: '7707083893', kpp: null },
  ...{ address: 'Москва', signatory: 'Директор Иванов И. И.', vat_rate: 22, vat_included: false },
}

/** Runs verbs in their own transaction, at the given moment. */
export function at<T>(db: Database, now: Instant, verbs: (work: Work) => Promise<T>): Promise<T> {
  return inTransaction(db, (tx) => verbs(workAt(tx, now, { kind: 'service' })))
}

export interface TestClient {
  readonly id: string
  readonly cabinets: readonly string[]
}

export function makeClient(
  db: Database,
  marketplaces: readonly Marketplace[] = ['WB'],
  mode: Mode = 'live',
): Promise<TestClient> {
  return at(db, noon, async (work) => {
    const id = await createClient(work, { mode, name: 'ООО «Проверка»' })
    const cabinets: string[] = []
    for (const marketplace of marketplaces) {
      cabinets.push(await addCabinet(work, id, { marketplace, name: marketplace }))
    }
    return { id, cabinets }
  })
}

/** Receives goods through the verbs, so that these units of each are free. */
export function stockUp(
  db: Database,
  clientId: string,
  units: Readonly<Record<string, number>>,
  now = noon,
): Promise<string> {
  return at(db, now, async (work) => {
    const items = Object.entries(units).map(([barcode, qty]) => ({
      barcode,
      name: `Товар ${barcode}`,
      qty,
    }))
    const id = await registerReceipt(work, clientId, { source: 'manual', items })
    await startReceiving(work, clientId, id)
    for (const { barcode, qty } of items) {
      await countScan(work, clientId, id, { scanId: `scan ${barcode}`, barcode, units: qty })
    }
    await finishReceiving(work, clientId, id, new Map())
    return id
  })
}

/** A WB order of one unit in its first status. */
export function newOrder(externalId: string, barcode: string, createdAt = noon): OrderDraft {
  return {
    externalId,
    createdAt,
    isB2b: false,
    lines: [{ barcode, quantity: 1 }],
    reading: readWildberriesStatus({ supplier: 'new', buyer: 'waiting' }),
  }
}

export async function orderIds(db: Database, clientId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from orders where client_id = ${clientId} order by external_id`
  return rows.map((row) => row.id)
}
