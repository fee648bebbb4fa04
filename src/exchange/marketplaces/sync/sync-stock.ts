import {
  deleteStaleMarketplaceStock,
  type ReportedStock,
  recordMarketplaceStock,
} from '../../../warehouse/stock/marketplace-stock.ts'
import { listShownGoods } from '../../../warehouse/stock/new-products.ts'
import { ownWarehousesOf } from '../intake/own-orders.ts'
import { cardKeys } from './card-store.ts'
import { isPartDue, progressAt, type SyncContext, write, writePages } from './context.ts'
import { recordProgress } from './sync-runs.ts'

const stockEveryMs = 5 * 60_000

/** Mirrors the stock that the cabinet shows, and lists the goods of which it shows some. */
export async function syncStock(sync: SyncContext): Promise<void> {
  const { run, connector, startedAt, db } = sync
  if (!isPartDue(sync, run.stockAt, Math.min(stockEveryMs, sync.intervalMs))) return
  const { clientId, cabinetId } = run
  let asOf = startedAt
  const pages = connector.stock(cardKeys(db, clientId, cabinetId))
  await writePages(sync, pages, async (work, { requestedAt, items }) => {
    asOf = Math.min(asOf, requestedAt)
    const own = await ownWarehousesOf(work.tx, clientId, cabinetId)
    const isOurs = ({ warehouse }: ReportedStock) =>
      warehouse === undefined || own === null || own.includes(String(warehouse.id))
    const figures = items.filter(isOurs)
    await recordMarketplaceStock(work, clientId, cabinetId, figures)
    await listShownGoods(work, clientId, cabinetId, figures)
  })
  // Older figures were not reported again. The first answer may have corrected the clock of this run's beginning.
  await write(sync, asOf, async (work) => {
    await deleteStaleMarketplaceStock(work, clientId, cabinetId)
    await recordProgress(work.tx, run, { stock_at: progressAt(sync) })
  })
}
