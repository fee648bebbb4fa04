import { day, hour, toTimestamp } from '../../../platform/kernel/moscow-time.ts'
import { startHistory } from '../../../warehouse/clients/cabinets.ts'
import { correctLineBarcodes } from '../../../warehouse/orders/goods.ts'
import { openOrders, terminalOrders } from '../../../warehouse/orders/orders-to-ask.ts'
import { applyReadings } from '../../../warehouse/orders/readings.ts'
import { deleteOldLeftOut, hasOrders, takeInOwnOrders } from '../intake/own-orders.ts'
import {
  continuedFrom,
  firstWindowMs,
  followedMs,
  isPartDue,
  overlapMs,
  progressAt,
  type SyncContext,
  write,
  writePages,
  writeProgress,
} from './context.ts'
import { misnamedLines, withBarcodes } from './line-barcodes.ts'
import { recordProgress } from './sync-runs.ts'

/**
 * Takes in orders that were created or changed since the last sync run. After a failure they are listed in parts, and
 * each part is recorded when it is read. So a backlog is read in the end, even if the marketplace ends every run
 * after some pages. Until warehouses are chosen it only follows what is stored.
 */
export async function syncOrders(sync: SyncContext): Promise<void> {
  const { run, connector, startedAt, db, found, unknownStatuses } = sync
  if (!run.hasChoice && !(await hasOrders(db, run.clientId, run.cabinetId))) return
  const from =
    run.ordersFrom === null
      ? connector.now() - firstWindowMs
      : continuedFrom(sync, run.ordersFrom, overlapMs)
  const { clientId, cabinetId } = run
  const pages = connector.orders(from, run.hasFailed)
  for await (const { requestedAt, items, statuses = [], readUntil } of pages) {
    const { drafts, unknownGoods } = await withBarcodes(db, clientId, cabinetId, items)
    found.unknownGoods ||= unknownGoods
    unknownStatuses.look(connector.marketplace, drafts)
    await write(sync, requestedAt, async (work) => {
      const intake = await takeInOwnOrders(work, clientId, cabinetId, drafts)
      const changed = await applyReadings(work, clientId, cabinetId, statuses)
      found.ordersChanged ||= intake.added + intake.changed + changed.length > 0
      if (readUntil === undefined) return
      const readTo = Math.min(readUntil, connector.now())
      await recordProgress(work.tx, run, { orders_from: toTimestamp(readTo) })
    })
  }
  await write(sync, startedAt, async (work) => {
    // The history begins even if the cabinet has no orders.
    await startHistory(work, clientId, cabinetId)
    await deleteOldLeftOut(work, clientId, cabinetId)
    await recordProgress(work.tx, run, { orders_from: progressAt(sync) })
  })
}

const statusesPerPage = 1000
/** Terminal orders may still change for this long after their creation. */
const terminalFollowedMs = 30 * day
/** They are asked about this often, or every so many sync runs, whichever is more frequent. */
const terminalEveryMs = hour
const terminalEveryRuns = 20
/** Pages of terminal orders in one sync run, so that open orders come first. */
const terminalPagesMax = 10

/**
 * Asks for the statuses of open orders that this run has not reported yet, and of terminal orders at
 * times. Does nothing where the marketplace reports every change of status by itself.
 */
export async function syncStatuses(sync: SyncContext): Promise<void> {
  const { run, connector, startedAt, db, intervalMs } = sync
  if (connector.reportsStatusChanges) return
  const { clientId, cabinetId } = run
  const page = { reportedBefore: toTimestamp(startedAt), limit: statusesPerPage }
  const open = openOrders(db, clientId, cabinetId, {
    ...page,
    createdFrom: toTimestamp(startedAt - followedMs),
  })
  for await (const externalIds of open) await readStatuses(sync, externalIds)
  const everyMs = Math.min(terminalEveryMs, terminalEveryRuns * intervalMs)
  if (!isPartDue(sync, run.terminalCheckedAt, everyMs)) return
  const terminal = terminalOrders(db, clientId, cabinetId, {
    ...page,
    createdFrom: toTimestamp(startedAt - terminalFollowedMs),
    pagesMax: terminalPagesMax,
    after: run.terminalAfter,
  })
  let stoppedAfter: string | null = null
  for await (const { externalIds, after } of terminal) {
    await readStatuses(sync, externalIds)
    stoppedAfter = after
  }
  await writeProgress(sync, {
    terminal_checked_at: progressAt(sync),
    terminal_after: stoppedAfter,
  })
}

function readStatuses(sync: SyncContext, externalIds: readonly string[]): Promise<void> {
  const { connector, run, unknownStatuses } = sync
  return writePages(sync, connector.statuses(externalIds), (work, { items }) => {
    unknownStatuses.look(connector.marketplace, items)
    return applyReadings(work, run.clientId, run.cabinetId, items)
  })
}

/**
 * Gives lines of waiting orders the barcode under which their goods now lie in the warehouse. It runs
 * before shipments, so that what leaves next leaves under the right barcode.
 */
export async function syncBarcodes(sync: SyncContext): Promise<void> {
  const { startedAt, db, run } = sync
  for await (const lines of misnamedLines(db, run.clientId, run.cabinetId)) {
    await write(sync, startedAt, (work) => correctLineBarcodes(work, run.clientId, lines))
  }
}
