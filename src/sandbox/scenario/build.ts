import { readOzonStatus } from '../../exchange/marketplaces/ozon/status.ts'
import { readWildberriesStatus } from '../../exchange/marketplaces/wildberries/status.ts'
import type { Transaction } from '../../platform/db/connection.ts'
import { type Work, workAt } from '../../platform/db/work.ts'
import { day, hour, type Instant } from '../../platform/kernel/moscow-time.ts'
import { seededRandom } from '../../platform/kernel/random.ts'
import {
  addCabinet,
  recordSync,
  recordSyncFailure,
  startHistory,
} from '../../warehouse/clients/cabinets.ts'
import { type Marketplace, marketplaces } from '../../warehouse/clients/marketplace.ts'
import { applyReadings } from '../../warehouse/orders/readings.ts'
import { composingSteps } from './composing.ts'
import { createSeller } from './founding.ts'
import { cabinets } from './goods.ts'
import { manualSteps } from './manual.ts'
import { showMarketplaceStock } from './marketplace-stock.ts'
import { days, ozonOutageMs, planOrders } from './plan.ts'
import { rareOrderSteps } from './rare-orders.ts'
import { receiptSteps } from './receipts.ts'
import { returnSteps } from './returns.ts'
import { Shelves } from './shelves.ts'
import { shippingSteps } from './shipping.ts'
import type { Stage, Step } from './stage.ts'
import { stocktakingSteps } from './stocktaking.ts'

/**
 * Plays the scenario that every sandbox is a copy of: the last 30 days of a fictional seller. The
 * verbs of live work play them step by step in the order of time. The seed and the last moment of the
 * scenario determine everything but ids.
 *
 * "node scripts/scenario.ts" plays it and keeps its rows (read-rows.ts); a service only restores them (kept-rows.ts), which takes a
 * tenth of the time.
 */

/** Goods, orders and receipts stay the same from version to version. */
const seed = 'sandbox 3'

/** Creates the seller and plays its month in the caller's transaction. Returns the client's id. */
export async function playScenario(tx: Transaction, end: Instant): Promise<string> {
  const stage = await setStage(tx, end)
  const orders = planOrders(stage.random, end)
  const steps = [
    ...receiptSteps(stage),
    ...composingSteps(stage),
    ...shippingSteps(stage, orders),
    ...manualSteps(stage),
    ...stocktakingSteps(stage),
    ...lastSyncs(stage),
    ...rareOrderSteps(stage),
    ...returnSteps(stage),
  ].sort((a, b) => a.at - b.at)
  for (const [index, step] of steps.entries()) {
    await step.run(workAt(tx, step.at, { kind: 'robot' }))
    // The planner has no statistics of tables that were empty, and would choose poor indexes.
    if (index % 250 === 100) await tx`analyze orders, order_lines, shipments, box_contents`
  }
  return stage.clientId
}

async function setStage(tx: Transaction, end: Instant): Promise<Stage> {
  const clientId = await createSeller(tx, end)
  const first = workAt(tx, end - (days + 1) * day, { kind: 'robot' })
  const ids: [Marketplace, string][] = []
  for (const [index, cabinet] of cabinets.entries()) {
    const joining = workAt(tx, end - (200 - index) * day, { kind: 'robot' })
    const id = await addCabinet(joining, clientId, cabinet)
    await startHistory(first, clientId, id)
    ids.push([cabinet.marketplace, id])
  }
  return {
    clientId,
    cabinets: Object.fromEntries(ids) as Record<Marketplace, string>,
    random: seededRandom(seed),
    end,
    shelves: new Shelves(clientId),
  }
}

/** The last sync of each cabinet: WB's was a moment ago, OZON has refused the key for an hour. */
function lastSyncs(stage: Stage): Step[] {
  const { clientId, cabinets: ids, end } = stage
  const syncs = marketplaces.map((marketplace) => ({
    at: marketplace === 'WB' ? end - 3 * 60_000 : end - ozonOutageMs,
    run: async (work: Work) => {
      await showMarketplaceStock(work, stage, marketplace)
      await recordSync(work, clientId, ids[marketplace])
      await refreshOpenOrders(work, clientId, ids[marketplace], marketplace)
    },
  }))
  const refusal = {
    at: end - hour + 5 * 60_000,
    run: (work: Work) =>
      recordSyncFailure(
        work,
        clientId,
        ids.OZON,
        'OZON не принял ключ доступа: выпустите новый в кабинете продавца и передайте менеджеру склада',
      ),
  }
  return [...syncs, refusal]
}

/** A sync reports the status of every open order, even if it is the same. */
async function refreshOpenOrders(
  work: Work,
  clientId: string,
  cabinetId: string,
  marketplace: Marketplace,
): Promise<void> {
  const read = marketplace === 'WB' ? readWildberriesStatus : readOzonStatus
  const open = await work.tx<{ external_id: string; supplier: string; buyer: string }[]>`
    select external_id, supplier_status as supplier, buyer_status as buyer from orders
    where client_id = ${clientId} and cabinet_id = ${cabinetId}
      and status not in ('COMPLETED', 'CANCELLED')`
  const reported = open.map(({ external_id, supplier, buyer }) => ({
    externalId: external_id,
    reading: read({ supplier, buyer }),
  }))
  await applyReadings(work, clientId, cabinetId, reported)
}
