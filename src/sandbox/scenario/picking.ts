import type { Work } from '../../platform/db/work.ts'
import { reportNotFound } from '../../warehouse/picking/misses.ts'
import { pickUnits } from '../../warehouse/picking/picks.ts'
import { removeOrder } from '../../warehouse/shipments/verbs.ts'
import { type Batch, removedFrom } from './batches.ts'
import type { PlannedOrder } from './plan.ts'
import type { Stage, Step } from './stage.ts'

const reasons = ['COULD_NOT_LOCATE', 'EMPTY_LOCATION', 'DAMAGED', 'MISPLACED', 'WRONG_BARCODE']

export interface OpenedShipment {
  readonly id: string
  readonly task: string
  /** Order ids by the orders' numbers in the cabinet. */
  readonly orderIds: ReadonlyMap<string, string>
}

/** The picker first reports what is not found, and then picks the other orders in three parts. */
export function pickingSteps(stage: Stage, batch: Batch, opened: () => OpenedShipment): Step[] {
  const { clientId, random } = stage
  const removed = removedFrom(batch)
  const share = batch.closesAt === undefined ? 0.5 : 1
  const reached = batch.orders.slice(0, Math.ceil(batch.orders.length * share))
  const missed = reached.filter((order) => order === removed || random.next() < 0.006)
  const misses = missed.map((order, index): Step => {
    const reason = random.pick(reasons)
    return {
      at: batch.opensAt + (10 + index) * 60_000,
      run: async (work) => {
        const { id, task, orderIds } = opened()
        const orderId = orderIds.get(order.externalId) ?? ''
        await reportNotFound(work, clientId, task, { orderId, reason })
        if (order === removed) await removeOrder(work, clientId, id, orderId)
      },
    }
  })
  const picked = reached.filter((order) => order !== removed)
  const third = Math.ceil(picked.length / 3)
  const picks = [0, 1, 2].map(
    (part): Step => ({
      at: batch.opensAt + (30 + part * 25) * 60_000,
      run: (work) =>
        pickOrders(work, stage, opened(), picked.slice(part * third, (part + 1) * third)),
    }),
  )
  return [...misses, ...picks]
}

async function pickOrders(
  work: Work,
  stage: Stage,
  { task, orderIds }: OpenedShipment,
  orders: readonly PlannedOrder[],
): Promise<void> {
  const picks = orders.map((order) => {
    const shelf = stage.shelves.takeOne(order.good.barcode)
    return {
      scanId: `pick-${order.externalId}`,
      orderId: orderIds.get(order.externalId) ?? '',
      barcode: order.good.barcode,
      ...shelf,
    }
  })
  await pickUnits(work, stage.clientId, task, picks)
}
