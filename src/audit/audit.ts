import type { Database, Transaction } from '../db/connection.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Check, Finding, Place } from './check.ts'
import { cardChecks } from './checks/cards.ts'
import { countChecks } from './checks/counts.ts'
import { exceptionChecks } from './checks/exceptions.ts'
import { journalChecks } from './checks/journals.ts'
import { marketplaceChecks } from './checks/marketplaces.ts'
import { markingCodeChecks } from './checks/marking-codes.ts'
import { metricsCheck } from './checks/metrics.ts'
import { orderChecks } from './checks/orders.ts'
import { pickingChecks } from './checks/picking.ts'
import { receiptChecks } from './checks/receipts.ts'
import { returnChecks } from './checks/returns.ts'
import { shipmentChecks } from './checks/shipments.ts'
import { stockChecks } from './checks/stock.ts'
import { storageChecks } from './checks/storage.ts'
import { tallyChecks } from './checks/tallies.ts'
import { webhookChecks } from './checks/webhooks.ts'
import { wholeChecks } from './checks/whole.ts'
import { slicesOfClients } from './slices.ts'

/**
 * The audit computes every stored sum and copy again from the rows it comes from, for all clients, and
 * names each difference.
 *
 * - It sees one moment, in a transaction that only reads: it may run beside the service, takes no row
 *   locks, and sees no change half done.
 * - The database does the work, a slice of the clients at a time, in bounded memory: sorts and joins
 *   that do not fit go to disk. Only findings come here, at most `findingsMax` of them.
 */
export interface AuditReport {
  readonly checks: number
  readonly findings: readonly Finding[]
  /** How many findings were left out. */
  readonly omitted: number
}

const findingsMax = 1_000
/** Checks that run for each slice of clients. */
const checksOfClients: readonly Check[] = [
  ...stockChecks,
  ...tallyChecks,
  ...storageChecks,
  ...countChecks,
  ...receiptChecks,
  ...exceptionChecks,
  ...orderChecks,
  ...shipmentChecks,
  ...pickingChecks,
  ...markingCodeChecks,
  ...returnChecks,
  ...marketplaceChecks,
  ...cardChecks,
  ...webhookChecks,
  ...journalChecks,
  metricsCheck,
]

/** The names of all checks, in the order in which they run. */
export const checkNames: readonly string[] = [...wholeChecks, ...checksOfClients].map(
  ({ name }) => name,
)

export function audit(db: Database, clock: Clock = systemClock): Promise<AuditReport> {
  return db.begin('isolation level repeatable read read only', async (tx) => {
    // For each sort or hash table of a statement; a hash table may take twice as much.
    await tx`set local work_mem = '64MB'`
    // Clients differ in size by orders of magnitude: no plan suits all slices.
    await tx`set local plan_cache_mode = force_custom_plan`
    return auditWithin(tx, clock)
  }) as Promise<AuditReport>
}

/** Runs the audit inside the caller's transaction. */
export async function auditWithin(
  tx: Transaction,
  clock: Clock = systemClock,
): Promise<AuditReport> {
  const findings: Finding[] = []
  let count = 0
  const make = async (checks: readonly Check[], clients: readonly string[]) => {
    for (const check of checks) {
      const place: Place = { tx, clients, now: clock.now(), limit: findingsMax }
      const found = await check.find(place)
      count += found.count
      findings.push(...found.findings.slice(0, findingsMax - findings.length))
    }
  }
  await make(wholeChecks, [])
  for await (const clients of slicesOfClients(tx)) await make(checksOfClients, clients)
  return { checks: checkNames.length, findings, omitted: count - findings.length }
}
