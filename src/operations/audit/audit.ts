import { availableParallelism } from 'node:os'
import { type Database, openBeside, type Transaction } from '../../platform/db/connection.ts'
import { type Clock, systemClock } from '../../platform/kernel/clock.ts'
import type { Check, Finding } from './check.ts'
import { billingChecks } from './checks/billing.ts'
import { countChecks } from './checks/counts.ts'
import { exceptionChecks } from './checks/exceptions.ts'
import { journalChecks } from './checks/journals.ts'
import { keyChecks } from './checks/keys.ts'
import { lotChecks } from './checks/lots.ts'
import { cardChecks, marketplaceChecks } from './checks/marketplaces.ts'
import { markingCodeChecks } from './checks/marking-codes.ts'
import { metricsCheck } from './checks/metrics.ts'
import { orderChecks } from './checks/orders.ts'
import { photoChecks } from './checks/photos.ts'
import { pickingChecks } from './checks/picking.ts'
import { pictureChecks } from './checks/pictures.ts'
import { receiptChecks } from './checks/receipts.ts'
import { returnChecks } from './checks/returns.ts'
import { setChecks } from './checks/sets.ts'
import { shipmentChecks } from './checks/shipments.ts'
import { stockChecks } from './checks/stock.ts'
import { storageChecks } from './checks/storage.ts'
import { tallyChecks } from './checks/tallies.ts'
import { webhookChecks } from './checks/webhooks.ts'
import { wholeChecks } from './checks/whole.ts'
import { type Slice, slicesOfClients } from './slices.ts'
import { type Task, Tasks } from './tasks.ts'

/**
 * The audit computes every stored sum and copy again from the rows it comes from, for all clients, and
 * names each difference.
 *
 * - It sees one moment, in transactions of one snapshot that only read: it may run beside the service, takes no row
 *   locks, and sees no change half done.
 * - The database does the work on a few connections. Each has one check of one slice of the clients at a time, in
 *   bounded memory: sorts and joins that do not fit go to disk. Only findings come here, at most `findingsMax` of
 *   them.
 */
export interface AuditReport {
  readonly checks: number
  readonly findings: readonly Finding[]
  /** How many findings were left out. */
  readonly omitted: number
}

const findingsMax = 1_000
/**
 * Connections beside the first one: as many as cores may have work. A database elsewhere has cores of its own. By
 * `max_parallel_workers_per_gather` most checks would stay on one core.
 */
const helpers = Math.min(3, Math.max(1, availableParallelism() - 1))
/** Checks that run for each slice of clients. */
const checksOfClients: readonly Check[] = [
  ...stockChecks,
  ...setChecks,
  ...tallyChecks,
  ...storageChecks,
  ...lotChecks,
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
  ...pictureChecks,
  ...photoChecks,
  ...webhookChecks,
  ...keyChecks,
  ...journalChecks,
  ...billingChecks,
  metricsCheck,
]

/** The names of all checks, in the order in which they run. */
export const checkNames: readonly string[] = [...wholeChecks, ...checksOfClients].map(
  ({ name }) => name,
)

/** Up to so many orders, opening another connection takes longer than the work that it would take over. */
const ordersAloneMax = 10_000

/** @param aloneMax with more orders, other connections help */
export async function audit(
  db: Database,
  clock: Clock = systemClock,
  aloneMax = ordersAloneMax,
): Promise<AuditReport> {
  const beside = openBeside(db, helpers)
  try {
    return await reading(db, async (tx) => {
      const [{ snapshot }] = await tx<[{ snapshot: string }]>`
        select pg_export_snapshot() as snapshot`
      const help = (tasks: Tasks, orders: number) =>
        Array.from({ length: orders > aloneMax ? helpers : 0 }, () =>
          helpFrom(beside, snapshot, tasks),
        )
      return auditWithin(tx, clock, help)
    })
  } finally {
    await beside.end()
  }
}

/** Works on tasks on another connection. Where the server has none left, the others do all of the work. */
async function helpFrom(beside: Database, snapshot: string, tasks: Tasks): Promise<void> {
  let hasBegun = false
  try {
    await reading(beside, async (tx) => {
      await tx.unsafe(`set transaction snapshot '${snapshot}'`)
      hasBegun = true
      await tasks.work(tx)
    })
  } catch (error) {
    if (hasBegun) throw error
  }
}

/** Audits some clients inside the caller's transaction, and nothing of the whole database. */
export async function auditClients(
  tx: Transaction,
  clients: readonly string[],
): Promise<AuditReport> {
  const slices = await Array.fromAsync(slicesOfClients(tx, clients))
  const tasks = new Tasks(tasksOf(slices), systemClock, findingsMax)
  await tasks.work(tx)
  return reportOf(tasks)
}

/** Runs the audit inside the caller's transaction: on its connection alone, unless others help. */
export async function auditWithin(
  tx: Transaction,
  clock: Clock,
  help: (tasks: Tasks, orders: number) => readonly Promise<void>[] = () => [],
): Promise<AuditReport> {
  const slices = await Array.fromAsync(slicesOfClients(tx))
  const whole = wholeChecks.map((check) => ({ check, clients: [] }))
  const tasks = new Tasks([...whole, ...tasksOf(slices)], clock, findingsMax)
  const orders = slices.reduce((sum, slice) => sum + slice.orders, 0)
  await Promise.all([tasks.work(tx), ...help(tasks, orders)])
  return reportOf(tasks)
}

/** For each sort or hash table of a statement; a hash table may take twice as much. */
const workMemory = '64MB'

function reading<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.begin('isolation level repeatable read read only', async (tx) => {
    // Clients differ in size by orders of magnitude: no plan suits all slices. One connection may wait for another.
    // The lock comes before the snapshot: a partition that is dropped is gone for every snapshot.
    await tx.unsafe(`
      set local work_mem = '${workMemory}';
      set local plan_cache_mode = force_custom_plan;
      set local idle_in_transaction_session_timeout = 0;
      lock table events, ended_deliveries in access share mode`)
    return work(tx)
  })
}

/** The checks of the largest clients come first, so that no connection is left with them at the end. */
function tasksOf(slices: readonly Slice[]): Task[] {
  return slices
    .toSorted((one, other) => other.orders - one.orders)
    .flatMap(({ clients }) => checksOfClients.map((check) => ({ check, clients })))
}

function reportOf(tasks: Tasks): AuditReport {
  const { findings, count } = tasks.found
  return { checks: checkNames.length, findings, omitted: count - findings.length }
}
