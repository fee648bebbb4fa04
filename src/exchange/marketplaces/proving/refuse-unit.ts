import type { Work } from '../../../platform/db/work.ts'
import { markNames } from '../../../platform/kernel/codes/unit-mark.ts'
import { excerpt } from '../../../platform/kernel/errors.ts'
import { newId } from '../../../platform/kernel/ids.ts'
import { keepRefusedScan } from '../../../warehouse/exceptions/verbs.ts'
import type { GivenUnit } from '../../../warehouse/picking/given-marks.ts'
import type { DueShipment, ProvedOrder } from '../../../warehouse/picking/mark-proof-queries.ts'
import type { MarkRefusal, ProvedUnit } from '../../../warehouse/picking/mark-proofs.ts'
import { takeBackRefusedUnit } from '../../../warehouse/picking/undo.ts'
import { refuseWhileEnding } from '../coordination/request-command.ts'

export interface RefusedUnitOfOrder extends ProvedUnit {
  readonly marketplace: DueShipment['marketplace']
  readonly order: Pick<ProvedOrder, 'id' | 'externalId'>
  readonly unit: Pick<GivenUnit, 'barcode' | 'markingCode' | 'marks'>
  readonly refused: MarkRefusal
}

/**
 * The marketplace has refused a mark of a picked unit. The order wants another unit. A manager decides about this
 * one, as about a late scan that was refused. Accepted, the unit goes into its order again, and its marks are sent
 * anew. Throws conflict while the shipment is being handed over.
 */
export async function refuseUnit(
  work: Work,
  { marketplace, order, unit, refused, ...proved }: RefusedUnitOfOrder,
): Promise<void> {
  const { clientId, taskId } = proved
  const own = { ...proved, orderId: order.id }
  if (!(await takeBackRefusedUnit(work, own, refused, refuseWhileEnding))) return
  const { barcode, markingCode, marks } = unit
  const name = markNames[refused.mark ?? ''] ?? 'данные единицы'
  const scanId = newId()
  await keepRefusedScan(work, {
    clientId,
    kind: 'pick',
    objectId: taskId,
    scanId,
    scan: {
      scan_id: scanId,
      order_id: order.id,
      barcode,
      ...(markingCode === null ? {} : { marking_code: markingCode }),
      ...(Object.keys(marks).length === 0 ? {} : { marks }),
    },
    queuedAt: work.now,
    queuedBy: undefined,
    reason: `${marketplace} не принял ${name} единицы заказа ${excerpt(order.externalId)}: ${refused.reason}`,
  })
}
