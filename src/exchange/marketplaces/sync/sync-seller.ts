import type { Work } from '../../../platform/db/work.ts'
import type { Timestamp } from '../../../platform/kernel/moscow-time.ts'
import { forgetOwnWarehouses, recordSeller } from '../../../warehouse/clients/cabinets.ts'
import { isSealedSeller, sealSeller } from '../../../warehouse/clients/credentials.ts'
import { forgetMarketplaceStock } from '../../../warehouse/stock/marketplace-stock.ts'
import { forgetLeftOut } from '../intake/own-orders.ts'
import { type SyncContext, write } from './context.ts'
import type { SyncRun } from './sync-runs.ts'

/**
 * Starts a cabinet anew when its new credentials belong to another seller: the cursors are reset, and
 * the former seller's cards and stock figures are deleted. Orders stay, because nobody can tell whether
 * they belong to the cabinet's client.
 */
export async function syncSeller(sync: SyncContext): Promise<void> {
  const { run, box, startedAt } = sync
  const { clientId, cabinetId } = run
  const named = sync.connector.seller
  if (named === undefined) return
  if (run.seller !== null && isSealedSeller(box, cabinetId, run.seller, named)) return
  const seller = sealSeller(box, cabinetId, named)
  if (run.seller === null) {
    await write(sync, startedAt, (work) => recordSeller(work, clientId, cabinetId, seller))
    sync.run = { ...run, seller }
    return
  }
  // The seller changes last, so that the next run continues after a crash in between.
  for (let left = true; left; ) left = await write(sync, startedAt, (work) => forget(work, run))
  sync.run = await write(sync, startedAt, (work) => beginAnew(work, run, seller))
}

/** Rows deleted in one transaction, of cards and of figures each. */
const rowsMax = 1000

/**
 * Deletes a page of the cards and one of the figures; returns whether there were any. The cursor goes
 * with the first page: if the former seller's key comes back in the middle, all is read again.
 */
async function forget(work: Work, { clientId, cabinetId }: SyncRun): Promise<boolean> {
  const { tx } = work
  const own = tx`client_id = ${clientId} and cabinet_id = ${cabinetId}`
  await tx`
    update cabinet_syncs set cards_cursor = null, cards_at = null, stock_at = null where ${own}`
  const cards = tx`
    delete from marketplace_cards where ${own} and item_id in (
      select item_id from marketplace_cards where ${own} order by item_id limit ${rowsMax})`
  const figures = await forgetMarketplaceStock(work, clientId, cabinetId, rowsMax)
  return (await cards.affected()) + figures > 0
}

async function beginAnew(work: Work, run: SyncRun, seller: Buffer): Promise<SyncRun> {
  await recordSeller(work, run.clientId, run.cabinetId, seller)
  await forgetOwnWarehouses(work, run.clientId, run.cabinetId)
  await forgetLeftOut(work, run.clientId, run.cabinetId, null)
  const [anew] = await work.tx<{ connectedAt: Timestamp }[]>`
    update cabinet_syncs s set connected_at = coalesce(k.credentials_at, now()),
      orders_from = null, shipments_from = null, shipments_back_to = null, cards_cursor = null, cards_at = null,
      cards_failure = null, stock_at = null, reshipments_at = null, returns_at = null,
      labels_at = null, giveout_code = null, terminal_checked_at = null, terminal_after = null
    from cabinets k
    where k.client_id = s.client_id and k.id = s.cabinet_id
      and s.client_id = ${run.clientId} and s.cabinet_id = ${run.cabinetId}
    returning s.connected_at as "connectedAt"`
  return {
    ...run,
    ...anew,
    seller,
    hasChoice: false,
    ordersFrom: null,
    shipmentsFrom: null,
    cardsCursor: null,
    cardsAt: null,
    cardsFailure: null,
    stockAt: null,
    reshipmentsAt: null,
    returnsAt: null,
    labelsAt: null,
    terminalCheckedAt: null,
    terminalAfter: null,
  }
}
