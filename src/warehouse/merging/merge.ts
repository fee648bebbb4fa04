import type { Work } from '../../platform/db/work.ts'
import { conflict } from '../../platform/kernel/errors.ts'
import { mergeMeasures } from '../billing/measures.ts'
import { lockProducts, type Merging, markMerged } from '../catalogue/merged-products.ts'
import { mergePictures } from '../catalogue/pictures.ts'
import { lockKnownOrders, lockOrderBook } from '../orders/lock.ts'
import { nameMergedGoods, ordersHereWith } from '../orders/merged-lines.ts'
import { renameMergedPicking } from '../picking/merged-picks.ts'
import { lockOpenReceiptsOf, mergeReceiptLines } from '../receipts/merged-lines.ts'
import { mergeReturnLines } from '../returns/expected-units.ts'
import { lockBalances } from '../stock/balances.ts'
import { mergeBalances } from '../stock/ledger.ts'
import { mergeStockLots } from '../stock/lots.ts'
import { mergeMarketplaceStock } from '../stock/marketplace-stock.ts'
import { mergeMarkingCodes } from '../stock/marking-codes.ts'
import { renameStored } from '../storage/excess.ts'
import { planOfMerging } from './plan.ts'

/**
 * Merges two products of a client that are one. Two movements make the units of the one units of the other, and its
 * barcodes become barcodes of the other. What is under way goes on under the other. What is over keeps its barcode: the
 * ledger, orders that left, receipts and returns that ended. What comes back later comes back as the product that
 * stayed. That one takes over measures and a picture where it has none.
 */
export async function mergeProducts(work: Work, clientId: string, merging: Merging): Promise<void> {
  const { from, into } = merging
  await lockOrderBook(work, clientId)
  await lockOpenReceiptsOf(work, clientId, merging)
  const orders = await ordersHereWith(work.tx, clientId, from)
  await lockKnownOrders(work, clientId, orders)
  await lockProducts(work, clientId, merging)
  await keepRequestsApart(work, clientId)
  const { refusal } = await planOfMerging(work.tx, clientId, merging)
  if (refusal !== undefined) throw conflict(refusal)
  await markMerged(work, clientId, merging)
  await mergePictures(work, clientId, merging)
  await mergeMeasures(work, clientId, merging)
  await mergeReceiptLines(work, clientId, merging)
  await nameMergedGoods(work, clientId, orders)
  await renameMergedPicking(work, clientId, orders)
  await mergeReturnLines(work, clientId, merging)
  await mergeMarkingCodes(work, clientId, merging)
  await mergeMarketplaceStock(work, clientId, merging)
  await lockBalances(work, clientId, [from, into])
  await renameStored(work, clientId, from, into)
  await mergeBalances(work, clientId, merging)
  await mergeStockLots(work, clientId, merging)
}

/**
 * Sellers request receipts under this lock. Requests from before are renamed here, and later ones find the other
 * product.
 */
async function keepRequestsApart({ tx }: Work, clientId: string): Promise<void> {
  await tx`select from client_counters where client_id = ${clientId} for update`
}
