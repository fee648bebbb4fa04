import { type Marketplace, marketplaces } from '../../clients/marketplace.ts'
import {
  addCabinet,
  createClient,
  recordSync,
  recordSyncFailure,
  startHistory,
} from '../../clients/verbs.ts'
import type { Transaction } from '../../db/connection.ts'
import { type Work, workAt } from '../../db/work.ts'
import type { Instant } from '../../kernel/moscow-time.ts'
import { type Random, seededRandom } from '../../kernel/random.ts'
import { readOzonStatus } from '../../marketplaces/ozon/status.ts'
import { readWildberriesStatus } from '../../marketplaces/wildberries/status.ts'
import { applyReadings } from '../../orders/verbs.ts'
import { handSteps } from './by-hand.ts'
import { cabinets, seller, warehouse } from './goods.ts'
import { mirrorFigures } from './mirror.ts'
import { day, days, hour, ozonSilence, planOrders } from './plan.ts'
import { receiptSteps } from './receipts.ts'
import { Shelves } from './shelves.ts'
import { shippingSteps } from './shipping.ts'

/**
 * Builds the scenario that every sandbox is a copy of: a fictional seller's last 30 days, played
 * through the same verbs as live work, one step after the other in the order of time. Everything
 * follows from the seed and the moment at which the scenario ends.
 */

/** Raised with every change of the scenario: sandboxes made from then on are copies of the new one. */
export const scenarioVersion = '2'

/** One thing that somebody does at a moment. */
export interface Step {
  readonly at: Instant
  run(work: Work): Promise<void>
}

export interface Stage {
  readonly clientId: string
  readonly cabinets: Readonly<Record<Marketplace, string>>
  readonly random: Random
  /** The last moment of the scenario. */
  readonly end: Instant
  readonly shelves: Shelves
}

/** Makes the seller and plays its month, all in the caller's transaction. Returns the client's id. */
export async function buildScenario(tx: Transaction, end: Instant): Promise<string> {
  const stage = await setStage(tx, end)
  const orders = planOrders(stage.random, end)
  const steps = [
    ...receiptSteps(stage),
    ...shippingSteps(stage, orders),
    ...handSteps(stage),
    ...lastSyncs(stage),
  ].sort((a, b) => a.at - b.at)
  for (const [index, step] of steps.entries()) {
    await step.run(workAt(tx, step.at, 'robot'))
    // On an empty database the planner knows nothing of what grows here, and takes poor indexes.
    if (index % 250 === 100) await tx`analyze orders, order_lines, shipments, box_contents`
  }
  return stage.clientId
}

async function setStage(tx: Transaction, end: Instant): Promise<Stage> {
  const founding = workAt(tx, end - 200 * day, 'robot')
  const clientId = await createClient(founding, {
    mode: 'test',
    ...seller,
    warehouse: warehouse.code,
  })
  const first = workAt(tx, end - (days + 1) * day, 'robot')
  const ids: [Marketplace, string][] = []
  for (const [index, cabinet] of cabinets.entries()) {
    const joining = workAt(tx, end - (200 - index) * day, 'robot')
    const id = await addCabinet(joining, clientId, cabinet)
    await startHistory(first, clientId, id)
    ids.push([cabinet.marketplace, id])
  }
  return {
    clientId,
    cabinets: Object.fromEntries(ids) as Record<Marketplace, string>,
    random: seededRandom(`sandbox ${scenarioVersion}`),
    end,
    shelves: new Shelves(clientId),
  }
}

/** The last poll of each cabinet: WB a moment ago, OZON refused since an hour. */
function lastSyncs(stage: Stage): Step[] {
  const { clientId, cabinets: ids, end } = stage
  const syncs = marketplaces.map((marketplace) => ({
    at: marketplace === 'WB' ? end - 3 * 60_000 : end - ozonSilence,
    run: async (work: Work) => {
      await mirrorFigures(work, stage, marketplace)
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

/** A poll tells the status of every order that may still change, also where it is the same. */
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
  const told = open.map(({ external_id, supplier, buyer }) => ({
    externalId: external_id,
    reading: read({ supplier, buyer }),
  }))
  await applyReadings(work, clientId, cabinetId, told)
}
