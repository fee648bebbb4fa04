import { refuseUnit } from '../../exchange/marketplaces/proving/refuse-unit.ts'
import { verdictOfDecision } from '../../exchange/marketplaces/wildberries/marks/decisions.ts'
import { GS, gtinOf } from '../../platform/kernel/codes/gs1.ts'
import { type MarkingCode, readMarkingCode } from '../../platform/kernel/codes/marking-code.ts'
import { newId } from '../../platform/kernel/ids.ts'
import { addMarks } from '../../warehouse/picking/add-marks.ts'
import { awaitProofs } from '../../warehouse/picking/mark-proofs.ts'
import { pickingTaskOf } from '../../warehouse/picking/tasks.ts'
import type { Scene, Touched } from './scene.ts'
import { addNewOrder, findOpenShipment, openNew, pickAll } from './shipments.ts'
import { markedGoods } from './stock.ts'

/**
 * WB refuses the marking code of a picked unit. Its order is not packed any more, and the robot picks another unit for it; the
 * refused one counts where it was taken from, until a manager has looked at it.
 */
export async function refuseMark(scene: Scene): Promise<Touched[]> {
  const { work, clientId } = scene
  const shipmentId = (await findOpenShipment(scene))?.id ?? (await openNew(scene))
  const { scanId, barcode, orderId, externalId } =
    (await packedUnit(scene, shipmentId)) ?? (await packUnit(scene, shipmentId))
  const taskId = await pickingTaskOf(work, clientId, shipmentId)
  const markingCode = newCode(barcode)
  await addMarks(work, clientId, taskId, { scanId, marks: {}, markingCode })
  await awaitProofs(work, clientId, taskId, [{ scanId, orderId, markingCode }], 'every cabinet')
  const refused = verdictOfDecision('sgtin', 'sgtinNotFound')
  if (refused.kind !== 'refused') throw new Error('WB takes codes that do not exist')
  await refuseUnit(work, {
    clientId,
    taskId,
    scanId,
    givenAt: work.at,
    marketplace: 'WB',
    order: { id: orderId, externalId },
    unit: { barcode, markingCode: markingCode.code, marks: {} },
    refused,
  })
  return [{ object: 'order', id: orderId }]
}

interface PackedUnit {
  readonly scanId: string
  readonly barcode: string
  readonly orderId: string
  readonly externalId: string
}

/** A unit of marked goods in a packed order of the shipment. */
async function packedUnit(
  { work, clientId }: Scene,
  shipmentId: string,
): Promise<PackedUnit | undefined> {
  const [unit] = await work.tx<PackedUnit[]>`
    select p.scan_id as "scanId", p.barcode, o.id as "orderId", o.external_id as "externalId"
    from orders o
    join picks p on p.client_id = o.client_id and p.order_id = o.id and p.undone_at is null
    where o.client_id = ${clientId} and o.shipment_id = ${shipmentId} and o.status = 'ASSEMBLING'
      and o.packed_at is not null and p.marking_code is null
      and p.barcode = any(${markedGoods.map(({ barcode }) => barcode)})
    order by o.packed_at desc, p.scan_id limit 1`
  return unit
}

/** The shipment is picked; it gets an order of marked goods where it has none. */
async function packUnit(scene: Scene, shipmentId: string): Promise<PackedUnit> {
  await pickAll(scene, shipmentId)
  if ((await packedUnit(scene, shipmentId)) === undefined) {
    await addNewOrder(scene, shipmentId, true)
    await pickAll(scene, shipmentId)
  }
  const unit = await packedUnit(scene, shipmentId)
  if (unit === undefined) throw new Error(`nothing in shipment ${shipmentId} could be picked`)
  return unit
}

/** A code that nobody has seen. */
function newCode(barcode: string): MarkingCode {
  const serial = newId().replaceAll('-', '').slice(-13)
  const code = readMarkingCode(`01${gtinOf(barcode)}21${serial}${GS}91EE07${GS}92${'A'.repeat(44)}`)
  if (!code.ok) throw new Error(`no marking code of ${barcode}: ${code.problem}`)
  return code
}
