import type { Work } from '../../platform/db/work.ts'
import { pickingTaskOf } from '../../warehouse/picking/tasks.ts'
import {
  acceptShipment,
  addOrders,
  closeShipment,
  openShipment,
} from '../../warehouse/shipments/verbs.ts'
import { type Batch, planBatches } from './batches.ts'
import { pickingSteps } from './picking.ts'
import type { PlannedOrder } from './plan.ts'
import type { Stage, Step } from './stage.ts'
import { intakeSteps, statusSteps } from './syncs.ts'

/** Syncs, shipments and picking, as batches.ts plans them. */
export function shippingSteps(stage: Stage, orders: readonly PlannedOrder[]): Step[] {
  const batches = planBatches(stage.end, orders)
  return [
    ...intakeSteps(stage, orders),
    ...statusSteps(stage, orders, batches),
    ...batches.flatMap((batch) => batchSteps(stage, batch)),
  ]
}

function batchSteps(stage: Stage, batch: Batch): Step[] {
  const { clientId, cabinets } = stage
  const { marketplace, opensAt, closesAt, acceptedAt } = batch
  const numbered = String(9000 - batch.back * 7)
  let id = ''
  let task = ''
  const orderIds = new Map<string, string>()
  const open: Step = {
    at: opensAt,
    run: async (work) => {
      id = await openShipment(work, clientId, {
        cabinetId: cabinets[marketplace],
        externalId: marketplace === 'WB' ? `WB-GI-2140${numbered}` : `1480${numbered}`,
        ...(marketplace === 'WB' ? { name: `Поставка ${numbered}` } : {}),
      })
      for (const order of await idsOf(work, stage, batch)) orderIds.set(order.number, order.id)
      await addOrders(work, clientId, id, [...orderIds.values()])
      task = await pickingTaskOf(work, clientId, id)
    },
  }
  const close: Step[] =
    closesAt === undefined
      ? []
      : [{ at: closesAt, run: (work) => closeShipment(work, clientId, id) }]
  const accept: Step[] =
    acceptedAt === undefined
      ? []
      : [{ at: acceptedAt, run: (work) => acceptShipment(work, clientId, id) }]
  const opened = () => ({ id, task, orderIds })
  return [open, ...pickingSteps(stage, batch, opened), ...close, ...accept]
}

function idsOf(
  work: Work,
  { clientId, cabinets }: Stage,
  { marketplace, orders }: Batch,
): Promise<{ id: string; number: string }[]> {
  return work.tx<{ id: string; number: string }[]>`
    select id, external_id as number from orders
    where client_id = ${clientId} and cabinet_id = ${cabinets[marketplace]}
      and external_id = any(${orders.map((order) => order.externalId)})`
}
